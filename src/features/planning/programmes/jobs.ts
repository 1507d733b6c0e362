import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { fetchProgramme } from './commands/fetch.ts'
import { storeFetched } from './commands/follow.ts'
import { findDueProgrammes, getProgramme } from './queries/programme.ts'

type Options = { db: Database; clock: Clock; site: Site; outbound: Outbound }

/** With the permissions of now: they can have changed since the option was switched on. Undefined: no active account. */
async function getActor({ db }: Options, userId: number | null): Promise<Actor | undefined> {
  if (userId === null) return undefined
  const { rows } = await sql<ActorRow>`
    select ${actorColumns} from user_profile u where u.id = ${userId} and u.is_active and not u.is_service_account`.execute(
    db.write,
  )
  return rows[0] && actorFrom(rows[0], { kind: 'session', sessionHash: Buffer.alloc(0) })
}

/** Requests the addresses that are due, one after the other. */
async function followProgrammes(options: Options): Promise<void> {
  const { db, clock, site, outbound } = options
  for (const eventId of await findDueProgrammes(db.write, clock.now())) {
    const programme = await getProgramme(db.write, eventId)
    if (!programme?.url) continue
    const { url, automaticById } = programme
    const fetched = await fetchProgramme(outbound, { url, known: programme, timeZone: site.timeZone })
    // Entries of one step are found by the id of the request.
    const requestId = `programme-${randomUUID()}`
    const context: CommandContext = { db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId }
    await storeFetched(context, { eventId, url, fetched, automatic: await getActor(options, automaticById) })
  }
}

export const programmeTasks = (options: Options): Task[] => [
  { name: 'follow_programmes', schedule: '*/5 * * * *', run: () => followProgrammes(options) },
]
