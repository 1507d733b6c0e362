import { type Kysely, sql } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import { UnknownKeyError } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { PrivateCalendar, UpcomingTime } from '../rules/calendars.ts'
import { isFailure } from '../rules/refreshing.ts'

export async function findCalendars(db: Kysely<DB>, site: Site, userId: number): Promise<PrivateCalendar[]> {
  const rows = await db
    .selectFrom('private_calendar')
    .select([
      'id',
      'name',
      'address_sealed',
      'counts_all_day as countsAllDay',
      'covers_until as coversUntil',
      'unread_count as unreadCount',
      'last_success_at as lastSuccessAt',
      'failure',
      'next_attempt_at as nextAttemptAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ address_sealed: sealed, failure, ...row }) => ({
    ...row,
    host: sealed === null ? undefined : hostIn(site, sealed),
    isFile: sealed === null,
    failure: failure !== null && isFailure(failure) ? failure : undefined,
  }))
}

/** The rest of the address is the secret. */
function hostIn({ keyring }: Site, sealed: string): string | undefined {
  try {
    return new URL(keyring.unseal(sealed)).hostname
  } catch (error) {
    if (error instanceof UnknownKeyError) return undefined
    throw error
  }
}

/** The next busy times of all calendars that count, soonest first. */
export async function findUpcomingTimes(db: Kysely<DB>, userId: number, now: Date, limit: number): Promise<UpcomingTime[]> {
  return rowsOf(db).all(sql<UpcomingTime>`
    select b.start_time as start, b.end_time as "end", b.is_all_day as "isAllDay", k.name as calendar
    from private_calendar k join busy_time b on b.calendar_id = k.id
    where k.user_id = ${userId} and b.end_time > ${now} and (k.counts_all_day or not b.is_all_day)
    order by b.start_time, b.end_time, k.id limit ${limit}`)
}
