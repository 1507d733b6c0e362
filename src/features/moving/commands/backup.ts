import { type Kysely, sql } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { estimateRows, findStoredTables, type StoredTable } from '../queries/tables.ts'
import type { Manifest } from '../schema.ts'
import { type ArchiveWriter, rowLine, writeArchive } from './archive.ts'

export type BackupOptions = {
  path: string
  /** Encrypts the file, and includes the secret key. */
  passphrase?: string | undefined
  keyring: Keyring
  secretKey: string
  site: { url: string; timeZone: string; language: string }
  turnout: string
  now: Date
  progress?: (rows: number, of: number) => void
}

const BATCH_ROWS = 2_000

/** Writes a consistent snapshot; the server can keep running. */
export async function makeBackup(db: Kysely<DB>, options: BackupOptions): Promise<{ rows: number }> {
  const { path, passphrase, progress = () => {} } = options
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      // Times in the file are in UTC, whatever the time zone of the instance.
      await sql`set local timezone = 'UTC'`.execute(tx)
      const tables = await findStoredTables(tx)
      const expected = await estimateRows(tx)
      const rows: Record<string, number> = {}
      let total = 0
      await writeArchive(path, passphrase, async (archive) => {
        await archive.write(`${JSON.stringify(await makeManifest(tx, options))}\n`)
        for (const table of tables) {
          await archive.write(`${JSON.stringify({ table: table.name, columns: table.columns })}\n`)
          rows[table.name] = await writeRows(tx, archive, table, (count) => {
            total += count
            progress(Math.min(total, expected), expected)
          })
        }
        const end = { rows, sequences: await readSequences(tx, tables), sha256: archive.checksum() }
        await archive.write(`${JSON.stringify({ end })}\n`)
      })
      progress(1, 1)
      return { rows: total }
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
    migrations: applied.length ? applied : readMigrations(),
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
