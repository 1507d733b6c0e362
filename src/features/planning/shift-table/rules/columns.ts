import { readTypedDay, readTypedSpan, readTypedTime, type TypedReading } from '#platform/i18n/typed-dates.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'

/** The columns of the table that people type into. */
export const CELLS = ['date', 'meeting', 'start', 'end', 'label', 'min', 'max', 'flow', 'until'] as const
export type Cell = (typeof CELLS)[number]
export type CellTexts = Partial<Record<Cell, string>>

/** What a pasted column can contain. `span`: start and end. `people`: as many as are needed. Empty: the column is left out. */
export type ColumnUse = Cell | 'span' | 'people' | ''

/** Headings as `foldName` returns them, in both languages. */
const HEADINGS: Record<Exclude<ColumnUse, ''>, string> = {
  date: 'date day when datum tag wann termin',
  span: 'time times hours from to zeit zeiten uhrzeit uhrzeiten zeitraum vonbis fromto startend beginnende',
  meeting: 'meeting meet meetingtime meetat arrival treffen treffpunkt treffzeit treff ankunft antreten',
  start: 'start starts from begin begins starttime shiftstart beginn anfang von ab startzeit schichtbeginn',
  end: 'end ends to until till endtime shiftend finish ende bis endzeit schichtende',
  label:
    'shift title name label what task role job position description shifttitle schicht titel bezeichnung aufgabe was dienst posten bereich einsatz beschreibung schichtname',
  people:
    'people persons number count helpers volunteers staff needed places personen anzahl helfer helferinnen bedarf benotigt platze kopfe',
  min: 'min minimum atleast mindestens minpeople minimumpeople mindestzahl mindestanzahl untergrenze',
  max: 'max maximum atmost hochstens maxpeople maximumpeople hochstzahl maximalzahl obergrenze',
  flow: 'signup howpeoplejoin flow mode anmeldung anmeldeart anmeldeverfahren artderanmeldung',
  until: 'signupuntil signupcloses closes deadline anmeldebis anmeldungbis anmeldeschluss anmeldungendet frist',
}
const USES = new Map<string, ColumnUse>(
  (Object.keys(HEADINGS) as (keyof typeof HEADINGS)[]).flatMap((use) =>
    HEADINGS[use].split(' ').map((heading) => [heading, use] as const),
  ),
)

/** A column named only “from” is the start, if another one is the end. Each use counts once. */
function usesOfHeadings(cells: readonly string[]): ColumnUse[] {
  const found = cells.map((cell) => USES.get(foldName(cell)) ?? '')
  return found.map((use, index) => (found.indexOf(use) === index ? use : ''))
}

/** The uses of the columns, if the row has headings: most of its texts are known ones. */
export function readHeadings(cells: readonly string[]): ColumnUse[] | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '').length
  const uses = usesOfHeadings(cells)
  const known = uses.filter(Boolean).length
  return known > 0 && known * 2 >= filled ? uses : undefined
}

const SAMPLE_ROWS = 20
type Row = readonly string[]

/** Without headings the columns are known by what most of their texts are; numbers are people, the longest texts are titles. */
export function guessColumns(rows: readonly Row[], reading: TypedReading): ColumnUse[] {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const width = Math.max(0, ...sample.map((cells) => cells.length))
  const textsOf = (column: number) => sample.map((cells) => cells[column]?.trim() ?? '').filter(Boolean)
  const isMost = (texts: readonly string[], test: (text: string) => boolean) =>
    texts.length > 0 && texts.filter(test).length * 2 > texts.length
  const kinds = Array.from({ length: width }, (_, column) => {
    const texts = textsOf(column)
    if (isMost(texts, (text) => /[./\-\p{L}]/u.test(text) && readTypedDay(text, reading).ok && !isClock(text))) return 'date'
    if (isMost(texts, (text) => readTypedSpan(text) !== undefined)) return 'span'
    if (isMost(texts, isClock)) return 'time'
    if (isMost(texts, (text) => /^\d{1,4}$/.test(text))) return 'number'
    return texts.length ? 'text' : ''
  })
  return nameKinds(kinds, textsOf)
}

const isClock = (text: string): boolean => /[:h]|uhr|am$|pm$|^\d{1,2}\.[0-5]\d$/i.test(text) && readTypedTime(text) !== undefined

/** Two columns of times are start and end, three begin with the meeting time. Plain numbers are times if none look like them. */
function nameKinds(kinds: readonly string[], textsOf: (column: number) => string[]): ColumnUse[] {
  const columnsOf = (kind: string) => kinds.flatMap((each, column) => (each === kind ? [column] : []))
  const uses = kinds.map((): ColumnUse => '')
  const name = (columns: readonly number[], names: readonly ColumnUse[]) => {
    for (const [index, column] of columns.entries()) uses[column] = names[index] ?? ''
  }
  const numbers = columnsOf('number')
  const times = columnsOf('time')
  const hasTimes = times.length > 0 || kinds.includes('span')
  const clocks = hasTimes ? times : numbers.splice(0, 2)
  name(columnsOf('date'), ['date'])
  name(columnsOf('span'), ['span'])
  name(clocks, clocks.length > 2 ? ['meeting', 'start', 'end'] : ['start', 'end'])
  name(numbers, numbers.length > 1 ? ['min', 'max'] : ['people'])
  const lengthOf = (column: number) => textsOf(column).reduce((sum, text) => sum + text.length, 0)
  const [longest] = columnsOf('text').sort((a, b) => lengthOf(b) - lengthOf(a))
  if (longest !== undefined) uses[longest] = 'label'
  return uses
}
