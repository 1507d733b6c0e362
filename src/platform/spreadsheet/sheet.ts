/** A row with at least one cell that is not empty. `number`: as a spreadsheet program shows it. */
export type SheetRow = { number: number; cells: string[] }

/** `isTooLong`: has more rows than are read; `rows` is empty then. */
export type Sheet = { name: string; rows: SheetRow[]; isTooLong: boolean }

export type TextEncoding = 'utf-8' | 'utf-16' | 'windows-1252'
export type Separator = ',' | ';' | '\t' | '|'

export type Spreadsheet =
  | { kind: 'text'; encoding: TextEncoding; separator: Separator; sheets: Sheet[] }
  | { kind: 'xlsx'; sheets: Sheet[] }

export type SpreadsheetFault =
  /** Nothing but empty cells. */
  | 'empty'
  | 'too_long'
  /** An archive that becomes much larger when it is unpacked. */
  | 'too_large'
  | 'unknown_type'
  /** `.xls`, or `.xlsx` with a password. */
  | 'old_excel'
  | 'damaged'
  /** Office programs never write document type declarations; attackers use them to read files and to exhaust memory. */
  | 'doctype'
  | 'unclosed_quote'

/** A file that cannot be read. */
export class SpreadsheetError extends Error {
  readonly fault: SpreadsheetFault

  constructor(fault: SpreadsheetFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

export type SheetLimits = {
  maxRows: number
  /** Cells further to the right are dropped. */
  maxColumns: number
  /** The rest of a longer cell is dropped. */
  maxCellLength: number
}

export const SHEET_LIMITS: SheetLimits = { maxRows: 50_000, maxColumns: 100, maxCellLength: 5000 }

/** Without characters that cannot be stored, and without white space around it; spreadsheets contain no-break spaces. */
export const cleanCell = (text: string, { maxCellLength }: SheetLimits): string =>
  text
    .slice(0, maxCellLength)
    .replaceAll('\0', '')
    .toWellFormed()
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .trim()

/** Removes empty cells at the end of a row. */
export function trimCells(cells: string[]): string[] {
  let length = cells.length
  while (length > 0 && cells[length - 1] === '') length--
  return cells.slice(0, length)
}
