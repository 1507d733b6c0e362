import { hash } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'

/** Weak, because proxies may compress the bytes. */
export const weakEtag = (content: string | Buffer): string => `W/"${hash('sha1', content, 'base64url')}"`

/**
 * Of a record with its revision. The key makes it say nothing about either: callers who may not read a record get its ETag, too, and
 * could compare it with that of a guess.
 */
export const recordEtag = (content: Buffer, revision: string | undefined, keyring: Pick<Keyring, 'fingerprint'>): string =>
  weakEtag(Buffer.concat([content, keyring.fingerprint(revision === undefined ? 'record' : `revision ${revision}`)]))

/** Weak comparison of RFC 9110, section 13.1.2. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
