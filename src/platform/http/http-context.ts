import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/auth/actor.ts'
import type { Authenticators } from '#platform/auth/authenticator.ts'
import type { CommandContext, RequestContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Language, SOURCE_LANGUAGES, sourceLanguageOf } from '#platform/i18n/languages.ts'
import { negotiateLanguage } from '#platform/i18n/negotiate.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { CookieNames } from './cookies.ts'
import { originOf, stripOrigin } from './hosts.ts'
import { addressKey, type RateLimiter } from './rate-limiter.ts'

/** What the handlers of the API, of pages and of mounted protocols share. */
export type HttpContext = {
  db: Database
  clock: Clock
  site: Site
  authenticators: Authenticators
  cookies: CookieNames
  defaultLanguage: Language
  reads: RateLimiter
  /** For actions that count failed attempts only. */
  failures?: RateLimiter
  /** Ends requests that wait, when the server stops. */
  stopping?: AbortSignal
}

/** Of a page: one of the languages that the instance offers. */
export function requestWords({ defaultLanguage, site }: HttpContext, request: FastifyRequest): Words {
  const fallback = site.defaultLanguage ?? defaultLanguage
  const language = negotiateLanguage(request.headers['accept-language'], fallback, offeredLanguages(site))
  return wordsFor(language, site.timeZone, site)
}

/** Of an answer of the API, whose texts exist in the languages of the code. */
export function apiWords({ defaultLanguage, site }: HttpContext, request: FastifyRequest): Words {
  const fallback = sourceLanguageOf(site.defaultLanguage ?? defaultLanguage)
  return wordsFor(negotiateLanguage(request.headers['accept-language'], fallback, SOURCE_LANGUAGES), site.timeZone, site)
}

export function makeRequestContext(http: HttpContext, actor: Actor, now: Date, words: Words): RequestContext {
  return { db: http.db.read, actor, now, words, site: http.site }
}

export function makeCommandContext(
  { db, site }: HttpContext,
  { actor, now, request }: { actor: Actor; now: Date; request: FastifyRequest },
): CommandContext {
  return { db: db.write, actor, now, site, requestId: request.id, network: addressKey(request.ip) }
}

export const requestOrigin = (request: FastifyRequest, siteUrl: string): string =>
  originOf(request.headers.host ?? '', request.protocol, siteUrl)

/** Path and query as received; a request target may also be an absolute URL (RFC 9112, section 3.2.2). */
export const requestUrl = (request: FastifyRequest): string => stripOrigin(request.originalUrl ?? request.url)
