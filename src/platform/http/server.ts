import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import accepts from '@fastify/accepts'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Site } from '#platform/auth/context.ts'
import { readFailure } from '#platform/db/failure.ts'
import type { Log } from '#platform/log.ts'
import { assertAccess } from './access.ts'
import { serveApi } from './api-handler.ts'
import { sendBytes } from './api-response.ts'
import { serveAssets } from './asset-routes.ts'
import { compressResponses } from './compression.ts'
import { type Cors, serveCors } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import { apiVary, securityHeaders } from './headers.ts'
import { hostOfTarget, makeHostCheck, stripOrigin } from './hosts.ts'
import { apiWords, requestUrl } from './http-context.ts'
import { type Mount, serveMounts } from './mount.ts'
import { type GaugeSource, type Metrics, makeMetrics, OPERATIONS, type Readiness, serveOperations } from './operations.ts'
import type { Page } from './page.ts'
import type { PageHttpContext } from './page-context.ts'
import { refuseOtherMethods, servePages } from './page-handler.ts'
import { Problem, problemBody, problemLink } from './problem.ts'
import { renderProblem } from './problem-page.ts'
import { checkTrailingSlash } from './routing.ts'
import { acceptWaitingConnections, closeSilentConnections } from './stopping.ts'
import { ignoreExpectations, lacksHost, limitBodyTime, makeRefusal } from './unreadable-requests.ts'
import { acceptUploads } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Suffix of the requested path, `json` or `api`. */
    formatSuffix: string | undefined
  }
  interface FastifyContextConfig {
    /** Health and metrics: exempt from the host check. */
    operations?: boolean
    /** The body may be large, so it may take longer. */
    uploads?: boolean
  }
}

export type HttpOptions = PageHttpContext & {
  log: Log
  endpoints: Endpoint[]
  /** For endpoints, which do not depend on modules. Default: the site of the pages. */
  apiSite?: Site
  pages: Page[]
  /** Protocols that a library serves. */
  mounts?: Mount[]
  cors?: readonly Cors[]
  readiness: Readiness
  allowedHosts: string[]
  isTryOut: boolean
  trustProxy: number | string[]
  metricsToken: string | undefined
  gauges?: readonly GaugeSource[]
  clientTimeouts?: ClientTimeouts
  /** After the last response. */
  onClose?: () => Promise<void>
}

/**
 * How long a client may take for the headers, for the whole request, for a request with files, without reading the response, and
 * until its next request on the same connection.
 */
export type ClientTimeouts = { headersMs: number; requestMs: number; uploadMs: number; readingMs: number; idleMs: number }

export type HttpServer = {
  app: FastifyInstance
  /**
   * Stops listening after the grace period, finishes running requests and closes keep-alive connections. Load balancers need the
   * grace period to notice; it lasts a second unless given.
   */
  stop: (options?: { grace?: Promise<unknown> }) => Promise<void>
}

const MAX_URL_LENGTH = 8_000
export const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 8_000,
  requestMs: 10_000,
  uploadMs: 300_000,
  readingMs: 6_000,
  idleMs: 30_000,
}
const GRACE_MS = 1_000
/** Close the remaining connections so long after the shutdown began. */
const SHUTDOWN_TIMEOUT_MS = 10_000
const IDLE_CHECK_MS = 100
const SUFFIX = /^(\/api\/.*?)\.(json|api)\/?$/

/** Whether the server is stopping; `closing` while it accepts its last connections. */
type ServerState = { isStopping: boolean; closing: Promise<void> | undefined; stopping: AbortController }

export async function makeServer(options: HttpOptions): Promise<HttpServer> {
  for (const value of [...options.endpoints, ...options.pages]) assertAccess(value)
  const state: ServerState = { isStopping: false, closing: undefined, stopping: new AbortController() }
  const metrics = makeMetrics(options.db, options.gauges)
  const app = makeApp(options)
  // Handlers read bodies themselves, after the access check and with their own size limits.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await app.register(cookie)
  await app.register(accepts)
  app.decorateRequest('formatSuffix', undefined)
  addHooks(app, options, state, metrics)
  await serveRoutes(app, options, state, metrics)
  // Closing waits for all responses, and streams do not end by themselves.
  app.addHook('preClose', async () => state.stopping.abort())
  ignoreExpectations(app.server)
  closeSilentConnections(app.server, state.stopping.signal)
  if (options.onClose) app.addHook('onClose', options.onClose)
  await app.ready()
  return { app, stop: ({ grace = sleep(GRACE_MS) } = {}) => stopServer(app, state, grace) }
}

function makeApp(options: HttpOptions): FastifyInstance {
  const { log, site, clientTimeouts = CLIENT_TIMEOUTS } = options
  const commonHeaders = securityHeaders(site.url)
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Lines name the request themselves. A logger per request costs more than most of what it would log.
    childLoggerFactory: (logger) => logger,
    // No route has a schema, and loading the compilers takes longer than making all routes.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: () => randomUUID(),
    requestTimeout: clientTimeouts.uploadMs,
    keepAliveTimeout: clientTimeouts.idleMs,
    http: { headersTimeout: clientTimeouts.headersMs, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: makeRefusal({ log, siteUrl: site.url }).onClientError,
    routerOptions: { querystringParser: () => ({}), maxParamLength: 600, ignoreTrailingSlash: true },
    rewriteUrl: (request) => stripSuffix(stripOrigin(request.url ?? '/')),
    // Fastify calls no hooks for these errors, so the headers of the hooks are added here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders).header('x-request-id', request.id)
      sendProblem(options, request, reply, toProblem(error), error)
    },
    forceCloseConnections: 'idle',
  })
}

/** What happens with every request, whichever route it has. */
function addHooks(app: FastifyInstance, options: HttpOptions, state: ServerState, metrics: Metrics): void {
  const { log, site, clientTimeouts = CLIENT_TIMEOUTS } = options
  const commonHeaders = securityHeaders(site.url)
  const isKnownHost = makeHostCheck(site.url, options.allowedHosts, options.isTryOut)
  const { refuse } = makeRefusal({ log, siteUrl: site.url })
  app.addHook('onRequest', async (request, reply) => {
    // Handling requests makes the turns of the event loop long, and the server could not accept its last connections.
    if (state.closing) await state.closing
    if (!request.routeOptions.config.uploads)
      limitBodyTime(request, clientTimeouts.requestMs, (socket) => refuse(socket, 'request_timeout', request.url))
    reply.headers(commonHeaders)
    reply.header('x-request-id', request.id)
    if (state.isStopping) reply.header('connection', 'close')
    request.formatSuffix = SUFFIX.exec(requestUrl(request).split('?')[0]!)?.[2]
    if (lacksHost(request.raw)) throw new Problem('bad_request')
    if (request.routeOptions.config.operations) return
    if ((request.raw.url?.length ?? 0) > MAX_URL_LENGTH) throw new Problem('uri_too_long')
    if (!isKnownHost(hostOfTarget(request.originalUrl) ?? request.headers.host)) throw new Problem('misdirected_request')
  })
  if (options.cors) serveCors(app, options.cors)
  app.addHook('onRequest', (request, reply) => checkTrailingSlash(site.url, request, reply))
  app.addHook('onSend', (request, _reply, payload, done) => {
    // From here on only the client can be slow. Node resets the timeout with the next request.
    request.raw.socket?.setTimeout?.(clientTimeouts.readingMs)
    done(null, payload)
  })
  compressResponses(app)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    metrics.observe(labels, reply.elapsedTime / 1000)
    // Log the route template, never the URL: paths and queries contain e-mail addresses and secrets.
    log.info({ ...labels, ms: Math.round(reply.elapsedTime * 10) / 10, requestId: request.id }, 'answered')
  })
  app.setErrorHandler((error, request, reply) =>
    sendProblem(options, request, reply, toProblem(error as FastifyError), error as Error),
  )
  app.setNotFoundHandler((request, reply) => sendProblem(options, request, reply, new Problem('not_found')))
  app.addHook('onRoute', (route) => {
    if (OPERATIONS.includes(route.url)) route.config = { ...route.config, operations: true }
  })
}

async function serveRoutes(app: FastifyInstance, options: HttpOptions, state: ServerState, metrics: Metrics): Promise<void> {
  const { readiness, metricsToken, endpoints, mounts = [], pages } = options
  serveOperations(app, { readiness, isStopping: () => state.isStopping, metrics, metricsToken })
  serveAssets(app)
  serveApi(app, { ...options, site: options.apiSite ?? options.site, stopping: state.stopping.signal }, endpoints)
  serveMounts(app, options, mounts)
  const hasUploads = (page: Page) => page.kind === 'form' && page.uploads !== undefined
  servePages(
    app,
    options,
    pages.filter((page) => !hasUploads(page)),
  )
  await acceptUploads(app, (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, uploads: true }
    })
    servePages(scope, options, pages.filter(hasUploads))
  })
  refuseOtherMethods(app, options, pages)
}

async function stopServer(app: FastifyInstance, state: ServerState, grace: Promise<unknown>): Promise<void> {
  state.isStopping = true
  await grace
  const closing = Promise.withResolvers<void>()
  state.closing = closing.promise
  state.stopping.abort()
  await acceptWaitingConnections(app.server)
  const closed = new Promise<void>((done) => app.server.close(() => done()))
  state.closing = undefined
  closing.resolve()
  const timeout = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
  // Responses that began before the stop keep their connections open.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  await closed
  clearInterval(idle)
  clearTimeout(timeout)
  // Afterwards, because Fastify answers 503 while it closes.
  await app.close()
}

function refuseSchema(): never {
  throw new Error('routes check bodies and parameters themselves')
}

/** A number is the count of trusted proxies in front of this server. */
function trustedProxies(setting: number | string[]) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** Routes `/api/events.json` to `/api/events/`; the endpoint decides whether it accepts the suffix. */
function stripSuffix(url: string): string {
  const [path, query] = url.split(/\?(.*)/s)
  const match = SUFFIX.exec(path!)
  return match ? `${match[1]!.replace(/\/$/, '')}/${query === undefined ? '' : `?${query}`}` : url
}

function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  const failure = readFailure(error)
  if (failure === 'busy') return new Problem('unavailable', { headers: { 'retry-after': '2' }, cause: error })
  if (failure === 'conflict') return new Problem('conflict', { cause: error })
  if (failure === 'bad_input') return new Problem('bad_request', { cause: error })
  const status = (error as FastifyError).statusCode ?? 500
  if (status === 413) return new Problem('too_large', { cause: error })
  if (status === 414) return new Problem('uri_too_long', { cause: error })
  if (status === 415) return new Problem('unsupported_media_type', { cause: error })
  if (status === 404) return new Problem('not_found', { cause: error })
  if (status >= 400 && status < 500) return new Problem('bad_request', { cause: error })
  return new Problem('internal_error', { cause: error })
}

function sendProblem(
  options: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  error?: Error,
): FastifyReply {
  const about = { requestId: request.id, route: request.routeOptions?.url }
  // A client that goes away while it sends its request is no fault of this server.
  if (request.raw.destroyed && !request.raw.complete) options.log.info(about, 'the client aborted the request')
  else if (problem.status >= 500) options.log.error({ err: problem.cause ?? error, ...about }, problem.code)
  const path = (request.raw.url ?? '').split('?')[0]!
  if (!path.startsWith('/api/') && path !== '/api') return renderProblem(options, request, reply, problem)
  const words = apiWords(options, request)
  reply.code(problem.status).headers(problem.headers).header('content-language', words.language)
  reply.header('vary', apiVary(reply.getHeader('vary')))
  reply.header('link', [reply.getHeader('link'), problemLink(problem.code, options.site.url)].filter(Boolean).join(', '))
  return sendBytes(reply, 'application/problem+json', problemBody(problem, words, request.id))
}
