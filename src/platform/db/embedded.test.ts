import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { linkLibraries, locateBinaries } from './embedded/binaries.ts'
import { attachEmbedded, type EmbeddedServer, startEmbedded } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const root = mkdtempSync(join(tmpdir(), 'embedded-test-'))
chmodSync(root, 0o755)
after(() => rmSync(root, { recursive: true, force: true }))

let made = 0
const newDir = () => join(root, `data-${++made}`)

async function start(t: TestContext, dir: string, options?: Parameters<typeof startEmbedded>[1]): Promise<EmbeddedServer> {
  const server = await startEmbedded(dir, options)
  t.after(() => server.stop())
  return server
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function queryUntilItWorks(url: string, sql: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await query(url, sql)
    } catch (error) {
      if (tries === 3_000) throw error
      await sleep(20)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/status') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const waitUntilGone = async (pid: number) => {
  while (isAlive(pid)) await sleep(20)
}

const socketDirOf = (url: string) => new URL(url).searchParams.get('host')!
const withPassword = (url: string, password: string) => Object.assign(new URL(url), { password }).href

/** Another turnout: a process that runs the server and, asked to, commits rows one after the other. */
const OTHER_APP = `
  const [{ startEmbedded }, { default: pg }] = await Promise.all([import(process.argv[1]), import(process.argv[2])])
  try {
    const server = await startEmbedded(process.argv[3])
    console.log(JSON.stringify({ url: server.url, pid: server.pid() }))
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)))
    setInterval(() => {}, 60_000)
    if (process.argv[4] === 'writing') {
      const client = new pg.Client({ connectionString: server.url })
      client.on('error', () => {})
      await client.connect()
      await client.query('create table if not exists written (n serial primary key)')
      for (;;) {
        const { rows } = await client.query('insert into written default values returning n')
        console.log(JSON.stringify({ committed: rows[0].n }))
      }
    }
  } catch (error) {
    console.log(JSON.stringify({ refused: error.name, message: error.message }))
  }
`

type Said = { url?: string; pid?: number; committed?: number; refused?: string; message?: string }

function startOtherApp(t: TestContext, dir: string, mode: 'idle' | 'writing', ids: { uid?: number; gid?: number } = {}) {
  const modules = [new URL('./embedded.ts', import.meta.url).href, import.meta.resolve('pg')]
  const args = ['--input-type=module', '-e', OTHER_APP, ...modules, dir, mode]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...ids })
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Said> => {
    const line = await said.next()
    assert.ok(!line.done, 'the other app ended without a word')
    return JSON.parse(line.value) as Said
  }
  t.after(() => end(child, 'SIGTERM'))
  return { child, next }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

test('the first start makes a database, and its data survives a restart', async (t) => {
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

test('only who knows the password gets in, by a private socket, and not as superuser', async (t) => {
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

test('keeps what people entered out of the server log', async (t) => {
  const dir = newDir()
  const { url } = await start(t, dir)
  await query(url, "create table person (email text unique); insert into person values ('ann@canary.example')")
  await assert.rejects(query(url, "insert into person values ('ann@canary.example')"), { code: '23505' })
  await assert.rejects(query(url, "select 'ann@canary.example'::int"), { code: '22P02' })
  const log = readFileSync(join(dir, 'postgres.log'), 'utf8')
  assert.match(log, /ready to accept connections/)
  assert.doesNotMatch(log, /canary/)
})

test('refuses a second app on the same data directory, in one sentence', async (t) => {
  const dir = newDir()
  const other = startOtherApp(t, dir, 'idle')
  const { url } = await other.next()
  const sentence = `Another turnout is already running on ${dir}: stop it first, or give this one another DATA_DIR.`
  await assert.rejects(startEmbedded(dir), { name: 'DataDirInUse', message: sentence })
  assert.deepEqual(await query(url!, 'select 1 as one'), [{ one: 1 }])

  await end(other.child, 'SIGTERM')
  const mine = await start(t, dir)
  assert.deepEqual(await startOtherApp(t, dir, 'idle').next(), { refused: 'DataDirInUse', message: sentence })
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

test('a command runs the server for itself when none runs; the app waits for its end', async (t) => {
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

test('a command that runs the server keeps it up for another command', async () => {
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

test('an app killed with -9 while it writes loses nothing, and its server is not left behind', async (t) => {
  const dir = newDir()
  const committed: number[] = []
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
      const kept = await query(next.url, 'select n from written')
      const lost = new Set(committed).difference(new Set(kept.map((row) => row.n as number)))
      assert.deepEqual([...lost], [])
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

test('runs below a private directory and in a path longer than a socket may have', async (t) => {
  const closed = newDir()
  mkdirSync(closed, { mode: 0o700 })
  const dir = join(closed, 'a'.repeat(60), 'b'.repeat(60), 'data')
  const { url, pid } = await start(t, dir)
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(statSync(join(dir, 'postgres')).uid, process.getuid?.())
  if (process.platform === 'linux') assert.equal(readlinkSync(`/proc/${pid()}/cwd`), join(dir, 'postgres'))
})

test('a failed start shows what the server said, and the next one works', async (t) => {
  const dir = newDir()
  await assert.rejects(
    startEmbedded(dir, { settings: { shared_buffers: 'plenty' } }),
    /invalid value for parameter "shared_buffers": "plenty"/,
  )
  const { url } = await start(t, dir, { settings: { max_connections: '7' } })
  assert.deepEqual(await query(url, 'show max_connections'), [{ max_connections: '7' }])
})

test('an ordinary user runs it directly, and root may help out without locking that user out', async (t) => {
  if (!isRoot) return t.skip('needs root to become another user; all other tests ran as an ordinary user')
  const ids = { uid: NOBODY, gid: NOBODY }
  if (
    spawnSync(process.execPath, ['-e', 'require("fs").readFileSync(process.argv[1])', import.meta.filename], { ...ids, cwd: '/' })
      .status !== 0
  ) {
    return t.skip(`user ${NOBODY} cannot read ${dirname(import.meta.filename)}`)
  }
  const dir = newDir()
  mkdirSync(dir, { mode: 0o700 })
  chownSync(dir, NOBODY, NOBODY)
  const asRoot = await attachEmbedded(dir)
  await asRoot.stop()

  const app = startOtherApp(t, dir, 'idle', ids)
  const { url, pid } = await app.next()
  assert.equal(statSync(join(dir, 'postgres')).uid, NOBODY)
  assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\s+${NOBODY}\\s`, 'm'))
  assert.deepEqual(await query(url!, 'select 1 as one'), [{ one: 1 }])
})

test('root without user namespaces lends it an ordinary account, and names a directory that this account cannot enter', async (t) => {
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

test('root moves a cluster of its own to an ordinary account when user namespaces were closed meanwhile', async (t) => {
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

test('says what to do where there is no server for the platform', () => {
  assert.throws(() => locateBinaries('sunos', 'sparc'), {
    name: 'EmbeddedUnavailable',
    message: 'There is no embedded PostgreSQL for sunos-sparc. Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
  })
})

test('makes the library links that npm cannot carry, once', () => {
  const packageDir = newDir()
  mkdirSync(join(packageDir, 'native/lib'), { recursive: true })
  writeFileSync(join(packageDir, 'native/lib/libx.so.1.2'), 'library')
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  writeFileSync(join(packageDir, 'native/pg-symlinks.json'), JSON.stringify(links))
  linkLibraries(packageDir)
  linkLibraries(packageDir)
  assert.equal(readlinkSync(join(packageDir, 'native/lib/libx.so.1')), 'libx.so.1.2')
  assert.equal(readFileSync(join(packageDir, 'native/lib/libx.so.1'), 'utf8'), 'library')
})
