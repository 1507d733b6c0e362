import type { Language } from './i18n/languages.ts'
import { decimalSeparatorOf } from './i18n/numbers.ts'

/** Spreadsheet programs run cells that start like this as a formula; full-width variants and leading white space included. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** As pages write them: as a formula it would be a number, but spreadsheet programs keep the spaces and take it as a text. */
const PHONE = /^\+\d{1,3}(?: \d+)+$/

const needsGuard = (text: string): boolean => FORMULA.test(text) && !PHONE.test(text)

/** The value of a cell that `formatCsv` guarded. */
export const unguardCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

function formatCell(text: string): string {
  const cell = needsGuard(text) ? `'${text}` : text
  const needsQuotes = /["\r\n,;\t]/.test(cell) || cell !== cell.trim()
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Spreadsheet programs expect semicolons in languages with a decimal comma. */
export const separatorFor = (language: Language): ',' | ';' => (decimalSeparatorOf(language) === ',' ? ';' : ',')

/** RFC 4180, with a byte order mark so that Excel reads UTF-8. */
export function formatCsv(rows: readonly (readonly string[])[], separator: ',' | ';' = ','): string {
  return `\ufeff${formatLines(rows, separator)}`
}

/** Without the mark: a part of a file. */
export const formatLines = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  rows.map((row) => `${row.map(formatCell).join(separator)}\r\n`).join('')
