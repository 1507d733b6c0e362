import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasRecentProof, lacksFactor } from '#platform/auth/actor.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { checkPageAccess } from './access.ts'
import { copiesOf } from './copies.ts'
import { csrfToken } from './csrf.ts'
import { makeCommandContext, makeRequestContext, requestOrigin, requestWords } from './http-context.ts'
import { keepPage, keptPage, keyOfPage } from './kept-pages.ts'
import type { Page, PageRequest } from './page.ts'
import { type Caller, identifyCaller, identityOf } from './page-caller.ts'
import type { PageHttpContext } from './page-context.ts'
import type { Turn } from './page-queue.ts'
import { makePage, sendPage, sendResponse, withNewNonce } from './page-response.ts'
import { CONFIRM, submit } from './page-submit.ts'
import { clientRedirect, requestedPart, signInUrl } from './parts.ts'
import { pathFinder, readPagePath, routeUrl } from './path.ts'
import { Problem, requireFound } from './problem.ts'
import { answerByQueue, sendOrHold } from './queue-page.ts'
import { METHODS_WITHOUT_PAGE, PAGE_METHODS, redirectToSlash } from './routing.ts'
import { checkViewing, csrfSession, isViewing, withoutWrites } from './viewing.ts'

const SIGN_IN = '/accounts/login/'
const SET_UP_FACTOR = '/settings/security/second-factor/'

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
      const page = requireFound(finder(path.endsWith('/') ? path : `${path}/`) ?? finder(path))
      if (page.path.endsWith('/') && !path.endsWith('/')) return redirectToSlash(http.site.url, request, reply)
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
  const answered = answerByQueue(http, page, request, reply)
  if (answered) return answered
  // Forms wait for their turn after their body was read, which a client can make slow.
  const isRead = request.method !== 'POST'
  const make = () => makeAnswer(http, page, request, reply)
  return isRead && http.queue ? http.queue.inTurn(make) : make()
}

async function makeAnswer(
  http: PageHttpContext,
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const methods: readonly string[] = METHODS[page.kind]
  const caller = await identifyCaller(http, page, request, reply)
  // The look-up of a session has read it already.
  if (caller.sessionHash === undefined) await http.modules?.refresh()
  checkModules(http, page, request)
  // Without it, the back button shows pages of a person after sign-out, from the cache of the browser.
  if (caller.actor.kind !== 'anonymous') reply.header('cache-control', 'no-store')
  if (!page.isForFactorSetup && lacksFactor(caller.actor, caller.now)) return redirectBefore(request, reply, SET_UP_FACTOR)
  if (checkPageAccess(page.access, caller.actor) === 'sign-in-first') return redirectBefore(request, reply, SIGN_IN)
  if (!methods.includes(request.method)) throw new Problem('method_not_allowed')
  const pageRequest = readPageRequest(http, page, request, caller)
  checkViewing(page, { ...pageRequest.context, method: request.method })
  const isRead = request.method !== 'POST'
  if (page.requires === 'recentSignIn' && isRead && !hasRecentProof(caller.actor, caller.now))
    return redirectBefore(request, reply, CONFIRM)
  if (page.kind === 'view' || (page.kind === 'form' && isRead)) return show(http, page, pageRequest, request, reply)
  let turn: Turn | undefined
  const takeTurn = () => {
    turn = http.queue?.take()
    return turn
  }
  const answer = submit(http, page, pageRequest, request, takeTurn)
  return sendOrHold(http, request, reply, { page, pageRequest, answer, turnOf: () => turn })
}

/** What was shown before is sent again if nothing was written that it shows. */
async function show(
  http: PageHttpContext,
  page: Exclude<Page, { kind: 'action' }>,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = keyOfPage(http, page, request, pageRequest)
  const kept = key === undefined ? undefined : keptPage(http.db, key)
  if (kept) return sendPage(request, reply, withNewNonce(kept))
  const reading = await withReader(http, page, pageRequest)
  const response = await page.show(reading)
  if (key === undefined || reading.context.db !== http.db.read || 'redirect' in response || 'content' in response)
    return sendResponse(http, pageRequest, request, reply, response)
  const sent = await makePage(http, pageRequest, request, reply, response)
  if (sent.status === 200 && !response.flash) keepPage(http.db, key, sent)
  return sendPage(request, reply, sent)
}

/** A link in an old mail may lead here. */
function checkModules(http: PageHttpContext, { modules = [] }: Page, request: FastifyRequest): void {
  if (modules.every((module) => http.modules?.isOn(module) ?? true)) return
  throw new Problem('not_found', { detail: requestWords(http, request).t('problem.module_off') })
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
  const commandContext = makeCommandContext(http, { actor, now, request })
  const isOnlyLooking = isViewing(actor) && !page.isForViewing
  return {
    context: makeRequestContext(http, actor, now, words),
    commandContext: isOnlyLooking ? withoutWrites(commandContext, words) : commandContext,
    path: readPagePath(page.path, request.params as Record<string, string>),
    query: new URLSearchParams(url.split('?')[1] ?? ''),
    url,
    csrfToken: csrfToken(http.site.keyring, device, csrfSession(actor, sessionHash)),
    browser: {
      device,
      ip: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
      sessionHash,
      cookie: (purpose) => request.cookies[http.cookies.of(purpose)],
      copiesOf: identityOf(page) === 'session' && !isOnlyLooking ? copiesOf(http.site.keyring, actor) : undefined,
    },
    origin: requestOrigin(request, http.site.url),
  }
}
