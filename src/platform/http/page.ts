import type { z } from 'zod'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Child, Html } from '#platform/html/html.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import type { NavItem, Person } from '#platform/ui/layout.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { assertAccess, type PageAccess } from './access.ts'

/** One request for a page. */
export type PageRequest = {
  context: RequestContext
  commandContext: CommandContext
  path: Record<string, string>
  query: URLSearchParams
  /** Path and query as requested. */
  url: string
  csrfToken: string
  browser: Browser
  /** Scheme and host that the browser used. */
  origin: string
}

/** What is known about the browser, signed in or not. */
export type Browser = {
  device: string
  ip: string
  userAgent: string
  sessionHash: Buffer | undefined
  /** What somebody took along who was sent home to tell who they are. */
  detour?: string | undefined
}

export type PageBody = {
  title: string
  main: Child
  status?: number
  headers?: Record<string, string>
  /** Stands alone, without navigation: signing in, consent, errors. */
  bare?: boolean
  wide?: boolean
  breadcrumb?: Crumb[]
  head?: Html
  /** Addresses of scripts that this page alone needs. */
  scripts?: readonly string[]
  /** Origins besides ours that a form of the page may lead to. */
  formTargets?: string[]
  /**
   * The page stays up to date while it is open: its script asks for it again about every 20 seconds, with the `ETag` of
   * what it shows, and is answered 304 as long as `main` would be the same. What has changed is put into the page without
   * moving anything else; elements that must not be mixed up with their neighbours need an `id`. Nothing is asked while the
   * page is hidden or somebody fills in one of its forms. `main` must not hold what differs with each request.
   */
  live?: boolean
}
export type Redirect = {
  redirect: string
  flash?: Flash
  session?: { start: string; maxAgeSeconds: number } | 'end'
  /** The same for people of partner instances. */
  visitor?: { start: string; maxAgeSeconds: number } | 'end'
  detour?: { start: string; maxAgeSeconds: number } | 'end'
}
/** Anything that is not a page: a calendar, a spreadsheet. */
export type Download = {
  content: string | Buffer
  contentType: string
  headers?: Record<string, string>
  status?: number
  /** With it, who has the same already is answered 304. */
  etag?: string
}
export type PageResponse = PageBody | Redirect | Download

/** What was typed, and why it cannot be taken. */
export type Refused = { values: FormValues; errors: FormError[]; status?: number }

export type ViewPage = {
  kind: 'view'
  path: string
  access: PageAccess
  show: (request: PageRequest) => Promise<PageResponse>
}

export type FormPage<Form = never> = {
  kind: 'form'
  /** The address itself shows that whoever posts may do so; programs, which bring no cookies, post there too. */
  isAuthorizedByUrl?: true
  path: string
  access: PageAccess
  form: z.ZodType<Form>
  show: (request: PageRequest, refused?: Refused) => Promise<PageResponse>
  submit: (request: PageRequest, input: Form) => Promise<PageResponse | { refused: FormError[]; status?: number }>
}

/** What is changed by one button: posted, and has no page of its own. */
export type ActionPage<Form = never> = {
  kind: 'action'
  path: string
  access: PageAccess
  form: z.ZodType<Form>
  /** Also takes forms with files, each as a `data:` address. */
  files?: boolean
  submit: (request: PageRequest, input: Form) => Promise<PageResponse>
}

// biome-ignore lint/suspicious/noExplicitAny: the machine does not look into forms
export type Page = ViewPage | FormPage<any> | ActionPage<any>

export function viewPage(value: Omit<ViewPage, 'kind'>): ViewPage {
  assertAccess(value)
  return { kind: 'view', ...value }
}

export function formPage<Form>(value: Omit<FormPage<Form>, 'kind'>): FormPage<Form> {
  assertAccess(value)
  return { kind: 'form', ...value }
}

export function actionPage<Form>(value: Omit<ActionPage<Form>, 'kind'>): ActionPage<Form> {
  assertAccess(value)
  return { kind: 'action', ...value }
}

/** What stands around every page; told by the plan of the house, for features know no navigation. */
export type LayoutLoader = (context: RequestContext, url: string) => Promise<LayoutContent>
export type LayoutContent = {
  siteName: string
  logo?: string | undefined
  nav: NavItem[]
  person?: Person | undefined
  /** The reader has nothing to do here besides this page: neither signing in nor a way to the start is offered. */
  isVisitor?: boolean
  bell?: { href: string; count: number } | undefined
  section?: { label: string; items: NavItem[] } | undefined
  footLinks?: { href: string; label: string }[] | undefined
}
