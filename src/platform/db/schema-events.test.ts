import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { addEvent, addGroup, addShift, addUser, hour, insert, removeFromFunction, untilBlocked } from '#test/support/rows.ts'
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

const one = async (client: pg.Pool, sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows[0]
const timesOf = async (id: number, client = pool) => {
  const { start_time, end_time } = await one(client, 'select start_time, end_time from event where id = $1', id)
  return [start_time, end_time]
}
const versionOf = async (table: string, id: number) =>
  (await one(pool, `select version::int from ${table} where id = $1`, id)).version
const from = (start: number, end: number) => [hour(start), hour(end)]

test('the times of an event span its shifts', async () => {
  const event = await addEvent(pool)
  assert.deepEqual(await timesOf(event.id), [null, null])
  const first = await addShift(pool, event.id, 8, 12)
  assert.deepEqual(await timesOf(event.id), from(8, 12))
  const long = await addShift(pool, event.id, 6, 20)
  assert.deepEqual(await timesOf(event.id), from(6, 20))
  await pool.query('update shift set start_time = $2, meeting_time = $2, end_time = $3 where id = $1', [
    first.id,
    hour(4),
    hour(5),
  ])
  assert.deepEqual(await timesOf(event.id), from(4, 20))
  await pool.query('delete from shift where id = $1', [long.id])
  assert.deepEqual(await timesOf(event.id), from(4, 5))
  await pool.query('delete from shift where id = $1', [first.id])
  assert.deepEqual(await timesOf(event.id), [null, null])
})

test('moving a shift to another event updates the times of both', async () => {
  const [here, there] = [await addEvent(pool), await addEvent(pool)]
  await addShift(pool, here.id, 8, 9)
  const moving = await addShift(pool, here.id, 12, 14)
  await pool.query('update shift set event_id = $2 where id = $1', [moving.id, there.id])
  assert.deepEqual([await timesOf(here.id), await timesOf(there.id)], [from(8, 9), from(12, 14)])
})

test('a statement that writes many shifts updates all events', async () => {
  const events = [await addEvent(pool), await addEvent(pool)]
  for (const event of events) for (const at of [8, 10, 12]) await addShift(pool, event.id, at, at + 1)
  await pool.query(`update shift set end_time = end_time + interval '1 hour' where event_id = any ($1)`, [
    events.map(({ id }) => id),
  ])
  for (const event of events) assert.deepEqual(await timesOf(event.id), from(8, 14))
  await pool.query('delete from shift where event_id = any ($1)', [events.map(({ id }) => id)])
  for (const event of events) assert.deepEqual(await timesOf(event.id), [null, null])
})

/** Two transactions add a shift to one event; the second waits for the first. */
async function addTwoAtOnce(client: pg.Pool): Promise<number> {
  const event = await addEvent(client, { active: false })
  const [a, b] = [await client.connect(), await client.connect()]
  try {
    for (const each of [a, b]) await each.query('begin')
    await addShift(a, event.id, 8, 9)
    const second = addShift(b, event.id, 10, 12)
    await untilBlocked(client, b)
    await a.query('commit')
    await second
    await b.query('commit')
  } finally {
    a.release()
    b.release()
  }
  return event.id
}

test('concurrent transactions that add shifts to one event are both counted', async () => {
  assert.deepEqual(await timesOf(await addTwoAtOnce(pool)), from(8, 12))
})

test('without the lock one of the two shifts is not counted', async () => {
  const { pool: unlocked } = await open()
  await removeFromFunction(unlocked, 'refresh_event_times', /perform from event [^;]*;/)
  await removeFromFunction(unlocked, 'place_shift', / for no key update/)
  assert.notDeepEqual(await timesOf(await addTwoAtOnce(unlocked), unlocked), from(8, 12))
})

for (const [what, reference] of [
  [
    'events',
    (client: pg.PoolClient, eventId: number, userId: number) =>
      insert(client, 'event_user_grant', { event_id: eventId, user_id: userId, permission: 'view' }),
  ],
  ['audiences', (client: pg.PoolClient) => addEvent(client, { active: false })],
] as const) {
  test(`transactions that both hold a key share lock on the same ${what} do not deadlock`, async () => {
    const event = await addEvent(pool)
    const users = [await addUser(pool), await addUser(pool)]
    const [a, b] = [await pool.connect(), await pool.connect()]
    try {
      for (const each of [a, b]) await each.query('begin')
      await reference(a, event.id, users[0]!.id)
      await reference(b, event.id, users[1]!.id)
      await addShift(a, event.id, 8, 9)
      const second = addShift(b, event.id, 10, 12)
      await untilBlocked(pool, b)
      await a.query('commit')
      await second
      await b.query('commit')
    } finally {
      for (const each of [a, b]) {
        await each.query('rollback')
        each.release()
      }
    }
    assert.deepEqual(await timesOf(event.id), from(8, 12))
  })
}

test('every change of an event, its shifts or its audience increases its version', async () => {
  const event = await addEvent(pool)
  const group = await addGroup(pool)
  let version = await versionOf('event', event.id)
  const changes: [what: string, sql: string, values: unknown[]][] = [
    ['title', `update event set title = 'other' where id = $1`, [event.id]],
    ['the same title', 'update event set title = title where id = $1', [event.id]],
    [
      'a shift',
      `insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug) values ($1, $2, $2, $3, 'x', 'y')`,
      [event.id, hour(8), hour(9)],
    ],
    ['a label', `update shift set label = 'x' where event_id = $1`, [event.id]],
    ['a grant', `insert into event_group_grant values ($1, $2, 'view')`, [event.id, group.id]],
    ['no grant', 'delete from event_group_grant where event_id = $1', [event.id]],
    ['no shift', 'delete from shift where event_id = $1', [event.id]],
  ]
  for (const [what, sql, values] of changes) {
    await pool.query(sql, values)
    const next = await versionOf('event', event.id)
    assert.ok(next > version, what)
    version = next
  }
})

test('every change of an event type or block increases its version', async () => {
  const event = await addEvent(pool)
  const typeId = event.type_id as number
  const block = await insert(pool, 'building_block', { name: 'x', block_type: 'atomic' })
  await pool.query(`update event_type set title = 'other' where id = $1`, [typeId])
  await pool.query(`update building_block set name = 'other' where id = $1`, [block.id])
  assert.deepEqual([await versionOf('event_type', typeId), await versionOf('building_block', block.id)], [2, 2])
})

const audienceOf = async (eventId: number) =>
  (await one(pool, 'select group_ids from audience join event on event.audience_id = audience.id where event.id = $1', eventId))
    .group_ids
const listed = async (groupIds: number[]) => {
  const row = await one(pool, 'select listed_count, listed_shift_count from audience where group_ids = $1', groupIds)
  return row ? [row.listed_count, row.listed_shift_count] : undefined
}
const grant = (eventId: number, groupId: number, permission = 'view') =>
  insert(pool, 'event_group_grant', { event_id: eventId, group_id: groupId, permission })

test('events with the same groups share one audience', async () => {
  const [g, h] = [await addGroup(pool), await addGroup(pool)]
  const [one_, two] = [await addEvent(pool), await addEvent(pool)]
  assert.deepEqual(await audienceOf(one_.id), [])
  await grant(one_.id, h.id)
  await grant(one_.id, g.id, 'change')
  await grant(one_.id, g.id)
  await grant(two.id, g.id)
  await grant(two.id, h.id)
  assert.deepEqual(await audienceOf(one_.id), [g.id, h.id])
  assert.deepEqual(await audienceOf(two.id), [g.id, h.id])
  await pool.query(`delete from event_group_grant where event_id = $1 and permission = 'view' and group_id = $2`, [one_.id, g.id])
  assert.deepEqual(await audienceOf(one_.id), [g.id, h.id], 'still responsible')
  await pool.query('update event_group_grant set event_id = $1 where event_id = $2 and group_id = $3', [one_.id, two.id, g.id])
  assert.deepEqual([await audienceOf(one_.id), await audienceOf(two.id)], [[g.id, h.id], [h.id]])
  await pool.query('delete from user_group where id = $1', [h.id])
  assert.deepEqual([await audienceOf(one_.id), await audienceOf(two.id)], [[g.id], []])
})

test('audiences count the events and shifts that are listed for them', async () => {
  const group = await addGroup(pool)
  const event = await addEvent(pool, { active: false })
  await grant(event.id, group.id)
  const set = (change: string) => pool.query(`update event set ${change} where id = $1`, [event.id])
  const counts: unknown[] = []
  const look = async () => counts.push(await listed([group.id]))
  await addShift(pool, event.id)
  await look()
  await set('active = true')
  await look()
  const second = await addShift(pool, event.id, 14, 16)
  await look()
  await set(`cancelled_at = now(), cancellation_reason = 'rain'`)
  await look()
  await set('cancelled_at = null, cancellation_reason = null')
  await look()
  await set('deleted_at = now()')
  await look()
  await set('deleted_at = null')
  await pool.query('delete from shift where id = $1', [second.id])
  await look()
  await pool.query('delete from event where id = $1', [event.id])
  await look()
  assert.deepEqual(counts, [
    [0, 0],
    [1, 1],
    [1, 2],
    [0, 0],
    [1, 2],
    [0, 0],
    [1, 1],
    [0, 0],
  ])
})

test('an event with a new audience is counted in that audience', async () => {
  const [g, h] = [await addGroup(pool), await addGroup(pool)]
  const event = await addEvent(pool)
  await addShift(pool, event.id)
  await grant(event.id, g.id)
  await pool.query('update event_group_grant set group_id = $2 where event_id = $1', [event.id, h.id])
  assert.deepEqual(
    [await listed([g.id]), await listed([h.id])],
    [
      [0, 0],
      [1, 1],
    ],
  )
})

test('a shift that is added while its event is being published is listed', async () => {
  const event = await addEvent(pool, { active: false })
  const [a, b] = [await pool.connect(), await pool.connect()]
  try {
    for (const each of [a, b]) await each.query('begin')
    await a.query('update event set active = true where id = $1', [event.id])
    const added = addShift(b, event.id)
    await untilBlocked(pool, b)
    await a.query('commit')
    await added
    await b.query('commit')
  } finally {
    a.release()
    b.release()
  }
  const row = await one(
    pool,
    'select shift.listed_audience_id as shift, event.audience_id as event from shift join event on event.id = shift.event_id where event.id = $1',
    event.id,
  )
  assert.equal(row.shift, row.event)
})

test('concurrent transactions that publish for one audience are both counted', async () => {
  const group = await addGroup(pool)
  const events = [await addEvent(pool, { active: false }), await addEvent(pool, { active: false })]
  for (const event of events) await grant(event.id, group.id)
  const [a, b] = [await pool.connect(), await pool.connect()]
  try {
    for (const each of [a, b]) await each.query('begin')
    await a.query('update event set active = true where id = $1', [events[0]!.id])
    const second = b.query('update event set active = true where id = $1', [events[1]!.id])
    await untilBlocked(pool, b)
    await a.query('commit')
    await second
    await b.query('commit')
  } finally {
    a.release()
    b.release()
  }
  assert.deepEqual(await listed([group.id]), [2, 0])
})

test('no derived column is wrong after these tests', async () => assert.deepEqual(await findDrift(db.read), []))
