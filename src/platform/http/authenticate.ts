import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ANONYMOUS, lacksFactor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Credentials } from './access.ts'
import { VISITOR_COOKIE } from './cookies.ts'
import { type HttpContext, requestOrigin, requestWords } from './http-context.ts'
import { isInternalCall } from './internal-calls.ts'
import { isPolling } from './parts.ts'
import { addressKey } from './rate-limiter.ts'

type Identity = { actor: Actor; credentials: Credentials }

const MAX_TOKEN_LENGTH = 1_000

/** Identifies the caller and counts the request against the rate limit of the credential, else of the address. */
export async function authenticate(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  options: { includesLacking?: boolean; includesViewing?: boolean; takesAssistants?: boolean } = {},
): Promise<Identity> {
  const identity = await identify(http, request, now, options)
  countRequest(http, request, reply, identity.actor)
  return identity
}

/** Identifies the caller of a request that goes on for long. Extends no session and counts no request. */
export async function identifyAgain(http: HttpContext, request: FastifyRequest): Promise<Actor> {
  return (await identify(http, request, http.clock.now(), { extendsSession: false })).actor
}

/** For pages of partner instances' people: only the visitor cookie counts, a local session does not. */
export async function authenticateVisitor(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<{ actor: Actor; sessionHash: Buffer | undefined }> {
  const sessionId = request.cookies[http.cookies.of(VISITOR_COOKIE)]
  const { language } = requestWords(http, request)
  const visitor = sessionId ? await http.authenticators.visitor(sessionId, now, language) : undefined
  const actor = visitor ?? ANONYMOUS
  countRequest(http, request, reply, actor)
  return { actor, sessionHash: visitor && sessionId ? hashSecret(sessionId) : undefined }
}

/** For pages of guests: only the token in the path counts. */
export async function authenticateGuest(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ actor: Actor; sessionHash: undefined }> {
  const { token } = request.params as { token?: string }
  const { language } = requestWords(http, request)
  const isToken = token !== undefined && token.length <= MAX_TOKEN_LENGTH
  const actor = (isToken ? await http.authenticators.guest(token, language) : undefined) ?? ANONYMOUS
  countRequest(http, request, reply, actor)
  return { actor, sessionHash: undefined }
}

/** A bearer token takes precedence over the session cookie, even if the token is invalid. */
async function identify(
  http: HttpContext,
  request: FastifyRequest,
  now: Date,
  {
    extendsSession = !isPolling(request),
    includesLacking = false,
    includesViewing = false,
    takesAssistants = isInternalCall(request),
  } = {},
): Promise<Identity> {
  const { authenticators, cookies } = http
  const bearer = bearerToken(request.raw)
  if (bearer !== undefined) {
    const actor = bearer && bearer.length <= MAX_TOKEN_LENGTH ? await authenticators.bearer(bearer, now) : undefined
    if (!actor || (isForAssistant(actor) && !takesAssistants)) return { actor: ANONYMOUS, credentials: 'invalid' }
    const refusal = limitOf(http, request, actor)
    return refusal ? { actor: ANONYMOUS, credentials: refusal } : { actor, credentials: 'valid' }
  }
  const sessionId = request.cookies[cookies.session]
  const actor = sessionId ? await authenticators.session(sessionId, now, { extendsSession }) : undefined
  // Only pages for setting up a second factor are open to people who lack a required one.
  if (!actor || (!includesLacking && lacksFactor(actor, now))) return { actor: ANONYMOUS, credentials: 'none' }
  // Who looks as another person does so on pages only: not by the API, and not where applications ask for access.
  if (actor.viewedBy && !includesViewing) return { actor: ANONYMOUS, credentials: 'none' }
  return { actor, credentials: 'valid' }
}

/** Such tokens do nothing that is not tried and confirmed first, so they do not work elsewhere. */
const isForAssistant = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.via.kind === 'token' && actor.via.isForAssistant === true

/** Why the token may not be used from where the request comes from. */
function limitOf(http: HttpContext, request: FastifyRequest, actor: Actor): Credentials | undefined {
  const limits = actor.kind === 'user' && actor.via.kind === 'token' ? actor.via.limits : undefined
  if (!limits) return undefined
  if (limits.isAllowedAddress && !limits.isAllowedAddress(request.ip)) return 'network_not_allowed'
  // Programs send no origin. Pages of this instance, such as the one of the API, may try a key.
  const { origin } = request.headers
  const isForeign = origin !== undefined && origin !== requestOrigin(request, http.site.url)
  return isForeign && !limits.origins.has(origin) ? 'origin_not_allowed' : undefined
}

/** Undefined without a bearer header; empty if the header holds no single token. */
function bearerToken(raw: IncomingMessage): string | undefined {
  // `headers` keeps only the first of several Authorization headers, while a proxy may have checked the last.
  const headers = raw.rawHeaders.filter((_, at, all) => at % 2 === 1 && all[at - 1]!.toLowerCase() === 'authorization')
  const tokens = headers.map((header) => /^\s*bearer(?:\s+(.*))?$/i.exec(header)).filter((match) => match !== null)
  if (!tokens.length) return undefined
  if (headers.length > 1) return ''
  return /^\s*(\S+)\s*$/.exec(tokens[0]![1] ?? '')?.[1] ?? ''
}

function countRequest({ reads }: HttpContext, request: FastifyRequest, reply: FastifyReply, actor: Actor): void {
  const result = reads.take(limitKey(actor, request.ip))
  reply.headers(reads.headers(result))
  reads.check(result)
}

function limitKey(actor: Actor, ip: string): string {
  if (actor.kind === 'anonymous') return `address ${addressKey(ip)}`
  if (actor.kind === 'partner') return `token ${actor.tokenId}`
  if (actor.kind === 'visitor') return `visitor ${actor.visitorId}`
  if (actor.kind === 'guest') return `guest ${actor.guestId}`
  return actor.via.kind === 'token' ? `token ${actor.via.tokenId}` : `session ${actor.via.sessionHash.toString('hex')}`
}
