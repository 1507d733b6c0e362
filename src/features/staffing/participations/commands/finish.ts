import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** Marks the confirmed participations of one event whose shifts have ended, once each. Returns false if none is left. */
export function finishParticipations(db: Kysely<DB>, now: Date): Promise<boolean> {
  return transact(db, async (tx) => {
    const { rows: events } = await sql<{ id: number }>`
      select e.id from event e where e.cancelled_at is null and e.deleted_at is null and e.active and exists (
        select from participation p join shift s on s.id = p.shift_id
        where p.event_id = e.id and p.state = 1 and not p.finished and p.end_time <= ${now} and s.end_time <= ${now})
      order by e.id limit 1 for no key update of e`.execute(tx)
    const [event] = events
    if (!event) return false
    const { rows } = await sql<{ id: number; shift_id: number }>`
      update participation p set finished = true from shift s
      where s.id = p.shift_id and p.event_id = ${event.id} and p.state = 1 and not p.finished
        and p.end_time <= ${now} and s.end_time <= ${now}
      returning p.id, p.shift_id`.execute(tx)
    for (const [shiftId, finished] of Map.groupBy(rows, ({ shift_id }) => shift_id))
      await record(
        tx,
        { actor: ANONYMOUS, now, requestId: null },
        {
          kind: 'shift.finished',
          subject: { kind: 'shift', id: shiftId },
          eventId: event.id,
          changes: { participations: finished.map(({ id }) => id).sort((a, b) => a - b) },
        },
      )
    return true
  })
}
