import { type FormVersion, makeFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { findRows } from '#features/planning/shift-forms/rules/form-rows.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { PARTS, type Part } from './cells.ts'
import { CELLS, type Cell, type CellTexts } from './columns.ts'

/** The form of more rows would be larger than what the server reads. */
export const MAX_ROWS = 300
const PREFIX = 'r'
export const rowField = (row: number, name: string): string => `${PREFIX}${row}-${name}`

/** Which of two equal local times is meant. */
export const WHICH = ['meeting', 'start', 'end'] as const

/** A row of the form. `id`: of the stored shift. `seen`: what the shift was when the table was loaded. */
export type TableRow = {
  row: number
  id: number | undefined
  seen: FormVersion
  isGone: boolean
  isPicked: boolean
  texts: CellTexts
  which: Partial<Record<(typeof WHICH)[number], string>>
}

export function readRows(values: FormValues): TableRow[] {
  return findRows(values, PREFIX)
    .slice(0, MAX_ROWS)
    .map((row) => {
      const text = (name: string) => fieldValue(values, rowField(row, name))
      const id = text('id')
      const sent = CELLS.filter((cell) => values[rowField(row, cell)] !== undefined)
      return {
        row,
        id: /^\d{1,15}$/.test(id) ? Number(id) : undefined,
        seen: readSeen(text('seen')),
        isGone: text('gone') !== '',
        isPicked: text('pick') !== '',
        texts: Object.fromEntries(sent.map((cell) => [cell, text(cell)])),
        which: Object.fromEntries(WHICH.map((name) => [name, text(`${name}_which`)])),
      }
    })
}

/** The values of rows, numbered again. */
export function writeRows(rows: readonly Omit<TableRow, 'row'>[]): FormValues {
  const values: FormValues = {}
  for (const [row, { id, seen, isGone, isPicked, texts, which }] of rows.entries()) {
    const set = (name: string, text: string | undefined) => {
      if (text !== undefined && text !== '') values[rowField(row, name)] = text
    }
    values[rowField(row, 'on')] = '1'
    set('id', id === undefined ? '' : String(id))
    set('seen', writeSeen(seen))
    set('gone', isGone ? '1' : '')
    set('pick', isPicked ? 'on' : '')
    for (const cell of CELLS) if (texts[cell as Cell] !== undefined) values[rowField(row, cell)] = texts[cell as Cell]!
    for (const name of WHICH) set(`${name}_which`, which[name])
  }
  return values
}

export const emptyRow = (texts: CellTexts = {}): Omit<TableRow, 'row'> => ({
  id: undefined,
  seen: {},
  isGone: false,
  isPicked: false,
  texts,
  which: {},
})

export const writeSeen = (seen: FormVersion): string =>
  PARTS.some((part) => seen[part] !== undefined) ? PARTS.map((part) => seen[part] ?? '').join('.') : ''

function readSeen(text: string): FormVersion {
  const marks = text.split('.')
  return text === '' ? {} : Object.fromEntries(PARTS.map((part, index) => [part, marks[index] ?? '']))
}

export const versionOf = (parts: Record<Part, string>): FormVersion => makeFormVersion(parts)
