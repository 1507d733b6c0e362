import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** `statementId`: of a shift that has not ended; `hoursId`: of one that counts as hours. */
type Answer = { isRight: boolean } & ({ statementId: number } | { hoursId: number })
type Stated = { hostId: number; shiftId: number }

function findStated(tx: Tx, userId: number, answer: Answer): Promise<Stated | undefined> {
  if ('statementId' in answer)
    return rowsOf(tx).first(sql<Stated>`
      select x.host_id as "hostId", a.remote_shift_id as "shiftId" from participation_abroad a
        join partner_event x on x.id = a.partner_event_id where a.id = ${answer.statementId} and a.user_id = ${userId}`)
  // never null: hostId (of hours that have a host)
  return rowsOf(tx).first(sql<Stated>`
    select host_id as "hostId", remote_shift_id as "shiftId" from partner_hours
    where id = ${answer.hoursId} and user_id = ${userId} and host_id is not null`)
}

/** Denies a statement of a host about the caller, or takes the denial back. False: there is no such statement. */
export async function answerStatement(context: CommandContext, answer: Answer): Promise<boolean> {
  const { actor, now } = context
  if (actor.kind !== 'user') return false
  const { isRight } = answer
  return transact(context.db, async (tx) => {
    const found = await findStated(tx, actor.userId, answer)
    if (!found) return false
    const { hostId, shiftId } = found
    const about = sql`user_id = ${actor.userId} and remote_shift_id = ${shiftId}`
    await sql`update participation_abroad set denied = ${!isRight}
      where ${about} and partner_event_id in (select id from partner_event where host_id = ${hostId})`.execute(tx)
    await sql`update partner_hours set denied = ${!isRight} where ${about} and host_id = ${hostId}`.execute(tx)
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
