import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { requirePermission } from '../access.ts'
import { accountHooks } from '../points.ts'
import { countSoftFailure } from '../rules.ts'
import { lockPerson } from './locks.ts'
import { lockAndRequirePerson } from './people.ts'

type AddressFailure = {
  userId: number
  /** The address that the mail went to. */
  email: string
  kind: 'hard' | 'soft'
  reason: string
  /** When the mail was sent, or the failure was reported. */
  at: Date
}
/** `set`: the address counts as not working from now on; `counted`: a temporary failure; `ignored`: it changes nothing. */
export type FailureOutcome = 'set' | 'counted' | 'ignored'

/** Whether a report is about the address that the account has now, and newer than what people said about it. */
type IsCurrent = (report: AddressFailure, account: { email: string; clearedAt: Date | null }) => boolean
const isCurrent: IsCurrent = ({ email, at }, account) =>
  email.toLowerCase() === account.email.toLowerCase() && (account.clearedAt === null || at >= account.clearedAt)

/** A mail came back, or the server of the recipient refused it. `checks`: so that tests can leave one out. */
export async function recordAddressFailure(
  context: Omit<CommandContext, 'actor'>,
  failure: AddressFailure,
  checks: { isCurrent: IsCurrent } = { isCurrent },
): Promise<FailureOutcome> {
  const { userId, kind, reason } = failure
  return transact(context.db, async (tx): Promise<FailureOutcome> => {
    await lockPerson(tx, userId)
    const person = await tx
      .selectFrom('user_profile')
      .select(['email', 'email_invalid'])
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('is_service_account', '=', false)
      .executeTakeFirst()
    if (!person) return 'ignored'
    const row = await tx.selectFrom('email_failure').selectAll().where('user_id', '=', userId).executeTakeFirst()
    const stored = row?.email.toLowerCase() === person.email.toLowerCase() ? row : undefined
    if (!checks.isCurrent(failure, { email: person.email, clearedAt: stored?.cleared_at ?? null })) return 'ignored'
    if (person.email_invalid) return 'ignored'
    const soft = kind === 'soft' ? countSoftFailure(stored, context.now) : undefined
    const isSet = !soft || soft.isEnough
    const values = {
      email: person.email,
      reason,
      failed_at: isSet ? context.now : null,
      soft_since: soft?.since ?? null,
      soft_last_at: soft ? context.now : null,
      soft_count: soft?.count ?? 0,
      cleared_at: stored?.cleared_at ?? null,
    }
    await tx
      .insertInto('email_failure')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
    if (!isSet) return 'counted'
    await tx.updateTable('user_profile').set({ email_invalid: true }).where('id', '=', userId).execute()
    await record(
      tx,
      { ...context, actor: ANONYMOUS },
      {
        kind: 'user.email_failed',
        subject: { kind: 'user', id: userId },
        personal: { personId: userId, values: { email_failure: [null, reason] } },
      },
    )
    return 'set'
  })
}

/** Mails go to the address again. False: nothing was wrong with it. */
export async function clearAddressFailure(tx: Tx, context: CommandContext, userId: number): Promise<boolean> {
  const row = await tx
    .updateTable('user_profile')
    .set({ email_invalid: false })
    .where('id', '=', userId)
    .where('email_invalid', '=', true)
    // Accounts without an address of their own stay so.
    .where('email', 'not like', '%@no-address.invalid')
    .where('deleted_at', 'is', null)
    .where('is_service_account', '=', false)
    .returning('email')
    .executeTakeFirst()
  if (!row) return false
  const values = {
    email: row.email,
    reason: '',
    failed_at: null,
    soft_since: null,
    soft_last_at: null,
    soft_count: 0,
    cleared_at: context.now,
  }
  await tx
    .insertInto('email_failure')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  await record(tx, context, { kind: 'user.email_works', subject: { kind: 'user', id: userId } })
  return true
}

/** By those who manage people, or by the person. */
export async function tryAddressAgain(context: CommandContext, userId: number): Promise<boolean> {
  const { actor } = context
  const isOwn = actor.kind === 'user' && actor.userId === userId && actor.via.kind === 'session'
  if (!isOwn) requirePermission(actor, 'change_user')
  return transact(context.db, async (tx) => {
    if (isOwn) await lockPerson(tx, userId)
    else await lockAndRequirePerson(tx, context, userId)
    const isCleared = await clearAddressFailure(tx, context, userId)
    if (isCleared) await accountHooks.of(context.site).resumeMails(tx, context, userId)
    return isCleared
  })
}
