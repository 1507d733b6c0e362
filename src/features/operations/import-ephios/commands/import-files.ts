import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { Kysely } from 'kysely'
import { TransferError } from '#features/operations/backup/commands/transfer-error.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { cleanFileName } from '#platform/files/file-types.ts'
import type { FileStore } from '#platform/files/store.ts'
import { keepFile } from '#platform/files/stored-files.ts'
import { receiveFile } from '#platform/files/upload.ts'

type FileImport = {
  imported: number
  /** Files whose content could not be imported, and why. */
  open: { title: string; path: string; reason: string }[]
}

/** The real path of a folder that exists. */
export async function requireFolder(folder: string): Promise<string> {
  const path = await realpath(folder).catch(() => undefined)
  if (path === undefined || !(await stat(path)).isDirectory()) throw new TransferError(`There is no folder ${folder}.`)
  return path
}

/**
 * Imports the content of files of events from the media folder of ephios. Files that have their content already are left alone, so it
 * can be repeated.
 */
export async function importFiles(
  db: Kysely<DB>,
  { folder, files, now }: { folder: string; files: FileStore; now: Date },
): Promise<FileImport> {
  const root = await requireFolder(folder)
  const waiting = await db
    .selectFrom('attachment')
    .select(['id', 'title', 'source_path'])
    .where('file_id', 'is', null)
    .orderBy('id')
    .execute()
  const result: FileImport = { imported: 0, open: [] }
  for (const { id, title, source_path } of waiting) {
    const reason = await importFile(db, { root, id, path: source_path ?? '', files, now })
    if (reason === undefined) result.imported++
    else result.open.push({ title, path: source_path ?? '', reason })
  }
  return result
}

type OneFile = { root: string; id: number; path: string; files: FileStore; now: Date }

/** Returns why the file cannot be imported. */
async function importFile(db: Kysely<DB>, { root, id, path, files, now }: OneFile): Promise<string | undefined> {
  const found = await findBelow(root, path)
  if (found === undefined) return 'is not in the folder'
  const received = await receiveFile(files, basename(path), createReadStream(found), () => false)
  if (received.id === undefined) return 'is empty'
  const { type } = received
  const upload = type && { ...received, id: received.id, type, name: cleanFileName(received.name, type) }
  const isKept =
    upload !== undefined &&
    (await transact(db, async (tx) => {
      const row = await tx.selectFrom('attachment').select('file_id').where('id', '=', id).forUpdate().executeTakeFirst()
      if (!row || row.file_id !== null) return false
      await keepFile(tx, upload, now)
      await tx.updateTable('attachment').set({ file_id: upload.id }).where('id', '=', id).execute()
      return true
    }))
  if (isKept) return undefined
  await files.delete(received.id)
  return upload ? 'was changed in the meantime' : 'is of a type that Turnout does not accept'
}

/** The file below a folder; never one outside of it, not even by a symbolic link. */
async function findBelow(root: string, path: string): Promise<string | undefined> {
  const parts = path.split(/[/\\]/)
  if (!path || parts.includes('..') || path.includes('\0')) return undefined
  const found = await realpath(join(root, path)).catch(() => undefined)
  if (!found?.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return undefined
  return (await stat(found)).isFile() ? found : undefined
}
