import { hash } from 'node:crypto'

/** Weak: the bytes may be compressed on their way, the meaning is the same. */
export const weakEtag = (content: string | Buffer): string => `W/"${hash('sha1', content, 'base64url')}"`

/** RFC 9110, section 13.1.2, by weak comparison. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
