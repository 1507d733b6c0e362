import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserActor } from '#platform/auth/actor.ts'
import { readFailure } from '#platform/db/failure.ts'
import type { Words } from '#platform/i18n/words.ts'
import { sendBytes } from './api-response.ts'
import { authenticate } from './authenticate.ts'
import { apiWords, requestWords } from './http-context.ts'
import { type CallApi, callsOf } from './internal-calls.ts'
import type { PageHttpContext } from './page-context.ts'
import { routeUrl } from './path.ts'
import { Problem, problemDetail } from './problem.ts'
import { problemPage, renderProblem } from './problem-page.ts'
import { ALL_METHODS } from './routing.ts'

/** A route that a protocol library serves (OAuth). */
export type MountedRoute = {
  path: string
  methods: readonly ('GET' | 'POST')[]
  /**
   * `page`: for browsers, identified by their session; `json`: for programs, with the credentials of the protocol; `bearer`: for
   * programs with a token, also one for assistants.
   */
  kind: 'page' | 'json' | 'bearer'
}

/** What the server knows about a request before the library handles it. */
export type MountedRequest = {
  route: MountedRoute
  person: UserActor | undefined
  /** Of routes of the kind `bearer`: undefined without a valid token. */
  caller: UserActor | undefined
  /** Calls the API as the caller. */
  callApi: CallApi
  now: Date
  words: Words
  ip: string
  requestId: string
  url: string
  parameters: Record<string, string>
  /** Renders an error for a browser. */
  problemPage: (problem: Problem) => { body: string; headers: Record<string, string> }
}

export type Mount = {
  routes: readonly MountedRoute[]
  /** Throws a Problem for requests that must not reach the library. */
  check: (mounted: MountedRequest) => Promise<void>
  /** Writes the response itself. The body has not been read yet. */
  handle: (request: IncomingMessage, response: ServerResponse, mounted: MountedRequest) => Promise<void>
}

export function serveMounts(app: FastifyInstance, http: PageHttpContext, mounts: readonly Mount[]): void {
  for (const mount of mounts) {
    for (const route of mount.routes) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => handle(app, http, { mount, route, request, reply })
      app.route({ method: ALL_METHODS, url: routeUrl(route.path), handler })
    }
  }
}

type Exchange = { route: MountedRoute; request: FastifyRequest; reply: FastifyReply }

async function handle(
  app: FastifyInstance,
  http: PageHttpContext,
  { mount, route, request, reply }: Exchange & { mount: Mount },
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache', allow: route.methods.join(', ') })
  try {
    if (!(route.methods as readonly string[]).includes(request.method)) throw new Problem('method_not_allowed')
    // The library would use the first one, while a proxy may have checked the last.
    if (countHeaders(request, 'authorization') > 1) throw new Problem('bad_request')
    const mounted = await readMountedRequest(app, http, { route, request, reply })
    await mount.check(mounted)
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
    await mount.handle(request.raw, reply.raw, mounted)
    return reply
  } catch (error) {
    const problem = toRefusal(error)
    // The response has begun: ended early, nobody takes it for a complete one.
    if (reply.raw.headersSent) reply.raw.destroy()
    if (!problem || reply.raw.headersSent) throw error
    return route.kind === 'page' ? renderProblem(http, request, reply, problem) : sendOAuthError(http, request, reply, problem)
  }
}

const countHeaders = ({ raw }: FastifyRequest, name: string): number =>
  raw.rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length

function toRefusal(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  return readFailure(error) === 'busy' ? new Problem('unavailable', { headers: { 'retry-after': '2' }, cause: error }) : undefined
}

async function readMountedRequest(
  app: FastifyInstance,
  http: PageHttpContext,
  { route, request, reply }: Exchange,
): Promise<MountedRequest> {
  const now = http.clock.now()
  const identity = route.kind === 'json' ? undefined : await authenticate(http, request, reply, now, { takesAssistants: true })
  const actor = identity?.actor.kind === 'user' ? identity.actor : undefined
  return {
    route,
    person: actor?.via.kind === 'session' && route.kind === 'page' ? actor : undefined,
    caller: actor?.via.kind === 'token' && route.kind === 'bearer' ? actor : undefined,
    callApi: callsOf(app, request),
    now,
    words: requestWords(http, request),
    ip: request.ip,
    requestId: request.id,
    url: request.raw.url ?? '/',
    parameters: request.params as Record<string, string>,
    problemPage: (problem) => problemPage(http, request, problem),
  }
}

/** Error response of RFC 6749, section 5.2, and of RFC 6750, section 3.1. */
function sendOAuthError(http: PageHttpContext, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const error = oauthErrorCode(problem)
  const body = { error, error_description: problemDetail(problem, apiWords(http, request)) }
  reply.code(problem.status).headers(problem.headers)
  return sendBytes(reply, 'application/json', JSON.stringify(body))
}

function oauthErrorCode({ code, status }: Problem): string {
  if (code === 'invalid_token') return code
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
