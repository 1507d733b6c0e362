import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'

const TEMPLATE = 'turnout_template'
/** In memory, PostgreSQL copies and deletes a database in a quarter of the time. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_NEEDED = 4 * 1024 ** 3
/** Folders with this prefix are deleted by a later run if the one that made them was killed. */
export const FOLDER_PREFIX = 'turnout-test-'
const ABANDONED_AFTER_MS = 6 * 3600_000

/** A temporary server with a migrated template database. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(chooseFolder(), FOLDER_PREFIX))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  try {
    const settings = {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Databases live for seconds. What a test needs to know about many rows, it analyzes itself.
      autovacuum: 'off',
      max_connections: '500',
      // A test process that imports the app answers nothing meanwhile, on a loaded machine for more than the usual minute.
      authentication_timeout: '600',
    }
    const server = await startEmbedded(dir, { settings })
    const stop = async () => {
      await server.stop()
      remove()
    }
    try {
      await makeTemplate(server.url)
    } catch (error) {
      await stop()
      throw error
    }
    return { url: server.url, stop }
  } catch (error) {
    remove()
    throw error
  }
}

/** In memory if there is enough of it. */
export function chooseFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    removeAbandoned()
    if (bavail * bsize >= MEMORY_NEEDED) return MEMORY_FOLDER
  } catch {
    // there is no such folder on this system
  }
  return tmpdir()
}

/** A run that was killed leaves its data, which must not fill the memory: no run takes so long. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY_FOLDER).filter((each) => each.startsWith(FOLDER_PREFIX))) {
    const dir = join(MEMORY_FOLDER, name)
    const since = statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > ABANDONED_AFTER_MS) rmSync(dir, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  await runOn(url, `create database ${TEMPLATE}`)
  await migrate({ url: urlOfDatabase(url, TEMPLATE) })
  // PostgreSQL refuses to copy a database that has connections, so the template allows none.
  await runOn(url, `alter database ${TEMPLATE} with allow_connections false is_template true`)
}

/** Creates a migrated, empty database and returns its address. `template` names another template than the empty one. */
export async function copyTemplate(url: string, name: string, template = TEMPLATE): Promise<string> {
  await runOn(url, `create database ${name} template ${template} strategy file_copy`)
  return urlOfDatabase(url, name)
}

/** Fills a template once per server: test processes that need it at the same time wait for the first one. */
export async function ensureTemplate(url: string, name: string, fill: (databaseUrl: string) => Promise<void>): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name])
    if (rowCount) return
    await client.query(`drop database if exists ${name} with (force)`)
    await fill(await copyTemplate(url, name))
    await client.query(`alter database ${name} with allow_connections false is_template true`)
  } finally {
    await client.end()
  }
}

const MAX_ATTEMPTS = 5
/** The server closed the connection before it was established, or could not start a process for it. */
const BROKEN = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'EAGAIN', '53300', '57P03'])

/** On a machine that is overloaded, connections fail that succeed a moment later. */
export async function connect(url: string, { makeClient = newClient, pause = wait } = {}): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    const client = makeClient(url)
    client.on('error', () => {}) // a broken connection fails the query already
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (attempt === MAX_ATTEMPTS || !BROKEN.has(String((error as { code?: unknown }).code))) throw error
      await pause(100 * 2 ** attempt)
    }
  }
}

const wait = (ms: number): Promise<unknown> => sleep(ms)
const newClient = (url: string): pg.Client => new pg.Client({ connectionString: url, application_name: 'turnout-test' })

export async function runOn(url: string, sql: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export function urlOfDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
