import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

type Answer = { statementId: number; isRight: boolean }

/** Denies a statement of a host about the caller, or takes the denial back. False: there is no such statement. */
export async function answerStatement(context: CommandContext, { statementId, isRight }: Answer): Promise<boolean> {
  const { actor, now } = context
  if (actor.kind !== 'user') return false
  return transact(context.db, async (tx) => {
    const found = await rowsOf(tx).first(sql<{ hostId: number; shiftId: number }>`
      update participation_abroad a set denied = ${!isRight} from partner_event x
      where a.id = ${statementId} and a.user_id = ${actor.userId} and x.id = a.partner_event_id
      returning x.host_id as "hostId", a.remote_shift_id as "shiftId"`)
    if (!found) return false
    const { hostId, shiftId } = found
    if (isRight)
      await tx
        .deleteFrom('denied_statement')
        .where('user_id', '=', actor.userId)
        .where('host_id', '=', hostId)
        .where('remote_shift_id', '=', shiftId)
        .execute()
    else
      await tx
        .insertInto('denied_statement')
        .values({ user_id: actor.userId, host_id: hostId, remote_shift_id: shiftId, denied_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const kind = isRight ? 'federated_host.statement_accepted' : 'federated_host.statement_denied'
    await record(tx, context, { kind, subject: { kind: 'federated_host', id: hostId }, changes: { shift: shiftId } })
    return true
  })
}
