import { findNightlyBackups } from '#features/operations/backup/queries/backups.ts'
import { systemClock } from '#platform/clock.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { requireDatabase } from '#platform/command-line/data-directory.ts'
import { type Config, ConfigError, readConfig } from '#platform/config.ts'
import { MigrationRefused, planMigrations } from '#platform/db/migrate.ts'
import { type Effect, type EffectKind, effectsOf, isSafe } from '#platform/db/migration-effects.ts'
import type { Database } from '#platform/db/pool.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { VERSION } from '../version.ts'
import { withUnmigratedDatabase } from './database.ts'

/** `isProblem`: something to do before the upgrade. */
type Line = { text: string; isProblem?: boolean }

export const upgrade: Command = {
  options: { check: { type: 'boolean', help: 'Say what an upgrade to this version will do; changes nothing' } },
  run: async ({ config, values, terminal, env }) => {
    if (!values.check)
      throw new UsageError('upgrade only checks: add --check. The new version migrates the database when it starts (serve).')
    requireDatabase(config)
    const lines = await withUnmigratedDatabase(config, async ({ db }) => [
      { text: `this version: Turnout ${VERSION}, Node ${process.versions.node}` },
      await describeServer(db),
      ...(await describeMigrations(db)),
      ...(await describeNodes(db)),
      ...(await describeBackup(config)),
      ...(await describeExtensions(config)),
      ...describeSettings(env),
    ])
    for (const { text, isProblem } of lines) terminal.print(isProblem ? `problem: ${text}` : text)
    const problems = lines.filter(({ isProblem }) => isProblem).length
    terminal.print(problems ? `${problems} to solve before the upgrade` : 'nothing is in the way of the upgrade')
    return problems ? 1 : 0
  },
}

async function describeServer(db: Database): Promise<Line> {
  const { rows } = await db.readPool.query<{ version: string; bytes: number }>(
    `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`,
  )
  return { text: `database: PostgreSQL ${rows[0]!.version}, ${size(rows[0]!.bytes)}` }
}

async function describeMigrations(db: Database): Promise<Line[]> {
  try {
    const { applied, pending } = await planMigrations(db.writePool)
    const lines: Line[] = [{ text: `migrations: ${applied} applied, ${pending.length} pending` }]
    const sizes = await readTableSizes(db)
    for (const { name, sql } of pending) {
      lines.push({ text: `  ${name}` })
      // On an empty database nothing is in use.
      for (const effect of applied ? effectsOf(sql) : []) lines.push(describeEffect(effect, sizes))
    }
    return lines
  } catch (error) {
    if (error instanceof MigrationRefused) return [{ text: error.message, isProblem: true }]
    throw error
  }
}

type TableSize = { bytes: number; rows: number }

async function readTableSizes(db: Database): Promise<Map<string, TableSize>> {
  const { rows } = await db.readPool.query<TableSize & { name: string }>(
    `select relname as name, pg_relation_size(oid)::float8 as bytes, greatest(reltuples, 0)::float8 as rows
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return new Map(rows.map(({ name, ...rest }) => [name, rest]))
}

/** Bytes of the table per second, as a slow disk manages them. Rounded up to seconds, it is an estimate, not a promise. */
const SPEED: Partial<Record<EffectKind, number>> = {
  rewrites: 10e6,
  scans: 50e6,
  demands: 50e6,
  indexes: 15e6,
  indexes_concurrently: 7e6,
  changes_rows: 5e6,
}

const WORDS: Record<EffectKind, string> = {
  creates: 'adds something new; nothing in use is locked',
  locks: 'locks it for a moment',
  indexes_concurrently: 'builds an index while others read and write',
  indexes: 'builds an index; nobody can write meanwhile',
  scans: 'reads all rows; nobody can write meanwhile',
  rewrites: 'writes all rows again; nobody can read or write meanwhile',
  changes_rows: 'changes rows, which are locked meanwhile',
  demands: 'demands what the version before does not store',
  removes: 'removes or renames what the version before uses',
  unknown: 'runs a statement that cannot be judged',
}

function describeEffect(effect: Effect, sizes: Map<string, TableSize>): Line {
  const { kind, table, statement } = effect
  const found = table === undefined ? undefined : sizes.get(table)
  const speed = SPEED[kind]
  const seconds = found && speed ? `, about ${Math.max(1, Math.ceil(found.bytes / speed))} s` : ''
  const about = found ? ` (${size(found.bytes)}, ${Math.round(found.rows)} rows${seconds})` : ''
  const text = `    ${table ?? statement.slice(0, 40)}${about}: ${WORDS[kind]}`
  return isSafe(effect) ? { text } : { text: `${text}; stop the nodes of the version before first` }
}

async function describeNodes(db: Database): Promise<Line[]> {
  const { rows } = await db.readPool.query<{ connections: number; oldest: number }>(
    `select count(*) filter (where application_name = 'turnout' and pid <> pg_backend_pid())::int as connections,
       coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::int as oldest
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const { connections, oldest } = rows[0]!
  // The connections of this command count, too.
  const lines: Line[] = [{ text: `in use: ${connections} connections of Turnout, this command included` }]
  if (oldest > LONG_TRANSACTION_SECONDS)
    lines.push({ text: `a transaction is open since ${oldest} s: migrations wait for it`, isProblem: true })
  return lines
}

const LONG_TRANSACTION_SECONDS = 60
const BACKUP_HOURS = 26

async function describeBackup({ backupDir }: Config): Promise<Line[]> {
  if (!backupDir) return [{ text: `backup: BACKUP_DIR is not set; make one with ${TURNOUT} backup FILE before the upgrade` }]
  const [newest] = await findNightlyBackups(backupDir)
  if (!newest) return [{ text: `backup: there is none in ${backupDir}`, isProblem: true }]
  const hours = (systemClock.now().getTime() - newest.madeAt.getTime()) / 3_600_000
  return [{ text: `backup: the newest is ${hours.toFixed(1)} hours old, ${size(newest.bytes)}`, isProblem: hours > BACKUP_HOURS }]
}

/** Of the extensions that the setting names, those that this version could not load. */
async function describeExtensions({ extensions }: Config): Promise<Line[]> {
  if (!extensions.length) return []
  const { checkSource } = await import('#features/operations/extensions/commands/check.ts')
  const lines: Line[] = []
  for (const source of extensions) {
    const { name, version, problem } = await checkSource(source, process.cwd())
    lines.push(
      problem === undefined
        ? { text: `extension ${name} ${version} fits` }
        : { text: `extension ${name} does not fit: ${problem}`, isProblem: true },
    )
  }
  return lines
}

/** As `serve` of this version reads them. */
function describeSettings(env: Record<string, string | undefined>): Line[] {
  try {
    readConfig(env, 'serve')
    return [{ text: 'settings: valid for serve' }]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((text) => ({ text: `settings: ${text}`, isProblem: true }))
  }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']
function size(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** unit).toFixed(unit > 1 ? 1 : 0)} ${UNITS[unit]}`
}
