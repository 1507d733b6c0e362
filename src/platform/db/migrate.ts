import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { TURNOUT } from '../invocation.ts'
import { OperatorError } from '../operator-error.ts'
import { loadGraphileWorker } from './graphile-worker.ts'
import { connectTo } from './host-chooser.ts'
import { splitStatements } from './migration-effects.ts'
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
      `This database was created by an earlier build of Turnout 0.1.0 with differently numbered migrations: make a backup with that build (command backup FILE), then restore it with this version into an empty data directory or database (${TURNOUT} restore FILE).`,
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

type MigrateOptions = {
  url: string
  log?: (line: string) => void
  /** Instead of a line for each migration. */
  progress?: ((done: number, total: number) => void) | undefined
  folder?: string
  locks?: LockOptions
}

/** While a migration waits for a lock, all later requests for the table wait behind it: it gives up early and tries again. */
type LockOptions = { timeoutMs: number; pauseMs: number; attempts: number }
const LOCKS: LockOptions = { timeoutMs: 2_000, pauseMs: 3_000, attempts: 60 }

/** Applies pending migrations. An advisory lock makes nodes that start at the same time wait for each other. */
export async function migrate({
  url,
  log = () => {},
  progress,
  folder,
  locks = LOCKS,
}: MigrateOptions): Promise<{ applied: string[] }> {
  const client = await connectTo(url, { application_name: 'turnout-migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
    if (rows[0]!.version < MIN_SERVER_VERSION) throw new MigrationRefused('Turnout needs PostgreSQL 15 or newer.')
    await waitForTurn(client)
    await client.query(
      'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const pending = pendingMigrations(readMigrations(folder), await readApplied(client))
    for (const [done, migration] of pending.entries()) {
      if (!progress) log(`applying ${migration.name}`)
      await applyPatiently(client, migration, locks, log)
      progress?.(done + 1, pending.length)
    }
    await migrateWorker(url)
    return { applied: pending.map(({ name }) => name) }
  } finally {
    // Ending the connection releases the lock, also after an error.
    await client.end()
  }
}

const POLL_MS = 200

/**
 * Asks for the lock again and again. A statement that waits for it would hold a snapshot, and an index that the other node builds
 * concurrently waits for all snapshots: a deadlock.
 */
async function waitForTurn(client: pg.Client): Promise<void> {
  const tryLock = () => client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [ADVISORY_LOCK_ID])
  while (!(await tryLock()).rows[0]!.isMine) await sleep(POLL_MS)
}

const LOCK_NOT_AVAILABLE = '55P03'

async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  locks: LockOptions,
  log: (line: string) => void,
): Promise<void> {
  const run = isOutsideTransaction(migration) ? applyInSteps : apply
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(client, migration, locks)
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string }
      if (code !== LOCK_NOT_AVAILABLE) throw new Error(`Migration ${migration.name} failed: ${message}`, { cause })
      if (attempt >= locks.attempts)
        throw new MigrationRefused(
          `Migration ${migration.name} found a table in use ${attempt} times and changed nothing. End what uses the database for long (a backup, a report, an open psql), then start again.`,
          { cause },
        )
      log(`${migration.name} waits for a table that is in use (attempt ${attempt} of ${locks.attempts})`)
      await sleep(locks.pauseMs)
    }
  }
}

async function apply(client: pg.Client, migration: Migration, { timeoutMs }: LockOptions): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${timeoutMs}`)
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** True for migrations that begin with this comment, because they build an index while others write. */
export const isOutsideTransaction = ({ sql }: Pick<Migration, 'sql'>): boolean => /^-- without transaction\n/.test(sql)

/** A migration for use inside a transaction, for callers that have the database to themselves. */
export const sqlWithinTransaction = (migration: Migration): string =>
  isOutsideTransaction(migration)
    ? splitStatements(migration.sql)
        .map((statement) => `${statement.replace(/^((?:create\s+(?:unique\s+)?|drop\s+)index)\s+concurrently\b/i, '$1')};`)
        .join('\n')
    : migration.sql

/** Every statement can be repeated, so a migration that was interrupted begins again. */
async function applyInSteps(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.sql)) {
    const index = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(statement)?.[1]
    if (index) await dropInvalidIndex(client, index)
    await client.query(statement)
  }
  await record(client, migration)
}

/** An interrupted build leaves an index behind that is maintained and never used. */
async function dropInvalidIndex(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [name])
  if (rows.length) await client.query(`drop index concurrently ${pg.escapeIdentifier(name)}`)
}

const record = (client: pg.Client, { name, checksum }: Migration) =>
  client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])

async function migrateWorker(url: string): Promise<void> {
  const pool = makePool({ url, max: 1, statementTimeoutMs: 0, onError: () => {} })
  try {
    const { Logger, runMigrations } = loadGraphileWorker()
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}

/** For `upgrade --check`: what `migrate` would do. Throws like it. */
export async function planMigrations(pool: pg.Pool): Promise<{ applied: number; pending: Migration[] }> {
  const applied = await readApplied(pool).catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return []
    throw error
  })
  return { applied: applied.length, pending: pendingMigrations(readMigrations(), applied) }
}

const UNDEFINED_TABLE = '42P01'

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
