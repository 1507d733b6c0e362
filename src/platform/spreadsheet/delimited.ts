import { unguardCell } from '#platform/csv.ts'
import {
  cleanCell,
  type Separator,
  type Sheet,
  type SheetLimits,
  SpreadsheetError,
  type TextEncoding,
  trimCells,
} from './sheet.ts'

/** Byte order marks, zero bytes of UTF-16, valid UTF-8; everything else is read as Windows-1252, as Excel writes it. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncoding } {
  const [first, second, third] = bytes
  const decode = (label: string, encoding: TextEncoding) => ({ text: new TextDecoder(label).decode(bytes), encoding })
  if (first === 0xff && second === 0xfe) return decode('utf-16le', 'utf-16')
  if (first === 0xfe && second === 0xff) return decode('utf-16be', 'utf-16')
  if (first === 0xef && second === 0xbb && third === 0xbf) return decode('utf-8', 'utf-8')
  const zeros = countZeros(bytes.subarray(0, 2000))
  if (zeros.odd > 2 * zeros.even + 2) return decode('utf-16le', 'utf-16')
  if (zeros.even > 2 * zeros.odd + 2) return decode('utf-16be', 'utf-16')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return decode('windows-1252', 'windows-1252')
  }
}

function countZeros(bytes: Uint8Array): { even: number; odd: number } {
  const count = { even: 0, odd: 0 }
  for (const [index, byte] of bytes.entries()) if (byte === 0) count[index % 2 === 0 ? 'even' : 'odd']++
  return count
}

const SEPARATORS: readonly Separator[] = ['\t', ';', ',', '|']
const SAMPLE_ROWS = 50

/** The separator with which most of the first rows have the same number of columns; then the one with more columns. */
function detectSeparator(text: string): Separator {
  const scored = SEPARATORS.map((separator) => {
    const counts = new Map<number, number>()
    let rows = 0
    for (const cells of parseRecords(text, separator, { isTolerant: true })) {
      counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
      if (++rows === SAMPLE_ROWS) break
    }
    const several = [...counts].filter(([columns]) => columns > 1)
    const [columns, agreeing] = several.reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])
    return { separator, agreeing, columns }
  })
  const best = scored.reduce((found, each) =>
    each.agreeing > found.agreeing || (each.agreeing === found.agreeing && each.columns > found.columns) ? each : found,
  )
  return best.agreeing > 0 ? best.separator : ','
}

/**
 * Records of RFC 4180, with LF, CRLF or CR. A quotation mark inside of an unquoted cell is an ordinary character. `isTolerant`: a
 * quote that is not closed ends with the text, for samples.
 */
export function* parseRecords(text: string, separator: Separator, { isTolerant = false } = {}): Generator<string[]> {
  let at = 0
  let record: string[] = []
  while (at < text.length) {
    let cell: string
    if (text[at] === '"') {
      const parts: string[] = []
      let from = at + 1
      for (;;) {
        const quote = text.indexOf('"', from)
        if (quote === -1) {
          if (!isTolerant) throw new SpreadsheetError('unclosed_quote')
          parts.push(text.slice(from))
          at = text.length
          break
        }
        parts.push(text.slice(from, quote))
        at = quote + 1
        if (text[at] !== '"') break
        parts.push('"')
        from = at + 1
      }
      const end = endOfCell(text, at, separator)
      cell = parts.join('') + text.slice(at, end)
      at = end
    } else {
      const end = endOfCell(text, at, separator)
      cell = text.slice(at, end)
      at = end
    }
    record.push(cell)
    if (text[at] === separator) {
      at++
      if (at < text.length) continue
      record.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    yield record
    record = []
  }
}

function endOfCell(text: string, from: number, separator: Separator): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === separator || character === '\n' || character === '\r') return at
  }
  return text.length
}

/** Excel writes and reads this first line. */
const SEPARATOR_LINE = /^sep=([,;|\t])\r?\n/i

/** A text with separators as one sheet. Formulas are data: a guard of our own exports is removed. */
export function readDelimited(given: string, limits: SheetLimits): { separator: Separator; sheet: Sheet } {
  const text = given.replace(/^\ufeff/, '')
  const named = SEPARATOR_LINE.exec(text)
  const body = named ? text.slice(named[0].length) : text
  const separator = (named?.[1] as Separator | undefined) ?? detectSeparator(body)
  const rows: Sheet['rows'] = []
  let number = named ? 1 : 0
  for (const record of parseRecords(body, separator)) {
    number++
    const cells = trimCells(record.slice(0, limits.maxColumns).map((cell) => unguardCell(cleanCell(cell, limits))))
    if (cells.length) rows.push({ number, cells })
    if (rows.length > limits.maxRows) return { separator, sheet: { name: '', rows: [], isTooLong: true } }
  }
  return { separator, sheet: { name: '', rows, isTooLong: false } }
}
