import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { acceptedTypes, cleanFileName, detectFileType, type FileType, MacroSearch, SIGNATURE_BYTES } from './file-types.ts'
import { openFileStore } from './open-store.ts'
import type { FileStore } from './store.ts'
import { compareFiles, deleteFiles, deleteUnusedFiles, keepFile } from './stored-files.ts'
import { type ReceivedFile, receiveFile, uploadSchema } from './upload.ts'

/** The beginning of an entry of a ZIP archive, and the name again as in its list of contents. */
const zip = (...names: string[]) =>
  Buffer.from(
    names.map((name) => `PK\x03\x04${'\0'.repeat(26)}${name}`).join('') + names.map((n) => `PK\x01\x02${n}`).join(''),
    'latin1',
  )
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'

const TYPES: [what: string, bytes: Buffer, type: FileType | undefined, name?: string][] = [
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  ['a PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
  ['a WebP', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1'), 'image/webp'],
  ['a HEIC photo', Buffer.from('\x00\x00\x00\x18ftypheic', 'latin1'), 'image/heic'],
  ['a GIF', Buffer.from('GIF89a\x01\x00'), 'image/gif'],
  ['a text of Word', zip('[Content_Types].xml', 'word/document.xml'), `${OFFICE}.wordprocessingml.document`],
  [
    'a table of LibreOffice in the format of Excel',
    zip('_rels/.rels', 'xl/a', '[Content_Types].xml'),
    `${OFFICE}.spreadsheetml.sheet`,
  ],
  ['slides of PowerPoint', zip('[Content_Types].xml', 'ppt/slides/slide1.xml'), `${OFFICE}.presentationml.presentation`],
  ['an OpenDocument text', zip(`mimetype${ODF}.text`, 'content.xml'), `${ODF}.text`],
  ['an OpenDocument table', zip(`mimetype${ODF}.spreadsheet`, 'content.xml'), `${ODF}.spreadsheet`],
  ['OpenDocument slides', zip(`mimetype${ODF}.presentation`, 'content.xml'), `${ODF}.presentation`],
  ['an OpenDocument template', zip(`mimetype${ODF}.text-template`, 'content.xml'), undefined],
  ['another archive', zip('setup.exe'), undefined],
  ['a text', Buffer.from('Grüße,\r\n\tOlga'), 'text/plain', 'notes.TXT'],
  ['a table as text', Buffer.from('a;b\n1;2'), 'text/plain', 'list.csv'],
  ['a text without the name of one', Buffer.from('Hello'), undefined, 'notes'],
  ['a page that is called text', Buffer.from('\n<!DOCTYPE html><script>'), undefined, 'notes.txt'],
  ['a program that is called text', Buffer.from('MZ\x90\x00', 'latin1'), undefined, 'notes.txt'],
  ['a program', Buffer.from('MZ\x90\x00%PDF-', 'latin1'), undefined],
  ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>'), undefined],
  ['a page', Buffer.from('<!doctype html>'), undefined],
  ['another file in RIFF', Buffer.from('RIFF\x10\x00\x00\x00WAVEfmt ', 'latin1'), undefined],
  ['a video', Buffer.from('\x00\x00\x00\x18ftypisom', 'latin1'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
]
for (const [what, start, type, name = ''] of TYPES)
  test(`${what} is detected as ${type}`, () => assert.equal(detectFileType({ start, name }), type))

const WORD = ['[Content_Types].xml', 'word/document.xml']
const ODT = [`mimetype${ODF}.text`, 'content.xml']
const WITH_MACROS: [what: string, names: string[]][] = [
  ['Office', [...WORD, 'word/vbaProject.bin']],
  ['Office in capital letters', [...WORD, 'word/VBAPROJECT.BIN']],
  ['Office in small letters', [...WORD, 'word/vbaproject.bin']],
  ['OpenDocument', [...ODT, 'Basic/Standard/Module1.xml']],
  ['OpenDocument in another language', [...ODT, 'Scripts/python/run.py']],
]
/** What the names of the parts say. */
const typeByNames = (parts: Buffer[]) => {
  const macros = new MacroSearch()
  for (const part of parts) macros.add(part)
  const [start, whole] = [parts[0]!, Buffer.concat(parts)]
  return detectFileType({ start, end: whole.subarray(-SIGNATURE_BYTES), hasMacros: macros.hasMacros })
}
describe('macros', () => {
  for (const [what, names] of WITH_MACROS)
    test(`of ${what} are found wherever they are in an archive`, () => {
      const padding = Buffer.alloc(3 * SIGNATURE_BYTES, 'x')
      const [first, ...others] = names.map((name) => zip(name))
      const archive = [first!, ...others.slice(0, -1), padding, others.at(-1)!, padding, ...others]
      assert.equal(typeByNames(archive), undefined)
      // At the border of two parts.
      const whole = Buffer.concat(archive.slice(0, -others.length))
      const at = first!.length + others.slice(0, -1).reduce((sum, each) => sum + each.length, 0) + padding.length + 20
      assert.equal(typeByNames([whole.subarray(0, at), whole.subarray(at), ...others.slice(0, -1)]), undefined)
      const without = typeByNames([first!, ...others.slice(0, -1), padding, ...others.slice(0, -1)])
      assert.notEqual(without, undefined, 'the same file without macros')
    })

  test('an empty library of OpenDocument is none', () =>
    assert.equal(
      typeByNames([...ODT, 'Basic/script-lc.xml', 'Basic/Standard/script-lb.xml'].map((name) => zip(name))),
      `${ODF}.text`,
    ))

  test('a picture may contain the words', () =>
    assert.equal(typeByNames([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('vbaProject.bin')]), 'image/png'))
})

test('the end of a large archive tells its type', () => {
  const archive = zip('_rels/.rels', 'xl/workbook.xml', '[Content_Types].xml')
  const start = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000)])
  assert.equal(detectFileType({ start, end: archive }), `${OFFICE}.spreadsheetml.sheet`)
})

const NAMES: [given: string, type: FileType, cleaned: string][] = [
  ['Zeugnis Ä.PDF', 'application/pdf', 'Zeugnis Ä.pdf'],
  ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
  ['../../etc/passwd', 'image/png', 'passwd.png'],
  ['C:\\Users\\ann\\scan.html', 'application/pdf', 'scan.html.pdf'],
  ['a\u202egpj.exe\n', 'image/jpeg', 'agpj.exe.jpg'],
  ['.pdf', 'application/pdf', 'pdf.pdf'],
  ['', 'image/webp', 'file.webp'],
  ['x'.repeat(300), 'image/png', `${'x'.repeat(200)}.png`],
]
for (const [given, type, cleaned] of NAMES)
  test(`the name ${JSON.stringify(given.slice(0, 30))} of ${type} becomes ${cleaned.slice(0, 30)}`, () =>
    assert.equal(cleanFileName(given, type), cleaned))

test('a file field names types and extensions', () =>
  assert.equal(acceptedTypes(['application/pdf', 'image/jpeg']), 'application/pdf,.pdf,image/jpeg,.jpg,.jpeg'))

async function idsIn(store: FileStore): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of store.list()) ids.push(id)
  return ids.sort()
}

describe('the store in the data directory', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'files-test-'))
  after(() => rmSync(dataDir, { recursive: true }))
  const store = openFileStore({ dataDir })
  const filesIn = () =>
    readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())

  test('stores, returns, lists and deletes bytes, readable by the owner only', async () => {
    const id = randomUUID()
    await store.put(id, Readable.from([Buffer.from('one '), Buffer.from('two')]))
    assert.equal((await buffer((await store.get(id))!)).toString(), 'one two')
    const [file] = filesIn()
    assert.equal(statSync(join(file!.parentPath, file!.name)).mode & 0o777, 0o600)
    assert.deepEqual(await idsIn(store), [id])
    await store.delete(id)
    await store.delete(id)
    assert.deepEqual([await store.get(id), filesIn()], [undefined, []])
  })

  test('keeps nothing of a source that fails', async () => {
    const failing = (async function* () {
      yield Buffer.from('half')
      throw new Error('the connection is gone')
    })()
    await assert.rejects(store.put(randomUUID(), failing), /the connection is gone/)
    assert.deepEqual(filesIn(), [])
  })

  test('takes no paths as ids', async () => {
    for (const id of ['../secret-key', '', 'a/b', `${randomUUID()}/..`]) {
      await assert.rejects(async () => store.get(id), /not the id/)
      await assert.rejects(store.put(id, Readable.from([])), /not the id/)
    }
  })
})

describe('a received file', () => {
  const PDF = Buffer.from('%PDF-1.7 content')
  const schema = uploadSchema(['application/pdf', 'image/png'], { missing: 'missing', tooLarge: 'large', wrongType: 'type' })
  const optional = uploadSchema(['application/pdf'], { tooLarge: 'large', wrongType: 'type' })
  const receive = (bytes: Buffer, isCut = false, store = makeMemoryStore()) =>
    // One byte at a time: the type may be spread over several chunks.
    receiveFile(store, 'certificate.exe', Readable.from([...bytes].map((byte) => Buffer.of(byte))), () => isCut)
  const errorOf = (file: ReceivedFile | string | undefined) => schema.safeParse(file && [file]).error?.issues[0]?.message

  test('is stored with its type, size and checksum', async () => {
    const store = makeMemoryStore()
    const upload = schema.parse([await receive(PDF, false, store)])
    assert.deepEqual([upload.name, upload.type, upload.bytes], ['certificate.exe.pdf', 'application/pdf', PDF.length])
    assert.deepEqual(store.content.get(upload.id)!.bytes, PDF)
  })

  test('is refused if it is too large, of another type or absent', async () => {
    const store = makeMemoryStore()
    assert.equal(errorOf(await receive(PDF, true, store)), 'large')
    assert.equal(store.content.size, 0)
    assert.equal(errorOf(await receive(Buffer.from('MZ program'))), 'type')
    assert.equal(errorOf(await receive(Buffer.from('ffd8ffe0', 'hex'))), 'type')
    for (const nothing of [undefined, '', await receive(Buffer.alloc(0))]) assert.equal(errorOf(nothing), 'missing')
    assert.deepEqual([optional.parse(undefined), optional.parse([await receive(Buffer.alloc(0))])], [undefined, undefined])
  })
})

test('bytes without a row are deleted after an hour, others are kept', async () => {
  const { url } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(() => db.close())
  const dataDir = mkdtempSync(join(tmpdir(), 'unused-files-test-'))
  after(() => rmSync(dataDir, { recursive: true }))
  const store = openFileStore({ dataDir })
  const now = new Date('2031-05-01T10:00:00Z')
  const ids = { kept: randomUUID(), deleted: randomUUID(), fresh: randomUUID(), abandoned: randomUUID() }
  for (const [name, id] of Object.entries(ids)) {
    await store.put(id, Readable.from([Buffer.from('%PDF-')]))
    const storedAt = new Date(now.getTime() - (name === 'fresh' ? 59 : 61) * 60_000)
    utimesSync(join(dataDir, 'files', id.slice(0, 2), id), storedAt, storedAt)
  }
  const details = { name: 'a.pdf', type: 'application/pdf' as const, bytes: 5, sha256: 'ab'.repeat(32) }
  await db.write.transaction().execute(async (tx) => {
    await keepFile(tx, { id: ids.kept, ...details }, now)
    await keepFile(tx, { id: ids.deleted, ...details }, now)
    await deleteFiles(tx, [ids.deleted])
  })
  await deleteUnusedFiles(db.write, store, now)
  assert.deepEqual(await idsIn(store), [ids.kept, ids.fresh].sort())
  // What the doctor reports.
  assert.deepEqual(await compareFiles(db.read, store, now), { missing: [], unused: [] })
  await store.delete(ids.kept)
  const later = new Date(now.getTime() + 3 * 3600_000)
  assert.deepEqual(await compareFiles(db.read, store, later), { missing: [ids.kept], unused: [ids.fresh] })
})
