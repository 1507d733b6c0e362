import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { receiveFile } from './upload.ts'

type Parts = Record<string, string | Uint8Array>

const pack = (parts: Parts): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])),
      { level: 6 },
    ),
  )
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const types = (more = '', main = `${WORD}.main+xml`) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/>${more}</Types>`
const relations = (type: string, target = 'data.bin') =>
  `<Relationships><Relationship Id="r1" Type="http://schemas.microsoft.com/office/2006/relationships/${type}" Target="${target}"/></Relationships>`
const word = (parts: Parts = {}) => pack({ '[Content_Types].xml': types(), 'word/document.xml': '<document/>', ...parts })
const override = (type: string) => `<Override PartName="/word/data.bin" ContentType="application/vnd.ms-${type}"/>`

const ODT = 'application/vnd.oasis.opendocument.text'
const manifest = (...paths: string[]) =>
  `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="${ODT}"/>
  ${paths.map((path) => `<m:file-entry m:full-path="${path}" m:media-type="text/xml"/>`).join('')}</m:manifest>`
/** The first part is stored as it is, so that its type can be read. */
const odt = (parts: Parts = {}, ...listed: string[]) =>
  Buffer.from(
    zipSync({
      mimetype: [strToU8(ODT), { level: 0 }],
      'content.xml': strToU8('<content/>'),
      'META-INF/manifest.xml': strToU8(manifest(...listed)),
      ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])),
    }),
  )
/** The same archive with another name for a part, which `zipSync` would not write twice. */
const renamed = (archive: Buffer, from: string, to: string) =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')

/** The same archive with sizes and offsets as wide numbers, as some programs write them for small files, too. */
function widened(archive: Buffer): Buffer {
  const end = archive.length - 22
  const start = archive.readUInt32LE(end + 16)
  const entries: Buffer[] = []
  for (let at = start; at < end; ) {
    const next = at + 46 + archive.readUInt16LE(at + 28)
    const entry = Buffer.from(archive.subarray(at, next))
    const extra = Buffer.alloc(28)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    for (const [n, field] of [24, 20, 42].entries()) {
      extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(field)), 4 + 8 * n)
      entry.writeUInt32LE(0xffffffff, field)
    }
    entry.writeUInt16LE(extra.length, 30)
    entries.push(entry, extra)
    at = next
  }
  return Buffer.concat([archive.subarray(0, start), ...entries, archive.subarray(end)])
}

const doctype = (inner = '') => `<!DOCTYPE m:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"${inner}>`
const UTF16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(types(override('office.vbaProject')), 'utf16le')])

const REFUSED: [what: string, archive: Buffer][] = [
  [
    'a macro part under another name',
    word({ '[Content_Types].xml': types(override('office.vbaProject')), 'word/data.bin': 'x' }),
  ],
  [
    'a type for an extension',
    word({ '[Content_Types].xml': types('<Default Extension="dat" ContentType="application/vnd.ms-office.vbaProject"/>') }),
  ],
  ['a type in other letters', word({ '[Content_Types].xml': types(override('OFFICE.VBAPROJECT')) })],
  ['a type with a character reference', word({ '[Content_Types].xml': types(override('office.&#118;baProject')) })],
  ['a type in UTF-16', word({ '[Content_Types].xml': UTF16 })],
  [
    'a document that says it has macros',
    word({ '[Content_Types].xml': types('', 'application/vnd.ms-word.document.macroEnabled.main+xml') }),
  ],
  ['an old sheet with macros', word({ '[Content_Types].xml': types(override('excel.intlmacrosheet+xml')) })],
  ['names of macros', word({ '[Content_Types].xml': types(override('word.vbaData+xml')) })],
  ['a relationship with macros', word({ 'word/_rels/document.xml.rels': relations('vbaProject'), 'word/data.bin': 'x' })],
  ['a list of relationships in other letters', word({ 'word/_RELS/document.xml.RELS': relations('vbaProject') })],
  ['two lists of types', renamed(word({ '[Content_Types].xm_': types() }), '[Content_Types].xm_', '[CONTENT_TYPES].xml')],
  ['a list of types that is no XML', word({ '[Content_Types].xml': '<Types' })],
  ['macros in an archive with wide numbers', widened(word({ 'word/_rels/document.xml.rels': relations('vbaProject') }))],
  [
    'a list of OpenDocument with definitions',
    odt({ 'META-INF/manifest.xml': doctype(' [<!ENTITY a "Scripts/a">]') + manifest() }),
  ],
  ['an archive without its directory', word().subarray(0, -30)],
  ['a module of OpenDocument without an ending', odt({ 'Basic/Standard/Module1': 'x' })],
  ['a module of OpenDocument in no library', odt({ 'Basic/Module1.xml': 'x' })],
  ['a module of OpenDocument in small letters', odt({ 'basic/standard/module1.bas': 'x' })],
  ['a script of OpenDocument in any folder', odt({ 'Scripts/ruby/a.rb': 'x' })],
  ['a script of OpenDocument that is only listed', odt({}, 'Scripts/a.py')],
  ['a module of OpenDocument that is only listed', odt({}, './Basic/Standard/Module1.xml')],
]

const ACCEPTED: [what: string, archive: Buffer, type: string][] = [
  ['a text', word(), WORD],
  ['relationships of other kinds', word({ 'word/_rels/document.xml.rels': relations('image', 'media/macroEnabled.png') }), WORD],
  [
    'other parts about macros',
    word({ '[Content_Types].xml': types('<Override PartName="/word/vbaProject-notes.xml" ContentType="application/xml"/>') }),
    WORD,
  ],
  ['an archive with wide numbers', widened(word()), WORD],
  ['OpenDocument', odt(), ODT],
  ['OpenDocument of an old version', odt({ 'META-INF/manifest.xml': doctype() + manifest() }), ODT],
  [
    'OpenDocument with empty libraries',
    odt({ 'Basic/script-lc.xml': 'x', 'Basic/Standard/script-lb.xml': 'x' }, 'Basic/', 'Basic/script-lc.xml', 'Scripts/'),
    ODT,
  ],
]

const typeOf = async (archive: Buffer, size = archive.length) => {
  const parts = Array.from({ length: Math.ceil(archive.length / size) }, (_, n) => archive.subarray(n * size, (n + 1) * size))
  return (await receiveFile(makeMemoryStore(), 'a.docx', Readable.from(parts), () => false)).type
}

describe('an Office file', () => {
  for (const [what, archive] of REFUSED)
    test(`with ${what} is refused`, async () => assert.equal(await typeOf(archive), undefined))
  for (const [what, archive, type] of ACCEPTED)
    test(`is accepted: ${what}`, async () => assert.equal(await typeOf(archive), type))

  test('is read as a whole, also if its first bytes come alone', async () => {
    assert.equal(await typeOf(word(), 3), WORD)
    assert.equal(await typeOf(REFUSED[0]![1], 3), undefined)
  })
})
