import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import type { HostChooser } from './host-chooser.ts'
import { makePool } from './pool.ts'

type Host = { host: string; port: number }
type Options = { isReachable?: boolean; accepts?: boolean; connectionTimeoutMs?: number }

/** A pool whose connections go to the host that a chooser of the test names; `noted` says what they told the chooser. */
async function openPool(t: TestContext, { isReachable = true, accepts = true, ...others }: Options = {}) {
  const { url, drop } = await freshDatabase()
  const server = new pg.Client({ connectionString: url })
  const host: Host = isReachable ? { host: server.host, port: server.port } : { host: '127.0.0.1', port: 1 }
  const noted: string[] = []
  const limits: number[] = []
  const hosts = {
    choose: async (withinMs: number) => {
      limits.push(withinMs)
      return host
    },
    attach: () => noted.push('attached'),
    detach: () => noted.push('detached'),
    suspect: () => noted.push('suspected'),
    accepts: () => accepts,
    close: () => {},
  } as unknown as HostChooser
  // The address itself leads nowhere.
  const elsewhere = `postgresql://${server.user}:${server.password}@127.0.0.1:1/${server.database}`
  const pool = makePool({ url: elsewhere, hosts, max: 1, onError: () => {}, ...others })
  t.after(async () => {
    await pool.end()
    await drop()
  })
  const pidOf = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  return { pool, noted, limits, pidOf }
}

test('a connection goes to the chosen host, which is told when it begins and ends', async (t) => {
  const { pool, noted, pidOf } = await openPool(t)
  assert.ok((await pidOf()) > 0)
  assert.deepEqual(noted, ['attached'])
  const client = await pool.connect()
  client.release(true)
  while (!noted.includes('detached')) await new Promise((done) => setImmediate(done))
  assert.deepEqual(noted, ['attached', 'detached'])
})

test('a host is chosen before the pool gives up, whose error says less', async (t) => {
  const { limits, pidOf } = await openPool(t, { connectionTimeoutMs: 60_000 })
  await pidOf()
  assert.deepEqual(limits, [59_750])
})

for (const [what, options] of [
  ['cannot be reached', { isReachable: false }],
  ['has another role by now', { accepts: false }],
] as const)
  test(`a host that ${what} is suspected, and the connection is forgotten`, async (t) => {
    const { noted, pidOf } = await openPool(t, options)
    await assert.rejects(pidOf())
    assert.ok(noted.includes('suspected') && noted.includes('detached'), noted.join())
  })

const ERRORS: [code: string, what: string, isSuspected: boolean, isEnded: boolean][] = [
  ['25006', 'nothing can be written here', true, true],
  ['57P01', 'the server is stopped', true, false],
  ['57P03', 'the server starts', true, false],
  ['08006', 'the connection failed', true, false],
  ['40001', 'transactions contradict each other', false, false],
  ['40P01', 'a deadlock', false, false],
  ['53300', 'too many connections', false, false],
  ['57014', 'the statement was cancelled', false, false],
  ['23505', 'a value is there already', false, false],
  ['22012', 'a division by zero', false, false],
]
for (const [code, what, isSuspected, isEnded] of ERRORS)
  test(`${code}, ${what}: the host is ${isSuspected ? '' : 'not '}suspected, the connection ${isEnded ? 'ends' : 'stays'}`, async (t) => {
    const { pool, noted } = await openPool(t)
    const client = await pool.connect()
    await client.query(`create function fail(code text) returns int language plpgsql as
      $$ begin raise exception using errcode = code; end $$`)
    const [failed, again] = await Promise.allSettled([
      client.query('select fail($1)', [code]).catch((error: { code: string }) => error.code),
      client.query('select 1').then(() => client.query('select $1::int as n', [7])),
    ])
    client.release(true)
    assert.deepEqual([failed.status === 'fulfilled' && failed.value, noted.includes('suspected')], [code, isSuspected])
    assert.equal(again.status, isEnded ? 'rejected' : 'fulfilled')
  })

test('a statement of the pool itself tells the same', async (t) => {
  const { pool, noted } = await openPool(t)
  await pool.query(`create function fail(code text) returns int language plpgsql as
    $$ begin raise exception using errcode = code; end $$`)
  await assert.rejects(pool.query('select fail($1)', ['23505']), { code: '23505' })
  assert.equal(noted.includes('suspected'), false)
  await assert.rejects(pool.query('select fail($1)', ['57P01']), { code: '57P01' })
  assert.ok(noted.includes('suspected'))
})
