import { hash } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'

const quotedHash = (content: string | Buffer): string => `"${hash('sha1', content, 'base64url')}"`

/** Weak, because proxies may compress the bytes. */
export const weakEtag = (content: string | Buffer): string => `W/${quotedHash(content)}`

/**
 * Of a record with its revision; strong, because writes depend on it. The key makes it say nothing about either: callers who may not read
 * a record get its ETag, too, and could compare it with that of a guess.
 */
export const recordEtag = (content: Buffer, revision: string | undefined, keyring: Pick<Keyring, 'fingerprint'>): string =>
  quotedHash(Buffer.concat([content, keyring.fingerprint(revision === undefined ? 'record' : `revision ${revision}`)]))

/** Hashes contain no colon. */
const CODING = /:(?:br|gzip)(?="$)/

/** A strong ETag names exact bytes, so compressed ones have another (RFC 9110, section 8.8.3.3). */
export const codedEtag = (etag: string, coding: string): string =>
  etag.startsWith('"') ? etag.replace(/"$/, `:${coding}"`) : etag

const opaque = (etag: string): string => etag.trim().replace(/^W\//, '').replace(CODING, '')

/**
 * The ETag of a condition that names the same content; for `*` that of the content. The weak comparison of RFC 9110, section 13.1.2, also
 * for If-Match: proxies that compress make ETags weak, and one hash has one content.
 */
export function matchingEtag(condition: string | undefined, etag: string): string | undefined {
  if (!condition) return undefined
  if (condition.trim() === '*') return etag
  return condition
    .split(',')
    .find((tag) => opaque(tag) === opaque(etag))
    ?.trim()
}

export const etagMatches = (condition: string | undefined, etag: string): boolean => matchingEtag(condition, etag) !== undefined
