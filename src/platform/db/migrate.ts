import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { connectTo } from './host-chooser.ts'
import { makePool } from './pool.ts'
import { type Applied, hasFormerHistory } from './renumbered.ts'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** PostgreSQL 15, as server_version_num. */
const MIN_SERVER_VERSION = 150_000
/** Arbitrary, but the same on all nodes. */
const ADVISORY_LOCK_ID = 7_318_604_215

export class MigrationRefused extends OperatorError {}

export type Migration = { name: string; sql: string; checksum: string }

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8')
      return {
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex'),
      }
    })
}

/** The known migrations that are not applied yet. Throws unless the applied ones are the first of the known ones. */
export function pendingMigrations(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  if (hasFormerHistory(applied))
    throw new MigrationRefused(
      'This database was created by an earlier build of Turnout 0.1.0 with differently numbered migrations: make a backup with that build (npx turnout backup FILE), then restore it with this version into an empty data directory or database (npx turnout restore FILE).',
    )
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const ours = byName.get(name)
    if (!ours)
      throw new MigrationRefused(
        `The database has migration ${name}, which this version of Turnout does not know. Install the newer version again.`,
      )
    if (ours.checksum !== checksum)
      throw new MigrationRefused(`Migration ${name} was changed after it had been applied. Restore the original file.`)
  }
  const done = new Set(applied.map(({ name }) => name))
  const pending = known.filter(({ name }) => !done.has(name))
  const newest = applied.at(-1)?.name ?? ''
  const late = pending.find(({ name }) => name < newest)
  if (late)
    throw new MigrationRefused(`Migration ${late.name} comes before ${newest}, which is applied already. Give it a later number.`)
  return pending
}

async function readApplied(client: pg.Client | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<Applied>('select name, checksum from migration order by name')
  return rows
}

type MigrateOptions = { url: string; log?: (line: string) => void; folder?: string }

/** Applies pending migrations. An advisory lock makes nodes that start at the same time wait for each other. */
export async function migrate({ url, log = () => {}, folder }: MigrateOptions): Promise<{ applied: string[] }> {
  const client = await connectTo(url, { application_name: 'turnout-migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
    if (rows[0]!.version < MIN_SERVER_VERSION) throw new MigrationRefused('Turnout needs PostgreSQL 15 or newer.')
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID])
    await client.query(
      'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const pending = pendingMigrations(readMigrations(folder), await readApplied(client))
    for (const migration of pending) {
      log(`applying ${migration.name}`)
      await apply(client, migration)
    }
    await migrateWorker(url)
    return { applied: pending.map(({ name }) => name) }
  } finally {
    // Ending the connection releases the lock, also after an error.
    await client.end()
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}

async function migrateWorker(url: string): Promise<void> {
  const pool = makePool({ url, max: 1, statementTimeoutMs: 0, onError: () => {} })
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}

// Read when the process starts, because an upgrade replaces the files while the old server still runs.
const KNOWN_NAMES = readMigrations().map(({ name }) => name)

/**
 * For the readiness check: true when no migration is pending. Unknown migrations are accepted, because another node may have
 * been upgraded before this one.
 */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const applied = new Set((await readApplied(pool)).map(({ name }) => name))
  return KNOWN_NAMES.every((name) => applied.has(name))
}
