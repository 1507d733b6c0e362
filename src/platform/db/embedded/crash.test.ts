import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  end,
  isAlive,
  newDir,
  query,
  queryUntilItWorks,
  start,
  startOtherApp,
  waitUntilGone,
} from '#test/support/embedded-server.ts'
import { startEmbedded } from '../embedded.ts'

test('an app killed with -9 while it writes loses nothing, and its server is not left behind', async (t) => {
  const dir = newDir()
  const committed: number[] = []
  t.after(async () => (await startEmbedded(dir)).stop()) // ends the server of a killed app when an assertion failed in between
  for (let round = 0; round < 3; round++) {
    const app = startOtherApp(t, dir, 'writing')
    const { pid } = await app.next()
    for (let n = 0; n < 25; n++) committed.push((await app.next()).committed!)
    app.child.kill('SIGKILL')
    await once(app.child, 'exit')
    assert.equal(isAlive(pid!), true, 'the server outlives its app, else this test shows nothing')

    const next = await startEmbedded(dir)
    try {
      assert.equal(isAlive(pid!), false)
      const kept = new Set((await query(next.url, 'select n from written')).map((row) => row.n))
      const lost = committed.filter((n) => !kept.has(n))
      assert.deepEqual(lost, [])
    } finally {
      await next.stop()
    }
  }
})

test('a database killed with -9 comes back by itself at the same address', async (t) => {
  const lines: string[] = []
  const server = await start(t, newDir(), { log: (line) => lines.push(line) })
  await query(server.url, 'create table counted (n int)')
  for (let round = 1; round <= 3; round++) {
    const pid = server.pid()
    await query(server.url, `insert into counted values (${round})`)
    process.kill(pid, 'SIGKILL')
    await waitUntilGone(pid)
    assert.deepEqual(await queryUntilItWorks(server.url, 'select count(*)::int as n from counted'), [{ n: round }])
    assert.notEqual(server.pid(), pid)
  }
  assert.equal(lines.filter((line) => line.includes('ended unexpectedly (SIGKILL)')).length, 3)
})

test('stopping while the database comes back leaves no process', async () => {
  const dir = newDir()
  const pidFile = join(dir, 'postgres/postmaster.pid')
  // Before the new start, in the middle of it, after it: the exact moments do not matter, only that there are several.
  for (const msAfterKill of [0, 30, 60, 90, 120]) {
    const server = await startEmbedded(dir)
    process.kill(server.pid(), 'SIGKILL')
    await sleep(msAfterKill)
    await server.stop()
    assert.equal(isAlive(server.pid()), false)
    if (existsSync(pidFile)) assert.equal(isAlive(Number.parseInt(readFileSync(pidFile, 'utf8'), 10)), false)
  }
})

test('starts although the pid that the last server left behind now belongs to another program', async (t) => {
  const dir = newDir()
  const first = await startEmbedded(dir)
  const left = readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8')
  await first.stop()
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' })
  t.after(() => end(stranger, 'SIGKILL'))
  writeFileSync(join(dir, 'postgres/postmaster.pid'), left.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 })

  const second = await start(t, dir)
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(isAlive(stranger.pid!), true)
})

test('a first start that was cut off is made again from the beginning', async (t) => {
  const dir = newDir()
  mkdirSync(join(dir, 'postgres.new-abcdef/data/base'), { recursive: true })
  writeFileSync(join(dir, 'postgres.new-abcdef/data/PG_VERSION'), '18\n')
  const { url } = await start(t, dir)
  assert.deepEqual(await query(url, 'select current_database() as name'), [{ name: 'turnout' }])
  assert.equal(existsSync(join(dir, 'postgres.new-abcdef')), false)
})
