import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import { makePool, openDatabase } from './pool.ts'

async function poolFor(
  t: TestContext,
  options: { statementTimeoutMs?: number; onError?: (error: Error) => void } = {},
): Promise<pg.Pool> {
  const { url, drop } = await freshDatabase()
  const pool = makePool({ url, max: 1, onError: () => {}, ...options })
  t.after(async () => {
    await pool.end()
    await drop()
  })
  return pool
}

const prepared = async (pool: pg.Pool) =>
  (await pool.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map(({ statement }) => statement)

test('a statement with values is prepared once per connection', async (t) => {
  const pool = await poolFor(t)
  for (const n of [1, 2, 3]) assert.deepEqual((await pool.query('select $1::int as n', [n])).rows, [{ n }])
  await pool.query('select $1::text as t', ['x'])
  await pool.query('select 1')
  assert.deepEqual((await prepared(pool)).sort(), ['select $1::int as n', 'select $1::text as t'])
})

test('statements that cannot be prepared are executed directly', async (t) => {
  const pool = await poolFor(t)
  await pool.query('begin', [])
  await pool.query("set local work_mem = '8MB'", [])
  await pool.query('commit', [])
  assert.deepEqual(await prepared(pool), [])
})

test('the array of values is not modified', async (t) => {
  const pool = await poolFor(t)
  const values = [new Date(0)]
  await pool.query('select $1::timestamptz', values)
  assert.deepEqual(values, [new Date(0)])
})

test('a statement whose result changed fails once, then succeeds on a new connection', async (t) => {
  const pool = await poolFor(t)
  await pool.query('create table thing (a int)')
  const read = () => pool.query('select * from thing where a > $1', [0])
  await read()
  await pool.query('alter table thing add column b int')
  await assert.rejects(read(), { code: '0A000' })
  assert.deepEqual(
    (await read()).fields.map(({ name }) => name),
    ['a', 'b'],
  )
})

test('a connection on which the result of a statement changed is not used again, also by callers who give it back without an error', async (t) => {
  const pool = await poolFor(t)
  const read = (on: Pick<pg.Pool, 'query'>) => on.query('select * from thing where a > $1', [0])
  const client = await pool.connect()
  await client.query('create table thing (a int)')
  await read(client as never)
  await client.query('alter table thing add column b int')
  await assert.rejects(read(client as never), { code: '0A000' })
  client.release()
  assert.deepEqual(
    (await read(pool)).fields.map(({ name }) => name),
    ['a', 'b'],
  )
})

const PARSED: [sql: string, expected: unknown][] = [
  ['9007199254740991::bigint', 9_007_199_254_740_991],
  ['(-3)::bigint', -3],
  ["'{}'::bigint[]", []],
  ["'{1,2,9007199254740991}'::bigint[]", [1, 2, 9_007_199_254_740_991]],
  ["'2031-05-04'::date", '2031-05-04'],
  ['12.50::numeric(7,2)', '12.50'],
  ["'2031-05-04T08:00:00Z'::timestamptz", new Date('2031-05-04T08:00:00Z')],
  ['null::bigint', null],
  ["'{a,b}'::text[]", ['a', 'b']],
]
test('values are parsed according to their types', async (t) => {
  const pool = await poolFor(t)
  for (const [sql, expected] of PARSED)
    assert.deepEqual((await pool.query(`select ${sql} as value`)).rows[0].value, expected, sql)
})

test('an integer beyond the safe range of JavaScript is an error', async (t) => {
  const pool = await poolFor(t)
  await assert.rejects(pool.query('select 9007199254740993::bigint'), RangeError)
  await assert.rejects(pool.query("select '{1,9007199254740993}'::bigint[]"), RangeError)
  assert.deepEqual((await pool.query('select 1::bigint as n')).rows, [{ n: 1 }])
})

test('a statement that exceeds the timeout is cancelled', async (t) => {
  const pool = await poolFor(t, { statementTimeoutMs: 20 })
  await assert.rejects(pool.query('select pg_sleep(600)'), { code: '57014' })
})

test('an idle connection that the server closes is reported and replaced', async (t) => {
  const told = Promise.withResolvers<Error>()
  const pool = await poolFor(t, { onError: told.resolve })
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const other = new pg.Client({ connectionString: pool.options.connectionString! })
  await other.connect()
  await other.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await other.end()
  assert.match((await told.promise).message, /terminat/)
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1)
})

test('reads cannot use the connections of writes', async (t) => {
  const { url, drop } = await freshDatabase()
  const db = openDatabase({ url, reads: 1, writes: 1 })
  t.after(async () => {
    await db.close()
    await drop()
  })
  const reader = await db.readPool.connect()
  assert.equal((await db.write.selectFrom('audience').select('id').executeTakeFirstOrThrow()).id, 1)
  reader.release()
})

test('commits wait as SYNCHRONOUS_COMMIT says, otherwise as the server is configured', async (t) => {
  const { url, drop } = await freshDatabase()
  const opened = [openDatabase({ url, synchronousCommit: 'remote_write' }), openDatabase({ url })] as const
  t.after(async () => {
    for (const db of opened) await db.close()
    await drop()
  })
  const [chosen, usual] = await Promise.all(
    opened.map(async ({ writePool }) => (await writePool.query('show synchronous_commit')).rows[0].synchronous_commit),
  )
  assert.deepEqual([chosen, usual], ['remote_write', 'off'], 'servers of tests are configured with off')
})
