import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { BodyCache, perDatabase } from '#platform/db/body-cache.ts'
import type { Page, PageRequest } from './page.ts'
import type { PageHttpContext } from './page-context.ts'
import { requestedPart } from './parts.ts'
import { isViewing } from './viewing.ts'

/** A page as it was sent. `nonce`: the one in its text and headers, which each response replaces by its own. */
export type SentPage = {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
  nonce?: string
  /** Of the visible content, if the answer is for a page that polls. */
  live?: string | undefined
}

type Kept = { sent: SentPage; bytes: { length: number } }

/** About 500 pages. */
const MOST_CHARACTERS = 16 * 1024 * 1024
const MINUTE_MS = 60_000

const pages = perDatabase(() => new BodyCache<Kept>(MOST_CHARACTERS))

/**
 * All that a page depends on: what is stored, the minute, and what the browser sent. Undefined if the page may show something else at once:
 * it does not declare `keeps`, a message is shown once, or an administrator looks at it as somebody else.
 */
export function keyOfPage(
  http: PageHttpContext,
  page: Page,
  request: FastifyRequest,
  { context: { actor, now }, browser, csrfToken, origin, url }: PageRequest,
): string | undefined {
  if (!http.keepsPages || page.kind === 'action' || !page.keeps || request.method !== 'GET') return undefined
  if (actor.kind !== 'user' || actor.storedState === undefined || isViewing(actor)) return undefined
  if (request.cookies[http.cookies.flash] !== undefined) return undefined
  const { cookie = '' } = request.headers
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const { sessionHash, ip, userAgent } = browser
  const session = sessionHash?.toString('hex')
  const all = [actor.storedState, minute, url, requestedPart(request), session, csrfToken, cookie, origin, ip, userAgent]
  return hash('sha256', JSON.stringify(all), 'base64')
}

export const keptPage = (db: object, key: string): SentPage | undefined => pages(db).get(key)?.sent

export const keepPage = (db: object, key: string, sent: SentPage): void =>
  pages(db).set(key, { sent, bytes: { length: sent.text.length } })

/** For benchmarks and tests without a warm cache. */
export const forgetKeptPages = (db: object): void => pages(db).clear()
