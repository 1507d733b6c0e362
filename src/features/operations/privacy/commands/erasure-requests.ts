import { queueAccountMail } from '#features/access/sign-in/commands/links.ts'
import { requireEditor, requirePermission } from '#features/accounts/users/access.ts'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { lockAdministration, lockPerson } from '#features/accounts/users/commands/locks.ts'
import { getPerson, hasOtherAdministrator } from '#features/accounts/users/queries/person.ts'
import { mayCloseAccount } from '#features/accounts/users/rules.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findDueRequests } from '../queries/erasure-requests.ts'
import { getPrivacySettings } from '../queries/settings.ts'
import { dueAfter } from '../rules/erasure.ts'

type RequestOutcome = { ok: true; dueAt: Date } | { ok: false; reason: 'last_administrator' | 'already' }

/** The account is erased after the waiting time, unless the person takes the request back. A mail tells them, in case it was somebody else. */
export async function requestErasure(context: CommandContext): Promise<RequestOutcome> {
  const { userId } = requireOwnSession(context)
  const { now } = context
  return transact(context.db, async (tx): Promise<RequestOutcome> => {
    await lockAdministration(tx)
    await lockPerson(tx, userId)
    const person = requireFound(await getPerson(tx, userId))
    if (person.isStaff && !(await hasOtherAdministrator(tx, userId))) return { ok: false, reason: 'last_administrator' }
    const { erasure_waiting_days: days } = await getPrivacySettings(tx)
    const dueAt = dueAfter(now, days)
    const made = await tx
      .insertInto('erasure_request')
      .values({ user_id: userId, requested_at: now, due_at: dueAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (!made) return { ok: false, reason: 'already' }
    await record(tx, context, {
      kind: 'user.erasure_requested',
      subject: { kind: 'user', id: userId },
      changes: { due_at: dueAt.toISOString() },
    })
    await queueAccountMail(tx, { kind: 'erasure_requested', userId, at: dueAt.toISOString() })
    return { ok: true, dueAt }
  })
}

/** False: there is no request. */
export async function withdrawErasure(context: CommandContext): Promise<boolean> {
  const { userId } = requireOwnSession(context)
  return transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    if (!(await deleteErasureRequestOf(tx, userId))) return false
    await record(tx, context, { kind: 'user.erasure_withdrawn', subject: { kind: 'user', id: userId } })
    return true
  })
}

/** Tokens of programs cannot ask for the erasure of their owner. */
function requireOwnSession({ actor }: CommandContext): { userId: number } {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return requireEditor(actor)
}

type Decision = { ok: true; name: string } | { ok: false; reason: 'none' | 'self' | 'administrator' }

/** An administrator agrees, or refuses: then the request ends. */
export async function decideErasure(
  context: CommandContext,
  { userId, agrees }: { userId: number; agrees: boolean },
): Promise<Decision> {
  const editor = requirePermission(context.actor, 'delete_user')
  return transact(context.db, async (tx): Promise<Decision> => {
    await lockPerson(tx, userId)
    const person = await getPerson(tx, userId)
    if (!person) return { ok: false, reason: 'none' }
    if (editor.userId === userId) return { ok: false, reason: 'self' }
    if (!mayCloseAccount(editor, person)) return { ok: false, reason: 'administrator' }
    const changed = agrees
      ? await tx
          .updateTable('erasure_request')
          .set({ decided_at: context.now, decided_by_id: editor.userId })
          .where('user_id', '=', userId)
          .where('decided_at', 'is', null)
          .returning('user_id')
          .executeTakeFirst()
      : await deleteErasureRequestOf(tx, userId)
    if (!changed) return { ok: false, reason: 'none' }
    await record(tx, context, {
      kind: agrees ? 'user.erasure_agreed' : 'user.erasure_refused',
      subject: { kind: 'user', id: userId },
    })
    if (!agrees) await queueAccountMail(tx, { kind: 'erasure_refused', userId, at: context.now.toISOString() })
    return { ok: true, name: person.name }
  })
}

export async function deleteErasureRequestOf(tx: Tx, userId: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('erasure_request').where('user_id', '=', userId).returning('user_id').executeTakeFirst()
  return deleted !== undefined
}

/** Erases the accounts whose requests are due, each in its own transaction. The last administrator stays. Returns the number of accounts. */
export async function eraseDueAccounts(context: Omit<CommandContext, 'actor'>): Promise<number> {
  const { erasure_needs_approval: needsApproval } = await getPrivacySettings(context.db)
  let erased = 0
  for (const userId of await findDueRequests(context.db, context.now, needsApproval))
    erased += await transact(context.db, async (tx) => {
      await lockAdministration(tx)
      await lockPerson(tx, userId)
      // The person may have taken it back meanwhile.
      const isDue = (await findDueRequests(tx, context.now, needsApproval)).includes(userId)
      const person = await getPerson(tx, userId)
      if (!isDue || !person) return 0
      if (person.isStaff && person.isActive && !(await hasOtherAdministrator(tx, userId))) return 0
      await eraseAccount(tx, { ...context, actor: ANONYMOUS }, userId)
      return 1
    })
  return erased
}
