import { hash } from 'node:crypto'

/** Weak, because proxies may compress the bytes. */
export const weakEtag = (content: string | Buffer): string => `W/"${hash('sha1', content, 'base64url')}"`

/** Weak comparison of RFC 9110, section 13.1.2. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
