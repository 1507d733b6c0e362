import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'

/** Bound to device cookie and session: a token of another browser, or from before the sign-in, is invalid. */
export function csrfToken(keyring: Keyring, device: string, sessionHash: Buffer | undefined): string {
  return keyring.fingerprint(`csrf\n${device}\n${sessionHash?.toString('hex') ?? ''}`).toString('base64url')
}

export function csrfTokenMatches(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type OriginHeaders = { 'sec-fetch-site'?: string | string[] | undefined; origin?: string | undefined }

/** By Sec-Fetch-Site and Origin. If both are missing (old browser, no browser), the token alone decides. */
export function isSameOrigin(headers: OriginHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || headers.origin === ownOrigin
}
