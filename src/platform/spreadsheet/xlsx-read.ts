import { cleanCell, type Sheet, type SheetLimits, type SheetRow, SpreadsheetError, trimCells } from './sheet.ts'
import { parseXml } from './xml.ts'
import { openZip, type ZipArchive, type ZipLimits } from './zip.ts'

const MAX_SHEETS = 20

/** The visible sheets of a workbook (ECMA-376). Formulas are read as the value that the program stored. */
export async function readXlsx(bytes: Buffer, limits: SheetLimits, zipLimits?: ZipLimits): Promise<Sheet[]> {
  const zip = openZip(bytes, zipLimits)
  const workbook = await readWorkbook(zip)
  const shared = await readSharedStrings(zip)
  const isDate = await readDateStyles(zip)
  const sheets: Sheet[] = []
  for (const { name, path } of workbook.sheets.slice(0, MAX_SHEETS)) {
    const content = await zip.read(path)
    if (!content) throw new SpreadsheetError('damaged')
    sheets.push({ name, ...(await readSheet(content, { shared, isDate, uses1904: workbook.uses1904 }, limits)) })
  }
  return sheets
}

async function requireEntry(zip: ZipArchive, path: string): Promise<Buffer> {
  const content = await zip.read(path)
  if (!content) throw new SpreadsheetError('damaged')
  return content
}

type Workbook = { sheets: { name: string; path: string }[]; uses1904: boolean }

async function readWorkbook(zip: ZipArchive): Promise<Workbook> {
  const targets = new Map<string, string>()
  await parseXml(await requireEntry(zip, 'xl/_rels/workbook.xml.rels'), {
    open: (name, { Id, Target = '' }) => {
      if (name === 'Relationship' && Id !== undefined) targets.set(Id, Target)
    },
  })
  const listed: { name: string; relation: string }[] = []
  let uses1904 = false
  await parseXml(await requireEntry(zip, 'xl/workbook.xml'), {
    open: (name, attributes) => {
      if (name === 'workbookPr') uses1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      // Hidden sheets contain lists and calculations of other sheets.
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      listed.push({ name: attributes.name ?? '', relation })
    },
  })
  const sheets = listed.flatMap(({ name, relation }) => {
    const path = pathOf(targets.get(relation) ?? '')
    // Charts are listed like sheets.
    return path.startsWith('xl/worksheets/') || /sheet/i.test(path) ? [{ name, path }] : []
  })
  if (!sheets.length) throw new SpreadsheetError('empty')
  return { sheets, uses1904 }
}

/** Relative to `xl/`, or to the root of the archive. */
const pathOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)

/** Cells refer to them by their position. Phonetic hints are not part of the text. */
async function readSharedStrings(zip: ZipArchive): Promise<string[]> {
  const content = await zip.read('xl/sharedStrings.xml')
  if (!content) return []
  const strings: string[] = []
  let text = ''
  let isText = false
  let isHint = false
  await parseXml(content, {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') isHint = true
      if (name === 't') isText = !isHint
    },
    close: (name) => {
      if (name === 'si') strings.push(text)
      if (name === 'rPh') isHint = false
      if (name === 't') isText = false
    },
    text: (part) => {
      if (isText) text += part
    },
  })
  return strings
}

/** Built-in formats of days, and of days with times; those of East Asian versions included. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** Formats with a day, month or year outside of quotes, brackets and escapes. `m` alone means minutes beside hours or seconds. */
export function isDateFormat(code: string): boolean {
  const letters = code.split(';')[0]!.replaceAll(/"[^"]*"|\[(?!h|m|s)[^\]]*\]|\\.|_./gi, '')
  if (/general/i.test(letters)) return false
  return /[yd]/i.test(letters) || (/m/i.test(letters) && !/[hs]/i.test(letters))
}

/** Whether the style with this position shows numbers as dates. */
async function readDateStyles(zip: ZipArchive): Promise<(style: number) => boolean> {
  const content = await zip.read('xl/styles.xml')
  if (!content) return () => false
  const custom = new Map<number, boolean>()
  const styles: number[] = []
  let isCellStyle = false
  await parseXml(content, {
    open: (name, attributes) => {
      if (name === 'numFmt') custom.set(Number(attributes.numFmtId), isDateFormat(attributes.formatCode ?? ''))
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) styles.push(Number(attributes.numFmtId ?? 0))
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return (style) => {
    const format = styles[style]
    return format !== undefined && (custom.get(format) ?? isBuiltInDate(format))
  }
}

type Meaning = { shared: readonly string[]; isDate: (style: number) => boolean; uses1904: boolean }

class TooLongError extends Error {}

async function readSheet(content: Buffer, meaning: Meaning, limits: SheetLimits): Promise<Omit<Sheet, 'name'>> {
  const rows: SheetRow[] = []
  let number = 0
  let cells: string[] = []
  let column = 0
  let cell: { type: string; style: number; value: string } | undefined
  let isValue = false
  const closeCell = () => {
    if (cell && column < limits.maxColumns) {
      while (cells.length < column) cells.push('')
      cells[column] = cleanCell(readValue(cell, meaning), limits)
    }
    cell = undefined
    column++
  }
  try {
    await parseXml(content, {
      open: (name, attributes) => {
        if (name === 'row') {
          number = Number(attributes.r ?? number + 1)
          cells = []
          column = 0
        } else if (name === 'c') {
          column = attributes.r === undefined ? column : columnOf(attributes.r)
          cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '' }
        } else if (name === 'v' || name === 't') isValue = cell !== undefined
        else if (name === 'rPh') isValue = false
      },
      close: (name) => {
        if (name === 'v' || name === 't') isValue = false
        else if (name === 'c') closeCell()
        else if (name === 'row') {
          const kept = trimCells(cells)
          if (kept.length) rows.push({ number, cells: kept })
          if (rows.length > limits.maxRows) throw new TooLongError()
        }
      },
      text: (part) => {
        if (isValue && cell) cell.value += part
      },
    })
  } catch (error) {
    if (error instanceof TooLongError) return { rows: [], isTooLong: true }
    throw error
  }
  return { rows, isTooLong: false }
}

/** The position of the column of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function readValue({ type, style, value }: { type: string; style: number; value: string }, meaning: Meaning): string {
  if (type === 's') return decodeCharacters(meaning.shared[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  // An error of a formula, such as #REF!, is no value.
  if (type === 'e') return ''
  if (type === 'str' || type === 'inlineStr') return decodeCharacters(value)
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (meaning.isDate(style)) return dayOfSerial(number, meaning.uses1904) ?? value
  // Phone numbers and postcodes without exponents.
  return Number.isInteger(number) && Math.abs(number) < 1e21 ? number.toFixed(0) : String(number)
}

/** Texts contain characters that XML does not allow as `_x0007_` (ECMA-376, ST_Xstring). */
const decodeCharacters = (text: string): string =>
  text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const DAY_MS = 86_400_000
const LAST_SERIAL = 2_958_465

/**
 * The day of a serial number, as `YYYY-MM-DD`, with the time if it has one. The system of 1900 counts a 29 February 1900 that did not
 * exist, so its days before 1 March 1900 are shifted by one.
 */
export function dayOfSerial(serial: number, uses1904: boolean): string | undefined {
  if (serial < 0 || serial > LAST_SERIAL) return undefined
  const whole = Math.floor(serial)
  const start = uses1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, whole < 60 ? 31 : 30)
  const minutes = Math.round((serial - whole) * 1440)
  const text = new Date(start + whole * DAY_MS + minutes * 60_000).toISOString()
  return minutes === 0 ? text.slice(0, 10) : text.slice(0, 16)
}
