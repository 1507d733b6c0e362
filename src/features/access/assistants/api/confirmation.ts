import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { ToolRequest } from './tools.ts'

/** How long a person may think about a change. */
const VALID_MS = 10 * 60_000

/** What a confirmation is for: one request of one credential. */
type Confirmed = { credential: string; request: ToolRequest }
type Signer = Pick<Keyring, 'fingerprint'>

const sign = (keyring: Signer, { credential, request }: Confirmed, until: string): string => {
  const { method, url, headers, body = null } = request
  const text = JSON.stringify(['assistant write', credential, method, url, headers['if-match'] ?? null, body, until])
  return keyring.fingerprint(text).toString('base64url')
}

/** Proof that this request was tried. It is not stored, and it is of no use for another request or credential. */
export function makeConfirmation(keyring: Signer, confirmed: Confirmed, now: Date): string {
  const until = (now.getTime() + VALID_MS).toString(36)
  return `${until}.${sign(keyring, confirmed, until)}`
}

type ConfirmationState = 'valid' | 'late' | 'other'

export function judgeConfirmation(keyring: Signer, confirmed: Confirmed, given: string, now: Date): ConfirmationState {
  const [until = '', mac = ''] = given.split('.')
  const expected = Buffer.from(sign(keyring, confirmed, until))
  const actual = Buffer.from(mac)
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return 'other'
  return Number.parseInt(until, 36) > now.getTime() ? 'valid' : 'late'
}
