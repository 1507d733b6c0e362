import { randomInt } from 'node:crypto'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { requireOwner } from '../access.ts'
import { getFactorKinds, hasFactor } from '../queries.ts'
import { formatRecoveryCode, RECOVERY_ALPHABET, RECOVERY_CODES, RECOVERY_LENGTH, readRecoveryCode } from '../rules.ts'
import { lacksOwnProof } from './own-proof.ts'

const makeCode = (): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join('')

/** Replaces all codes of the person. The codes are returned once and never stored. The caller records the change. */
export async function replaceRecoveryCodes(tx: Tx, userId: number, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashSecret(code), created_at: now }))
  await tx.insertInto('recovery_code').values(rows).execute()
  return codes.map(formatRecoveryCode)
}

/** `none`: the person has no second factor that the codes could replace. */
type RenewedCodes = { ok: true; codes: string[] } | { ok: false; reason: 'none' | 'proof' }

export async function renewRecoveryCodes(context: CommandContext, lacksProof = lacksOwnProof): Promise<RenewedCodes> {
  const userId = requireOwner(context)
  return transact(context.db, async (tx): Promise<RenewedCodes> => {
    await lockPerson(tx, userId)
    if (!hasFactor(await getFactorKinds(tx, userId))) return { ok: false, reason: 'none' }
    if (await lacksProof(tx, context)) return { ok: false, reason: 'proof' }
    const codes = await replaceRecoveryCodes(tx, userId, context.now)
    await record(tx, context, { kind: 'user.recovery_codes_renewed', subject: { kind: 'user', id: userId } })
    return { ok: true, codes }
  })
}

/** Of concurrent requests with the same code only the first marks the row. */
export async function claimRecoveryCode(tx: Tx, userId: number, code: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False: the code is wrong or was used before. */
export async function useRecoveryCode(
  tx: Tx,
  context: CommandContext,
  { userId, text }: { userId: number; text: string },
  claim = claimRecoveryCode,
): Promise<boolean> {
  const code = readRecoveryCode(text)
  if (code === undefined || !(await claim(tx, userId, code, context.now))) return false
  const { left } = await tx
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  const changes = { left: Number(left) }
  await record(tx, context, { kind: 'user.recovery_code_used', subject: { kind: 'user', id: userId }, changes })
  return true
}
