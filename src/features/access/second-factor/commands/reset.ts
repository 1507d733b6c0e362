import { requirePermission } from '#features/accounts/users/access.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { lockAndRequirePerson } from '#features/accounts/users/commands/people.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { mayResetFactors } from '../rules.ts'
import { deleteFactorsOf } from './factors.ts'

type ResetOutcome = { ok: true; name: string } | { ok: false; reason: 'not_allowed' | 'none' }

/** For people who have lost everything. The journal entry notifies the person. */
export async function resetFactors(context: CommandContext, userId: number): Promise<ResetOutcome> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx): Promise<ResetOutcome> => {
    const person = await lockAndRequirePerson(tx, context, userId)
    if (!mayResetFactors(editor, person)) return { ok: false, reason: 'not_allowed' }
    return (await removeAll(tx, context, userId, 'administrator'))
      ? { ok: true, name: person.name }
      : { ok: false, reason: 'none' }
  })
}

/** For the command line. No access check: its users can write to the database anyway. False: the person has none. */
export async function resetFactorsAsOperator(context: CommandContext, userId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    return removeAll(tx, context, userId, 'command_line')
  })
}

async function removeAll(tx: Tx, context: CommandContext, userId: number, by: string): Promise<boolean> {
  const { app, passkeys } = await deleteFactorsOf(tx, userId)
  if (!app && !passkeys) return false
  const changes = { app, passkeys, by }
  await record(tx, context, { kind: 'user.factors_reset', subject: { kind: 'user', id: userId }, changes })
  return true
}
