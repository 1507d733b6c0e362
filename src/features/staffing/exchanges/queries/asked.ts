import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'

/** Somebody's search in which a person was asked and has not answered. */
type AskedSearch = Span & {
  id: number
  shiftId: number
  label: string
  eventId: number
  eventTitle: string
  seeker: string
  message: string
}

export async function findAskedSearches(db: Kysely<DB>, userId: number, now: Date): Promise<AskedSearch[]> {
  return rowsOf(db).all(sql<AskedSearch>`
    select d.id, d.shift_id as "shiftId", s.label, e.id as "eventId", e.title as "eventTitle", o.display_name as seeker, d.message,
      s.start_time as start, s.end_time as end
    from stand_in_person a join stand_in d on d.id = a.stand_in_id join shift s on s.id = d.shift_id join event e on e.id = s.event_id
      join user_profile o on o.id = d.user_id
    where a.user_id = ${userId} and a.asked_at is not null and a.answer is null and d.state = 'open' and s.start_time > ${now} and e.listed
    order by s.start_time, d.id limit 50`)
}

/** Whether the person was asked in this search. */
export async function wasAsked(db: Kysely<DB>, standInId: number, userId: number): Promise<boolean> {
  return rowsOf(db).exists(sql`
    select from stand_in_person a where a.stand_in_id = ${standInId} and a.user_id = ${userId} and a.asked_at is not null`)
}
