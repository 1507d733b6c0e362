import { sql } from 'kysely'
import { recountAudiences, recountParticipations } from '#features/operations/backup/commands/denormalised.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { makeCalendar } from '#platform/sample-data/calendar.ts'
import { makeRandom } from '#platform/sample-data/random.ts'
import { loadBase, requireEmpty } from './base.ts'
import { loadBulkAudiences } from './bulk-audiences.ts'
import { makeBulkEvents } from './bulk-events.ts'
import { loadBulkPeople } from './bulk-people.ts'
import { writeBatch } from './bulk-write.ts'
import type { DemoOptions } from './world.ts'

type BulkOptions = Omit<DemoOptions, 'db'> & {
  db: Pick<Database, 'write' | 'writePool'>
  events: number
  progress?: (done: { events: number; of: number }) => void
}
export type BulkCounts = { people: number; events: number; shifts: number; participations: number }

/** Events that are held in memory at a time. */
const BATCH_SIZE = 2_000
const MAX_PARTICIPATIONS = 1_000_000

/**
 * Loads many events for benchmarks, with the people and groups of the demo data. Triggers and indexes of the large tables are off
 * during the load; columns that triggers maintain are written with the rows. One transaction, so a failed load changes nothing.
 */
export async function loadBulk(options: BulkOptions): Promise<BulkCounts> {
  const { db, language, now, seed, timeZone, passwords, events, log = () => {}, progress = () => {} } = options
  const random = makeRandom(seed)
  const calendar = makeCalendar(now, timeZone)
  const counts = await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await requireEmpty(tx)
    const base = await loadBase(tx, { language, now, random, calendar, passwords })
    const people = await loadBulkPeople(tx, base, { language, now, random, count: Math.min(2_000, Math.round(events / 10)) })
    log(`${people.length} people`)
    const audiences = await loadBulkAudiences(tx, base.groups, people)
    await switchTriggers(tx, 'disable')
    const restoreIndexes = await dropIndexes(tx, TABLES)
    const ids = await firstIds(tx)
    const source = makeBulkEvents({
      language,
      base,
      people,
      audiences,
      ids,
      now,
      calendar,
      random: random.fork('bulk'),
      events,
      most: MAX_PARTICIPATIONS,
    })
    for (let done = 0; done < events; ) {
      const size = Math.min(BATCH_SIZE, events - done)
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
    await recountParticipations(tx)
    return { people: people.length, ...written }
  })
  log(`${counts.events} events, ${counts.shifts} shifts, ${counts.participations} participations`)
  await vacuumAnalyze(db)
  return counts
}

const TABLES = ['event', 'event_group_grant', 'event_user_grant', 'shift', 'participation'] as const

async function switchTriggers(tx: Tx, way: 'enable' | 'disable'): Promise<void> {
  for (const table of TABLES) await sql`alter table ${sql.table(table)} ${sql.raw(way)} trigger user`.execute(tx)
}

type FirstIds = { event: number; shift: number; participation: number }
const TABLES_WITH_IDS = ['event', 'shift', 'participation'] as const

async function firstIds(tx: Tx): Promise<FirstIds> {
  const ids: FirstIds = { event: 1, shift: 1, participation: 1 }
  for (const table of TABLES_WITH_IDS) {
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
  for (const table of TABLES_WITH_IDS) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${first[table] + used[table]}, false)`.execute(tx)
  }
}

/** Updates planner statistics and the visibility map, as autovacuum does in production. */
async function vacuumAnalyze(db: Pick<Database, 'writePool'>): Promise<void> {
  const client = await db.writePool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('vacuum analyze')
  } finally {
    // Destroy the connection: others of the pool have a statement timeout.
    client.release(true)
  }
}
