import { type Kysely, sql } from 'kysely'
import { dropIndexes } from '#platform/db/indexes.ts'
import { type Migration, pendingMigrations, readMigrations } from '#platform/db/migrate.ts'
import { translateHistory } from '#platform/db/renumbered.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { findStoredTables, isUnused } from '../queries/tables.ts'
import type { LastLine, Manifest } from '../schema.ts'
import { readArchive } from './archive.ts'
import { ArchiveRefused } from './refusals.ts'

export type RestoreWish = {
  path: string
  passphrase?: string | undefined
  /** Whether an instance that is in use may be lost for it. */
  replace: boolean
  progress?: (rows: number, of: number) => void
}

export type Checked = { manifest: Manifest; end: LastLine; rows: number }

/** Reads the whole file once, so that nothing is touched for one that is damaged. */
export async function checkArchive(path: string, passphrase: string | undefined): Promise<Checked> {
  let manifest: Manifest | undefined
  let end: LastLine | undefined
  for await (const part of readArchive(path, passphrase)) {
    if (part.kind === 'manifest') {
      manifest = part.manifest
      // Before the rest is read: a backup of a newer version is no damaged one.
      migrationsAfter(manifest)
    }
    if (part.kind === 'end') end = part.end
  }
  const rows = Object.values(end!.rows).reduce((sum, count) => sum + count, 0)
  return { manifest: manifest!, end: end!, rows }
}

/** Those of ours that the backup has not seen; a history that is not the beginning of ours is refused. */
function migrationsAfter({ migrations, turnout }: Manifest): Migration[] {
  try {
    const known = readMigrations()
    return pendingMigrations(known, translateHistory(migrations, known))
  } catch (cause) {
    throw new ArchiveRefused(
      `This backup was made by Turnout ${turnout}, whose database is not one that this version knows. Restore it with that version or a newer one.`,
      { cause },
    )
  }
}

/** All or nothing: until the end, everybody else sees the instance as it was. */
export async function restoreBackup(db: Kysely<DB>, wish: RestoreWish, checked: Checked): Promise<void> {
  const later = migrationsAfter(checked.manifest)
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    if (!wish.replace && !(await isUnused(tx)))
      throw new ArchiveRefused('This instance is in use. With --replace everything in it is lost and the backup takes its place.')
    if (later.length) await goBackTo(tx, checked.manifest)
    await load(tx, wish, checked)
    for (const migration of later) await apply(tx, migration)
  })
}

/** The schema of that time: later migrations then change what was restored as they changed it elsewhere. */
async function goBackTo(tx: Tx, { migrations }: Manifest): Promise<void> {
  await sql`drop schema public cascade`.execute(tx)
  await sql`create schema public`.execute(tx)
  await sql`create table migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(
    tx,
  )
  const known = readMigrations()
  const applied = new Set(translateHistory(migrations, known).map(({ name }) => name))
  for (const migration of known) if (applied.has(migration.name)) await apply(tx, migration)
}

async function apply(tx: Tx, { name, sql: text, checksum }: Migration): Promise<void> {
  // Several statements in one: they must not be prepared, which the comment in front prevents.
  await sql.raw(`/* ${name} */ ${text}`).execute(tx)
  await tx.insertInto('migration').values({ name, checksum }).execute()
}

const BYTES_AT_ONCE = 1_000_000
/** From so many rows on an index is made faster at the end than row by row. */
const MANY_ROWS = 10_000

async function load(
  tx: Tx,
  { path, passphrase, progress = () => {} }: RestoreWish,
  { end, rows: total }: Checked,
): Promise<void> {
  const tables = await findStoredTables(tx)
  const known = new Map(tables.map((table) => [table.name, table]))
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
  // What triggers keep is in the file, as it was.
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  const large = tables.map(({ name }) => name).filter((name) => (end.rows[name] ?? 0) >= MANY_ROWS)
  const restoreIndexes = await dropIndexes(tx, large)
  let done = 0
  let batch: string[] = []
  let bytes = 0
  let into: { table: string; columns: string[] } | undefined
  const flush = async () => {
    if (into && batch.length) await insert(tx, into, batch)
    done += batch.length
    batch = []
    bytes = 0
    progress(done, total)
  }
  for await (const part of readArchive(path, passphrase)) {
    if (part.kind === 'table') {
      await flush()
      const table = known.get(part.table)
      const unknown = part.columns.filter((column) => !table?.columns.includes(column))
      if (!table || unknown.length)
        throw new ArchiveRefused(`The backup has ${[part.table, ...unknown].join('.')}, which is not known here.`)
      into = part
    } else if (part.kind === 'row') {
      batch.push(part.text)
      bytes += part.text.length
      if (bytes > BYTES_AT_ONCE) await flush()
    }
  }
  await flush()
  await restoreIndexes()
  for (const { name, numbered } of tables) {
    if (numbered)
      await sql`select setval(pg_get_serial_sequence(${name}, ${numbered}),
        greatest(${end.sequences[name] ?? 0}, (select max(${sql.ref(numbered)}) from ${sql.table(name)}), 1),
        ${name in end.sequences} or exists (select from ${sql.table(name)}))`.execute(tx)
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
  }
  // Without it the planner takes full tables for empty ones.
  await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
}

async function insert(tx: Tx, { table, columns }: { table: string; columns: string[] }, rows: readonly string[]): Promise<void> {
  const chosen = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${chosen})
    select ${chosen} from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(tx)
}
