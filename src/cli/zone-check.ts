import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { zoneOf } from '#platform/i18n/zone.ts'

const DAY_MS = 86_400_000
const DAYS_BACK = 2 * 366
const DAYS_AHEAD = 5 * 366
const INVALID_PARAMETER_VALUE = '22023'

/** `differ`: from the first day on which the clock of the zone would show another time by the rules of the database. */
type Comparison = { verdict: 'equal' } | { verdict: 'differ'; since: Date } | { verdict: 'unknown' }

/** Times come from the rules of Node alone. A difference tells operators that one of the two has old data. */
export async function compareZoneRules(db: Pick<Database, 'read'>, timeZone: string, now: Date): Promise<Comparison> {
  const { offsetAt } = zoneOf(timeZone)
  const first = new Date(now.getTime() - DAYS_BACK * DAY_MS)
  const last = new Date(now.getTime() + DAYS_AHEAD * DAY_MS)
  try {
    const { rows } = await sql<{ at: Date; seconds: number }>`
      select at, extract(epoch from (at at time zone ${timeZone}) - (at at time zone 'UTC'))::int as seconds
      from generate_series(${first}::timestamptz, ${last}::timestamptz, interval '24 hours') as at`.execute(db.read)
    const different = rows.find(({ at, seconds }) => offsetAt(at.getTime()) !== seconds * 1000)
    return different ? { verdict: 'differ', since: different.at } : { verdict: 'equal' }
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PARAMETER_VALUE) return { verdict: 'unknown' }
    throw error
  }
}

export function describeZoneRules(timeZone: string, comparison: Comparison): string {
  const source = `times follow the rules of Node for ${timeZone} (time zone data ${process.versions.tz})`
  switch (comparison.verdict) {
    case 'equal':
      return `${source}; PostgreSQL has the same`
    case 'unknown':
      return `${source}; PostgreSQL does not know this zone, and does not need to`
    case 'differ': {
      const day = comparison.since.toISOString().slice(0, 10)
      return `${source}; those of PostgreSQL differ from ${day} on and are not used. If times are wrong from then on, update Node`
    }
  }
}
