import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { EventStream } from '#test/support/event-stream.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { deleteOldChanges, sequenceChanges } from './commands/sequence.ts'
import { findChangesAfter } from './queries/changes.ts'

/** Renames events; the transaction stays open until `commit`. */
async function renameSlowly(db: Kysely<DB>, id: number) {
  const renamed = Promise.withResolvers<void>()
  const committing = Promise.withResolvers<void>()
  const done = transact(db, async (tx) => {
    await tx.updateTable('event').set({ title: 'Renamed' }).where('id', '=', id).execute()
    renamed.resolve()
    await committing.promise
  })
  await renamed.promise
  return {
    commit: () => {
      committing.resolve()
      return done
    },
  }
}

/** Two transactions overlap: the one that writes first commits last. Returns the events that a reader gets, before and after that. */
async function readWhileOverlapping(prepare: (db: Kysely<DB>) => Promise<void>): Promise<{ first: number[]; second: number[] }> {
  const { db } = await openWorld()
  const [slow, fast] = [
    await addEvent(db.write, { seenBy: [HELPERS] }, NOW),
    await addEvent(db.write, { seenBy: [HELPERS] }, NOW),
  ]
  await sequenceChanges(db.write, NOW)
  await prepare(db.write)
  let position = (await findChangesAfter(db.read, 0, 1000)).at(-1)!.position
  const read = async () => {
    await sequenceChanges(db.write, NOW)
    const changes = await findChangesAfter(db.read, position, 1000)
    position = changes.at(-1)?.position ?? position
    return changes.map(({ recordId }) => (recordId === slow.id ? 1 : 2))
  }
  const open = await renameSlowly(db.write, slow.id)
  await (await renameSlowly(db.write, fast.id)).commit()
  const first = await read()
  await open.commit()
  return { first, second: await read() }
}

describe('transactions that overlap', () => {
  test('a change that is committed late comes after those that were read', async () => {
    assert.deepEqual(await readWhileOverlapping(async () => {}), { first: [2], second: [1] })
  })

  test('with numbers that are given before the commit, a reader loses it', async () => {
    const numberEarly = async (db: Kysely<DB>) => {
      await sql`create sequence early start 1000`.execute(db)
      await sql`create function number_early() returns trigger language plpgsql as $$
        begin
          if new.kind = 'event' then
            insert into change (position, kind, record_id, at) values (nextval('early'), new.kind, new.record_id, now());
          end if;
          return null;
        end $$`.execute(db)
      await sql`create trigger number_early before insert on change_pending for each row execute function number_early()`.execute(
        db,
      )
    }
    assert.deepEqual(await readWhileOverlapping(numberEarly), { first: [2], second: [] })
  })
})

test('rows of a transaction get positions in the order of writing, not in that of storing', async () => {
  const { db } = await openWorld()
  const ids: number[] = []
  for (let count = 0; count < 3; count++) ids.push((await addEvent(db.write, { seenBy: [HELPERS] }, NOW)).id)
  await sequenceChanges(db.write, NOW)
  const { position } = (await findChangesAfter(db.read, 0, 1000)).at(-1)!
  await transact(db.write, async (tx) => {
    for (const id of ids) await tx.updateTable('event').set({ title: 'Renamed' }).where('id', '=', id).execute()
    // The first row is stored behind the others, with the number that it had.
    await sql`with first as (delete from change_pending where record_id = ${ids[0]} returning *)
      insert into change_pending overriding system value select * from first`.execute(tx)
  })
  await sequenceChanges(db.write, NOW)
  assert.deepEqual(
    (await findChangesAfter(db.read, position, 1000)).map(({ recordId }) => recordId),
    ids,
  )
})

const WRITERS = 8
const EVENTS = 50
const ROUNDS = chooseSize({ usual: 8, full: 25 })
const CHANGES = WRITERS * EVENTS * ROUNDS

describe(`${WRITERS} writers and ${CHANGES} changes`, async () => {
  const world = await openWorld()
  const token = await world.token(OLGA, ['PUBLIC_READ'])
  const caller = world.as(OLGA, 'PUBLIC_READ')
  const ids: number[][] = []
  for (let writer = 0; writer < WRITERS; writer++) {
    const made = await transact(world.db.write, async (tx) => {
      const values = Array.from({ length: EVENTS }, () => ({ title: 'Race', location: '', type_id: 1, active: true }))
      return tx.insertInto('event').values(values).returning('id').execute()
    })
    ids.push(made.map(({ id }) => id))
  }
  const { next: start } = (await caller.get('/api/changes/')).body

  /** Two statements with a pause, so that transactions overlap in all ways. */
  async function write(own: number[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round++)
      await transact(world.db.write, async (tx) => {
        for (const half of [own.slice(0, EVENTS / 2), own.slice(EVENTS / 2)]) {
          await tx
            .updateTable('event')
            .set({ title: `Round ${round}` })
            .where('id', 'in', half)
            .execute()
          await sleep(Math.random() * 4)
        }
      })
  }

  /** Ends its request at random, and goes on from the last change that it got. */
  async function readPages(): Promise<string[]> {
    const got: string[] = []
    for (let cursor = start; got.length < CHANGES; ) {
      const query = { after: cursor, limit: 1 + Math.floor(Math.random() * 300), wait: 1 }
      const { results, next } = (await caller.get('/api/changes/', { query })).body
      // Killed: a part of the page was handled.
      const handled = Math.random() < 0.2 ? results.slice(0, Math.floor(results.length / 2)) : results
      got.push(...handled.map(({ id, cursor: at }: { id: number; cursor: string }) => `${id} ${at}`))
      cursor = handled.length === results.length ? next : (handled.at(-1)?.cursor ?? cursor)
    }
    return got
  }

  async function readStream(): Promise<string[]> {
    const got: string[] = []
    for (let last = start; got.length < CHANGES; ) {
      const headers = { authorization: `Bearer ${token}`, 'last-event-id': last }
      const stream = await new EventStream(world.line, '/api/changes/stream/', headers).opened
      assert.equal(stream.status, 200, stream.text)
      const enough = Math.min(1 + Math.floor(Math.random() * 2_000), CHANGES - got.length)
      await stream.until(() => stream.changes.length >= enough)
      stream.destroy()
      const handled = stream.changes.slice(0, enough)
      got.push(...handled.map(({ id, data }) => `${data.id} ${id}`))
      last = handled.at(-1)?.id ?? last
    }
    return got
  }

  test('none is lost and none comes twice, for readers that are interrupted', async () => {
    const [pages, streamed] = await Promise.all([readPages(), readStream(), ...ids.map(write)])
    for (const got of [pages, streamed] as string[][]) {
      assert.equal(new Set(got).size, CHANGES)
      const perEvent = Map.groupBy(got, (each) => each.split(' ')[0])
      assert.deepEqual(
        [perEvent.size, ...new Set([...perEvent.values()].map(({ length }) => length))],
        [WRITERS * EVENTS, ROUNDS],
      )
    }
    assert.deepEqual(pages, streamed)
  })
})

test('pending changes are taken in steps, as many as the caller wants, and the rest stays', async () => {
  const { db } = await openWorld()
  const { id } = await addEvent(db.write, { seenBy: [HELPERS] }, NOW)
  await sequenceChanges(db.write, NOW)
  const pending = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from change_pending`.execute(db.write)).rows[0]!.count
  let renamed = 0
  const fill = async (count: number) => {
    await db.write
      .updateTable('event')
      .set({ title: `Renamed ${renamed++}` })
      .where('id', '=', id)
      .execute()
    await sql`insert into change_pending (xact, kind, record_id, event_id, person_id, before_audience_id, after_audience_id, before_state,
        after_state, is_new)
      select p.xact, p.kind, p.record_id, p.event_id, p.person_id, p.before_audience_id, p.after_audience_id, p.before_state,
        p.after_state, p.is_new
      from (select * from change_pending order by id limit 1) p, generate_series(1, ${count}::int - (select count(*)::int from change_pending))`.execute(
      db.write,
    )
    assert.equal(await pending(), count)
  }
  await fill(4_001)
  assert.equal(await sequenceChanges(db.write, NOW, 1), false)
  assert.equal(await pending(), 2_001)
  assert.equal(await sequenceChanges(db.write, NOW, 2), true, 'the second step is not full')
  assert.equal(await pending(), 0)
  await fill(2_000)
  assert.equal(await sequenceChanges(db.write, NOW, 1), false, 'there may be more')
  assert.equal(await pending(), 0)
  assert.equal(await sequenceChanges(db.write, NOW, 1), true)
  await fill(4_001)
  assert.equal(await sequenceChanges(db.write, NOW), true)
  assert.equal(await pending(), 0)
})

test('old changes are deleted up to the first that is young enough, which may be as old as exactly 90 days', async () => {
  const { db } = await openWorld()
  const day = (days: number, more = 0) => new Date(NOW.getTime() + days * 24 * 3600 * 1000 + more)
  await sequenceChanges(db.write, day(-1))
  const { id } = await addEvent(db.write, { seenBy: [HELPERS] }, NOW)
  await sequenceChanges(db.write, NOW)
  const feed = () => db.write.selectFrom('change_feed').select(['position', 'removed_through']).executeTakeFirstOrThrow()
  const changes = () => db.write.selectFrom('change').select(['position', 'kind', 'record_id']).orderBy('position').execute()
  const before = await changes()
  const [first] = before.filter(({ kind, record_id }) => kind === 'event' && record_id === id)
  const { removed_through: removed } = await feed()
  assert.equal(await deleteOldChanges(db.write, day(90)), first!.position - 1 - removed)
  assert.deepEqual([(await changes())[0]!.position, (await feed()).removed_through], [first!.position, first!.position - 1])
  assert.equal(await deleteOldChanges(db.write, day(90)), 0, 'nothing more is old')
  const left = (await changes()).length
  assert.equal(await deleteOldChanges(db.write, day(90, 1)), left)
  const { position, removed_through } = await feed()
  assert.deepEqual([await changes(), removed_through], [[], position])
  assert.equal(await deleteOldChanges(db.write, day(90, 1)), 0)
})

test('changes are kept for 90 days, and older cursors are answered with 410', async () => {
  const world = await openWorld()
  const caller = world.as(OLGA, 'PUBLIC_READ')
  const old = (await caller.get('/api/changes/')).body.next
  const first = await addEvent(world.db.write, { seenBy: [HELPERS] }, NOW)
  const { next } = (await caller.get('/api/changes/', { query: { after: old } })).body
  const later = new Date(NOW.getTime() + 89 * 24 * 3600 * 1000)
  const second = await addEvent(world.db.write, { seenBy: [HELPERS] }, later)
  await sequenceChanges(world.db.write, later)
  assert.equal(await deleteOldChanges(world.db.write, later), 0)
  assert.ok((await deleteOldChanges(world.db.write, new Date(NOW.getTime() + 91 * 24 * 3600 * 1000))) > 0)
  assert.equal(await caller.status('/api/changes/', { query: { after: old } }), 410)
  for (const cursor of [next, 'start']) {
    const { results } = (await caller.get('/api/changes/', { query: { after: cursor } })).body
    assert.deepEqual(new Set(results.map(({ id }: { id: number }) => id)), new Set([second.id]))
  }
  assert.notEqual(first.id, second.id)
})
