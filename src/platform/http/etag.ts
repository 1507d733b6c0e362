import { hash } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'

/** Weak, because proxies may compress the bytes. */
export const weakEtag = (content: string | Buffer): string => `W/"${hash('sha1', content, 'base64url')}"`

/** Of a record with its revision, which is not readable from it. */
export const recordEtag = (content: Buffer, revision: string | undefined, keyring: Pick<Keyring, 'fingerprint'>): string =>
  weakEtag(revision === undefined ? content : Buffer.concat([content, keyring.fingerprint(`revision ${revision}`)]))

/** Weak comparison of RFC 9110, section 13.1.2. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
