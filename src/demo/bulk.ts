import { sql } from 'kysely'
import { recountAudiences } from '#platform/db/denormalised.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { loadBase, requireEmpty } from './base.ts'
import { loadBulkAudiences } from './bulk-audiences.ts'
import { makeBulkEvents } from './bulk-events.ts'
import { loadBulkPeople } from './bulk-people.ts'
import { writeBatch } from './bulk-write.ts'
import { makeCalendar } from './calendar.ts'
import { makeRandom } from './random.ts'
import type { DemoOptions } from './world.ts'

export type BulkOptions = Omit<DemoOptions, 'db'> & {
  db: Pick<Database, 'write' | 'writePool'>
  events: number
  progress?: (done: { events: number; of: number }) => void
}
export type BulkCounts = { people: number; events: number; shifts: number; participations: number }

/** In memory at a time; the rest is in the database. */
const BATCH = 2_000
export const MOST_PARTICIPATIONS = 1_000_000

/**
 * Many events for measuring, with the people and groups of the small world. Triggers and indexes of the large tables are off
 * meanwhile: what the triggers keep is written with the rows. All or nothing, so a load that fails leaves everything as it was.
 */
export async function loadBulk(options: BulkOptions): Promise<BulkCounts> {
  const { db, now, seed, timeZone, passwords, events, log = () => {}, progress = () => {} } = options
  const random = makeRandom(seed)
  const calendar = makeCalendar(now, timeZone)
  const counts = await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await requireEmpty(tx)
    const base = await loadBase(tx, { now, random, calendar, passwords })
    const people = await loadBulkPeople(tx, base, { now, random, count: Math.min(2_000, Math.round(events / 10)) })
    log(`${people.length} people`)
    const audiences = await loadBulkAudiences(tx, base.groups, people)
    await switchTriggers(tx, 'disable')
    const restoreIndexes = await dropIndexes(tx, TABLES)
    const ids = await firstIds(tx)
    const source = makeBulkEvents({
      base,
      people,
      audiences,
      ids,
      now,
      calendar,
      random: random.fork('bulk'),
      events,
      most: MOST_PARTICIPATIONS,
    })
    for (let done = 0; done < events; ) {
      const size = Math.min(BATCH, events - done)
      await writeBatch(tx, source.next(size))
      done += size
      progress({ events: done, of: events })
    }
    const written = source.counts()
    await continueIds(tx, ids, written)
    log('indexes')
    await restoreIndexes()
    await switchTriggers(tx, 'enable')
    await recountAudiences(tx)
    return { people: people.length, ...written }
  })
  log(`${counts.events} events, ${counts.shifts} shifts, ${counts.participations} participations`)
  await tidy(db)
  return counts
}

const TABLES = ['event', 'event_group_grant', 'shift', 'participation'] as const

async function switchTriggers(tx: Tx, way: 'enable' | 'disable'): Promise<void> {
  for (const table of TABLES) await sql`alter table ${sql.table(table)} ${sql.raw(way)} trigger user`.execute(tx)
}

export type FirstIds = { event: number; shift: number; participation: number }
const NUMBERED = ['event', 'shift', 'participation'] as const

async function firstIds(tx: Tx): Promise<FirstIds> {
  const ids: FirstIds = { event: 1, shift: 1, participation: 1 }
  for (const table of NUMBERED) {
    const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`.execute(tx)
    ids[table] = rows[0]!.id
  }
  return ids
}

async function continueIds(
  tx: Tx,
  first: FirstIds,
  { events, shifts, participations }: Omit<BulkCounts, 'people'>,
): Promise<void> {
  const used = { event: events, shift: shifts, participation: participations }
  for (const table of NUMBERED) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${first[table] + used[table]}, false)`.execute(tx)
  }
}

/** Statistics for the planner, and a visibility map: without them the first measurements would be of a database that nobody has. */
async function tidy(db: Pick<Database, 'writePool'>): Promise<void> {
  const client = await db.writePool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('vacuum analyze')
  } finally {
    // Not back into the pool: its connections have the pool's limit.
    client.release(true)
  }
}
