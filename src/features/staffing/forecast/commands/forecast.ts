import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import {
  type ComingShift,
  FEWEST_DAYS,
  type Forecast,
  forecastShift,
  MOST_DAYS,
  MOST_PAST_SHIFTS,
  type PastShift,
} from '../rules/pickup.ts'
import { isGoodEnough, judgeQuality, type Quality } from '../rules/quality.ts'

const DAY_MS = 24 * 3_600_000
/** Shifts that are forecast before other requests have their turn. */
const AT_ONCE = 50

type Made = Forecast & { shiftId: number }
type Coming = ComingShift & { id: number; typeId: number }
type Options = { now: Date; timeZone: string }

/** Forecasts the shifts that lack people, as far as forecasts of their type were right in the past. Replaces the forecasts before. */
export async function forecastShortShifts(db: Kysely<DB>, options: Options): Promise<void> {
  const coming = await findComing(db, options)
  const qualities: (Quality & { typeId: number })[] = []
  const made: Made[] = []
  for (const [typeId, shifts] of Map.groupBy(coming, (shift) => shift.typeId)) {
    const past = await findPast(db, typeId, options)
    const quality = judgeQuality(past)
    qualities.push({ typeId, ...quality })
    if (isGoodEnough(quality)) made.push(...(await forecastAll(past, shifts)))
    await setImmediate()
  }
  await transact(db, async (tx) => {
    await storeQualities(tx, qualities, options.now)
    await storeForecasts(tx, made, options.now)
  })
}

async function forecastAll(past: readonly PastShift[], shifts: readonly Coming[]): Promise<Made[]> {
  const made: Made[] = []
  for (const [index, shift] of shifts.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const forecast = forecastShift(past, shift)
    if (forecast) made.push({ shiftId: shift.id, ...forecast })
  }
  return made
}

/** Shifts with enough people of whom too few are qualified have no forecast: past numbers say nothing about that. */
async function findComing(db: Kysely<DB>, { now, timeZone }: Options): Promise<Coming[]> {
  const [first, last] = [FEWEST_DAYS, MOST_DAYS].map((days) => new Date(now.getTime() + days * DAY_MS))
  const rows = await rowsOf(db).all(sql<Omit<Coming, 'daysLeft' | 'weekday'> & { start: Date }>`
    select s.id, e.type_id as "typeId", s.start_time as start, coalesce(s.min_count, 0) as needed, s.confirmed_count + s.requested_count as taken
    from shift s join event e on e.id = s.event_id
    where ${isShort} and s.confirmed_count + s.requested_count < s.min_count and s.start_time between ${first} and ${last} and e.listed
    order by s.start_time, s.id`)
  return rows.map(({ start, ...shift }) => ({
    ...shift,
    weekday: weekdayOf(start, timeZone),
    daysLeft: (start.getTime() - now.getTime()) / DAY_MS,
  }))
}

/** The newest shifts of a type of which it is known when people signed up. */
async function findPast(db: Kysely<DB>, typeId: number, { timeZone }: Options): Promise<PastShift[]> {
  const rows = await rowsOf(db).all(sql<Omit<PastShift, 'weekday'>>`
    select u.start_time as start, u.needed, coalesce(u.taken, '{}') as taken, u.final
    from shift_pickup u where u.type_id = ${typeId} and u.taken is not null
    order by u.start_time desc, u.shift_id limit ${sql.lit(MOST_PAST_SHIFTS)}`)
  return rows.map((row) => ({ ...row, weekday: weekdayOf(row.start, timeZone) }))
}

const weekdayOf = (at: Date, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).dayOfWeek

async function storeQualities(tx: Tx, qualities: readonly (Quality & { typeId: number })[], now: Date): Promise<void> {
  const column = (name: 'typeId' | 'tries' | 'error' | 'plainError') => qualities.map((quality) => quality[name])
  await sql`
    insert into forecast_quality (type_id, tries, error, plain_error, judged_at)
    select judged.type_id, judged.tries, judged.error, judged.plain_error, ${now}
    from unnest(${column('typeId')}::bigint[], ${column('tries')}::int[], ${column('error')}::float8[], ${column('plainError')}::float8[])
      as judged (type_id, tries, error, plain_error) join event_type t on t.id = judged.type_id
    on conflict (type_id) do update set tries = excluded.tries, error = excluded.error, plain_error = excluded.plain_error,
      judged_at = excluded.judged_at`.execute(tx)
}

/** Rows that stay the same are not written, so that programs that follow changes hear of new forecasts only. */
async function storeForecasts(tx: Tx, made: readonly Made[], now: Date): Promise<void> {
  const ids = made.map(({ shiftId }) => shiftId)
  await sql`delete from shift_forecast where shift_id <> all (${ids}::bigint[])`.execute(tx)
  const column = (name: keyof Forecast) => made.map((forecast) => forecast[name])
  await sql`
    insert into shift_forecast as f (shift_id, usual_percent, low, middle, high, stays_short, compared_with, made_at)
    select s.id, n.usual_percent, n.low, n.middle, n.high, n.stays_short, n.compared_with, ${now}
    from unnest(${ids}::bigint[], ${column('usualPercent')}::int[], ${column('low')}::int[], ${column('middle')}::int[],
      ${column('high')}::int[], ${column('staysShort')}::bool[], ${column('comparedWith')}::int[])
      as n (id, usual_percent, low, middle, high, stays_short, compared_with) join shift s on s.id = n.id
    on conflict (shift_id) do update set usual_percent = excluded.usual_percent, low = excluded.low, middle = excluded.middle,
      high = excluded.high, stays_short = excluded.stays_short, compared_with = excluded.compared_with, made_at = excluded.made_at
    where (f.usual_percent, f.low, f.middle, f.high, f.stays_short, f.compared_with)
      is distinct from (excluded.usual_percent, excluded.low, excluded.middle, excluded.high, excluded.stays_short, excluded.compared_with)`.execute(
    tx,
  )
}
