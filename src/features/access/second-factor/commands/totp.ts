import { HOTP, Secret, TOTP } from 'otpauth'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { secretsMatch } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { requireOwner, requireSession } from '../access.ts'
import { getFactorKinds } from '../queries.ts'
import { acceptedSteps, readTotpCode, setupEnd, TOTP_DIGITS } from '../rules.ts'
import { addedFactor, type FactorAdded, type FactorRemoval, removedFactor } from './factors.ts'
import { lacksOwnProof } from './own-proof.ts'

const SECRET_BYTES = 20
const ALGORITHM = 'SHA1'

type Setup = { kind: 'totp'; session: string; secret: string; until: number }
type TotpSetup = { sealed: string; secret: string; uri: string }

/** Nothing is stored before the first code is entered: the form carries the secret, sealed and bound to the session. */
export function startTotpSetup(context: Pick<CommandContext, 'actor' | 'now' | 'site'>, labels: TotpLabels): TotpSetup {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const value: Setup = { kind: 'totp', session: requireSession(context), secret, until: setupEnd(context.now).getTime() }
  return { sealed: context.site.keyring.seal(JSON.stringify(value)), secret, uri: uriOf(secret, labels) }
}

type TotpLabels = { issuer: string; account: string }

const uriOf = (secret: string, { issuer, account }: TotpLabels): string =>
  new TOTP({ issuer, label: account, algorithm: ALGORITHM, digits: TOTP_DIGITS, secret: Secret.fromBase32(secret) }).toString()

function openSetup(context: Pick<CommandContext, 'actor' | 'now' | 'site'>, sealed: string): string | undefined {
  try {
    const value = JSON.parse(context.site.keyring.unseal(sealed)) as Setup
    const isOwn = value.kind === 'totp' && value.session === requireSession(context)
    return isOwn && value.until > context.now.getTime() ? value.secret : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

/** Shows a set-up again, for a form with a wrong code. Undefined: expired, or of another session. */
export function continueTotpSetup(
  context: Pick<CommandContext, 'actor' | 'now' | 'site'>,
  sealed: string,
  labels: TotpLabels,
): TotpSetup | undefined {
  const secret = openSetup(context, sealed)
  return secret === undefined ? undefined : { sealed, secret, uri: uriOf(secret, labels) }
}

/** The step that a code belongs to; undefined: the code is wrong. */
function findStep(secret: string, text: string, steps: readonly number[]): number | undefined {
  const code = readTotpCode(text)
  if (code === undefined) return undefined
  const options = { secret: Secret.fromBase32(secret), algorithm: ALGORITHM, digits: TOTP_DIGITS }
  return steps.find((counter) => secretsMatch(HOTP.generate({ ...options, counter }), code))
}

type TotpOutcome = FactorAdded | { ok: false; reason: 'expired' | 'wrong' | 'proof' }

/** Stores the secret after its first code, instead of an earlier one. That code cannot be used again. */
export async function confirmTotp(
  context: CommandContext,
  { setup, code }: { setup: string; code: string },
  lacksProof = lacksOwnProof,
): Promise<TotpOutcome> {
  const userId = requireOwner(context)
  const secret = openSetup(context, setup)
  if (secret === undefined) return { ok: false, reason: 'expired' }
  const step = findStep(secret, code, acceptedSteps(context.now, undefined))
  if (step === undefined) return { ok: false, reason: 'wrong' }
  return transact(context.db, async (tx): Promise<TotpOutcome> => {
    await lockPerson(tx, userId)
    if (await lacksProof(tx, context)) return { ok: false, reason: 'proof' }
    const row = {
      secret_sealed: context.site.keyring.seal(secret),
      last_step: step,
      created_at: context.now,
      last_used_at: null,
    }
    await tx
      .insertInto('totp_factor')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute()
    const added = await addedFactor(tx, userId, context.now)
    await record(tx, context, {
      kind: 'user.factor_added',
      subject: { kind: 'user', id: userId },
      changes: { factor: 'app' },
    })
    return added
  })
}

export async function removeTotp(context: CommandContext, lacksProof = lacksOwnProof): Promise<FactorRemoval> {
  const userId = requireOwner(context)
  return transact(context.db, async (tx): Promise<FactorRemoval> => {
    await lockPerson(tx, userId)
    const kinds = await getFactorKinds(tx, userId)
    if (!kinds.app) return { ok: false, reason: 'gone' }
    if (await lacksProof(tx, context)) return { ok: false, reason: 'proof' }
    const refusal = await removedFactor(tx, userId, { isLast: !kinds.passkey })
    if (refusal) return refusal
    await tx.deleteFrom('totp_factor').where('user_id', '=', userId).execute()
    await record(tx, context, {
      kind: 'user.factor_removed',
      subject: { kind: 'user', id: userId },
      changes: { factor: 'app' },
    })
    return { ok: true }
  })
}

/** Of concurrent requests with the same code only the first changes the row. */
export async function claimStep(tx: Tx, userId: number, step: number, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('totp_factor')
    .set({ last_step: step, last_used_at: now })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False: the code is wrong or was used before. */
export async function useTotpCode(
  tx: Tx,
  { now, site }: Pick<CommandContext, 'now' | 'site'>,
  { userId, text }: { userId: number; text: string },
  claim = claimStep,
): Promise<boolean> {
  const row = await tx.selectFrom('totp_factor').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row) return false
  // Which steps have been used is decided by `claim`, in one statement.
  const step = findStep(site.keyring.unseal(row.secret_sealed), text, acceptedSteps(now, undefined))
  return step !== undefined && claim(tx, userId, step, now)
}
