import type { Kysely } from 'kysely'
import { trustDevice } from '#features/access/second-factor/commands/factors.ts'
import {
  PASSKEY_GUARD,
  type PasskeyAnswer,
  type PasskeyGuard,
  verifyPasskey,
} from '#features/access/second-factor/commands/passkeys.ts'
import { claimRecoveryCode, useRecoveryCode } from '#features/access/second-factor/commands/recovery-codes.ts'
import { claimStep, useTotpCode } from '#features/access/second-factor/commands/totp.ts'
import { needsSecondStep } from '#features/access/second-factor/queries.ts'
import { recordSignIn } from '#features/accounts/users/commands/credentials.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { ExternalSignIn, OnExternalSession } from '../mount.ts'
import { getPendingSignIn } from '../queries.ts'
import { PENDING_SECONDS, pendingEnd } from '../rules/sessions.ts'
import { clearFactorAttempts, countFactorAttempt, GUARD, type Guard } from './attempts.ts'
import { type Device, type NewSession, type ProviderProof, startSession } from './sessions.ts'

const PENDING_ID_LENGTH = 43

/** The id belongs into a cookie of its own; it is no session and gives access to nothing. */
export type PendingStep = { pendingId: string; maxAgeSeconds: number }
export type Entry = { kind: 'session'; session: NewSession } | { kind: 'second_step'; step: PendingStep }

type EntryOptions = {
  userId: number
  device: Device
  next: string
  /** Absent: the person has proved here who they are. */
  provider?: ProviderEntry
}
/** `isEnough`: no second factor is asked for, also of people who have one. */
type ProviderEntry = ProviderProof & { external: ExternalSignIn; isEnough: boolean }

/** After the first factor: a session, or the question for the second factor. Every sign-in ends here. */
export async function enter(tx: Tx, context: CommandContext, { userId, device, next, provider }: EntryOptions): Promise<Entry> {
  if (provider?.isEnough || !(await needsSecondStep(tx, { userId, device: device.device, now: context.now }))) {
    await recordSignIn(tx, userId, context.now)
    return { kind: 'session', session: await startSession(tx, context, userId, device, provider) }
  }
  const pendingId = randomSecret(PENDING_ID_LENGTH)
  await tx
    .insertInto('pending_sign_in')
    .values({
      id_hash: hashSecret(pendingId),
      user_id: userId,
      device_hash: hashSecret(device.device),
      next,
      created_at: context.now,
      expires_at: pendingEnd(context.now),
      proved_at: provider?.provedAt ?? context.now,
      identity_provider_id: provider?.external.identityProviderId ?? null,
      id_token_sealed: provider?.external.idTokenSealed ?? null,
    })
    .execute()
  return { kind: 'second_step', step: { pendingId, maxAgeSeconds: PENDING_SECONDS } }
}

export type Proof = { kind: 'code'; code: string } | { kind: 'recovery'; code: string } | ({ kind: 'passkey' } & PasskeyAnswer)

/** Checks that tests replace to show what they prevent. */
export type FactorGuard = Pick<Guard, 'lockAccount'> & {
  claimStep: typeof claimStep
  claimRecoveryCode: typeof claimRecoveryCode
  passkey: PasskeyGuard
}
export const FACTOR_GUARD: FactorGuard = {
  lockAccount: GUARD.lockAccount,
  claimStep,
  claimRecoveryCode,
  passkey: PASSKEY_GUARD,
}

/** Prepares what must not wait inside a transaction; the result claims the proof in the transaction that relies on it. */
export async function checkProof(
  context: CommandContext,
  { userId, proof, binding }: { userId: number; proof: Proof; binding: { purpose: 'second_step' | 'confirm'; binding: string } },
  guard: FactorGuard = FACTOR_GUARD,
): Promise<(tx: Tx) => Promise<boolean>> {
  if (proof.kind === 'code') return (tx) => useTotpCode(tx, context, { userId, text: proof.code }, guard.claimStep)
  if (proof.kind === 'recovery')
    return (tx) => useRecoveryCode(tx, context, { userId, text: proof.code }, guard.claimRecoveryCode)
  const verified = await verifyPasskey(context, proof, binding, guard.passkey)
  if (verified?.userId !== userId) return async () => false
  return (tx) => guard.passkey.claimCounter(tx, verified, context.now)
}

type SecondStepInput = { pendingId: string | undefined; proof: Proof; device: Device; trusts: boolean }
export type SecondStep =
  | { ok: true; userId: number; session: NewSession; next: string }
  | { ok: false; reason: 'expired' | 'wrong' }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** Finishes a sign-in with the second factor. The session gets a new id. */
export async function finishSecondStep(
  context: CommandContext,
  { pendingId, proof, device, trusts }: SecondStepInput,
  { onExternalSession, guard = FACTOR_GUARD }: { onExternalSession: OnExternalSession; guard?: FactorGuard },
): Promise<SecondStep> {
  const pending = await getPendingSignIn(context.db, { pendingId, device: device.device, now: context.now })
  if (!pending) return { ok: false, reason: 'expired' }
  const { userId, idHash } = pending
  const limit = await countFactorAttempt(context, userId, guard)
  if (limit) return { ok: false, reason: 'too_many_guesses', retryAt: limit.retryAt }
  const binding = { purpose: 'second_step' as const, binding: idHash.toString('hex') }
  const claim = await checkProof(context, { userId, proof, binding }, guard)
  return transact(context.db, async (tx): Promise<SecondStep> => {
    // Of two requests with different codes only the first goes on, and the code of the second stays valid.
    const [row] = await tx.selectFrom('pending_sign_in').select('next').where('id_hash', '=', idHash).forUpdate().execute()
    if (!row) return { ok: false, reason: 'expired' }
    if (!(await claim(tx))) return { ok: false, reason: 'wrong' }
    if (!(await recordSignIn(tx, userId, context.now))) return { ok: false, reason: 'expired' }
    await tx.deleteFrom('pending_sign_in').where('id_hash', '=', idHash).execute()
    await clearFactorAttempts(tx, context, userId)
    if (trusts) await trustDevice(tx, { userId, device: device.device, now: context.now })
    const session = await startSession(tx, context, userId, device)
    if (pending.external) await onExternalSession(tx, hashSecret(session.sessionId), pending.external)
    return { ok: true, userId, session, next: row.next }
  })
}

/** The person does not want to go on. */
export async function cancelPendingSignIn(db: Kysely<DB>, pendingId: string | undefined): Promise<void> {
  if (pendingId === undefined) return
  await transact(db, (tx) => tx.deleteFrom('pending_sign_in').where('id_hash', '=', hashSecret(pendingId)).execute())
}

type PasskeySignIn = { ok: true; userId: number; session: NewSession } | { ok: false }

/** A passkey with user verification is two factors at once. */
export async function signInByPasskey(
  context: CommandContext,
  { answer, device }: { answer: PasskeyAnswer; device: Device },
  guard: PasskeyGuard = PASSKEY_GUARD,
): Promise<PasskeySignIn> {
  const binding = hashSecret(device.device).toString('hex')
  const verified = await verifyPasskey(context, answer, { purpose: 'sign_in', binding }, guard)
  if (!verified) return { ok: false }
  const { userId } = verified
  return transact(context.db, async (tx): Promise<PasskeySignIn> => {
    if (!(await guard.claimCounter(tx, verified, context.now))) return { ok: false }
    if (!(await recordSignIn(tx, userId, context.now))) return { ok: false }
    return { ok: true, userId, session: await startSession(tx, context, userId, device) }
  })
}
