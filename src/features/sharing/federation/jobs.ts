import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { syncHost } from './commands/sync-host.ts'
import { findTold, scheduleTelling, TELL_TASK, tellGuest } from './commands/tell-guests.ts'

type FederationDependencies = { db: Database; clock: Clock; site: Site; outbound: Outbound }

/** Number of concurrent requests. */
const SIDE_BY_SIDE = 8

export function federationTasks({ db, clock, site, outbound }: FederationDependencies): Task[] {
  const commandContext = (): CommandContext => ({ db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null })
  return [
    {
      name: 'sync_hosts',
      schedule: '* * * * *',
      run: async () => {
        const contact = { outbound, clock }
        await forEach(await findDue(db.read, clock.now()), (id) => syncHost(commandContext(), contact, id))
      },
    },
    {
      name: TELL_TASK,
      schedule: '* * * * *',
      run: async () => forEach(await findTold(db.write), (id) => tellGuest(commandContext(), { outbound }, id)),
    },
    { name: 'clean_up_federation', schedule: '23 3 * * *', run: () => cleanUp(db.write, clock.now()) },
  ]
}

/** One failure must not keep the remaining partners waiting. */
async function forEach(ids: number[], run: (id: number) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  const runNext = async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift())
      await run(id).catch((error: unknown) => void failures.push(error))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runNext))
  if (failures.length) throw failures[0]
}

const TOLD_ABOUT: ReadonlySet<string> = new Set(['event', 'event_type', 'shift', 'participation'])

/** Guests learn of changes of events, shifts and places within seconds. */
export const guestTeller = ({ db }: Pick<FederationDependencies, 'db'>): JournalReader => ({
  name: 'guests',
  wants: ({ subject_kind }) => TOLD_ABOUT.has(subject_kind),
  read: () => scheduleTelling(db.write),
})

async function findDue(db: Kysely<DB>, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('federated_host')
    .select('id')
    .where('paused', '=', false)
    .where('next_attempt_at', '<=', now)
    // Partners that respond, and respond fast, come first.
    .orderBy('failures_in_row')
    .orderBy(sql`last_latency_ms nulls last`)
    .orderBy('next_attempt_at')
    .execute()
  return rows.map(({ id }) => id)
}

const DAY = 24 * 3600_000

/** Deletes used and expired codes and ended sessions. */
async function cleanUp(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('invite_code')
    .where('expires_at', '<', new Date(now.getTime() - DAY))
    .execute()
  await sql`delete from visitor_session where expires_at < ${now}`.execute(db)
}
