import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '#platform/db/embedded/embedded.ts'

const root = mkdtempSync(join(tmpdir(), 'embedded-test-'))
chmodSync(root, 0o755)
after(() => rmSync(root, { recursive: true, force: true }))

let made = 0
/** A data directory that does not exist yet, below one that all users may enter. */
export const newDir = () => join(root, `data-${++made}`)

export async function start(t: TestContext, dir: string, options?: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await startEmbedded(dir, options)
  t.after(() => server.stop())
  return server
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function queryUntilItWorks(url: string, sql: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await query(url, sql)
    } catch (error) {
      if (tries === 3_000) throw error
      await sleep(20)
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/status') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export const waitUntilGone = async (pid: number) => {
  while (isAlive(pid)) await sleep(20)
}

/** Another application: a process that runs the server and, in mode `writing`, commits rows one after the other. */
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

export function startOtherApp(t: TestContext, dir: string, mode: 'idle' | 'writing', ids: { uid?: number; gid?: number } = {}) {
  const modules = [import.meta.resolve('#platform/db/embedded/embedded.ts'), import.meta.resolve('pg')]
  const args = ['--input-type=module', '-e', OTHER_APP, ...modules, dir, mode]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...ids })
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Said> => {
    const line = await said.next()
    assert.ok(!line.done, 'the other application exited without output')
    return JSON.parse(line.value) as Said
  }
  t.after(() => end(child, 'SIGTERM'))
  return { child, next }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
