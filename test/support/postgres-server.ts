import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' }
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
  const client = new pg.Client({ connectionString: url, application_name: 'turnout-test' })
  await client.connect()
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

export async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'turnout-test' })
  client.on('error', () => {}) // a broken connection fails the query already
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export function urlOfDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
