import { type Kysely, type RawBuilder, sql } from 'kysely'
import { moduleIsOn } from '#features/operations/settings/queries.ts'
import type { DB } from '#platform/db/tables.ts'
import type { DayPeriod, WeeklyTime } from '../rules/availability.ts'

/** Moments as SQL, so that only busy times between them are loaded. */
export type Reach = { from: RawBuilder<unknown>; until: RawBuilder<unknown> }

/** A JSON column for queries of other features: an `Availability` of the user with this id. Null: nothing is known, or the module is off. */
export const availabilityOf = (userId: RawBuilder<unknown>, { from, until }: Reach): RawBuilder<unknown> => sql`(
  select json_build_object(
    'weekly', coalesce((select json_agg(json_build_object('kind', w.kind, 'weekday', w.weekday, 'from', w.from_minute, 'until', w.until_minute))
      from weekly_time w where w.user_id = ${userId}), '[]'),
    'periods', coalesce((select json_agg(json_build_object('kind', d.kind, 'first', d.first_day, 'last', d.last_day))
      from day_period d where d.user_id = ${userId}), '[]'),
    'busy', coalesce((select json_agg(json_build_object(
        'fromMs', (extract(epoch from b.start_time) * 1000)::bigint, 'untilMs', (extract(epoch from b.end_time) * 1000)::bigint))
      from private_calendar k join busy_time b on b.calendar_id = k.id
      where k.user_id = ${userId} and (k.counts_all_day or not b.is_all_day) and b.end_time > ${from} and b.start_time < ${until}), '[]'))
  where ${moduleIsOn('availability')} and (
    exists (select from weekly_time w where w.user_id = ${userId}) or exists (select from day_period d where d.user_id = ${userId})
    or exists (select from private_calendar k where k.user_id = ${userId}))
)`

type StoredWeekly = WeeklyTime & { id: number }
type StoredPeriod = DayPeriod & { id: number }

/** What the person said, without periods that are over. */
export async function findOwnAvailability(
  db: Kysely<DB>,
  userId: number,
  today: string,
): Promise<{ weekly: StoredWeekly[]; periods: StoredPeriod[] }> {
  const weekly = await sql<StoredWeekly>`
    select w.id, w.kind, w.weekday, w.from_minute as "from", w.until_minute as until from weekly_time w
    where w.user_id = ${userId} order by w.weekday, w.from_minute, w.id`.execute(db)
  const periods = await sql<StoredPeriod>`
    select d.id, d.kind, d.first_day as first, d.last_day as last from day_period d
    where d.user_id = ${userId} and d.last_day >= ${today} order by d.first_day, d.id`.execute(db)
  return { weekly: weekly.rows, periods: periods.rows }
}
