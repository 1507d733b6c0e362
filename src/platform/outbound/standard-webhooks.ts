import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const makeSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** `timestamp`: seconds since 1970. */
type SignedMessage = { id: string; timestamp: number; body: string }

/** The header `webhook-signature` of Standard Webhooks, with a signature for each secret. */
export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}

/** One of the signatures was made with one of the secrets. */
export function isSigned(message: SignedMessage, signature: string, secrets: readonly string[]): boolean {
  const given = signature.split(' ').map((each) => Buffer.from(each))
  const expected = secrets.map((secret) => Buffer.from(signatureOf(message, [secret])))
  return expected.some((right) => given.some((each) => each.length === right.length && timingSafeEqual(each, right)))
}
