import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Child, Html } from '#platform/html/html.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import type { NavItem, Notice, Person } from '#platform/ui/layout.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { assertAccess, type CallerOf, type PageAccess } from './access.ts'
import type { FilesInForm } from './body.ts'
import type { PathOf } from './path.ts'
import type { UploadLimits } from './uploads.ts'

/** One request for a page. `PathValues` are the parsed parameters of its path, for example `{ event: number }`. */
export type PageRequest<PathValues = unknown, Caller extends Actor = Actor> = {
  context: RequestContext<Caller>
  commandContext: CommandContext<Caller>
  path: PathValues
  query: URLSearchParams
  /** Path and query as requested. */
  url: string
  csrfToken: string
  browser: Browser
  /** Scheme and host that the browser used. */
  origin: string
}

/** A request of a person with an account here. */
export type UserRequest<PathValues = unknown> = PageRequest<PathValues, UserActor>

/** The browser that sent the request, signed in or not. */
export type Browser = {
  device: string
  ip: string
  userAgent: string
  sessionHash: Buffer | undefined
  /** The content of the cookie with this purpose. */
  cookie(purpose: string): string | undefined
  /** Whose copies of pages it may keep; undefined on pages that do not know the session. */
  copiesOf?: string | undefined
}

export type PageBody = {
  title: string
  main: Child
  status?: number
  /** The result of the submitted form, if the page is the response to it; after a redirect, `Redirect.flash`. */
  flash?: Flash | undefined
  headers?: Record<string, string>
  /** Without navigation: sign-in, consent, errors. */
  bare?: boolean
  wide?: boolean
  breadcrumb?: Crumb[]
  head?: Html
  /** URLs of scripts that only this page needs. */
  scripts?: readonly string[]
  /** Addresses at other origins that forms of the page may redirect to (CSP `form-action`). */
  formTargets?: string[]
  /**
   * The page updates itself while it is open: its script requests it again about every 20 seconds with the `ETag` of the shown
   * content and gets 304 while `main` is unchanged. Changes are morphed into the page; list elements need an `id` so that they are
   * not confused with their neighbours. The script does not poll while the page is hidden or a form is being filled in. `main` must
   * not contain values that differ between requests.
   */
  live?: boolean
}

type CookieChange = { start: string; maxAgeSeconds: number } | 'end'
/** `replacesPerson`: somebody else used this browser before. */
type SessionChange = { start: string; maxAgeSeconds: number; replacesPerson: boolean } | 'end'

export type Redirect = {
  redirect: string
  flash?: Flash
  session?: SessionChange
  /** Other cookies, by their purpose. */
  cookies?: Record<string, CookieChange>
}

/** A response that is no HTML page, such as a calendar or a spreadsheet. */
export type Download = {
  content: string | Buffer | Readable
  contentType: string
  headers?: Record<string, string>
  status?: number
  /** Enables 304 responses to `If-None-Match`. */
  etag?: string
}

export type PageResponse = PageBody | Redirect | Download

/** A form that was not accepted: the submitted values and the reasons. */
export type Refused = { values: FormValues; errors: FormError[]; status?: number }

/**
 * A sensitive page asks people again who they are, if they have last shown it more than 15 minutes ago: before it is shown, only before
 * its form is accepted, or, `ForSome`, if the page says so for what was submitted.
 */
type Protection = 'recentSignIn' | 'recentSignInToSubmit' | 'recentSignInForSome'

/** What protects the page besides its access. */
type Protected = {
  /**
   * The page, asked for again by the same browser within the minute, is the same until something is written, so it is kept. It must not
   * contain values that differ between requests, and showing it must not change anything.
   */
  keeps?: true
  /** Answers 404 unless all of these modules are on. */
  modules?: readonly string[]
  /** Stays although the module of its feature is off. */
  isAlwaysOn?: true
  requires?: Protection
  /** Open to people who lack a required second factor: they set it up here, or sign out. */
  isForFactorSetup?: true
  /** The person's alone, as all pages of the own account: not shown to administrators who look as the person. */
  isPersonal?: true
  /** Concerns the session of an administrator who looks as somebody else. */
  isForViewing?: true
}

export type ViewPage<Path extends string = string, Access extends PageAccess = PageAccess> = Protected & {
  kind: 'view'
  path: Path
  access: Access
  /** Showing the page changes something, which a replica might not have when the page is read. */
  writes?: true
  /** Programs request it, without forms: it sets no cookie. */
  isForPrograms?: true
  show(request: PageRequest<PathOf<Path>, CallerOf<Access>>): Promise<PageResponse>
}

export type FormPage<Form = never, Path extends string = string, Access extends PageAccess = PageAccess> = Protected & {
  kind: 'form'
  /** The URL contains a secret that authorizes the POST, so no CSRF token is needed (one-click unsubscribe, RFC 8058). */
  isAuthorizedByUrl?: true
  /** The form redirects to other sites, which the content security policy permits on its own page only. */
  leavesSite?: true
  path: Path
  access: Access
  form: z.ZodType<Form>
  /**
   * Also accepts multipart forms; each file becomes a `data:` URL and is stored nowhere. For small pictures, or up to `maxBytes` of the
   * whole form; see `uploads` for files that are kept.
   */
  files?: FilesInForm
  /** For forms without files that grow with the data; others may have 256 KB. */
  maxFormBytes?: number
  /** Also accepts multipart forms, whose files are streamed into the file store. The form reads them with `uploadSchema`. */
  uploads?: UploadLimits
  /** Throws if the reader may not upload here. Runs before the files are read, so that nobody else can fill the store. */
  authorizeUpload?(request: PageRequest<PathOf<Path>, CallerOf<Access>>): Promise<unknown>
  show(request: PageRequest<PathOf<Path>, CallerOf<Access>>, refused?: Refused): Promise<PageResponse>
  submit(request: PageRequest<PathOf<Path>, CallerOf<Access>>, input: Form): Promise<PageResponse | Refusal | AskAgain>
}

/** A POST-only address behind a button. */
export type ActionPage<Form = never, Path extends string = string, Access extends PageAccess = PageAccess> = Protected & {
  kind: 'action'
  path: Path
  access: Access
  form: z.ZodType<Form>
  submit(request: PageRequest<PathOf<Path>, CallerOf<Access>>, input: Form): Promise<PageResponse>
}

type Refusal = { refused: FormError[]; status?: number }
/** What was submitted needs a recent proof; for pages that require it for some. */
type AskAgain = { needsRecentSignIn: true }

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into forms and paths
export type Page = ViewPage<any, any> | FormPage<any, any, any> | ActionPage<any, any, any>

export function viewPage<const Path extends string, Access extends PageAccess>(
  value: Omit<ViewPage<Path, Access>, 'kind'>,
): ViewPage<Path, Access> {
  assertAccess(value)
  return { kind: 'view', ...value }
}

export function formPage<const Path extends string, Form, Access extends PageAccess>(
  value: Omit<FormPage<Form, Path, Access>, 'kind'>,
): FormPage<Form, Path, Access> {
  assertAccess(value)
  return { kind: 'form', ...value }
}

export function actionPage<const Path extends string, Form, Access extends PageAccess>(
  value: Omit<ActionPage<Form, Path, Access>, 'kind'>,
): ActionPage<Form, Path, Access> {
  assertAccess(value)
  return { kind: 'action', ...value }
}

/** Pages that are all sensitive. */
export const sensitive = (pages: readonly Page[]): Page[] => pages.map((page) => ({ requires: 'recentSignIn', ...page }))

/** Shows the page that asks again. `resume`: the submitted form, sealed, to go on with it afterwards. */
export type ConfirmationLoader = (request: PageRequest, resume: string) => Promise<PageBody>

/** Loads what surrounds every page: navigation, site name, notifications. Features do not know it. */
export type LayoutLoader = (context: RequestContext, url: string) => Promise<LayoutContent>
type LayoutContent = {
  siteName: string
  logo?: string | undefined
  nav: NavItem[]
  person?: Person | undefined
  /** Visitors of partner instances get neither a sign-in link nor a link to the start page. */
  isVisitor?: boolean
  bell?: { href: string; count: number } | undefined
  section?: { label: string; items: NavItem[] } | undefined
  footLinks?: { href: string; label: string }[] | undefined
  /** Above every page, until its reason is gone. */
  notices?: readonly Notice[] | undefined
}
