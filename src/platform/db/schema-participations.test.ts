import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import {
  addEvent,
  addGuest,
  addQualification,
  addShift,
  addUser,
  addVisitor,
  hour,
  insert,
  type Row,
  removeFromFunction,
  untilBlocked,
} from '#test/support/rows.ts'
import { makePool } from './pool.ts'

async function open() {
  const { url } = await freshDatabase()
  const pool = makePool({ url, max: 4, onError: () => {} })
  const db = openTestDatabase({ url })
  after(async () => {
    await pool.end()
    await db.close()
  })
  return { pool, db }
}
const { pool, db } = await open()

type Client = pg.Pool | pg.PoolClient
const countsOf = async (shiftId: number, client: Client = pool) => {
  const { rows } = await client.query('select requested_count, confirmed_count from shift where id = $1', [shiftId])
  return [rows[0].requested_count, rows[0].confirmed_count]
}
const take = (client: Client, shiftId: number, userId: number, state = 0, facts: Record<string, unknown> = {}) =>
  insert(client, 'participation', { shift_id: shiftId, kind: 'local', user_id: userId, state, ...facts })
const partOf = async (id: number) => (await pool.query('select * from participation where id = $1', [id])).rows[0]

test('functions that each sign-up calls are planned once per connection', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select proname as name from pg_proc where 'plan_cache_mode=force_generic_plan' = any (proconfig) order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['count_participations', 'refresh_event_times', 'refresh_participation_counts'],
  )
})

test('shifts count participations of all kinds by state', async () => {
  const event = await addEvent(pool)
  const shift = await addShift(pool, event.id)
  const [ann, guest, visitor] = [await addUser(pool), await addGuest(pool, event.id), await addVisitor(pool)]
  const part = await take(pool, shift.id, ann.id, 0)
  await insert(pool, 'participation', { shift_id: shift.id, kind: 'guest', guest_id: guest.id, state: 1 })
  await insert(pool, 'participation', { shift_id: shift.id, kind: 'visitor', visitor_id: visitor.id, state: 0 })
  await insert(pool, 'participation', { shift_id: shift.id, kind: 'placeholder', placeholder_name: 'Zug 2', state: 1 })
  assert.deepEqual(await countsOf(shift.id), [2, 2])
  const expected: [state: number, counts: number[]][] = [
    [1, [1, 3]],
    [2, [1, 2]],
    [3, [1, 2]],
    [4, [1, 2]],
    [0, [2, 2]],
  ]
  for (const [state, counts] of expected) {
    await pool.query('update participation set state = $2 where id = $1', [part.id, state])
    assert.deepEqual(await countsOf(shift.id), counts, `state ${state}`)
  }
  await pool.query('delete from participation where shift_id = $1 and state = 1', [shift.id])
  assert.deepEqual(await countsOf(shift.id), [2, 0])
  await pool.query('delete from guest where id = $1', [guest.id])
  await pool.query('delete from participation where id = $1', [part.id])
  assert.deepEqual(await countsOf(shift.id), [1, 0])
})

test('moving a participation updates the counts of both shifts', async () => {
  const event = await addEvent(pool)
  const [here, there] = [await addShift(pool, event.id), await addShift(pool, event.id, 14, 16)]
  const part = await take(pool, here.id, (await addUser(pool)).id, 1)
  await pool.query('update participation set shift_id = $2 where id = $1', [part.id, there.id])
  assert.deepEqual(
    [await countsOf(here.id), await countsOf(there.id)],
    [
      [0, 0],
      [0, 1],
    ],
  )
  const moved = await partOf(part.id)
  assert.deepEqual([moved.start_time, moved.end_time], [hour(14), hour(16)])
})

/** Two transactions sign somebody up for one shift; the second waits for the first. */
async function signUpTwoAtOnce(client: pg.Pool): Promise<number> {
  const shift = await addShift(client, (await addEvent(client, { active: false })).id)
  const people = [await addUser(client), await addUser(client)]
  const [a, b] = [await client.connect(), await client.connect()]
  try {
    for (const each of [a, b]) await each.query('begin')
    await take(a, shift.id, people[0]!.id, 1)
    const second = take(b, shift.id, people[1]!.id, 1)
    await untilBlocked(client, b)
    await a.query('commit')
    await second
    await b.query('commit')
  } finally {
    a.release()
    b.release()
  }
  return shift.id
}

test('two concurrent sign-ups are both counted', async () => {
  assert.deepEqual(await countsOf(await signUpTwoAtOnce(pool)), [0, 2])
})

test('without the lock one of the two sign-ups is not counted', async () => {
  const { pool: unlocked } = await open()
  for (const trigger of ['place_participation', 'count_participations']) {
    await removeFromFunction(unlocked, trigger, /perform from event [^;]*;/)
  }
  assert.deepEqual(await countsOf(await signUpTwoAtOnce(unlocked), unlocked), [0, 1])
})

test('twenty concurrent sign-ups are all counted', async () => {
  const shift = await addShift(pool, (await addEvent(pool)).id)
  const people: Row[] = []
  for (let n = 0; n < 20; n++) people.push(await addUser(pool))
  await Promise.all(people.map(({ id }, n) => take(pool, shift.id, id, n % 2)))
  assert.deepEqual(await countsOf(shift.id), [10, 10])
})

test('moving a shift moves participations without individual times', async () => {
  const event = await addEvent(pool)
  const shift = await addShift(pool, event.id, 8, 12)
  const [whole, late, own] = [await addUser(pool), await addUser(pool), await addUser(pool)]
  const parts = [
    await take(pool, shift.id, whole.id),
    await take(pool, shift.id, late.id, 1, { individual_start_time: hour(10) }),
    await take(pool, shift.id, own.id, 1, { individual_start_time: hour(9), individual_end_time: hour(10) }),
  ]
  const times = async () => {
    const rows = await Promise.all(parts.map(({ id }) => partOf(id)))
    return rows.map(({ start_time, end_time }) => [start_time, end_time])
  }
  assert.deepEqual(await times(), [
    [hour(8), hour(12)],
    [hour(10), hour(12)],
    [hour(9), hour(10)],
  ])
  await pool.query('update shift set meeting_time = $2, start_time = $2, end_time = $3 where id = $1', [
    shift.id,
    hour(7),
    hour(14),
  ])
  assert.deepEqual(await times(), [
    [hour(7), hour(14)],
    [hour(10), hour(14)],
    [hour(9), hour(10)],
  ])
  await pool.query('update participation set individual_start_time = null, individual_end_time = null where shift_id = $1', [
    shift.id,
  ])
  assert.deepEqual(await times(), [
    [hour(7), hour(14)],
    [hour(7), hour(14)],
    [hour(7), hour(14)],
  ])
})

test('moving a shift to another event moves its participations', async () => {
  const [here, there] = [await addEvent(pool), await addEvent(pool)]
  const shift = await addShift(pool, here.id)
  const part = await take(pool, shift.id, (await addUser(pool)).id)
  await pool.query('update shift set event_id = $2 where id = $1', [shift.id, there.id])
  assert.equal((await partOf(part.id)).event_id, there.id)
})

test('triggers overwrite values that are written to derived columns', async () => {
  const [event, other] = [await addEvent(pool), await addEvent(pool)]
  const shift = await addShift(pool, event.id)
  const part = await take(pool, shift.id, (await addUser(pool)).id, 0, {
    event_id: other.id,
    start_time: hour(1),
    end_time: hour(2),
  })
  assert.deepEqual([part.event_id, part.start_time, part.end_time], [event.id, hour(8), hour(12)])
})

test('every change of a participation increases its version, and that of its event if the counts change', async () => {
  const event = await addEvent(pool)
  const part = await take(pool, (await addShift(pool, event.id)).id, (await addUser(pool)).id)
  const versionOfEvent = async () => (await pool.query('select version from event where id = $1', [event.id])).rows[0].version
  const before = await versionOfEvent()
  await pool.query('update participation set state = 1 where id = $1', [part.id])
  await pool.query(`update participation set structure_data = '{"x": 1}' where id = $1`, [part.id])
  assert.equal((await partOf(part.id)).version, 3)
  assert.ok((await versionOfEvent()) > before)
})

/** Tables where rows lead from one thing to the next, and must never lead back. */
const GRAPHS = [
  {
    table: 'qualification_inclusion',
    from: 'qualification_id',
    to: 'included_id',
    constraint: 'qualification_inclusion_no_cycle',
    add: addQualification,
  },
  {
    table: 'block_composition',
    from: 'block_id',
    to: 'sub_block_id',
    constraint: 'block_composition_no_cycle',
    add: (client: pg.Pool) => insert(client, 'building_block', { name: 'block', block_type: 'composite' }),
  },
]
for (const { table, from, to, constraint, add } of GRAPHS) {
  const lead = (client: Client, a: Row, b: Row) => insert(client, table, { [from]: a.id, [to]: b.id })
  const refused = { code: '23514', constraint }

  test(`${table}: refuses cycles of any length`, async () => {
    const [a, b, c, d] = [await add(pool), await add(pool), await add(pool), await add(pool)]
    await lead(pool, a, b)
    await lead(pool, b, c)
    await lead(pool, a, c)
    await lead(pool, c, d)
    await assert.rejects(lead(pool, b, a), refused)
    await assert.rejects(lead(pool, d, a), refused)
    await assert.rejects(pool.query(`update ${table} set ${to} = $1 where ${from} = $2`, [a.id, c.id]), refused)
  })

  test(`${table}: concurrent transactions cannot form a cycle together`, async () => {
    const [a, b] = [await add(pool), await add(pool)]
    const [one, two] = [await pool.connect(), await pool.connect()]
    try {
      for (const each of [one, two]) await each.query('begin')
      await lead(one, a, b)
      const second = lead(two, b, a)
      await untilBlocked(pool, two)
      await one.query('commit')
      await assert.rejects(second, refused)
    } finally {
      await two.query('rollback')
      one.release()
      two.release()
    }
  })
}

test('without the lock the two transactions form a cycle', async () => {
  const { pool: unlocked } = await open()
  await removeFromFunction(unlocked, 'check_block_compositions', /perform pg_advisory_xact_lock[^;]*;/)
  const { table, from, to, add } = GRAPHS[1]!
  const [a, b] = [await add(unlocked), await add(unlocked)]
  const [one, two] = [await unlocked.connect(), await unlocked.connect()]
  for (const each of [one, two]) await each.query('begin')
  await insert(one, table, { [from]: a.id, [to]: b.id })
  await insert(two, table, { [from]: b.id, [to]: a.id })
  for (const each of [one, two]) {
    await each.query('commit')
    each.release()
  }
  assert.equal((await unlocked.query(`select from ${table}`)).rowCount, 2)
})

test('the closure contains all included qualifications and is updated when one is removed', async () => {
  const [a, b, c] = [await addQualification(pool), await addQualification(pool), await addQualification(pool)]
  const includes = async ({ id }: Row) =>
    (
      await pool.query<{ id: number }>(
        'select included_id as id from qualification_closure where qualification_id = $1 order by 1',
        [id],
      )
    ).rows.map((row) => row.id)
  await insert(pool, 'qualification_inclusion', { qualification_id: a.id, included_id: b.id })
  await insert(pool, 'qualification_inclusion', { qualification_id: b.id, included_id: c.id })
  assert.deepEqual([await includes(a), await includes(b), await includes(c)], [[b.id, c.id], [c.id], []])
  await pool.query('delete from qualification_inclusion where included_id = $1', [c.id])
  assert.deepEqual(await includes(a), [b.id])
  await pool.query('delete from qualification where id = $1', [b.id])
  assert.deepEqual(await includes(a), [])
})

/** Sums of the audience that all events of this test have, with and without those that wait to be added. */
const listedCounts = async (client: Client) => {
  const { rows } = await client.query(`select (select sum(local_count)::int from participation_count) as added,
    coalesce((select sum(local_count)::int from participation_count_pending), 0) as pending`)
  return [rows[0].added, rows[0].pending]
}

/** Signs up for two listed events of the same audience and type; the second person begins before the first one commits. */
async function signUpForTwoEvents(on: pg.Pool, second: (work: Promise<unknown>, client: pg.PoolClient) => Promise<void>) {
  const type = await insert(on, 'event_type', { title: 'Counted' })
  const shifts: Row[] = []
  for (let n = 0; n < 2; n++) {
    const event = await insert(on, 'event', { title: `Counted ${n}`, location: '', type_id: type.id, active: true })
    shifts.push(await addShift(on, event.id))
  }
  const people = [await addUser(on), await addUser(on), await addUser(on)]
  await take(on, shifts[0]!.id, people[0]!.id)
  const [one, two] = [await on.connect(), await on.connect()]
  try {
    await one.query('begin')
    await take(one, shifts[0]!.id, people[1]!.id)
    await second(take(two, shifts[1]!.id, people[2]!.id), two)
    await one.query('commit')
  } finally {
    one.release()
    two.release()
  }
  return { shiftId: shifts[0]!.id, userId: (await addUser(on)).id }
}

test('sign-ups for events of the same audience do not wait for each other, and all are counted', async () => {
  const { pool: counted } = await open()
  const { shiftId, userId } = await signUpForTwoEvents(counted, async (work) => void (await work))
  assert.deepEqual(await listedCounts(counted), [2, 1])
  await take(counted, shiftId, userId)
  assert.deepEqual(await listedCounts(counted), [4, 0])
})

test('without "skip locked" the second sign-up waits for the first', async () => {
  const { pool: waiting } = await open()
  await removeFromFunction(waiting, 'add_participation_count', /skip locked/)
  let done: Promise<unknown> | undefined
  await signUpForTwoEvents(waiting, async (work, client) => {
    done = work
    await untilBlocked(waiting, client)
  })
  await done
})

test('no derived column is wrong after these tests', async () => assert.deepEqual(await findDrift(db.read), []))
