import { setImmediate } from 'node:timers/promises'
import { AsyncZipDeflate, strToU8, Zip, ZipPassThrough } from 'fflate'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const XLSX_TYPE = `${TYPE}.sheet`

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain them.
const INVALID = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(INVALID, '')
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character]!)

/** Excel calls a file with a longer text damaged. */
const MAX_CELL_LENGTH = 32_767
/** Programs read `_x0041_` as the character with this code (ECMA-376, ST_Xstring). */
const CHARACTER_CODE = /_(?=x[0-9A-F]{4}_)/gi

function formatCell(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const short = lines.length > MAX_CELL_LENGTH ? `${lines.slice(0, MAX_CELL_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : lines
  return escapeXml(short.replaceAll(CHARACTER_CODE, '_x005F_'))
}

const MAX_NAME_LENGTH = 31

/** Names have at least one character, none of these, and no apostrophe at their ends. */
function formatSheetName(name: string): string {
  const clean = name
    .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^'+|'+$|[\ud800-\udbff]$/g, '')
  return escapeXml(clean || '1').replaceAll('"', '&quot;')
}

/** Rows that are made without a turn of the event loop. */
const ROWS_AT_ONCE = 200

/** Parts of a long text, with a turn of the event loop before each. */
async function* inTurns<Item>(items: readonly Item[], textOf: (item: Item, index: number) => string): AsyncGenerator<string> {
  for (let from = 0; from < items.length; from += ROWS_AT_ONCE) {
    await setImmediate()
    const part = items.slice(from, from + ROWS_AT_ONCE)
    yield part.map((item, index) => textOf(item, from + index)).join('')
  }
}

/** A file with these texts; the last one is long and is compressed by a thread. */
async function pack(files: Record<string, string>, longPath: string, parts: AsyncIterable<string>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const archive = new Zip((error, chunk, isLast) => {
    if (error) return reject(error)
    chunks.push(chunk)
    if (isLast) resolve()
  })
  for (const [path, text] of Object.entries(files)) {
    const file = new ZipPassThrough(path)
    archive.add(file)
    file.push(strToU8(text), true)
  }
  const long = new AsyncZipDeflate(longPath, { level: 6 })
  archive.add(long)
  archive.end()
  for await (const part of parts) long.push(strToU8(part))
  long.push(new Uint8Array(), true)
  await promise
  return Buffer.concat(chunks)
}

/** A workbook with one sheet. Every cell is text, so that a program neither runs formulas nor changes numbers and dates. */
export async function formatXlsx(sheetName: string, rows: readonly (readonly string[])[]): Promise<Buffer> {
  const cell = (text: string, style: string) =>
    text === '' ? '<c/>' : `<c t="inlineStr"${style}><is><t xml:space="preserve">${formatCell(text)}</t></is></c>`
  const lineOf = (row: readonly string[], index: number) =>
    `<row>${row.map((text) => cell(text, index === 0 ? ' s="1"' : ' s="2"')).join('')}</row>`
  const name = formatSheetName(sheetName)
  const files: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    // Style 1: bold. Style 2: text, so that an edited phone number keeps its leading zero.
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
  const head = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="20" width="24" customWidth="1"/></cols><sheetData>`
  const sheet = async function* () {
    yield head
    yield* inTurns(rows, lineOf)
    yield '</sheetData></worksheet>'
  }
  return pack(files, 'xl/worksheets/sheet1.xml', sheet())
}
