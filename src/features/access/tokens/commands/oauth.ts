import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'

type OAuthToken = {
  tokenHash: Buffer
  userId: number
  applicationId: number
  grantId: number
  scopes: string[]
  now: Date
  expiresAt: Date
  /** A refresh revokes the previous access token. */
  replacesEarlier: boolean
}

/** The OAuth provider creates the values; only their hashes are stored. */
export async function addOAuthToken(db: Kysely<DB>, token: OAuthToken): Promise<void> {
  await transact(db, async (tx) => {
    if (token.replacesEarlier) await revokeTokensOfGrants(tx, [token.grantId], token.now)
    await tx
      .insertInto('access_token')
      .values({
        token_hash: token.tokenHash,
        kind: 'oauth',
        user_id: token.userId,
        application_id: token.applicationId,
        grant_id: token.grantId,
        scopes: token.scopes,
        created_at: token.now,
        expires_at: token.expiresAt,
      })
      .execute()
  })
}

export async function revokeOAuthToken(db: Kysely<DB>, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'oauth')
    .where('revoked_at', 'is', null)
    .execute()
}

export async function revokeTokensOfGrants(db: Kysely<DB> | Tx, grantIds: readonly number[], now: Date): Promise<void> {
  if (!grantIds.length) return
  await db
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('grant_id', 'in', grantIds)
    .where('revoked_at', 'is', null)
    .execute()
}
