import { decodeText, readDelimited } from './delimited.ts'
import { SHEET_LIMITS, type Sheet, type SheetLimits, type Spreadsheet, SpreadsheetError } from './sheet.ts'
import { readXlsx } from './xlsx-read.ts'

const startsWith = (bytes: Buffer, signature: string): boolean =>
  bytes.subarray(0, signature.length).toString('latin1') === signature

/** Reads a file by its content; names and types that a client claims do not matter. */
export async function readSpreadsheet(bytes: Buffer, limits: SheetLimits = SHEET_LIMITS): Promise<Spreadsheet> {
  if (startsWith(bytes, 'PK')) return { kind: 'xlsx', sheets: requireRows(await readXlsx(bytes, limits)) }
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) throw new SpreadsheetError('old_excel')
  const { text, encoding } = decodeText(bytes)
  if (!isText(text)) throw new SpreadsheetError('unknown_type')
  return readTable(text, limits, encoding)
}

/** A table that was pasted or decoded. */
export function readTable(
  text: string,
  limits: SheetLimits = SHEET_LIMITS,
  encoding: 'utf-8' | 'utf-16' | 'windows-1252' = 'utf-8',
): Spreadsheet {
  const { separator, sheet } = readDelimited(text, limits)
  return { kind: 'text', encoding, separator, sheets: requireRows([sheet]) }
}

function requireRows(sheets: Sheet[]): Sheet[] {
  const filled = sheets.filter(({ rows }) => rows.length)
  if (filled.length) return filled
  throw new SpreadsheetError(sheets.some(({ isTooLong }) => isTooLong) ? 'too_long' : 'empty')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none besides tab, line feed, form feed and return.
const CONTROLS = /[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]/g

/** Pictures and programs contain many control characters. */
function isText(text: string): boolean {
  const sample = text.slice(0, 4000)
  if (/^\s*(%PDF-|<(!doctype|html|\?xml))/i.test(sample)) return false
  return (sample.match(CONTROLS)?.length ?? 0) <= sample.length / 100
}
