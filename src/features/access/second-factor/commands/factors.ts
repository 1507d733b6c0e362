import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { requireOwner } from '../access.ts'
import { isRequired } from '../queries.ts'
import { trustEnd } from '../rules.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'

/** `recoveryCodes`: to be shown once; absent if the person has unused ones. */
export type FactorAdded = { ok: true; recoveryCodes?: string[] }
/** `proof`: the person has not just shown a factor or the password of the account. */
export type FactorRemoval = { ok: true } | { ok: false; reason: 'gone' | 'required' | 'proof' }

/** What belongs to every new factor; the caller records the change. */
export async function addedFactor(tx: Tx, userId: number, now: Date): Promise<FactorAdded> {
  const left = await tx
    .selectFrom('recovery_code')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return left ? { ok: true } : { ok: true, recoveryCodes: await replaceRecoveryCodes(tx, userId, now) }
}

/** The last factor cannot be removed while one is required. Recovery codes and trusted devices go with it. */
export async function removedFactor(
  tx: Tx,
  userId: number,
  { isLast }: { isLast: boolean },
): Promise<Exclude<FactorRemoval, { ok: true }> | undefined> {
  if (!isLast) return undefined
  if (await isRequired(tx, userId)) return { ok: false, reason: 'required' }
  await deleteRest(tx, userId)
  return undefined
}

async function deleteRest(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await tx.deleteFrom('trusted_device').where('user_id', '=', userId).execute()
}

/** For a reset and for the deletion of a person; the caller records it. */
export async function deleteFactorsOf(tx: Tx, userId: number): Promise<{ app: boolean; passkeys: number }> {
  const app = await tx.deleteFrom('totp_factor').where('user_id', '=', userId).returning('user_id').execute()
  const passkeys = await tx.deleteFrom('passkey').where('user_id', '=', userId).returning('id').execute()
  await deleteRest(tx, userId)
  return { app: app.length > 0, passkeys: passkeys.length }
}

/** For the deletion of a person. */
export async function deleteRequirementOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('second_factor_duty').where('user_id', '=', userId).execute()
}

/** The person is not asked for the second factor in this browser for a while. */
export async function trustDevice(tx: Tx, { userId, device, now }: { userId: number; device: string; now: Date }): Promise<void> {
  const trusted_until = trustEnd(now)
  await tx
    .insertInto('trusted_device')
    .values({ user_id: userId, device_hash: hashSecret(device), trusted_until })
    .onConflict((conflict) => conflict.columns(['user_id', 'device_hash']).doUpdateSet({ trusted_until }))
    .execute()
}

/** For a new password, and if the person wants it. */
export async function forgetTrustedDevices(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('trusted_device').where('user_id', '=', userId).execute()
}

export async function forgetOwnDevices(context: CommandContext): Promise<void> {
  const userId = requireOwner(context)
  await transact(context.db, (tx) => forgetTrustedDevices(tx, userId))
}

/** Only saves space: every query checks the times itself. */
export async function deleteExpiredFactorRows(db: Kysely<DB>, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await tx.deleteFrom('trusted_device').where('trusted_until', '<=', now).execute()
    await tx.deleteFrom('used_passkey_challenge').where('expires_at', '<=', now).execute()
  })
}
