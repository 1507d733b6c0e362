import { type DateOrder, detectOrder, readTypedSpan, type TypedReading } from '#platform/i18n/typed-dates.ts'
import { readDelimited } from '#platform/spreadsheet/delimited.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import { SHEET_LIMITS, SpreadsheetError } from '#platform/spreadsheet/sheet.ts'
import { CELLS, type Cell, type CellTexts, type ColumnUse, guessColumns, readHeadings } from './columns.ts'

type Pasted =
  /** `order`: of dates with slashes, if one of them proves it. `left`: headings of columns that are left out. */
  | { ok: true; rows: CellTexts[]; order: DateOrder | undefined; left: string[] }
  | { ok: false; reason: 'empty' | 'too_long' | 'unclosed_quote' }

/** Rows copied from a spreadsheet program, or CSV with any separator. */
export function readPasted(text: string, reading: TypedReading, maxRows: number): Pasted {
  const limits = { ...SHEET_LIMITS, maxRows, maxColumns: 30, maxCellLength: 1000 }
  let sheet: ReturnType<typeof readDelimited>['sheet']
  try {
    sheet = readDelimited(withTabs(text), limits).sheet
  } catch (error) {
    if (error instanceof SpreadsheetError && error.fault === 'unclosed_quote') return { ok: false, reason: 'unclosed_quote' }
    throw error
  }
  if (sheet.isTooLong) return { ok: false, reason: 'too_long' }
  const [first, ...others] = sheet.rows.map(({ cells }) => cells)
  if (!first) return { ok: false, reason: 'empty' }
  const headings = readHeadings(first)
  const rows = headings ? others : [first, ...others]
  if (!rows.length) return { ok: false, reason: 'empty' }
  const uses = headings ?? guessColumns(rows, reading)
  const dates = uses.indexOf('date')
  const found = dates === -1 ? 'none' : detectOrder(rows.map((cells) => cells[dates] ?? ''))
  const left = headings ? first.filter((heading, column) => heading !== '' && !uses[column]) : []
  return {
    ok: true,
    rows: fillDates(rows.map((cells) => toCells(cells, uses))),
    order: found === 'dmy' || found === 'mdy' ? found : undefined,
    left,
  }
}

/** A text copied from a spreadsheet program has a tab between cells; a comma inside of a cell is then no separator. */
const withTabs = (text: string): string => (text.includes('\t') ? `sep=\t\n${text}` : text)

function toCells(cells: readonly string[], uses: readonly ColumnUse[]): CellTexts {
  const row: CellTexts = {}
  for (const [column, use] of uses.entries()) {
    const text = cells[column] ?? ''
    if (use === '' || text === '') continue
    if (use === 'span') {
      const span = readTypedSpan(text)
      row.start = span?.start ?? text
      if (span) row.end = span.end
    } else if (use === 'people') {
      const [, min, max] = /^(\d+)\s?[-–]\s?(\d+)$/.exec(text) ?? [undefined, text, text]
      row.min = min!
      row.max = max!
    } else if (use === 'flow') row.flow = readFlowName(text)
    else row[use] = toSingleLine(text)
  }
  return row
}

/** Cells are fields of one line. */
const toSingleLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Spreadsheets name a day once and leave the cells below it empty. */
function fillDates(rows: readonly CellTexts[]): CellTexts[] {
  let day: string | undefined
  return rows.map((row) => {
    day = row.date ?? day
    return day === undefined ? row : { ...row, date: day }
  })
}

const FLOW_NAMES: Record<string, string> = {
  request_confirm:
    'request requests requestconfirm onrequest theyrequestandaresponsiblepersondecides anfrage aufanfrage anfragen anfragenundbestatigen',
  instant_confirmation:
    'instant direct immediately instantconfirmation theysignupandareconfirmedatonce sofort direkt sofortbestatigt freianmeldung',
  manual: 'manual none closed onlyresponsiblepeopleaddparticipants manuell keine geschlossen nurverantwortliche',
}

/** The flow that the text names; otherwise the text, so that it stands in its cell with the error. */
function readFlowName(text: string): string {
  const folded = foldName(text)
  const found = Object.keys(FLOW_NAMES).find((slug) => slug === text || FLOW_NAMES[slug]!.split(' ').includes(folded))
  return found ?? text
}

export const isEmptyRow = (texts: CellTexts): boolean => CELLS.every((cell: Cell) => !texts[cell]?.trim())
