import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { type Database, type DatabaseOptions, openDatabase } from '#platform/db/pool.ts'
import { copyTemplate, ensureTemplate, runOn, startTestServer, urlOfDatabase } from './postgres-server.ts'

export type TestDatabase = { url: string; drop(): Promise<void> }
export type MigratedDatabase = TestDatabase & { migrateThrough(migration: string): Promise<void> }

/** Only guards against hanging: on a loaded machine a connection takes longer than in production. */
const TIMEOUT_MS = 5 * 60_000

/** For servers of tests: a client on a loaded machine may take longer than a client in production. */
export const PATIENT = {
  headersMs: TIMEOUT_MS,
  requestMs: TIMEOUT_MS,
  uploadMs: TIMEOUT_MS,
  readingMs: TIMEOUT_MS,
  // A client that gets no processor time must not find its kept connection closed.
  idleMs: TIMEOUT_MS,
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** A migrated, empty database that no other test sees. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = await findServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  return { url: await copyTemplate(server, name), drop: () => dropDatabase(server, name) }
}

/** A database that no other test sees, as `fill` leaves it. `fill` runs once per test run and template. */
export async function freshDatabaseFrom(template: string, fill: (databaseUrl: string) => Promise<void>): Promise<TestDatabase> {
  const server = await findServer()
  await ensureTemplate(server, template, fill)
  const name = `test_${randomBytes(8).toString('hex')}`
  return { url: await copyTemplate(server, name, template), drop: () => dropDatabase(server, name) }
}

/** A database as a version without this migration left it, and what upgrades it. Migrations are named by the end of their file name. */
export async function databaseBefore(migration: string): Promise<MigratedDatabase> {
  const server = await findServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = urlOfDatabase(server, name)
  await migrateFirst(url, numberOf(migration) - 1)
  return {
    url,
    drop: () => dropDatabase(server, name),
    migrateThrough: (last) => migrateFirst(url, numberOf(last)),
  }
}

/** How many migrations there are up to this one. */
function numberOf(migration: string): number {
  const found = readMigrations().findIndex(({ name }) => name.endsWith(migration))
  if (found < 0) throw new Error(`There is no migration ${migration}.`)
  return found + 1
}

async function migrateFirst(url: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-migrations-'))
  try {
    for (const { name, sql } of readMigrations().slice(0, count)) writeFileSync(join(folder, `${name}.sql`), sql)
    await migrate({ url, folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function openTestDatabase(options: Omit<DatabaseOptions, 'timeouts'>): Database {
  return openDatabase({ ...options, timeouts: { statementTimeoutMs: TIMEOUT_MS, connectionTimeoutMs: TIMEOUT_MS } })
}

/**
 * While autovacuum runs in the database, which only a superuser may end, PostgreSQL refuses to drop it. It is then deleted with the
 * server. Connections to it are ended all the same: an open one would keep the test process alive.
 */
export async function dropDatabase(server: string, name: string): Promise<void> {
  try {
    await runOn(server, `drop database if exists ${name} with (force)`)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    await endConnections(server, name)
  }
}

const endConnections = (server: string, name: string): Promise<void> =>
  runOn(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`)

const shared = process.env.TURNOUT_TEST_SERVER
let own: ReturnType<typeof startTestServer> | undefined

export async function findServer(): Promise<string> {
  if (shared) return shared
  own ??= startTestServer()
  return (await own).url
}

// At the top level, so that the hook belongs to the whole file and not to the first test that opens a database.
if (!shared) after(async () => (await own)?.stop())
