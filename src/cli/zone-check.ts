import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { zoneOf } from '#platform/i18n/zone.ts'

const DAY_MS = 86_400_000
const DAYS_BACK = 2 * 366
const DAYS_AHEAD = 5 * 366

/** The first day on which database and Node disagree about the clock of this zone. Times on the API come from the database. */
export async function findZoneDifference(db: Pick<Database, 'read'>, timeZone: string, now: Date): Promise<Date | undefined> {
  const first = new Date(now.getTime() - DAYS_BACK * DAY_MS)
  const last = new Date(now.getTime() + DAYS_AHEAD * DAY_MS)
  const { rows } = await sql<{ at: Date; seconds: number }>`
    select at, extract(timezone from at)::int as seconds
    from generate_series(${first}::timestamptz, ${last}::timestamptz, interval '24 hours') as at`.execute(db.read)
  const { offsetAt } = zoneOf(timeZone)
  return rows.find(({ at, seconds }) => offsetAt(at.getTime()) !== seconds * 1000)?.at
}

export const describeZoneDifference = (timeZone: string, since: Date): string =>
  `PostgreSQL and Node have different rules for the time zone ${timeZone}, first on ${since.toISOString().slice(0, 10)}: ` +
  'times on the API and on pages differ from then on. Update the older of the two'
