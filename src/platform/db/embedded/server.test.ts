import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { end, isAlive, newDir, query, start, startOtherApp } from '#test/support/embedded-server.ts'
import { attachEmbedded, startEmbedded } from './embedded.ts'

const socketDirOf = (url: string) => new URL(url).searchParams.get('host')!
const withPassword = (url: string, password: string) => Object.assign(new URL(url), { password }).href

test('the first start creates a database, and its data survives a restart', async (t) => {
  const dir = newDir()
  const first = await start(t, dir)
  await query(first.url, "create table note (body text); insert into note values ('Grüße 🎪')")
  const pid = first.pid()
  await first.stop()
  assert.equal(isAlive(pid), false)
  assert.equal(existsSync(socketDirOf(first.url)), false)

  const second = await start(t, dir)
  assert.deepEqual(await query(second.url, 'select body from note'), [{ body: 'Grüße 🎪' }])
})

test('connections need the password, use a private socket and are not superuser', async (t) => {
  const dir = newDir()
  const { url } = await start(t, dir)
  await assert.rejects(query(withPassword(url, ''), 'select 1'), /password/)
  await assert.rejects(query(withPassword(url, 'guessed'), 'select 1'), /password authentication failed/)
  assert.deepEqual(
    await query(url, "select current_setting('listen_addresses') as addresses, usesuper from pg_user where usename = user"),
    [{ addresses: '', usesuper: false }],
  )
  const modes = [socketDirOf(url), dir, join(dir, 'postgres'), join(dir, 'postgres.password'), join(dir, 'postgres.log')]
  assert.deepEqual(
    modes.map((path) => (statSync(path).mode & 0o777).toString(8)),
    ['700', '700', '700', '600', '600'],
  )
})

test('the server log contains no data of statements', async (t) => {
  const dir = newDir()
  const { url } = await start(t, dir)
  await query(url, "create table person (email text unique); insert into person values ('ann@canary.example')")
  await assert.rejects(query(url, "insert into person values ('ann@canary.example')"), { code: '23505' })
  await assert.rejects(query(url, "select 'ann@canary.example'::int"), { code: '22P02' })
  const log = readFileSync(join(dir, 'postgres.log'), 'utf8')
  assert.match(log, /ready to accept connections/)
  assert.doesNotMatch(log, /canary/)
})

test('refuses a second application on the same data directory', async (t) => {
  const dir = newDir()
  const other = startOtherApp(t, dir, 'idle')
  const { url } = await other.next()
  const message = `Another turnout is already running on ${dir}: stop it first, or give this one another DATA_DIR.`
  await assert.rejects(startEmbedded(dir), { name: 'DataDirInUse', message })
  assert.deepEqual(await query(url!, 'select 1 as one'), [{ one: 1 }])

  await end(other.child, 'SIGTERM')
  const mine = await start(t, dir)
  assert.deepEqual(await startOtherApp(t, dir, 'idle').next(), { refused: 'DataDirInUse', message })
  assert.deepEqual(await query(mine.url, 'select 1 as one'), [{ one: 1 }])
})

test('a command uses the running server and leaves it running', async (t) => {
  const dir = newDir()
  const { url, pid } = await startOtherApp(t, dir, 'idle').next()
  const command = await attachEmbedded(dir)
  assert.equal(command.url, url)
  assert.deepEqual(await query(command.url, 'select 1 as one'), [{ one: 1 }])
  await command.stop()
  assert.equal(isAlive(pid!), true)
  assert.deepEqual(await query(url!, 'select 1 as one'), [{ one: 1 }])
})

test('a command starts the server when none runs, and the application waits for it', async (t) => {
  const dir = newDir()
  const order: string[] = []
  const command = await attachEmbedded(dir)
  await query(command.url, 'create table note (body text)')
  const app = start(t, dir).then((server) => {
    order.push('app started')
    return server
  })
  await query(command.url, "insert into note values ('by the command')")
  order.push('command done')
  await command.stop()
  assert.deepEqual(await query((await app).url, 'select body from note'), [{ body: 'by the command' }])
  assert.deepEqual(order, ['command done', 'app started'])
})

test('a command that started the server keeps it running for another command', async () => {
  const dir = newDir()
  const order: string[] = []
  const host = await attachEmbedded(dir)
  const guest = await attachEmbedded(dir)
  const stopped = host.stop().then(() => order.push('host stopped'))
  for (let round = 0; round < 10; round++) assert.deepEqual(await query(guest.url, 'select 1 as one'), [{ one: 1 }])
  order.push('guest done')
  await guest.stop()
  await stopped
  assert.deepEqual(order, ['guest done', 'host stopped'])
  await assert.rejects(query(guest.url, 'select 1'), { code: 'ENOENT' })
})

test('a failed start reports the output of the server, and the next start succeeds', async (t) => {
  const dir = newDir()
  await assert.rejects(
    startEmbedded(dir, { settings: { shared_buffers: 'plenty' } }),
    /invalid value for parameter "shared_buffers": "plenty"/,
  )
  const { url } = await start(t, dir, { settings: { max_connections: '7' } })
  assert.deepEqual(await query(url, 'show max_connections'), [{ max_connections: '7' }])
})
