// The public interface of extensions: `import { defineExtension } from 'turnout/extension'`. What is exported here follows semantic versioning
// apart from the product (`EXTENSION_INTERFACE_VERSION`); everything else is private. Every export has its type written out, so that its
// declaration needs no other file of the product.
import { html as markup } from '#platform/html/html.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'

/** A minor version adds, a major version changes. */
export const EXTENSION_INTERFACE_VERSION: string = '1.4.0'

declare const brand: unique symbol
/** Escaped markup, made by `html` and `ui`. */
export type Html = { readonly [brand]: 'html' }
export type Child = Html | string | number | null | undefined | false | readonly Child[]

/** Escapes every value for its place in the markup. */
export const html: (strings: TemplateStringsArray, ...values: Child[]) => Html = markup as never

type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'
export type UserInterface = {
  /** Contains the heading of the page. */
  pageHead(data: { title: string; facts?: Child; actions?: readonly Html[] }): Html
  card(data: { title?: string; body: Child; footer?: Child }): Html
  /** Names and values. */
  facts(facts: readonly { name: string; value: Child }[]): Html
  badge(data: { tone: Tone; text: string }): Html
  linkButton(data: { href: string; label: string }): Html
  /** A button that posts to an action page. `fields`: hidden values. */
  postButton(data: { action: string; csrfToken: string; label: string; fields?: Record<string, string> }): Html
}
export const ui: UserInterface = {
  pageHead: pageHeadView,
  card: cardView,
  facts: factListView,
  badge: badgeView,
  linkButton: linkButtonView,
  postButton: postButtonView,
} as never

/** A sentence with `{names}` of values, or its forms chosen by `{count}`. */
export type Message = string | { one: string; other: string }
/** By own keys, such as `title`. Nothing of Turnout can be replaced. */
export type Messages = Record<string, Message>
/** In other languages, numbers have more forms, such as `few` in Polish: those of `Intl.PluralRules`. */
export type TranslatedMessages = Record<
  string,
  string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }
>

/** A person with an account. */
export type Person = {
  id: number
  name: string
  isStaff: boolean
  /** Permissions that do not depend on a record, such as `change_event`. */
  may(permission: string): boolean
}

/** Own tables are `x_NAME.table`; of Turnout, the views `published.person`, `.event`, `.shift` and `.participation` can be read. */
export type Reader = {
  query<Row = Record<string, unknown>>(statement: string, values?: readonly unknown[]): Promise<Row[]>
}

export type ParticipationState = 'requested' | 'confirmed' | 'declined' | 'rejected'
/** As in `published.participation.state`. */
export const PARTICIPATION_STATES: readonly ParticipationState[] = ['requested', 'confirmed', 'declined', 'rejected']
export type Decision = { personId: number; to: 'confirmed' | 'rejected' }

/** A transaction. */
export type Writer = Reader & {
  /**
   * Decides about people on a shift as its board does: the person who acts must be allowed to change the event, the people are told, and the
   * log says so. People whom a working time limit refuses stay as they are, and their ids are returned. Rejects, and nothing is changed, if
   * somebody is refused for another reason.
   */
  decide(shiftId: number, decisions: readonly Decision[]): Promise<{ beyondLimits: readonly number[] }>
  /** Tells people something, by the ways that each has chosen for the kind. It is sent after the transaction, once to each of them. */
  notify(news: News): Promise<void>
}

export type News = {
  /** The name of an own kind. */
  kind: string
  personIds: readonly number[]
  /** What it is about, such as `draw 7`: whoever was told of the same by this kind is not told again. At most 60 characters. */
  about: string
  /** Of a kind about events. */
  eventId?: number
  /** Values of its texts. They are stored, and the texts are written when they are read, in the language of the reader. */
  values?: Record<string, string | number>
  /** From then on, it is marked as outdated and no longer sent. */
  validUntil?: Date
}

export type Context = {
  now: Date
  timeZone: string
  /** Of the reader, such as `en`. */
  language: string
  /** An own text. */
  t(key: string, values?: Record<string, string | number>): string
  dateTime(at: Date): string
  /** Reads only. */
  db: Reader
  /** Who reads; undefined in tasks. */
  person: Person | undefined
  /** Whether the person can take part in the event of the shift, or is responsible for it. */
  maySeeShift(shiftId: number): Promise<boolean>
  /** When people can sign up for the shift; undefined: they cannot, or there is no such shift. */
  getSignUp(shiftId: number): Promise<{ opensAt: Date | null; closesAt: Date } | undefined>
  /** Whether the person is responsible for the event of the shift. */
  mayChangeShift(shiftId: number): Promise<boolean>
  /** Shifts of published events during a time that the person sees in lists, and whether the person is responsible for them. */
  findShifts(time: { from: Date; to: Date }): Promise<{ id: number; mayChange: boolean }[]>
  /** What administrators have entered; settings without a value are absent, a switch that is on is `on`. */
  getSettings(): Promise<Readonly<Record<string, string>>>
}

export type Work = Context & {
  /** Runs the work in one transaction. It may run again after a conflict, so it must have no effect outside of it. */
  change<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>
}

/** Who may open a page. Without sign-in, there are only screens. */
export type PageAccess = 'signed-in' | 'staff' | { permission: string }
export type PageRequest = Context & {
  person: Person
  /** Parameters of the path; those named `id`, `user`, `event` and `shift` are numbers. */
  path: Record<string, string | number>
  query: URLSearchParams
  csrfToken: string
}
export type ShownPage = { title: string; main: Html }
/** `say`: shown once on the page that follows. */
export type Redirect = { redirect: string; say?: { kind: 'good' | 'bad' | 'info'; text: string } }
type NotFound = { notFound: true }

/** Paths begin with `/x/NAME/` and end with `/`. */
export type Page =
  | { path: string; access: PageAccess; show(request: PageRequest): Promise<ShownPage | Redirect | NotFound> }
  | {
      path: string
      access: PageAccess
      submit(request: PageRequest & Work, form: Record<string, string>): Promise<Redirect | NotFound>
    }

/** Who may call an endpoint. */
export type EndpointAccess = 'any-user' | { scope: string; permission?: string }
/** Paths begin with `/api/x/NAME/` and end with `/`. Undefined: 404. */
export type Endpoint =
  | {
      method: 'GET'
      path: string
      access: EndpointAccess
      summary: string
      read(request: Context & { path: PageRequest['path'] }): Promise<object | undefined>
    }
  | {
      method: 'POST'
      path: string
      access: EndpointAccess
      summary: string
      perform(request: Work & { path: PageRequest['path'] }, body: Record<string, unknown>): Promise<object | undefined>
    }

export type HomeLink = { href: string; label: string; count?: number }

/** What it shows on pages of Turnout. Undefined: nothing for this reader. */
export type Additions = {
  eventSection?(context: Context, event: { id: number; mayChange: boolean }): Promise<Html | undefined>
  /** For those who may change the person. */
  personSection?(context: Context, person: { id: number }): Promise<Html | undefined>
  homeLink?(context: Context): Promise<HomeLink | undefined>
  /** Fields of the form of an event. */
  eventForm?: FormSection
  /** Fields of the form of one shift. Shifts that are planned together with a new event have no such fields yet. */
  shiftForm?: FormSection
  /** For those who plan the event, in the menu of the task. In the path, `{event}` is the event. */
  eventAction?: { task: 'plan' | 'staff' | 'day' | 'after'; label: string; path: string }
  /** For those who may change the person. In the path, `{user}` is the person. */
  personAction?: { label: string; help: string; path: string }
}

export type FormField = {
  /** Lower-case letters, digits and `_`. */
  name: string
  /** Key of the text beside the field. */
  label: string
  /** Key of the text below it. */
  help?: string
  kind: 'text' | 'textarea' | 'number' | 'switch' | 'choice'
  /** Of a choice. `label`: key of its text. */
  options?: readonly { value: string; label: string }[]
  isRequired?: boolean
}
/** By the names of the fields. A field that is empty or a switch that is off is absent; a switch that is on is `on`. */
export type FieldValues = Readonly<Record<string, string>>

/** Turnout shows the fields in its form of an event or a shift, checks them by their kinds, and stores nothing of them. */
export type FormSection = {
  /** Key of the heading. */
  title: string
  fields: readonly FormField[]
  /** What the extension has stored. */
  read(context: Context, saved: { id: number }): Promise<FieldValues>
  /** A part of the transaction that saves the event or shift. If it fails, this part is taken back and the rest is saved without it. */
  save(tx: Reader, saved: { id: number }, values: FieldValues): Promise<void>
}

/** What a rule says about a person and a shift. */
export type Verdict = {
  personId: number
  shiftId: number
  /** Key of the text that the person and those who plan read. */
  text: string
  values?: Record<string, string | number>
  /** The person is warned and can sign up. */
  isWarning?: boolean
}

/**
 * A further rule of sign-ups. It refuses or warns; it never allows what Turnout refuses. Those who plan read it as a hint and may decide
 * otherwise. Called with all people and shifts of a page at once, so that it needs one statement; what it reads is committed already. If it
 * fails, it says nothing.
 */
export type SignUpRule = {
  name: string
  judge(
    context: Pick<Context, 'now' | 'timeZone' | 'db' | 'getSettings'>,
    asked: { personIds: readonly number[]; shiftIds: readonly number[] },
  ): Promise<readonly Verdict[]>
}

/** People sign up themselves, with the opening hours that planners set for a shift. Its slug is `x_NAME_` and the name. */
export type SignUpFlow = {
  name: string
  /** Key of the text in the form of a shift. */
  label: string
  /** Requests that somebody decides; otherwise people are confirmed at once. */
  hasRequests: boolean
}

/** What people are told. They choose by which ways it reaches them, as for kinds of Turnout. */
export type NotificationKind = {
  name: string
  /** Keys of its name and of what it is, where people choose. */
  label: string
  help: string
  /** Keys of the subject of its mail and of the sentence in mails, push messages and the list. `{event}` is the title of the event. */
  subject: string
  text: string
  /** Among which choices people find it. Default: those about their shifts. */
  topic?: 'shifts' | 'news' | 'account'
  /** Nobody gets it by mail or push who has not chosen it. */
  isOptIn?: boolean
  /** Its notifications belong to an event, and people who cannot see the event do not get them. */
  isAboutEvent?: boolean
  /** The page that it opens, instead of that of the event, and the key of its button. In the path, `{event}` is the event. */
  link?: { path: string; label: string }
}

/** Typed on the server as `npx turnout NAME:COMMAND`, and listed by `npx turnout help`. */
export type Command = {
  name: string
  /** One line, in English. */
  summary: string
  /** By their names, such as `dry-run` for `--dry-run`. */
  options?: Record<string, { type: 'string' | 'boolean'; hint?: string; help: string; required?: boolean }>
  /** What stands behind the command, in this order. */
  operands?: readonly { name: string; help: string; optional?: boolean }[]
  /** A number is the exit code. */
  run(work: CommandWork): Promise<number | undefined>
}
/** Nobody is signed in, as in a task. */
export type CommandWork = Work & {
  options: Readonly<Record<string, string | boolean | undefined>>
  operands: readonly string[]
  /** To standard output. */
  print(line: string): void
}

export type Task = {
  name: string
  /** A crontab expression in UTC, such as `30 2 * * *`. */
  schedule: string
  run(work: Work): Promise<void>
}

/**
 * A program for a browser without a person, such as one on a wall. Everybody can open it, so it contains no data: it gets a token as a device
 * (RFC 8628) for `clientId`, somebody enters its code, and it reads endpoints as this person. Browsers keep it for times without a connection.
 *
 * The page has an empty `main` and, in `#screen`, JSON with the type `ScreenFacts`.
 */
export type Screen = {
  /** As of a page. */
  path: string
  /** Key of its title, which is also the name that people read when they enter the code. */
  title: string
  /** A module for browsers, beside the code of the extension: `new URL('screen.js', import.meta.url)`. */
  script: URL
  style: URL
  /** Of its token, such as `PUBLIC_READ`. */
  scopes: readonly string[]
}
export type ScreenFacts = {
  clientId: string
  scope: string
  /** Where people enter the code, and the same as a QR code. */
  codePage: { url: string; qr: string }
  language: string
  timeZone: string
  /** Of the organisation. */
  siteName: string
  /** The texts of the extension in this language. */
  words: Messages
}

/** What an administrator enters on the page of settings. Values are stored encrypted. */
export type Setting = {
  /** Lower-case letters, digits and `_`. */
  name: string
  /** Key of the text beside the field. */
  label: string
  /** Key of the text below it. */
  help?: string
  /** A secret is never shown again. */
  kind: 'text' | 'url' | 'secret' | 'switch'
  /** Without it, channels that need it are not offered. Default: true. */
  isRequired?: boolean
}

export type ServiceRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
}
export type ServiceResponse = { status: number; text: string }

/** For work with a service outside. */
export type ServiceWork = Work & {
  /** As entered; those without a value are absent. */
  settings: Readonly<Record<string, string>>
  /** Of this instance, without a slash at the end. */
  siteUrl: string
  /**
   * Reaches public addresses by https, and what the operator permits by `OUTBOUND_ALLOW`. Undefined: no response, for example because
   * the service is down. Redirects of other methods than GET are responses.
   */
  request(url: string, request?: ServiceRequest): Promise<ServiceResponse | undefined>
}

export type ChannelWork = ServiceWork & {
  /**
   * Somebody has sent this code to the service. The person whose code it is gets messages at the address from now on. `label`: how the person
   * knows the address. Undefined: no such code. `t` has texts in the language of the person.
   */
  link(code: string, to: { address: string; label: string }): Promise<{ name: string; t: Context['t'] } | undefined>
}

export type ChannelMessage = {
  /** Of the event, or the name of the organisation. */
  title: string
  text: string
  /** A page of this instance. */
  url: string
  /** Pages on which the person answers without signing in: yes and, if there are two, no. */
  answers: readonly { label: string; url: string }[]
  /** The same if the message is sent again. */
  tag: string
}

/**
 * A way by which notifications reach people. Each links their account by a code that they send to the service, and chooses what comes by it.
 * Turnout decides who gets what and when, as for push: quiet hours, choices, what is obsolete.
 */
export type Channel = {
  name: string
  /** Key of its name. */
  label: string
  /** Names of settings that must have a value. */
  needs?: readonly string[]
  /** What the person does with the code. Undefined: they cannot link it at the moment. */
  guide(work: ServiceWork, code: string): Promise<{ text: string; link?: { href: string; label: string } } | undefined>
  /** Looks for codes at the service. Called each minute while somebody has a code, and when a person says that theirs is sent. */
  receive(work: ChannelWork): Promise<void>
  /**
   * Sends a message. `gone`: the service refuses it for good, and the link is deleted. `later`: it is not available; Turnout tries again
   * each minute for an hour.
   */
  send(work: ServiceWork, address: string, message: ChannelMessage): Promise<'sent' | 'gone' | 'later'>
}

/** Called for each entry of the log, possibly more than once. */
export type JournalReader = {
  name: string
  /** Such as `participation.moved`. */
  kinds: readonly string[]
  read(work: Work, entry: JournalEntry): Promise<void>
}
export type JournalEntry = { id: number; kind: string; at: Date; subjectId: number | null; eventId: number | null }

/** A column that refers to a person. Turnout downloads, erases and merges by it, also while the extension is off or broken. */
export type PersonalColumn = {
  table: string
  column: string
  /** Key of the heading in the download. */
  label: string
  /** Columns that tell about others, left out of the download. */
  withhold?: readonly string[]
  whenErased: 'delete' | 'clear' | 'keep'
  /** `moveUnless`: rows whose other columns of this key the remaining account has already are deleted. */
  whenMerged: 'move' | 'delete' | { moveUnless: readonly string[] }
}

/** Rows whose time in the column is older are deleted each night. */
export type Retention = { table: string; column: string; days: number }

/** Applied once, in their order. Statements are in the schema `x_NAME`; people are `public.user_profile (id)`. */
export type Migration = { name: string; sql: string }

export type Extension = {
  /** Lower-case letters, digits and `_`. Paths, tables and stored names begin with it, so it never changes. */
  name: string
  version: string
  /** Versions of this interface that fit, such as `^1.0`. */
  turnout: string
  /** Keys `title`, `text` and `who` describe it at Manage → Modules. */
  words: { en: Messages; de: Messages }
  /** In other languages, by their codes, such as `pl`. What is missing is shown in English. */
  translations?: Record<string, TranslatedMessages>
  migrations?: readonly Migration[]
  pages?: readonly Page[]
  screens?: readonly Screen[]
  endpoints?: readonly Endpoint[]
  adds?: Additions
  flows?: readonly SignUpFlow[]
  rules?: readonly SignUpRule[]
  settings?: readonly Setting[]
  channels?: readonly Channel[]
  notificationKinds?: readonly NotificationKind[]
  commands?: readonly Command[]
  tasks?: readonly Task[]
  readers?: readonly JournalReader[]
  personalData?: readonly PersonalColumn[]
  retention?: readonly Retention[]
}

/** The default export of an extension. */
export const defineExtension = (extension: Extension): Extension => extension
