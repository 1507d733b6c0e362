import { promisify } from 'node:util'
import { type AsyncZippable, strToU8, zip } from 'fflate'

const pack = promisify<AsyncZippable, Uint8Array>((files, done) => zip(files, { level: 6 }, done))

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

/** A workbook with one sheet. Every cell is text, so that a program neither runs formulas nor changes numbers and dates. */
export async function formatXlsx(sheetName: string, rows: readonly (readonly string[])[]): Promise<Buffer> {
  const cell = (text: string, style: string) =>
    text === '' ? '<c/>' : `<c t="inlineStr"${style}><is><t xml:space="preserve">${formatCell(text)}</t></is></c>`
  const lines = rows.map(
    (row, index) => `<row>${row.map((text) => cell(text, index === 0 ? ' s="1"' : ' s="2"')).join('')}</row>`,
  )
  const name = formatSheetName(sheetName)
  const files: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    // Style 1: bold. Style 2: text, so that an edited phone number keeps its leading zero.
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="20" width="24" customWidth="1"/></cols><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const entries = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))
  return Buffer.from(await pack(entries))
}
