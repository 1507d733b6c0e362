import { type Kysely, sql } from 'kysely'
import { startNewFeed } from '#features/sharing/change-feed/commands/sequence.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import { type Migration, pendingMigrations, readMigrations, sqlWithinTransaction } from '#platform/db/migrate.ts'
import { translateHistory } from '#platform/db/renumbered.ts'
import { markAll } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { FileStore } from '#platform/files/store.ts'
import { EXTENSION_PREFIX, findStoredTables, isEmptyInstance } from '../queries/tables.ts'
import type { ArchiveEnd, Manifest } from '../schema.ts'
import { readArchive } from './archive.ts'
import { TransferError } from './transfer-error.ts'

type RestoreOptions = {
  path: string
  passphrase?: string | undefined
  /** Overwrite an instance that is not empty. */
  replace: boolean
  files: FileStore
  /** Those of the backup that this server has: their tables are made by their own migrations, never by the backup. */
  extensions?: readonly ExtensionTables[]
  progress?: (rows: number, of: number) => void
  /** Before the commit. */
  onCommit?: () => void
}

/** Creates the empty tables of an extension. */
export type ExtensionTables = { name: string; create: (tx: Tx) => Promise<void> }

type CheckedArchive = { manifest: Manifest; end: ArchiveEnd; rows: number }

/** Verifies the whole file before the database is changed. */
export async function checkArchive(path: string, passphrase: string | undefined): Promise<CheckedArchive> {
  let manifest: Manifest | undefined
  let end: ArchiveEnd | undefined
  for await (const part of readArchive(path, passphrase)) {
    if (part.kind === 'manifest') {
      manifest = part.manifest
      // Before reading on, because a newer version may use a format that looks damaged here.
      findLaterMigrations(manifest)
    }
    if (part.kind === 'end') end = part.end
  }
  const rows = Object.values(end!.rows).reduce((sum, count) => sum + count, 0)
  return { manifest: manifest!, end: end!, rows }
}

/** Migrations to apply after restoring. Fails if the backup has migrations that this version does not know. */
function findLaterMigrations({ migrations, turnout }: Manifest): Migration[] {
  try {
    const known = readMigrations()
    return pendingMigrations(known, translateHistory(migrations, known))
  } catch (cause) {
    throw new TransferError(
      `This backup was made by Turnout ${turnout}, which has a different database schema. Restore it with that version or a newer one.`,
      { cause },
    )
  }
}

/**
 * Runs in one transaction: after a failure the instance is unchanged. Files that were restored before the failure have random ids and
 * no row, so they are deleted like other unused files.
 */
export async function restoreBackup(db: Kysely<DB>, options: RestoreOptions, checked: CheckedArchive): Promise<void> {
  const later = findLaterMigrations(checked.manifest)
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    if (!options.replace && !(await isEmptyInstance(tx)))
      throw new TransferError('This instance is not empty. Use --replace to overwrite all of its data with the backup.')
    await dropExtensionSchemas(tx)
    if (later.length) await recreateSchema(tx, checked.manifest)
    for (const { create } of options.extensions ?? []) await create(tx)
    await loadRows(tx, options, checked)
    if (checked.end.files) await loadFiles(options)
    for (const migration of later) await apply(tx, migration)
    await forgetExtensions(tx, options.extensions ?? [])
    await startNewFeed(tx)
    await markAll(tx)
    options.onCommit?.()
  })
}

/** Data of extensions is replaced like all other data. */
async function dropExtensionSchemas(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where starts_with(nspname, ${EXTENSION_PREFIX})`.execute(tx)
  for (const { name } of rows) await sql`drop schema ${sql.id(name)} cascade`.execute(tx)
}

/** Extensions whose tables were left out begin anew. */
const forgetExtensions = (tx: Tx, restored: readonly ExtensionTables[]) =>
  sql`delete from extension where name <> all (${restored.map(({ name }) => name)})`.execute(tx)

/** Creates the schema of the backup, so that later migrations can run on the restored rows. */
async function recreateSchema(tx: Tx, { migrations }: Manifest): Promise<void> {
  await sql`drop schema public cascade`.execute(tx)
  await sql`create schema public`.execute(tx)
  await sql`create table migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(
    tx,
  )
  const known = readMigrations()
  const applied = new Set(translateHistory(migrations, known).map(({ name }) => name))
  for (const migration of known) if (applied.has(migration.name)) await apply(tx, migration)
}

async function apply(tx: Tx, migration: Migration): Promise<void> {
  const { name, checksum } = migration
  // Several statements cannot be prepared; the comment keeps the driver from preparing them.
  await sql.raw(`/* ${name} */ ${sqlWithinTransaction(migration)}`).execute(tx)
  await tx.insertInto('migration').values({ name, checksum }).execute()
}

const BATCH_BYTES = 1_000_000
/** From this size on, creating an index after the rows is faster. */
const LARGE_TABLE_ROWS = 10_000

async function loadRows(
  tx: Tx,
  { path, passphrase, progress = () => {}, extensions = [] }: RestoreOptions,
  { end, rows: total }: CheckedArchive,
): Promise<void> {
  const tables = await findStoredTables(tx)
  const known = new Map(tables.map((table) => [table.name, table]))
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
  // The backup contains the columns that triggers maintain.
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  const large = tables.map(({ name }) => name).filter((name) => (end.rows[name] ?? 0) >= LARGE_TABLE_ROWS)
  const restoreIndexes = await dropIndexes(tx, large)
  let done = 0
  let batch: string[] = []
  let bytes = 0
  let target: { table: string; columns: string[] } | undefined
  const flush = async () => {
    if (target && batch.length) await insert(tx, target, batch)
    done += batch.length
    batch = []
    bytes = 0
    progress(done, total)
  }
  for await (const part of readArchive(path, passphrase)) {
    if (part.kind === 'table') {
      await flush()
      target = undefined
      if (isLeftOut(part.table, extensions)) continue
      const table = known.get(part.table)
      const unknown = part.columns.filter((column) => !table?.columns.includes(column))
      if (!table || unknown.length)
        throw new TransferError(`The backup has an unknown table or column: ${[part.table, ...unknown].join('.')}`)
      target = part
    } else if (part.kind === 'row' && target) {
      batch.push(part.text)
      bytes += part.text.length
      if (bytes > BATCH_BYTES) await flush()
    }
  }
  await flush()
  await restoreIndexes()
  for (const { name, identityColumn } of tables) {
    if (identityColumn)
      await sql`select setval(pg_get_serial_sequence(${name}, ${identityColumn}),
        greatest(${end.sequences[name] ?? 0}, (select max(${sql.ref(identityColumn)}) from ${sql.table(name)}), 1),
        ${name in end.sequences} or exists (select from ${sql.table(name)}))`.execute(tx)
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
  }
  // The planner still has the statistics of the former rows.
  await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
}

/** Of an extension that this server does not have. */
const isLeftOut = (table: string, extensions: readonly ExtensionTables[]): boolean =>
  table.includes('.') && !extensions.some(({ name }) => table.startsWith(`${EXTENSION_PREFIX}${name}.`))

async function loadFiles({ path, passphrase, files }: RestoreOptions): Promise<void> {
  const parts = fileParts(path, passphrase)
  let next = await parts.next()
  while (!next.done) {
    const { id } = next.value
    await files.put(
      id,
      (async function* () {
        for (; !next.done && next.value.id === id; next = await parts.next()) yield next.value.data
      })(),
    )
  }
}

async function* fileParts(path: string, passphrase: string | undefined): AsyncGenerator<{ id: string; data: Buffer }, undefined> {
  for await (const part of readArchive(path, passphrase)) if (part.kind === 'file') yield part
}

async function insert(tx: Tx, { table, columns }: { table: string; columns: string[] }, rows: readonly string[]): Promise<void> {
  const selected = sql.join(columns.map((column) => sql.ref(column)))
  // Some tables make their own ids always; a restored row keeps the id that others refer to.
  await sql`insert into ${sql.table(table)} (${selected}) overriding system value
    select ${selected} from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(tx)
}
