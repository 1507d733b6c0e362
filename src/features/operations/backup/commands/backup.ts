import { type Kysely, sql } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { FileStore } from '#platform/files/store.ts'
import { estimateRows, findStoredExtensions, findStoredTables, type StoredTable } from '../queries/tables.ts'
import type { Manifest } from '../schema.ts'
import { type ArchiveWriter, rowLine, writeArchive } from './archive.ts'

export type BackupOptions = {
  path: string
  /** Encrypts the file, and includes the secret key. */
  passphrase?: string | undefined
  /** Uploaded files. */
  files: FileStore
  keyring: Keyring
  secretKey: string
  site: { url: string; timeZone: string; language: string }
  turnout: string
  now: Date
  progress?: (rows: number, of: number) => void
}

const BATCH_ROWS = 2_000

/** `missingFiles`: files of the database whose bytes are not in the store. */
type BackupContent = { rows: number; files: number; missingFiles: number }

/** A restored instance starts another change feed, also for partners, and marks of caches name transactions of this server. */
const LEFT_OUT = new Set(['change', 'change_feed', 'change_pending', 'cache_mark', 'guest_updates', 'guest_copy'])

/** Writes a consistent snapshot; the server can keep running. */
export async function makeBackup(db: Kysely<DB>, options: BackupOptions): Promise<BackupContent> {
  const { path, passphrase, progress = () => {} } = options
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      // Times in the file are in UTC, whatever the time zone of the instance.
      await sql`set local timezone = 'UTC'`.execute(tx)
      const tables = (await findStoredTables(tx)).filter(({ name }) => !LEFT_OUT.has(name))
      const expected = await estimateRows(tx)
      const rows: Record<string, number> = {}
      let total = 0
      let files = { stored: 0, missing: 0 }
      await writeArchive(path, passphrase, async (archive) => {
        await archive.write(`${JSON.stringify(await makeManifest(tx, options))}\n`)
        for (const table of tables) {
          await archive.write(`${JSON.stringify({ table: table.name, columns: table.columns })}\n`)
          rows[table.name] = await writeRows(tx, archive, table, (count) => {
            total += count
            progress(Math.min(total, expected), expected)
          })
        }
        // A database of an older version, backed up before its migration, has no files.
        if ('stored_file' in rows) files = await writeFiles(tx, archive, options.files)
        const end = { rows, files: files.stored, sequences: await readSequences(tx, tables), sha256: archive.checksum() }
        await archive.write(`${JSON.stringify({ end })}\n`)
      })
      progress(1, 1)
      return { rows: total, files: files.stored, missingFiles: files.missing }
    })
}

async function makeManifest(tx: Tx, { keyring, secretKey, passphrase, site, turnout, now }: BackupOptions): Promise<Manifest> {
  const applied = await tx.selectFrom('migration').select(['name', 'checksum']).orderBy('name').execute()
  return {
    format: 'turnout-backup',
    version: 1,
    turnout,
    made_at: now.toISOString(),
    site_url: site.url,
    time_zone: site.timeZone,
    language: site.language,
    migrations: applied,
    extensions: await findStoredExtensions(tx),
    key_id: keyring.keyId,
    ...(passphrase === undefined ? {} : { secret_key: secretKey }),
  }
}

async function writeRows(
  tx: Tx,
  archive: ArchiveWriter,
  { name, columns }: StoredTable,
  onRows: (rows: number) => void,
): Promise<number> {
  const selected = sql.join(columns.map((column) => sql.ref(column)))
  await sql`declare backup_rows no scroll cursor for
    select row_to_json(backup_rows)::text as json from (select ${selected} from ${sql.table(name)}) backup_rows`.execute(tx)
  let count = 0
  for (;;) {
    const { rows } = await sql<{ json: string }>`fetch ${sql.lit(BATCH_ROWS)} from backup_rows`.execute(tx)
    if (!rows.length) break
    await archive.write(rows.map(({ json }) => rowLine(json)).join(''))
    count += rows.length
    onRows(rows.length)
  }
  await sql`close backup_rows`.execute(tx)
  return count
}

/** A multiple of three, so that the parts are base64 without padding. */
const FILE_PART_BYTES = 384 * 1024

/** After the rows, in parts, so that neither the backup nor its restoring holds a whole file in memory. */
async function writeFiles(tx: Tx, archive: ArchiveWriter, store: FileStore): Promise<{ stored: number; missing: number }> {
  const count = { stored: 0, missing: 0 }
  for (const { id } of await tx.selectFrom('stored_file').select('id').orderBy('id').execute()) {
    const content = await store.get(id)
    if (!content) {
      // Deleted after the snapshot was taken, or lost.
      count.missing++
      continue
    }
    for await (const part of partsOf(content))
      await archive.write(`${JSON.stringify({ file: { id, data: part.toString('base64') } })}\n`)
    count.stored++
  }
  return count
}

async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of content) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= FILE_PART_BYTES; rest = rest.subarray(FILE_PART_BYTES)) yield rest.subarray(0, FILE_PART_BYTES)
  }
  if (rest.length) yield rest
}

async function readSequences(tx: Tx, tables: readonly StoredTable[]): Promise<Record<string, number>> {
  const sequences: Record<string, number> = {}
  for (const { name, identityColumn } of tables) {
    if (!identityColumn) continue
    const { rows } = await sql<{ last: number | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${name}, ${identityColumn})::regclass) as last`.execute(tx)
    if (rows[0]!.last !== null) sequences[name] = rows[0]!.last
  }
  return sequences
}
