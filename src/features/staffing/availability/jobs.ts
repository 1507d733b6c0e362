import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { oncePerRuntime } from '#platform/features/runtime.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { type CalendarAccess, MAX_CALENDAR_BYTES, refreshCalendar } from './commands/calendars.ts'
import { makeReadCalendar } from './commands/read-calendar.ts'

type Dependencies = { db: Database; clock: Clock; site: Site; access: CalendarAccess }

/** Number of concurrent requests. */
const SIDE_BY_SIDE = 4
/** A process that ends meanwhile leaves its calendars for a later run. */
const LEASE_MINUTES = 15

export function availabilityTasks({ db, clock, site, access }: Dependencies): Task[] {
  const context = (): CommandContext => ({ db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null })
  return [
    {
      name: 'refresh_calendars',
      schedule: '*/10 * * * *',
      run: async () => {
        const failures: unknown[] = []
        const refreshNext = async () => {
          for (let id = await takeDue(db.write, clock.now()); id !== undefined; id = await takeDue(db.write, clock.now()))
            // One failure must not keep the remaining calendars waiting.
            await refreshCalendar(context(), access, id).catch((error: unknown) => void failures.push(error))
        }
        await Promise.all(Array.from({ length: SIDE_BY_SIDE }, refreshNext))
        if (failures.length) throw failures[0]
      },
    },
    { name: 'clean_up_busy_times', schedule: '51 3 * * *', run: () => deletePastTimes(db.write, clock.now()) },
  ]
}

/** The longest due calendar of a person with an open account. */
async function takeDue(db: Kysely<DB>, now: Date): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    update private_calendar set next_attempt_at = ${now}::timestamptz + make_interval(mins => ${LEASE_MINUTES})
    where id = (
      select k.id from private_calendar k join user_profile u on u.id = k.user_id
      where k.next_attempt_at <= ${now} and u.is_active
      order by k.next_attempt_at limit 1 for update of k skip locked)
    returning id`)
  return row?.id
}

async function deletePastTimes(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('busy_time').where('end_time', '<', now).execute()
}

/** Servers of calendars write the answer for each request, and calendars are larger than other responses. */
const OUTBOUND_LIMITS = { deadlineMs: 15_000, maxBytes: MAX_CALENDAR_BYTES }

/** How private calendars are requested and read, and how often a person may cause it. */
export const calendarOptionsOf = oncePerRuntime(({ outbound, limiter }): { access: CalendarAccess; perPerson: RateLimiter } => ({
  access: { outbound: outbound(OUTBOUND_LIMITS), read: makeReadCalendar() },
  perPerson: limiter('calendars', 4),
}))
