// The sender on the envelope of a mail names its recipient (VERP), so that a report about it can be assigned. The signature covers the
// address, so that a token ends with it, and nobody can make one for other people. Lower case: some servers change the case.

export type BounceRecipient = { kind: 'user' | 'guest'; id: number }
type BounceToken = { recipient: BounceRecipient; sentAt: Date }

const SIGNATURE_LENGTH = 26
/** Servers report failures within a few days. */
const TOKEN_MAX_AGE_MS = 30 * 24 * 3600_000
const MAX_CLOCK_DIFFERENCE_MS = 10 * 60_000

/** Accounts have none, as in tokens of earlier versions. */
const GUEST_PREFIX = 'g_'
const prefixOf = ({ kind }: BounceRecipient): string => (kind === 'guest' ? GUEST_PREFIX : '')

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

export const textToSign = ({ recipient, sentAt }: BounceToken, email: string): string =>
  `bounce\n${prefixOf(recipient)}${recipient.id}\n${secondsOf(sentAt)}\n${email.toLowerCase()}`

/** Hexadecimal digits; 104 bits. */
export const signatureOf = (fingerprint: Buffer): string => fingerprint.toString('hex').slice(0, SIGNATURE_LENGTH)

export const formatBounceToken = ({ recipient, sentAt }: BounceToken, signature: string): string =>
  `${prefixOf(recipient)}${recipient.id.toString(36)}-${secondsOf(sentAt).toString(36)}-${signature}`

/** Undefined for what cannot be a token. The signature is not checked. */
export function parseBounceToken(text: string): (BounceToken & { signature: string }) | undefined {
  const found = /^(g_)?([0-9a-z]{1,10})-([0-9a-z]{1,8})-([0-9a-f]{26})$/.exec(text.toLowerCase())
  if (!found) return undefined
  const [id, seconds] = [Number.parseInt(found[2]!, 36), Number.parseInt(found[3]!, 36)]
  if (!Number.isSafeInteger(id)) return undefined
  const kind = found[1] === GUEST_PREFIX ? 'guest' : 'user'
  return { recipient: { kind, id }, sentAt: new Date(seconds * 1000), signature: found[4]! }
}

export const isTimely = ({ sentAt }: Pick<BounceToken, 'sentAt'>, now: Date): boolean =>
  now.getTime() - sentAt.getTime() <= TOKEN_MAX_AGE_MS && sentAt.getTime() - now.getTime() <= MAX_CLOCK_DIFFERENCE_MS

/** `bounces@a.example` with a token is `bounces+TOKEN@a.example`. */
export function addressWithToken(bounceAddress: string, token: string): string {
  const at = bounceAddress.lastIndexOf('@')
  return `${bounceAddress.slice(0, at)}+${token}${bounceAddress.slice(at)}`
}

/** Every token in a text with addresses. */
export const findTokens = (text: string): string[] =>
  [...text.matchAll(/\+((?:g_)?[0-9a-z]{1,10}-[0-9a-z]{1,8}-[0-9a-f]{26})@/gi)].map(([, token]) => token!)
