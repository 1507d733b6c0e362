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
import { startEmbedded } from './embedded.ts'

test('an application killed with -9 loses no committed row, and the next start stops its server', async (t) => {
  const dir = newDir()
  const committed: number[] = []
  t.after(async () => (await startEmbedded(dir)).stop()) // stops the server of a killed application after a failed assertion
  for (let round = 0; round < 3; round++) {
    const app = startOtherApp(t, dir, 'writing')
    const { pid } = await app.next()
    for (let n = 0; n < 25; n++) committed.push((await app.next()).committed!)
    app.child.kill('SIGKILL')
    await once(app.child, 'exit')
    assert.equal(isAlive(pid!), true, 'the server must outlive its application, or the test proves nothing')

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

test('a database killed with -9 is restarted at the same address', async (t) => {
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
  assert.equal(lines.filter((line) => line.includes('exited unexpectedly (SIGKILL)')).length, 3)
})

test('stop during a restart leaves no process', async () => {
  const dir = newDir()
  const pidFile = join(dir, 'postgres/postmaster.pid')
  // Before, during and after the restart. Several moments are needed; the exact ones do not matter.
  for (const msAfterKill of [0, 30, 60, 90, 120]) {
    const server = await startEmbedded(dir)
    process.kill(server.pid(), 'SIGKILL')
    await sleep(msAfterKill)
    await server.stop()
    assert.equal(isAlive(server.pid()), false)
    if (existsSync(pidFile)) assert.equal(isAlive(Number.parseInt(readFileSync(pidFile, 'utf8'), 10)), false)
  }
})

test('starts although the process id of the last server now belongs to another program', async (t) => {
  const dir = newDir()
  const first = await startEmbedded(dir)
  const left = readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8')
  await first.stop()
  const otherProgram = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' })
  t.after(() => end(otherProgram, 'SIGKILL'))
  writeFileSync(join(dir, 'postgres/postmaster.pid'), left.replace(/^\d+/, String(otherProgram.pid)), { mode: 0o600 })

  const second = await start(t, dir)
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(isAlive(otherProgram.pid!), true)
})

test('a first start that was interrupted is repeated from the beginning', async (t) => {
  const dir = newDir()
  mkdirSync(join(dir, 'postgres.new-abcdef/data/base'), { recursive: true })
  writeFileSync(join(dir, 'postgres.new-abcdef/data/PG_VERSION'), '18\n')
  const { url } = await start(t, dir)
  assert.deepEqual(await query(url, 'select current_database() as name'), [{ name: 'turnout' }])
  assert.equal(existsSync(join(dir, 'postgres.new-abcdef')), false)
})
