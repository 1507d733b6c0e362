import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { findAudiences, findCauses, findEventPeople, findMembers, findProfileViewers, findShiftIds } from '../queries/marked.ts'
import { collectMarks, type Pending } from '../rules/marks.ts'
import { type ChangeRow, describeChanges, hasViewers } from '../rules/rows.ts'

/** Channel on which processes learn of pending and of new changes. */
export const CHANGE_CHANNEL = 'turnout_change'

/** Rows of one transaction. */
const BATCH_ROWS = 2_000

/**
 * Gives positions to everything that was committed. The lock of the feed is held until the commit, so a position is visible only
 * after all smaller ones: readers that continue after a position miss nothing, however transactions overlap. A caller who does not want
 * to wait for everything limits the batches; false: the rest is still pending.
 */
export async function sequenceChanges(db: Kysely<DB>, now: Date, maxBatches = Number.POSITIVE_INFINITY): Promise<boolean> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const taken = await transact(db, (tx) => sequenceBatch(tx, now))
    if (taken < BATCH_ROWS) return true
  }
  return false
}

/** Returns how many rows it took. */
async function sequenceBatch(tx: Tx, now: Date): Promise<number> {
  const { position } = await tx.selectFrom('change_feed').select('position').forUpdate().executeTakeFirstOrThrow()
  const pending = await takePending(tx)
  if (!pending.length) return 0
  const rows = await describe(tx, pending, now)
  if (rows.length) {
    await insertChanges(tx, rows, position)
    await tx
      .updateTable('change_feed')
      .set({ position: position + rows.length })
      .execute()
    await sql`select pg_notify(${CHANGE_CHANNEL}, ${String(position + rows.length)})`.execute(tx)
  }
  return pending.length
}

/**
 * In the order of writing. A transaction that began after another one was committed has the higher numbers. An array of ids is looked up
 * in the index, however many rows are pending.
 */
async function takePending(tx: Tx): Promise<Pending[]> {
  const { rows } = await sql<Pending & { id: number }>`
    delete from change_pending where id = any (array(select id from change_pending order by id limit ${BATCH_ROWS}))
    returning id, xact::text as xact, kind, record_id, event_id, person_id, before_audience_id, after_audience_id, before_state, after_state,
      is_new`.execute(tx)
  return rows.sort((a, b) => a.id - b.id)
}

async function describe(tx: Tx, pending: readonly Pending[], now: Date): Promise<ChangeRow[]> {
  const marked = collectMarks(pending)
  const { marks, sights, journalIds } = marked
  const eventIds = unique([...marks.flatMap(({ eventId }) => eventId ?? []), ...sights.map(({ eventId }) => eventId)])
  const sightIds = unique(sights.map(({ eventId }) => eventId))
  const sightUsers = unique(sights.flatMap(({ gained, lost }) => [...gained, ...lost]))
  const participants = unique(marks.flatMap(({ kind, personId }) => (hasViewers(kind) ? (personId ?? []) : [])))
  const audienceIds = unique(
    marks.flatMap(({ beforeAudience, afterAudience }) => [beforeAudience ?? [], afterAudience ?? []].flat()),
  )
  const events = await findEventPeople(tx, eventIds)
  return describeChanges(marked, {
    now,
    events,
    audiences: await findAudiences(tx, [...audienceIds, ...events.map(({ audience_id }) => audience_id)]),
    members: await findMembers(tx, sightIds, sightUsers),
    shifts: await findShiftIds(tx, sightIds),
    viewers: await findProfileViewers(tx, participants),
    causes: await findCauses(tx, [...journalIds.values()].flat()),
  })
}

const unique = (ids: number[]): number[] => [...new Set(ids)]

async function insertChanges(tx: Tx, rows: readonly ChangeRow[], position: number): Promise<void> {
  const numbered = rows.map((row, index) => ({ ...row, position: position + index + 1 }))
  await sql`
    insert into change select * from jsonb_populate_recordset(null::change, ${JSON.stringify(numbered)}::jsonb)`.execute(tx)
}

/** Ends all cursors: the records are no longer those that the readers know. */
export async function startNewFeed(tx: Tx): Promise<void> {
  await tx.deleteFrom('change').execute()
  await tx.deleteFrom('change_pending').execute()
  await tx.deleteFrom('change_feed').execute()
  await tx.insertInto('change_feed').defaultValues().execute()
}

/** Days for which changes are kept. */
export const KEPT_DAYS = 90

/** Deletes the oldest changes, up to the first one that is young enough. */
export async function deleteOldChanges(db: Kysely<DB>, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 24 * 3600 * 1000)
  return transact(db, async (tx) => {
    const { position, removed_through } = await tx.selectFrom('change_feed').selectAll().forUpdate().executeTakeFirstOrThrow()
    const kept = await tx
      .selectFrom('change')
      .select('position')
      .where('at', '>=', oldest)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    const through = kept ? kept.position - 1 : position
    if (through <= removed_through) return 0
    const { numDeletedRows } = await tx.deleteFrom('change').where('position', '<=', through).executeTakeFirstOrThrow()
    await tx.updateTable('change_feed').set({ removed_through: through }).execute()
    return Number(numDeletedRows)
  })
}
