import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase } from '#test/support/database.ts'
import { type PoolerOptions, startFakePooler } from '#test/support/fake-pooler.ts'
import { runOn } from '#test/support/postgres-server.ts'
import { makePool } from './pool.ts'
import { detectPooling, findWrongSettings, requireDirectUrl } from './pooler.ts'

async function start(t: TestContext, options: PoolerOptions) {
  const { url, drop } = await freshDatabase()
  const pooler = await startFakePooler(url, options)
  t.after(async () => {
    await pooler.stop()
    await drop()
  })
  return { direct: url, pooled: pooler.url, queries: pooler.queries }
}

function openPool(t: TestContext, url: string, pooling: 'direct' | 'unnamed') {
  const pool = makePool({ url, pooling, max: 1, onError: () => {} })
  t.after(() => pool.end())
  return pool
}

test('finds out whether a pooler is in between, and whether it keeps track of named statements', async (t) => {
  const { direct, pooled } = await start(t, { keepsTrack: false })
  assert.equal(await detectPooling(direct), 'direct')
  assert.equal(await detectPooling(pooled), 'unnamed')
  assert.equal(await detectPooling((await start(t, { keepsTrack: true })).pooled), 'named')
})

test('a server that goes away meanwhile is an error for the caller, and does not end the process', async (t) => {
  const { pooled } = await start(t, { keepsTrack: false, endsAtQuery: true })
  await assert.rejects(detectPooling(pooled), /Connection terminated|ECONNRESET/)
})

test('removes its statement in the transaction that made it, so that no other connection of the pooler is asked to', async (t) => {
  const { pooled, queries } = await start(t, { keepsTrack: false })
  await detectPooling(pooled)
  assert.deepEqual(
    queries.map((text) => text.replace(/turnout_[0-9a-f]{16}/, 'NAME')),
    ['select pg_backend_pid() as pid', 'begin', '(named statement)', 'deallocate NAME', 'commit'],
  )
})

test('migrations, LISTEN and background jobs are refused through a pooler', async (t) => {
  const { direct, pooled } = await start(t, { keepsTrack: true })
  assert.equal(await requireDirectUrl({ url: pooled, directUrl: direct }), direct)
  assert.equal(await requireDirectUrl({ url: direct, directUrl: undefined }), direct)
  await assert.rejects(requireDirectUrl({ url: pooled, directUrl: undefined }), /^Error: DATABASE_URL .* set DATABASE_DIRECT_URL/)
  await assert.rejects(requireDirectUrl({ url: direct, directUrl: pooled }), /^Error: DATABASE_DIRECT_URL leads to a/)
})

test('a pool of unnamed statements prepares none, and its times are in UTC', async (t) => {
  const { pooled, direct } = await start(t, { keepsTrack: false })
  await runOn(direct, `alter database ${new URL(direct).pathname.slice(1)} set timezone = 'Asia/Tokyo'`)
  const pool = openPool(t, pooled, 'unnamed')
  assert.deepEqual((await pool.query('select $1::int as n', [7])).rows, [{ n: 7 }])
  const { rows } = await pool.query(
    `select (select count(*) from pg_prepared_statements) as statements, current_setting('timezone') as zone`,
  )
  assert.deepEqual(rows, [{ statements: 0, zone: 'UTC' }])
})

test('settings that a pooler does not pass on are found', async (t) => {
  const { direct, pooled } = await start(t, { keepsTrack: false })
  const found = await findWrongSettings(openPool(t, pooled, 'unnamed'), { pooling: 'unnamed', synchronousCommit: 'remote_apply' })
  assert.equal(found.length, 2)
  assert.match(found.join('\n'), /statement_timeout.*\n.*SYNCHRONOUS_COMMIT is remote_apply/)
  const expected = { pooling: 'direct', synchronousCommit: 'remote_apply' } as const
  assert.deepEqual(await findWrongSettings(openPool(t, direct, 'direct'), expected), [])
})

const SETTINGS: [what: string, settings: { timeout: string; commit: string }, wanted: string | undefined, found: RegExp[]][] = [
  ['both are as they should be', { timeout: '5s', commit: 'remote_apply' }, 'remote_apply', []],
  ['no setting of commits is wanted', { timeout: '5s', commit: 'off' }, undefined, []],
  ['statements have no limit', { timeout: '0', commit: 'on' }, 'on', [/sets no statement_timeout/]],
  [
    'commits wait for something else',
    { timeout: '5s', commit: 'on' },
    'remote_apply',
    [/^SYNCHRONOUS_COMMIT is remote_apply, but .* use on:/],
  ],
]
for (const [what, settings, synchronousCommit, expected] of SETTINGS)
  for (const pooling of ['named', 'unnamed'] as const)
    test(`settings of a pooler (${pooling}): ${what}`, async () => {
      const pool = { query: async () => ({ rows: [settings] }) } as unknown as Parameters<typeof findWrongSettings>[0]
      const found = await findWrongSettings(pool, { pooling, synchronousCommit })
      assert.equal(found.length, expected.length)
      for (const [index, pattern] of expected.entries()) assert.match(found[index]!, pattern)
    })
