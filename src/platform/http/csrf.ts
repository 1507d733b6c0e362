import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'

/** Bound to the browser (device cookie) and to the session, so a token of somebody else, or of before the sign-in, is worth nothing. */
export function csrfToken(keyring: Keyring, device: string, sessionHash: Buffer | undefined): string {
  return keyring.fingerprint(`csrf\n${device}\n${sessionHash?.toString('hex') ?? ''}`).toString('base64url')
}

export function csrfTokenMatches(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type SentFrom = { 'sec-fetch-site'?: string | string[] | undefined; origin?: string | undefined }

/** What browsers tell about where a request comes from; absent means an old browser or no browser, then the token decides. */
export function isSameOrigin(headers: SentFrom, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || headers.origin === ownOrigin
}
