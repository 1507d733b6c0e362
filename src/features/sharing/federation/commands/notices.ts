import { isSigned, signatureOf } from '#platform/outbound/standard-webhooks.ts'

/** Says that something changed, not what: the guest asks with its own credentials. `timestamp`: seconds since 1970. */
export type Notice = { host: string; cursor: string; timestamp: number }

/** Clocks of two servers may differ by so much. */
const TOLERANCE_S = 5 * 60

/** Signed like a message of Standard Webhooks with the cursor as id and the address of the host as body. */
const messageOf = ({ host, cursor, timestamp }: Notice) => ({ id: cursor, timestamp, body: host })

export const signNotice = (notice: Notice, secret: string): string => signatureOf(messageOf(notice), [secret])

export function isGenuine(notice: Notice & { signature: string }, secrets: readonly string[]): boolean {
  return isSigned(messageOf(notice), notice.signature, secrets)
}

export const isTimely = ({ timestamp }: Notice, now: Date): boolean => Math.abs(now.getTime() / 1000 - timestamp) <= TOLERANCE_S
