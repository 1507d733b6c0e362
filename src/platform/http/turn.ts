import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, NOBODY } from '#platform/auth/actor.ts'
import type { Authenticators } from '#platform/auth/authenticator.ts'
import type { CommandContext, RequestContext, Site } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { negotiateLanguage } from '#platform/i18n/negotiate.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { CookieNames } from './cookies.ts'
import { originOf, withoutOrigin } from './hosts.ts'
import { type Identity, identify } from './identify.ts'
import { addressKey, type Limiter } from './limits.ts'
import { isLookingAgain } from './parts.ts'

/** What both machines need to serve a request. */
export type Surroundings = {
  db: Database
  clock: Clock
  site: Site
  authenticators: Authenticators
  cookies: CookieNames
  defaultLanguage: Language
  reads: Limiter
  /** For actions where only refused attempts count. */
  failures?: Limiter
}

export const wantedWords = ({ defaultLanguage, site }: Surroundings, request: FastifyRequest): Words =>
  wordsFor(negotiateLanguage(request.headers['accept-language'], defaultLanguage), site.timeZone)

/** Tells who is asking, and counts the request against that credential (else the address). */
export async function takeTurn(around: Surroundings, request: FastifyRequest, reply: FastifyReply, now: Date): Promise<Identity> {
  const sessionId = request.cookies[around.cookies.session]
  const identity = await identify(request.raw, sessionId, around.authenticators, now, { isVisit: !isLookingAgain(request) })
  const verdict = around.reads.take(limitKey(identity.actor, request.ip))
  reply.headers(around.reads.headers(verdict))
  around.reads.check(verdict)
  return identity
}

/** The same for pages that are for people of partner instances: who is signed in here does not count there. */
export async function takeVisitorTurn(
  around: Surroundings,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<{ actor: Actor; sessionHash: Buffer | undefined }> {
  const sessionId = request.cookies[around.cookies.visitor]
  const { language } = wantedWords(around, request)
  const visitor = sessionId ? await around.authenticators.visitor(sessionId, now, language) : undefined
  const actor = visitor ?? NOBODY
  const verdict = around.reads.take(limitKey(actor, request.ip))
  reply.headers(around.reads.headers(verdict))
  around.reads.check(verdict)
  return { actor, sessionHash: visitor && sessionId ? hashSecret(sessionId) : undefined }
}

function limitKey(actor: Actor, ip: string): string {
  if (actor.kind === 'nobody') return `address ${addressKey(ip)}`
  if (actor.kind === 'partner') return `token ${actor.tokenId}`
  if (actor.kind === 'visitor') return `visitor ${actor.visitorId}`
  if (actor.kind === 'guest') return `guest ${actor.guestId}`
  return actor.via.kind === 'token' ? `token ${actor.via.tokenId}` : `session ${actor.via.sessionHash.toString('hex')}`
}

export function makeRequestContext(around: Surroundings, actor: Actor, now: Date, words: Words): RequestContext {
  return { db: around.db.read, actor, now, words, site: around.site }
}

export function makeCommandContext(around: Surroundings, actor: Actor, now: Date, requestId: string): CommandContext {
  return { db: around.db.write, actor, now, site: around.site, requestId }
}

export const ownOrigin = (request: FastifyRequest, siteUrl: string): string =>
  originOf(request.headers.host ?? '', request.protocol, siteUrl)

/** Path and query as they came; a proxy may have sent them behind a scheme and a host (RFC 9112, section 3.2.2). */
export const askedUrl = (request: FastifyRequest): string => withoutOrigin(request.originalUrl ?? request.url)
