import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { TransferError } from '#features/operations/backup/commands/transfer-error.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { importFiles } from './import-files.ts'

describe('importing the files of events', async () => {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  const outside = mkdtempSync(join(tmpdir(), 'media-'))
  const folder = join(outside, 'media')
  after(async () => {
    await db.close()
    await database.drop()
    rmSync(outside, { recursive: true })
  })
  const files = makeMemoryStore()
  const now = new Date('2031-05-01T10:00:00Z')
  const PDF = '%PDF-1.7\n'
  mkdirSync(join(folder, 'documents'), { recursive: true })
  writeFileSync(join(folder, 'documents/plan.pdf'), PDF)
  writeFileSync(join(folder, 'documents/empty.pdf'), '')
  writeFileSync(join(folder, 'documents/page.pdf'), '<html>')
  writeFileSync(join(outside, 'secret.pdf'), PDF)
  symlinkSync(join(outside, 'secret.pdf'), join(folder, 'documents/link-out.pdf'))
  symlinkSync(join(folder, 'documents/plan.pdf'), join(folder, 'documents/link-inside.pdf'))

  const CASES: [path: string | null, reason: string | undefined][] = [
    ['documents/plan.pdf', undefined],
    ['documents/link-inside.pdf', undefined],
    ['documents/gone.pdf', 'is not in the folder'],
    ['documents', 'is not in the folder'],
    ['../secret.pdf', 'is not in the folder'],
    ['documents/../../secret.pdf', 'is not in the folder'],
    [join(outside, 'secret.pdf'), 'is not in the folder'],
    ['documents/link-out.pdf', 'is not in the folder'],
    ['documents/empty.pdf', 'is empty'],
    ['documents/page.pdf', 'is of a type that Turnout does not accept'],
    [null, 'is not in the folder'],
  ]
  await db.write
    .insertInto('attachment')
    .values(CASES.map(([source_path], id) => ({ id: id + 1, title: `File ${id + 1}`, source_path })))
    .execute()
  const result = await importFiles(db.write, { folder, files, now })
  const rows = await db.read
    .selectFrom('attachment')
    .leftJoin('stored_file', 'stored_file.id', 'attachment.file_id')
    .select(['attachment.id', 'stored_file.name', 'stored_file.bytes'])
    .orderBy('attachment.id')
    .execute()

  CASES.forEach(([path, reason], index) => {
    test(`${path}: ${reason ?? 'imported'}`, () => {
      const open = result.open.find(({ title }) => title === `File ${index + 1}`)
      assert.equal(open?.reason, reason)
      assert.equal(rows[index]!.bytes, reason === undefined ? PDF.length : null)
    })
  })

  test('keeps no bytes of files that are not imported', () => assert.equal(files.content.size, 2))

  test('can be repeated, and adds what was missing', async () => {
    writeFileSync(join(folder, 'documents/gone.pdf'), PDF)
    const again = await importFiles(db.write, { folder, files, now })
    assert.deepEqual([again.imported, again.open.length, files.content.size], [1, CASES.length - 3, 3])
  })

  test('needs a folder', async () => {
    for (const path of [join(outside, 'nowhere'), join(outside, 'secret.pdf')])
      await assert.rejects(importFiles(db.write, { folder: path, files, now }), TransferError)
  })
})
