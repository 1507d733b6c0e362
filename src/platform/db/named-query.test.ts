import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import { makePool } from './pool.ts'

/** A pool of one connection; `described`: how often the server described rows. */
async function openPool(t: TestContext) {
  const { url, drop } = await freshDatabase()
  const pool = makePool({ url, max: 1, onError: () => {} })
  t.after(async () => {
    await pool.end()
    await drop()
  })
  let described = 0
  pool.on('connect', (client) => {
    const { connection } = client as pg.PoolClient & { connection: EventEmitter }
    connection.on('rowDescription', () => {
      described++
    })
  })
  return { pool, described: () => described }
}

const EVERY_TYPE = `select $1::int8 as big, '2031-05-01'::date as day, '2031-05-01 10:00+00'::timestamptz as at, array[1, 2]::int8[] as ids,
  '{"a": [1]}'::jsonb as json, null::text as nothing, true as yes, '\\x01'::bytea as bytes, 1.50::numeric as exact`

test('the rows of a statement are described once on a connection, and read the same afterwards', async (t) => {
  const { pool, described } = await openPool(t)
  const first = await pool.query(EVERY_TYPE, [7])
  const again = await pool.query(EVERY_TYPE, [7])
  assert.equal(described(), 1)
  assert.deepEqual(again.rows, first.rows)
  assert.deepEqual([again.fields, again.rowCount, again.command], [first.fields, 1, 'SELECT'])
  assert.deepEqual(Object.keys(first.rows[0]), ['big', 'day', 'at', 'ids', 'json', 'nothing', 'yes', 'bytes', 'exact'])
  assert.deepEqual((await pool.query(EVERY_TYPE, [8])).rows[0].big, 8)
})

test('each result has rows of its own', async (t) => {
  const { pool } = await openPool(t)
  const numbers = 'select n from generate_series(1, $1::int) n'
  const three = await pool.query(numbers, [3])
  const none = await pool.query(numbers, [0])
  const two = await pool.query(numbers, [2])
  assert.deepEqual(
    [three, none, two].map(({ rows }) => rows.map(({ n }) => n)),
    [[1, 2, 3], [], [1, 2]],
  )
})

test('statements sent before the first one is answered, by promises and by callbacks', async (t) => {
  const { pool, described } = await openPool(t)
  const client = await pool.connect()
  const sum = 'select $1::int + 1 as sum'
  const byCallback = new Promise((resolve, reject) => {
    client.query(sum, [2], (error, result) => (error ? reject(error) : resolve(result.rows)))
  })
  const found = await Promise.all([client.query(sum, [1]).then(({ rows }) => rows), byCallback])
  found.push((await client.query(sum, [3])).rows)
  client.release()
  assert.deepEqual(found, [[{ sum: 2 }], [{ sum: 3 }], [{ sum: 4 }]])
  assert.equal(described(), 1)
})

test('an error does not change what the next one reads', async (t) => {
  const { pool, described } = await openPool(t)
  // The pool itself ends a connection after an error.
  const client = await pool.connect()
  const divideBy = (divisor: number) => client.query('select 6 / $1::int as quotient', [divisor])
  const found = [await divideBy(3), await divideBy(0).catch(({ code }) => code), await divideBy(2)]
  client.release()
  assert.deepEqual([found[0].rows, found[1], found[2].rows, described()], [[{ quotient: 2 }], '22012', [{ quotient: 3 }], 1])
})

test('statements without rows, and those that return what they wrote', async (t) => {
  const { pool } = await openPool(t)
  await pool.query('create table note (id int, text text)')
  const [insert, returning] = ['insert into note values ($1, $2)', 'insert into note values ($1, $2) returning id']
  for (const id of [1, 2]) {
    assert.deepEqual(
      [(await pool.query(insert, [id, 'a'])).rowCount, (await pool.query(returning, [id, 'b'])).rows],
      [1, [{ id }]],
    )
  }
})

test('after a change of the table, no row is read by its old description', async (t) => {
  const { pool, described } = await openPool(t)
  await pool.query('create table note (id int, text text)')
  await pool.query("insert into note values (1, '5')")
  const read = 'select * from note where id = $1'
  for (const _ of [1, 2]) assert.deepEqual((await pool.query(read, [1])).rows, [{ id: 1, text: '5' }])
  await pool.query('alter table note alter text type bigint using text::bigint, add more int default 9')
  await assert.rejects(pool.query(read, [1]), { code: '0A000' })
  // Another connection, for which everything is new.
  for (const _ of [1, 2]) assert.deepEqual((await pool.query(read, [1])).rows, [{ id: 1, text: 5, more: 9 }])
  assert.equal(described(), 2)
})
