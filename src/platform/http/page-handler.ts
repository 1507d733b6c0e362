import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ANONYMOUS, hasRecentProof, lacksFactor } from '#platform/auth/actor.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import type { FileStore } from '#platform/files/store.ts'
import { discardFiles } from '#platform/files/upload.ts'
import { html, renderHtml } from '#platform/html/html.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { errorView } from '#platform/ui/error.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { bareLayoutView, layoutView, mainPartView } from '#platform/ui/layout.ts'
import { checkPageAccess } from './access.ts'
import { authenticate, authenticateGuest, authenticateVisitor } from './authenticate.ts'
import { readForm } from './body.ts'
import { cookieOptions } from './cookies.ts'
import { COPIES_HEADER, copiesOf } from './copies.ts'
import { csrfToken, csrfTokenMatches, isSameOrigin } from './csrf.ts'
import { etagMatches } from './etag.ts'
import { readFlash, writeFlash } from './flash-cookie.ts'
import { formErrors } from './form-errors.ts'
import { pageSecurityPolicy } from './headers.ts'
import { type HttpContext, makeCommandContext, makeRequestContext, requestOrigin, requestWords } from './http-context.ts'
import type {
  ActionPage,
  ConfirmationLoader,
  Download,
  FormPage,
  LayoutLoader,
  Page,
  PageBody,
  PageRequest,
  PageResponse,
  Redirect,
  Refused,
} from './page.ts'
import { clientRedirect, liveEtag, partHeaders, problemPart, redirectsAway, requestedPart, signInUrl } from './parts.ts'
import { pathFinder, readPagePath, routeUrl } from './path.ts'
import { Problem, problemDetail, problemTitle } from './problem.ts'
import { METHODS_WITHOUT_PAGE, PAGE_METHODS, redirectToSlash } from './routing.ts'
import { readUploads } from './uploads.ts'

const SIGN_IN = '/accounts/login/'
const CONFIRM = '/accounts/confirm/'
const SET_UP_FACTOR = '/settings/security/second-factor/'
const DEVICE_SECONDS = 400 * 24 * 3600

export type PageHttpContext = HttpContext & {
  loadLayout: LayoutLoader
  /** Default: a redirect to the page that asks, without the submitted form. */
  loadConfirmation?: ConfirmationLoader | undefined
  version: string
  files: FileStore
}

export function servePages(app: FastifyInstance, http: PageHttpContext, pages: Page[]): void {
  for (const page of pages) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(http, page, request, reply)
    app.route({ method: PAGE_METHODS, url: routeUrl(page.path), handler })
  }
}

/** Pages answer other methods with 405, after the access check. One route for all of them: a route per page slows down the start. */
export function refuseOtherMethods(app: FastifyInstance, http: PageHttpContext, pages: readonly Page[]): void {
  let finder: ReturnType<typeof pathFinder<Page>> | undefined
  app.route({
    method: METHODS_WITHOUT_PAGE,
    url: '/*',
    handler: async (request, reply) => {
      const path = request.raw.url!.split('?')[0]!
      finder ??= pathFinder(pages)
      const page = finder(path.endsWith('/') ? path : `${path}/`) ?? finder(path)
      if (!page) throw new Problem('not_found')
      if (page.path.endsWith('/') && !path.endsWith('/')) return redirectToSlash(request, reply)
      return handle(http, page, request, reply)
    },
  })
}

const METHODS = { view: ['GET', 'HEAD'], form: ['GET', 'HEAD', 'POST'], action: ['POST'] } as const

async function handle(http: PageHttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const methods: readonly string[] = METHODS[page.kind]
  reply.headers({
    'cache-control': 'private, no-cache',
    vary: 'Accept-Language, Cookie, HX-Request, HX-Target',
    allow: methods.join(', '),
  })
  const caller = await identifyCaller(http, page, request, reply)
  // Without it, the back button shows pages of a person after sign-out, from the cache of the browser.
  if (caller.actor.kind !== 'anonymous') reply.header('cache-control', 'no-store')
  if (!page.isForFactorSetup && lacksFactor(caller.actor, caller.now)) return redirectBefore(request, reply, SET_UP_FACTOR)
  if (checkPageAccess(page.access, caller.actor) === 'sign-in-first') return redirectBefore(request, reply, SIGN_IN)
  if (!methods.includes(request.method)) throw new Problem('method_not_allowed')
  const pageRequest = readPageRequest(http, page, request, caller)
  const isRead = request.method !== 'POST'
  if (page.requires === 'recentSignIn' && isRead && !hasRecentProof(caller.actor, caller.now))
    return redirectBefore(request, reply, CONFIRM)
  const response =
    page.kind === 'view' || (page.kind === 'form' && request.method !== 'POST')
      ? await page.show(await withReader(http, page, pageRequest))
      : await submit(http, page, pageRequest, request)
  return sendResponse(http, pageRequest, request, reply, response)
}

/** Replicas answer pages that only read. Visitors and guests are few, and their pages write at times. */
async function withReader(http: PageHttpContext, page: Page, request: PageRequest): Promise<PageRequest> {
  if (page.kind !== 'view' || page.writes || identityOf(page) !== 'session') return request
  return { ...request, context: { ...request.context, db: await http.db.chooseReader() } }
}

/** To a page that comes first, and from there back here. */
function redirectBefore(request: FastifyRequest, reply: FastifyReply, target: string): FastifyReply {
  if (requestedPart(request)) return clientRedirect(reply, signInUrl(request, target))
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const next = isRead ? `?next=${encodeURIComponent(request.raw.url ?? '/')}` : ''
  return reply.code(303).header('location', `${target}${next}`).send()
}

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into forms and paths
type AnyForm = FormPage<any, any> | ActionPage<any, any>

type Caller = { actor: Actor; sessionHash: Buffer | undefined; device: string; now: Date }

/** Visitors and guests have pages of their own, on which a session of a user does not count. */
const IDENTIFY = { visitor: authenticateVisitor, guest: authenticateGuest, session: authenticateSession } as const
const identityOf = ({ access: { kind } }: Page): keyof typeof IDENTIFY =>
  kind === 'visitor' || kind === 'guest' ? kind : 'session'

async function identifyCaller(http: PageHttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const now = http.clock.now()
  const { actor, sessionHash } = await IDENTIFY[identityOf(page)](http, request, reply, now)
  // Pages for everybody are not closed to people who lack a required second factor; they just do not know them.
  if (page.access.kind === 'open' && lacksFactor(actor, now))
    return { actor: ANONYMOUS, sessionHash: undefined, device: deviceOf(http, page, request, reply), now }
  return { actor, sessionHash, device: deviceOf(http, page, request, reply), now }
}

function readPageRequest(
  http: PageHttpContext,
  page: Page,
  request: FastifyRequest,
  { actor, sessionHash, device, now }: Caller,
): PageRequest {
  const words =
    actor.kind === 'user' || actor.kind === 'visitor'
      ? wordsFor(actor.language, http.site.timeZone, http.site)
      : requestWords(http, request)
  const url = request.raw.url ?? '/'
  return {
    context: makeRequestContext(http, actor, now, words),
    commandContext: makeCommandContext(http, { actor, now, request }),
    path: readPagePath(page.path, request.params as Record<string, string>),
    query: new URLSearchParams(url.split('?')[1] ?? ''),
    url,
    csrfToken: csrfToken(http.site.keyring, device, sessionHash),
    browser: {
      device,
      ip: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
      sessionHash,
      cookie: (purpose) => request.cookies[http.cookies.of(purpose)],
      copiesOf: identityOf(page) === 'session' ? copiesOf(http.site.keyring, actor) : undefined,
    },
    origin: requestOrigin(request, http.site.url),
  }
}

/** Pages accept sessions only: a bearer token is ignored. */
async function authenticateSession(http: PageHttpContext, request: FastifyRequest, reply: FastifyReply, now: Date) {
  const { actor } = await authenticate(http, request, reply, now, { includesLacking: true })
  return actor.kind === 'user' && actor.via.kind === 'session'
    ? { actor, sessionHash: actor.via.sessionHash }
    : { actor: ANONYMOUS, sessionHash: undefined }
}

function deviceOf({ cookies, site }: HttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): string {
  const known = request.cookies[cookies.device]
  if (known && /^[A-Za-z0-9]{32}$/.test(known)) return known
  if (page.kind === 'view' && page.isForPrograms) return ''
  const device = randomSecret(32)
  reply.setCookie(cookies.device, device, cookieOptions(site.url, DEVICE_SECONDS))
  return device
}

async function submit(
  http: PageHttpContext,
  page: AnyForm,
  pageRequest: PageRequest,
  request: FastifyRequest,
): Promise<PageResponse> {
  // `show` redirects visitors to their own instance and explains links of guests that do not work, as for GET.
  const isUnknown = identityOf(page) !== 'session' && pageRequest.context.actor.kind === 'anonymous'
  if (page.kind === 'form' && isUnknown) return page.show(pageRequest)
  const needsCsrfToken = page.kind === 'action' || page.isAuthorizedByUrl !== true
  if (needsCsrfToken && !isSameOrigin(request.headers, pageRequest.origin)) throw new Problem('csrf_failed')
  if (page.kind === 'form') await page.authorizeUpload?.(pageRequest)
  const { values: sent, files } = await readSubmitted(http, page, request)
  const { csrf_token: token, ...values } = sent
  const received = Object.values(files).flat()
  const expected = csrfToken(http.site.keyring, pageRequest.browser.device, pageRequest.browser.sessionHash)
  if (needsCsrfToken && !csrfTokenMatches(expected, token)) {
    await discardFiles(http.files, received)
    throw new Problem('csrf_failed')
  }
  const isProtected = page.requires === 'recentSignIn' || page.requires === 'recentSignInToSubmit'
  if (isProtected && !hasRecentProof(pageRequest.context.actor, pageRequest.context.now)) {
    await discardFiles(http.files, received)
    return askAgain(http, page, pageRequest, { request, values, hasFiles: received.length > 0 })
  }
  const parsed = page.form.safeParse({ ...values, ...files })
  const showAgain = async (refused: Refused): Promise<PageResponse> => {
    await discardFiles(http.files, received)
    if (page.kind === 'action') throw new Problem('invalid_input', { detail: refused.errors.map(({ text }) => text).join(' ') })
    const shown = await page.show(pageRequest, refused)
    return 'main' in shown ? { ...shown, status: refused.status ?? 422 } : shown
  }
  if (!parsed.success) return showAgain({ values, errors: formErrors(parsed.error, pageRequest.context.words) })
  const outcome = await submitOrAskAgain(page, pageRequest, parsed.data)
  if ('needsRecentSignIn' in outcome) return askAgain(http, page, pageRequest, { request, values, hasFiles: received.length > 0 })
  if (!('refused' in outcome)) return outcome
  return showAgain({ values, errors: outcome.refused, ...(outcome.status ? { status: outcome.status } : {}) })
}

type Outcome = Awaited<ReturnType<AnyForm['submit']>>

/** A command can need a recent proof although the page does not, or only for some of what was submitted. */
async function submitOrAskAgain(page: AnyForm, pageRequest: PageRequest, input: unknown): Promise<Outcome> {
  try {
    return await page.submit(pageRequest, input)
  } catch (error) {
    if (error instanceof Problem && error.code === 'recent_sign_in_required') return { needsRecentSignIn: true }
    throw error
  }
}

const MAX_KEPT_LENGTH = 50_000
/** Secrets that people type are not sent back to the browser. */
const SECRET_FIELD = /password|secret|token|current/i

type Submitted = { request: FastifyRequest; values: FormValues; hasFiles: boolean }

/** Nothing is done before the person has shown again who they are. What they typed is kept in the page that asks, sealed. */
async function askAgain(
  http: PageHttpContext,
  page: AnyForm,
  pageRequest: PageRequest,
  submitted: Submitted,
): Promise<PageResponse> {
  const { request, values, hasFiles } = submitted
  const { url, browser, context } = pageRequest
  const text = JSON.stringify({
    kind: 'resume',
    url,
    values,
    session: browser.sessionHash?.toString('hex'),
    at: context.now.getTime(),
  })
  const leavesSite = page.kind === 'form' && page.leavesSite === true
  const isKept =
    !leavesSite && !hasFiles && text.length <= MAX_KEPT_LENGTH && !Object.keys(values).some((name) => SECRET_FIELD.test(name))
  if (isKept && http.loadConfirmation && !requestedPart(request)) {
    const body = await http.loadConfirmation(pageRequest, http.site.keyring.seal(text))
    return { ...body, status: 403 }
  }
  const referer = URL.parse(String(request.headers.referer))
  const open = requestedPart(request) ? URL.parse(String(request.headers['hx-current-url'])) : referer
  const own = open && open.origin === pageRequest.origin ? open.pathname + open.search : '/'
  return { redirect: `${CONFIRM}?next=${encodeURIComponent(page.kind === 'form' ? url : own)}` }
}

/** The values of a form and its files, which only forms with `uploads` have. */
async function readSubmitted(http: PageHttpContext, page: AnyForm, request: FastifyRequest) {
  if (page.kind === 'form' && page.uploads) return readUploads(request, http.files, page.uploads)
  return { values: await readForm(request, page.kind === 'form' && page.files), files: {} }
}

async function sendResponse(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  response: PageResponse,
): Promise<FastifyReply> {
  if ('redirect' in response) return redirect(http, request, reply, response)
  if ('content' in response) return sendDownload(request, reply, response)
  return sendPage(http, pageRequest, request, reply, response)
}

/**
 * What the browser stored of the former person when somebody else signs in. Not `storage`: check-in marks that wait to be sent would be lost,
 * and the service worker, which deletes the copies of pages itself.
 */
const CLEARED_DATA = '"cache"'

function redirect(
  { cookies, site }: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  response: Redirect,
): FastifyReply {
  const { redirect: target, flash, session, cookies: others = {} } = response
  if (flash) reply.setCookie(cookies.flash, writeFlash(site.keyring, flash), cookieOptions(site.url, 60))
  const changes = Object.entries(others).map(([purpose, change]) => [cookies.of(purpose), change] as const)
  for (const [name, change] of [[cookies.session, session] as const, ...changes]) {
    if (change === 'end') reply.clearCookie(name, cookieOptions(site.url))
    else if (change) reply.setCookie(name, change.start, cookieOptions(site.url, change.maxAgeSeconds))
  }
  if (session && session !== 'end' && session.replacesPerson) reply.header('clear-site-data', CLEARED_DATA)
  if (requestedPart(request) && redirectsAway(request, target)) return clientRedirect(reply, target)
  return reply.code(303).header('location', target).send()
}

function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download): FastifyReply {
  const { content, contentType, headers = {}, status = 200, etag } = download
  reply.headers(headers)
  if (etag !== undefined) reply.header('etag', etag)
  if (etag !== undefined && etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (content instanceof Readable && request.method === 'HEAD') {
    content.destroy()
    return reply.code(status).type(contentType).send()
  }
  return reply.code(status).type(contentType).send(content)
}

async function sendPage(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  body: PageBody,
): Promise<FastifyReply> {
  const { cookies, site, version } = http
  const { words } = pageRequest.context
  const part = requestedPart(request)
  const live = body.live ? liveEtag(html`${body.main}`, pageRequest.csrfToken, `${words.language} ${version}`) : undefined
  if (part === 'page') return sendIfChanged(request, reply, body, live)
  const nonce = randomBytes(16).toString('base64')
  const { copiesOf: copies } = pageRequest.browser
  const remembered = readFlash(site.keyring, request.cookies[cookies.flash])
  if (remembered) reply.clearCookie(cookies.flash, cookieOptions(site.url))
  const { nav, person, bell, section, notices, ...layout } = await http.loadLayout(pageRequest.context, pageRequest.url)
  const document = {
    words,
    title: body.title,
    ...layout,
    nonce,
    copiesOf: copies,
    assets: pageAssets(),
    head: body.head,
    scripts: body.scripts,
    csrfToken: pageRequest.csrfToken,
    flash: body.flash ?? remembered,
    main: body.main,
    version,
  }
  const position = { notices, breadcrumb: body.breadcrumb, currentPath: pageRequest.url, wide: body.wide, live }
  reply.code(body.status ?? 200).headers(body.headers ?? {})
  if (part) reply.headers(partHeaders(request, part, pageRequest.url))
  else reply.header('content-security-policy', pageSecurityPolicy(nonce, body.formTargets))
  if (copies && !part) reply.header(COPIES_HEADER, copies)
  reply.header('content-language', words.language).type('text/html; charset=utf-8')
  const view = () => {
    if (part) return mainPartView({ ...document, section, ...position })
    if (body.bare) return bareLayoutView(document)
    return layoutView({ ...document, nav, person, bell, section, ...position })
  }
  const text = renderHtml(view())
  return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text)
}

/** Answers the polling of a live page with its new content or 304. Keeps the flash cookie for the next full page. */
function sendIfChanged(request: FastifyRequest, reply: FastifyReply, { main }: PageBody, live: string | undefined): FastifyReply {
  if (live === undefined) throw new Problem('bad_request')
  reply.headers({ etag: live, 'cache-control': 'no-store' })
  if (etagMatches(request.headers['if-none-match'], live)) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(renderHtml(html`${main}`))
}

/** An error page. Uses neither database nor session, because these may be what failed. */
export function problemPage(
  http: PageHttpContext,
  request: FastifyRequest,
  problem: Problem,
): { body: string; headers: Record<string, string> } {
  const words: Words = requestWords(http, request)
  const nonce = randomBytes(16).toString('base64')
  const main = errorView({
    words,
    status: problem.status,
    title: problemTitle(problem, words),
    text: problemDetail(problem, words),
    requestId: request.id,
  })
  const markup = bareLayoutView({
    words,
    title: problemTitle(problem, words),
    siteName: 'Turnout',
    nonce,
    assets: pageAssets(),
    main,
  })
  const headers = {
    ...problem.headers,
    'content-security-policy': pageSecurityPolicy(nonce),
    'content-language': words.language,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  }
  return { body: renderHtml(markup), headers }
}

export function renderProblem(
  http: PageHttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  const { body, headers } = requestedPart(request)
    ? problemPart(problem, requestWords(http, request))
    : problemPage(http, request, problem)
  return reply.code(problem.status).headers(headers).type('text/html; charset=utf-8').send(body)
}
