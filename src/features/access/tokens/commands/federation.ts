import { randomBytes } from 'node:crypto'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** A token for a partner instance, without person, scopes and expiry. The value is returned once and never stored. */
export async function addFederationToken(tx: Tx, federatedGuestId: number, now: Date): Promise<string> {
  const token = randomBytes(32).toString('hex')
  await tx
    .insertInto('access_token')
    .values({ token_hash: hashSecret(token), kind: 'federation', federated_guest_id: federatedGuestId, created_at: now })
    .execute()
  return token
}
