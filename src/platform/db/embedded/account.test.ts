import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { newDir, query, start, startOtherApp } from '#test/support/embedded-server.ts'
import { attachEmbedded, startEmbedded } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const ANONYMOUS = 65534

test('runs below a private directory and in a path longer than the limit for sockets', async (t) => {
  const closed = newDir()
  mkdirSync(closed, { mode: 0o700 })
  const dir = join(closed, 'a'.repeat(60), 'b'.repeat(60), 'data')
  const { url, pid } = await start(t, dir)
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(statSync(join(dir, 'postgres')).uid, process.getuid?.())
  if (process.platform === 'linux') assert.equal(readlinkSync(`/proc/${pid()}/cwd`), join(dir, 'postgres'))
})

test('a command of root on the directory of an ordinary user keeps it usable for that user', async (t) => {
  if (!isRoot) return t.skip('needs root to become another user; all other tests ran as an ordinary user')
  const ids = { uid: ANONYMOUS, gid: ANONYMOUS }
  if (
    spawnSync(process.execPath, ['-e', 'require("fs").readFileSync(process.argv[1])', import.meta.filename], { ...ids, cwd: '/' })
      .status !== 0
  ) {
    return t.skip(`user ${ANONYMOUS} cannot read ${dirname(import.meta.filename)}`)
  }
  const dir = newDir()
  mkdirSync(dir, { mode: 0o700 })
  chownSync(dir, ANONYMOUS, ANONYMOUS)
  const asRoot = await attachEmbedded(dir)
  await asRoot.stop()

  const app = startOtherApp(t, dir, 'idle', ids)
  const { url, pid } = await app.next()
  assert.equal(statSync(join(dir, 'postgres')).uid, ANONYMOUS)
  assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\s+${ANONYMOUS}\\s`, 'm'))
  assert.deepEqual(await query(url!, 'select 1 as one'), [{ one: 1 }])
})

test('root without user namespaces uses an ordinary account, and reports a directory that this account cannot enter', async (t) => {
  if (!isRoot) return t.skip('needs root')
  const dir = newDir()
  const server = await start(t, dir, { userNamespaces: false })
  assert.notEqual(statSync(join(dir, 'postgres')).uid, 0)
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])

  const closed = newDir()
  mkdirSync(closed, { mode: 0o700 })
  await assert.rejects(startEmbedded(join(closed, 'data'), { userNamespaces: false }), (error: Error) => {
    assert.equal(error.name, 'EmbeddedUnavailable')
    assert.ok(
      error.message.includes(`cannot enter ${closed}.`) || error.message.includes(`cannot enter ${closed};`),
      error.message,
    )
    return true
  })
})

test('root hands its cluster over to an ordinary account after user namespaces were disabled', async (t) => {
  if (!isRoot) return t.skip('needs root')
  const dir = newDir()
  const before = await startEmbedded(dir)
  await query(before.url, "create table note (body text); insert into note values ('kept')")
  await before.stop()
  for (const userNamespaces of [false, true]) {
    const server = await start(t, dir, { userNamespaces })
    assert.deepEqual(await query(server.url, 'select body from note'), [{ body: 'kept' }])
    await server.stop()
  }
})
