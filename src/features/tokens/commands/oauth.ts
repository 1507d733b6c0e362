import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'

export type OauthToken = {
  tokenHash: Buffer
  userId: number
  applicationId: number
  grantId: number
  scopes: string[]
  now: Date
  expiresAt: Date
  /** A refresh ends the access token of before. */
  replacesEarlier: boolean
}

/** Values are made by the provider; only hashes come here. */
export async function addOauthToken(db: Kysely<DB>, token: OauthToken): Promise<void> {
  await transact(db, async (tx) => {
    if (token.replacesEarlier) await endTokensOfGrants(tx, [token.grantId], token.now)
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

export async function endOauthToken(db: Kysely<DB>, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'oauth')
    .where('revoked_at', 'is', null)
    .execute()
}

export async function endTokensOfGrants(db: Kysely<DB> | Tx, grantIds: readonly number[], now: Date): Promise<void> {
  if (!grantIds.length) return
  await db
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('grant_id', 'in', grantIds)
    .where('revoked_at', 'is', null)
    .execute()
}
