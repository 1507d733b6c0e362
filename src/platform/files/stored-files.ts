import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { FileStore } from './store.ts'
import type { Upload } from './upload.ts'

/** Makes an uploaded file permanent, in the transaction of the command that refers to it. */
export async function keepFile(tx: Tx, { id, name, type, bytes, sha256 }: Upload, now: Date): Promise<void> {
  await tx
    .insertInto('stored_file')
    .values({ id, name, content_type: type, bytes, sha256: Buffer.from(sha256, 'hex'), created_at: now })
    .execute()
}

/** Rows that refer to the files must be deleted or changed before. The bytes are deleted by `deleteUnusedFiles`. */
export async function deleteFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length) await tx.deleteFrom('stored_file').where('id', 'in', ids).execute()
}

/** Files are stored before the transaction that refers to them, so younger ones may still get their row. */
const UPLOAD_MS = 3600_000
const BATCH = 500

/** Deletes bytes without a row: of deleted files, and of uploads that were not completed. */
export async function deleteUnusedFiles(db: Kysely<DB>, store: FileStore, now: Date): Promise<void> {
  let batch: string[] = []
  const flush = async () => {
    const { rows } = await sql<{ id: string }>`
      select id::text from unnest(${batch}::uuid[]) as stored (id)
      where not exists (select from stored_file f where f.id = stored.id)`.execute(db)
    for (const { id } of rows) await store.delete(id)
    batch = []
  }
  for await (const { id, storedAt } of store.list()) {
    if (now.getTime() - storedAt.getTime() < UPLOAD_MS) continue
    batch.push(id)
    if (batch.length === BATCH) await flush()
  }
  if (batch.length) await flush()
}

/** A job runs every hour and deletes bytes without a row that are older than an hour. */
const CLEANED_UP_MS = 3 * UPLOAD_MS

type FileDifferences = {
  /** Rows whose bytes are not in the store. */
  missing: string[]
  /** Bytes without a row that the job should have deleted. */
  unused: string[]
}

/** Compares the table with the store. */
export async function compareFiles(db: Kysely<DB>, store: FileStore, now: Date): Promise<FileDifferences> {
  const stored = new Map<string, Date>()
  for await (const { id, storedAt } of store.list()) stored.set(id, storedAt)
  const rows = await db.selectFrom('stored_file').select('id').orderBy('id').execute()
  const known = new Set(rows.map(({ id }) => id))
  const isOld = (storedAt: Date) => now.getTime() - storedAt.getTime() > CLEANED_UP_MS
  return {
    missing: [...known].filter((id) => !stored.has(id)),
    unused: [...stored].flatMap(([id, storedAt]) => (!known.has(id) && isOld(storedAt) ? [id] : [])),
  }
}
