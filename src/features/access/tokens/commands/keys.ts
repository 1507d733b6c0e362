import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { KEY_PREFIX } from '../rules.ts'

export type NewKey = { id: number; key: string; hint: string }

/** The value is returned once and never stored; the last letters tell the keys of a service account apart. */
export async function addServiceKey(tx: Tx, userId: number, now: Date): Promise<NewKey> {
  const key = `${KEY_PREFIX}${randomSecret(40)}`
  const hint = `…${key.slice(-4)}`
  const { id } = await tx
    .insertInto('access_token')
    .values({ token_hash: hashSecret(key), kind: 'service', user_id: userId, description: hint, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key, hint }
}

/** Valid keys end at `until`, unless they end earlier. */
export async function retireServiceKeys(
  tx: Tx,
  { userId, now, until }: { userId: number; now: Date; until: Date },
): Promise<void> {
  const isNow = until <= now
  await tx
    .updateTable('access_token')
    .set(isNow ? { revoked_at: now } : { expires_at: until })
    .where('user_id', '=', userId)
    .where('kind', '=', 'service')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', until)]))
    .execute()
}

/** Undefined: no such key, or it has already been revoked. */
export async function revokeServiceKey(
  tx: Tx,
  { userId, keyId, now }: { userId: number; keyId: number; now: Date },
): Promise<{ hint: string } | undefined> {
  return tx
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('kind', '=', 'service')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('description as hint')
    .executeTakeFirst()
}
