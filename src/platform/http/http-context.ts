import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Authenticators } from '#platform/auth/authenticator.ts'
import type { CommandContext, RequestContext, Site } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { negotiateLanguage } from '#platform/i18n/negotiate.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { CookieNames } from './cookies.ts'
import { originOf, stripOrigin } from './hosts.ts'
import { type Identity, identify } from './identify.ts'
import { isPolling } from './parts.ts'
import { addressKey, type RateLimiter } from './rate-limiter.ts'

/** What both machines need to serve a request. */
export type HttpContext = {
  db: Database
  clock: Clock
  site: Site
  authenticators: Authenticators
  cookies: CookieNames
  defaultLanguage: Language
  reads: RateLimiter
  /** For actions where only refused attempts count. */
  failures?: RateLimiter
}

export const requestWords = ({ defaultLanguage, site }: HttpContext, request: FastifyRequest): Words =>
  wordsFor(negotiateLanguage(request.headers['accept-language'], defaultLanguage), site.timeZone)

/** Tells who is asking, and counts the request against that credential (else the address). */
export async function authenticate(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<Identity> {
  const sessionId = request.cookies[http.cookies.session]
  const identity = await identify(request.raw, sessionId, http.authenticators, now, { extendsSession: !isPolling(request) })
  const verdict = http.reads.take(limitKey(identity.actor, request.ip))
  reply.headers(http.reads.headers(verdict))
  http.reads.check(verdict)
  return identity
}

/** The same for pages that are for people of partner instances: who is signed in here does not count there. */
export async function authenticateVisitor(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<{ actor: Actor; sessionHash: Buffer | undefined }> {
  const sessionId = request.cookies[http.cookies.visitor]
  const { language } = requestWords(http, request)
  const visitor = sessionId ? await http.authenticators.visitor(sessionId, now, language) : undefined
  const actor = visitor ?? ANONYMOUS
  const verdict = http.reads.take(limitKey(actor, request.ip))
  reply.headers(http.reads.headers(verdict))
  http.reads.check(verdict)
  return { actor, sessionHash: visitor && sessionId ? hashSecret(sessionId) : undefined }
}

function limitKey(actor: Actor, ip: string): string {
  if (actor.kind === 'anonymous') return `address ${addressKey(ip)}`
  if (actor.kind === 'partner') return `token ${actor.tokenId}`
  if (actor.kind === 'visitor') return `visitor ${actor.visitorId}`
  if (actor.kind === 'guest') return `guest ${actor.guestId}`
  return actor.via.kind === 'token' ? `token ${actor.via.tokenId}` : `session ${actor.via.sessionHash.toString('hex')}`
}

export function makeRequestContext(http: HttpContext, actor: Actor, now: Date, words: Words): RequestContext {
  return { db: http.db.read, actor, now, words, site: http.site }
}

export function makeCommandContext(http: HttpContext, actor: Actor, now: Date, requestId: string): CommandContext {
  return { db: http.db.write, actor, now, site: http.site, requestId }
}

export const requestOrigin = (request: FastifyRequest, siteUrl: string): string =>
  originOf(request.headers.host ?? '', request.protocol, siteUrl)

/** Path and query as they came; a proxy may have sent them behind a scheme and a host (RFC 9112, section 3.2.2). */
export const requestUrl = (request: FastifyRequest): string => stripOrigin(request.originalUrl ?? request.url)
