import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { clearFactorAttempts, clearFailedAttempts, countAttempt, countFactorAttempt, GUARD, type Guard } from './attempts.ts'
import { checkProof, FACTOR_GUARD, type FactorGuard, type Proof } from './second-step.ts'
import { requirePerson } from './sessions.ts'

type ConfirmationProof = { kind: 'password'; password: string; device: string } | Exclude<Proof, { kind: 'recovery' }>
type Confirmation = { ok: true } | { ok: false; reason: 'wrong' } | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

const WRONG: Confirmation = { ok: false, reason: 'wrong' }

/** The person in the open session shows again who they are. */
export async function confirmSignIn(
  context: CommandContext,
  proof: ConfirmationProof,
  { guard = GUARD, factorGuard = FACTOR_GUARD }: { guard?: Guard; factorGuard?: FactorGuard } = {},
): Promise<Confirmation> {
  return proof.kind === 'password' ? confirmByPassword(context, proof, guard) : confirmByFactor(context, proof, factorGuard)
}

async function confirmByPassword(
  context: CommandContext,
  { password, device }: { password: string; device: string },
  guard: Guard,
): Promise<Confirmation> {
  requirePerson(context)
  const { email } = context.actor as { email: string }
  // Prevents guessing the password in an open session.
  const attempt = await countAttempt(context, { email, device }, guard)
  if ('retryAt' in attempt) return { ok: false, reason: 'too_many_guesses', retryAt: attempt.retryAt }
  const { passwordHash } = attempt.account
  const check = await (passwordHash ? guard.checkPassword(password, passwordHash) : guard.checkDecoyPassword(password))
  if (!check.ok || !passwordHash) return WRONG
  return transact(context.db, async (tx) => {
    await clearFailedAttempts(tx, attempt.accountHash, device)
    return (await recordProof(tx, context, 'own')) ? { ok: true } : WRONG
  })
}

async function confirmByFactor(
  context: CommandContext,
  proof: Exclude<Proof, { kind: 'recovery' }>,
  guard: FactorGuard,
): Promise<Confirmation> {
  const userId = requirePerson(context)
  const limit = await countFactorAttempt(context, userId, guard)
  if (limit) return { ok: false, reason: 'too_many_guesses', retryAt: limit.retryAt }
  const claim = await checkProof(context, { userId, proof, binding: confirmationUse(context) }, guard)
  return transact(context.db, async (tx) => {
    if (!(await claim(tx))) return WRONG
    await clearFactorAttempts(tx, context, userId)
    return (await recordProof(tx, context, 'own')) ? { ok: true } : WRONG
  })
}

/** Challenges of passkeys belong to the session. */
export function confirmationUse({ actor }: Pick<CommandContext, 'actor'>): { purpose: 'confirm'; binding: string } {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return { purpose: 'confirm', binding: actor.via.sessionHash.toString('hex') }
}

/** `provider`: the proof was made there, which does not count for changes of what protects the account. False: the session has ended. */
export async function recordProof(
  tx: Tx,
  { actor, now }: Pick<CommandContext, 'actor' | 'now'>,
  by: 'own' | 'provider',
): Promise<boolean> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  const row = await tx
    .updateTable('session')
    .set(by === 'own' ? { proved_at: now, own_proved_at: now } : { proved_at: now })
    .where('id_hash', '=', actor.via.sessionHash)
    .returning('id_hash')
    .executeTakeFirst()
  return row !== undefined
}
