import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import { html, renderHtml } from '#platform/html/html.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { errorView } from '#platform/ui/error.ts'
import { bareLayoutView, layoutView, mainPartView } from '#platform/ui/layout.ts'
import { checkPageAccess } from './access.ts'
import { ALL_METHODS, redirectToSlash } from './api-handler.ts'
import { readForm } from './body.ts'
import { cookieOptions } from './cookies.ts'
import { csrfToken, csrfTokenMatches, isSameOrigin } from './csrf.ts'
import { etagMatches } from './etag.ts'
import { readFlash, writeFlash } from './flash-cookie.ts'
import { formErrors } from './form-errors.ts'
import { pageSecurityPolicy } from './headers.ts'
import {
  authenticate,
  authenticateVisitor,
  type HttpContext,
  makeCommandContext,
  makeRequestContext,
  requestOrigin,
  requestWords,
} from './http-context.ts'
import type {
  ActionPage,
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
import { Problem, problemDetail, problemTitle } from './problem.ts'

const SIGN_IN = '/accounts/login/'
const DEVICE_SECONDS = 400 * 24 * 3600

export type PageHttpContext = HttpContext & { loadLayout: LayoutLoader; version: string }

export function servePages(app: FastifyInstance, http: PageHttpContext, pages: Page[]): void {
  for (const page of pages) {
    const url = page.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route({ method: ALL_METHODS, url, handler: (request, reply) => answer(http, page, request, reply) })
    if (url.length > 1 && url.endsWith('/')) app.route({ method: ALL_METHODS, url: url.slice(0, -1), handler: redirectToSlash })
  }
}

async function answer(http: PageHttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const allowed = { view: ['GET', 'HEAD'], form: ['GET', 'HEAD', 'POST'], action: ['POST'] }[page.kind]
  reply.headers({
    'cache-control': 'private, no-cache',
    vary: 'Accept-Language, Cookie, HX-Request, HX-Target',
    allow: allowed.join(', '),
  })
  const pageRequest = await receive(http, page, request, reply)
  if (checkPageAccess(page.access, pageRequest.context.actor) === 'sign-in-first') {
    if (requestedPart(request)) return clientRedirect(reply, signInUrl(request, SIGN_IN))
    const next = request.method === 'GET' || request.method === 'HEAD' ? `?next=${encodeURIComponent(pageRequest.url)}` : ''
    return reply.code(303).header('location', `${SIGN_IN}${next}`).send()
  }
  if (!allowed.includes(request.method)) throw new Problem('method_not_allowed')
  if (page.kind === 'view') return present(http, pageRequest, request, reply, await page.show(pageRequest))
  if (page.kind === 'form' && request.method !== 'POST')
    return present(http, pageRequest, request, reply, await page.show(pageRequest))
  return present(http, pageRequest, request, reply, await submit(http, page, pageRequest, request))
}

// biome-ignore lint/suspicious/noExplicitAny: the machine does not look into forms
type AnyForm = FormPage<any> | ActionPage<any>

/** Who is here, with what browser. */
async function receive(http: PageHttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): Promise<PageRequest> {
  const now = http.clock.now()
  const { actor, sessionHash } = await (page.access.kind === 'visitor' ? authenticateVisitor : takePersonTurn)(
    http,
    request,
    reply,
    now,
  )
  const words = actor.kind === 'user' ? wordsFor(actor.language, http.site.timeZone) : requestWords(http, request)
  const device = deviceOf(http, request, reply)
  const url = request.raw.url ?? '/'
  return {
    context: makeRequestContext(http, actor, now, words),
    commandContext: makeCommandContext(http, actor, now, request.id),
    path: request.params as Record<string, string>,
    query: new URLSearchParams(url.split('?')[1] ?? ''),
    url,
    csrfToken: csrfToken(http.site.keyring, device, sessionHash),
    browser: {
      device,
      ip: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
      sessionHash,
      detour: request.cookies[http.cookies.detour],
    },
    origin: requestOrigin(request, http.site.url),
  }
}

/** Pages are for people: a token in a header does not make one of them. */
async function takePersonTurn(http: PageHttpContext, request: FastifyRequest, reply: FastifyReply, now: Date) {
  const { actor } = await authenticate(http, request, reply, now)
  return actor.kind === 'user' && actor.via.kind === 'session'
    ? { actor, sessionHash: actor.via.sessionHash }
    : { actor: ANONYMOUS, sessionHash: undefined }
}

function deviceOf({ cookies, site }: HttpContext, request: FastifyRequest, reply: FastifyReply): string {
  const known = request.cookies[cookies.device]
  if (known && /^[A-Za-z0-9]{32}$/.test(known)) return known
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
  // Nothing is done for somebody whose visit has ended meanwhile: the page leads them home, as it does those who only look.
  if (page.kind === 'form' && page.access.kind === 'visitor' && pageRequest.context.actor.kind === 'anonymous')
    return page.show(pageRequest)
  const isProven = page.kind === 'form' && page.isAuthorizedByUrl === true
  if (!isProven && !isSameOrigin(request.headers, pageRequest.origin)) throw new Problem('csrf_failed')
  const { csrf_token: token, ...values } = await readForm(request, page.kind === 'action' && page.files === true)
  const expected = csrfToken(http.site.keyring, pageRequest.browser.device, pageRequest.browser.sessionHash)
  if (!isProven && !csrfTokenMatches(expected, token)) throw new Problem('csrf_failed')
  const parsed = page.form.safeParse(values)
  const showAgain = async (refused: Refused): Promise<PageResponse> => {
    if (page.kind === 'action') throw new Problem('invalid_input', { detail: refused.errors.map(({ text }) => text).join(' ') })
    const shown = await page.show(pageRequest, refused)
    return 'main' in shown ? { ...shown, status: refused.status ?? 422 } : shown
  }
  if (!parsed.success) return showAgain({ values, errors: formErrors(parsed.error, pageRequest.context.words) })
  const outcome = await page.submit(pageRequest, parsed.data)
  if (!('refused' in outcome)) return outcome
  return showAgain({ values, errors: outcome.refused, ...(outcome.status ? { status: outcome.status } : {}) })
}

async function present(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PageResponse,
): Promise<FastifyReply> {
  if ('redirect' in answer) return leadOn(http, request, reply, answer)
  if ('content' in answer) return hand(request, reply, answer)
  return render(http, pageRequest, request, reply, answer)
}

function leadOn(
  { cookies, site }: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { redirect, flash, session, visitor, detour }: Redirect,
): FastifyReply {
  if (flash) reply.setCookie(cookies.flash, writeFlash(site.keyring, flash), cookieOptions(site.url, 60))
  for (const [name, change] of [
    [cookies.session, session],
    [cookies.visitor, visitor],
    [cookies.detour, detour],
  ] as const) {
    if (change === 'end') reply.clearCookie(name, cookieOptions(site.url))
    else if (change) reply.setCookie(name, change.start, cookieOptions(site.url, change.maxAgeSeconds))
  }
  if (requestedPart(request) && redirectsAway(request, redirect)) return clientRedirect(reply, redirect)
  return reply.code(303).header('location', redirect).send()
}

function hand(request: FastifyRequest, reply: FastifyReply, download: Download): FastifyReply {
  const { content, contentType, headers = {}, status = 200, etag } = download
  reply.headers(headers)
  if (etag !== undefined) reply.header('etag', etag)
  if (etag !== undefined && etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.code(status).type(contentType).send(content)
}

async function render(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  body: PageBody,
): Promise<FastifyReply> {
  const { cookies, site } = http
  const { words } = pageRequest.context
  const part = requestedPart(request)
  const live = body.live ? liveEtag(html`${body.main}`, pageRequest.csrfToken, `${words.language} ${http.version}`) : undefined
  if (part === 'page') return look(request, reply, body, live)
  const nonce = randomBytes(16).toString('base64')
  const flash = readFlash(site.keyring, request.cookies[cookies.flash])
  if (flash) reply.clearCookie(cookies.flash, cookieOptions(site.url))
  const { nav, person, bell, section, ...loadLayout } = await http.loadLayout(pageRequest.context, pageRequest.url)
  const document = {
    words,
    title: body.title,
    ...loadLayout,
    nonce,
    assets: pageAssets(),
    head: body.head,
    scripts: body.scripts,
    csrfToken: pageRequest.csrfToken,
    flash,
    main: body.main,
    version: http.version,
  }
  const route = { breadcrumb: body.breadcrumb, currentPath: pageRequest.url, wide: body.wide, live }
  reply.code(body.status ?? 200).headers(body.headers ?? {})
  if (part) reply.headers(partHeaders(request, part, pageRequest.url))
  else reply.header('content-security-policy', pageSecurityPolicy(nonce, body.formTargets))
  reply.header('content-language', words.language).type('text/html; charset=utf-8')
  const text = renderHtml(
    part
      ? mainPartView({ ...document, section, ...route })
      : body.bare
        ? bareLayoutView(document)
        : layoutView({ ...document, nav, person, bell, section, ...route }),
  )
  return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text)
}

/** Whether the page that is open is still what it was. Leaves alone what waits to be said. */
function look(request: FastifyRequest, reply: FastifyReply, { main }: PageBody, live: string | undefined): FastifyReply {
  // A page that does not say so is not looked at again.
  if (live === undefined) throw new Problem('bad_request')
  reply.headers({ etag: live, 'cache-control': 'no-store' })
  if (etagMatches(request.headers['if-none-match'], live)) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(renderHtml(html`${main}`))
}

/** An error as a page. Uses nothing that may have failed: no database, no session. */
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
