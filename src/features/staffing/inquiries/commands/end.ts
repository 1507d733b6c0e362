import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getWaveState } from '../queries/inquiries.ts'
import { type EndReason, judgeWave } from '../rules/waves.ts'
import { sendWave } from './ask.ts'

type Ended = { inquiryId: number; shiftId: number; eventId: number; reason: EndReason }

async function endInquiry(tx: Tx, context: CommandContext, { inquiryId, shiftId, eventId, reason }: Ended): Promise<void> {
  await tx
    .updateTable('inquiry')
    .set({ ended_at: context.now, end_reason: reason, next_wave_at: null })
    .where('id', '=', inquiryId)
    .execute()
  await record(tx, context, {
    kind: reason === 'stopped' ? 'shift.asking_stopped' : 'shift.asking_ended',
    subject: { kind: 'shift', id: shiftId },
    eventId,
    changes: { inquiry: inquiryId, reason },
  })
}

/**
 * Ends the inquiry if enough people can, in the transaction of the answer. An inquiry that a job has locked is left to the job. The job
 * also finds those for which people signed up in other ways.
 */
export async function endIfEnough(
  tx: Tx,
  context: CommandContext,
  { inquiryId, shiftId, eventId }: Omit<Ended, 'reason'>,
): Promise<void> {
  const open = await rowsOf(tx).exists(sql`
    select from inquiry where id = ${inquiryId} and ended_at is null for no key update skip locked`)
  const state = open && (await getWaveState(tx, inquiryId, { now: context.now, timeZone: context.site.timeZone }))
  if (state && judgeWave(state, context.now) === 'enough')
    await endInquiry(tx, context, { inquiryId, shiftId, eventId, reason: 'enough' })
}

/** Conditions on `inquiry` q, `shift` s and `event` e under which it has ended before the next wave is due. */
const isOver = (now: Date) => sql`(
  s.free = 0 or q.was_short and greatest(s.missing, s.shortfall) = 0 or not e.listed or s.end_time <= ${now}
  or q.wanted <= (select count(*) from inquiry_person i
    join participation p on p.shift_id = q.shift_id and p.kind = 'local' and p.user_id = i.user_id
    where i.inquiry_id = q.id and i.asked_at is not null and p.state in (0, 1)))`

/** Stops an inquiry: nobody else is asked, and open links say that they are no longer needed. False: no such inquiry, or it has ended. */
export function stopInquiry(
  context: CommandContext,
  { shiftId, inquiryId }: { shiftId: number; inquiryId: number },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const row = await rowsOf(tx).first(sql<{ eventId: number }>`
      select s.event_id as "eventId" from inquiry q join shift s on s.id = q.shift_id join event e on e.id = s.event_id
      where q.id = ${inquiryId} and q.shift_id = ${shiftId} and (q.ended_at is null or q.end_reason <> 'stopped')
        and e.deleted_at is null and ${changeableBy(context.actor)} for no key update of q`)
    if (!row) return false
    await tx
      .updateTable('inquiry_person')
      .set({ withdrawn_at: context.now })
      .where('inquiry_id', '=', inquiryId)
      .where('answer', 'is', null)
      .execute()
    await endInquiry(tx, context, { inquiryId, shiftId, eventId: row.eventId, reason: 'stopped' })
    return true
  })
}

/** Asks the next people of every inquiry that is due, and ends those for which enough people can or that nobody needs any more. */
export async function sendDueWaves(context: CommandContext): Promise<void> {
  const { db, now, site } = context
  const due = await rowsOf(db).all(sql<{ id: number }>`
    select q.id from inquiry q join shift s on s.id = q.shift_id join event e on e.id = s.event_id
    where q.ended_at is null and (q.next_wave_at <= ${now} or ${isOver(now)}) order by q.next_wave_at, q.id limit 200`)
  for (const { id } of due)
    await transact(db, async (tx) => {
      const inquiry = await rowsOf(tx).first(sql<{ shiftId: number; eventId: number; isDue: boolean }>`
        select q.shift_id as "shiftId", s.event_id as "eventId", coalesce(q.next_wave_at <= ${now}, false) as "isDue"
        from inquiry q join shift s on s.id = q.shift_id
        where q.id = ${id} and q.ended_at is null for no key update of q skip locked`)
      const state = inquiry && (await getWaveState(tx, id, { now, timeZone: site.timeZone }))
      if (!inquiry || !state) return
      const { isDue, ...where } = inquiry
      const reason = judgeWave(state, now)
      // Everybody was asked at once: answers are awaited.
      if (reason && (isDue || reason !== 'everybody')) await endInquiry(tx, context, { inquiryId: id, ...where, reason })
      else if (isDue) await sendWave(tx, context, id, state.closesAt!)
    })
}

/** For the deletion of a person. */
export async function deleteInquiriesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('inquiry_person').where('user_id', '=', userId).execute()
}
