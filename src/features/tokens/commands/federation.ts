import { randomBytes } from 'node:crypto'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** For a partner instance: no person, no scope, no end but that of the link. The value is returned once. */
export async function addFederationToken(tx: Tx, federatedGuestId: number, now: Date): Promise<string> {
  const token = randomBytes(32).toString('hex')
  await tx
    .insertInto('access_token')
    .values({ token_hash: hashSecret(token), kind: 'federation', federated_guest_id: federatedGuestId, created_at: now })
    .execute()
  return token
}
