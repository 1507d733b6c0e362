import { type DateOrder, detectOrder, type FoundOrder, parseDay } from '#platform/i18n/typed-dates.ts'
import { type ColumnUse, findHeadingRow, type NamedQualification, recogniseByContent, recogniseColumns } from './columns.ts'
import type { ForNew, NameChoice, Verdict } from './judgement.ts'
import type { UnknownName } from './verdict.ts'

/** How a list is read; people can change all of it. */
export type ImportSettings = {
  sheet: number
  /** Number of the row with the headings; 0: none. */
  headingRow: number
  uses: ColumnUse[]
  /** Chosen for dates with slashes, by column. */
  orders: Record<number, DateOrder>
  groupChoices: Record<string, NameChoice>
  qualificationChoices: Record<string, NameChoice>
  /** What all new people get. Absent language: that of the instance. */
  forNew?: ForNew
}

export type ImportSummary = {
  counts: Record<Verdict, number>
  unknown: UnknownName[]
  /** Columns with dates whose order had to be found. */
  orders: { column: number; found: FoundOrder }[]
}

export type ImportFormat = { kind: 'xlsx' } | { kind: 'text'; encoding: string; separator: string }
export type SheetInfo = { name: string; rows: number; isTooLong: boolean }
export type ImportState = 'open' | 'waiting' | 'running' | 'applied' | 'undo_waiting' | 'undoing' | 'undone'

type Row = { number: number; cells: readonly string[] }

export const isDate = (text: string): boolean => parseDay(text, { order: 'dmy', lastYear: 2100 }) !== undefined

/** Settings for a sheet that was not looked at yet. */
export function suggestSettings(
  sheet: number,
  rows: readonly Row[],
  qualifications: readonly NamedQualification[],
  headingRow = findHeadingRow(rows, qualifications),
): ImportSettings {
  const headings = headingsOf(rows, headingRow)
  const byHeading = recogniseColumns(headings, qualifications)
  const uses = headingRow > 0 ? byHeading : recogniseByContent(rows, isDate)
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  return {
    sheet,
    headingRow,
    uses: Array.from({ length: width }, (_, column) => uses[column] ?? ''),
    orders: {},
    groupChoices: {},
    qualificationChoices: {},
  }
}

export const headingsOf = (rows: readonly Row[], headingRow: number): readonly string[] =>
  rows.find(({ number }) => number === headingRow)?.cells ?? []

const isDateColumn = (use: ColumnUse): boolean =>
  /^(birth_date|qualifications_until|named_qualification|qualification:\d+)$/.test(use)

/** The order of the dates in each column with dates. */
export function findOrders(rows: readonly Row[], uses: readonly ColumnUse[]): { column: number; found: FoundOrder }[] {
  return uses.flatMap((use, column) => {
    if (!isDateColumn(use)) return []
    const found = detectOrder(rows.map(({ cells }) => cells[column] ?? ''))
    return found === 'none' ? [] : [{ column, found }]
  })
}

/** A choice counts only where the dates themselves do not prove an order. */
export function effectiveOrders(
  found: readonly { column: number; found: FoundOrder }[],
  chosen: Readonly<Record<number, DateOrder>>,
): Record<number, DateOrder> {
  return Object.fromEntries(
    found.flatMap(({ column, found: order }) => {
      const effective = order === 'dmy' || order === 'mdy' ? order : chosen[column]
      return effective ? [[column, effective]] : []
    }),
  )
}

const DAY_MS = 24 * 3600_000
/** An import can be undone for a day. Then its rows are deleted. */
export const UNDO_MS = DAY_MS

export const canBeUndone = ({ state, appliedAt }: { state: ImportState; appliedAt: Date | null }, now: Date): boolean =>
  state === 'applied' && appliedAt !== null && now.getTime() - appliedAt.getTime() < UNDO_MS
