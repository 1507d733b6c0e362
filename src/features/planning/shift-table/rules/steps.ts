import { Temporal } from 'temporal-polyfill'
import { readTypedDay, readTypedTime, type TypedReading } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { CELLS, type Cell, type CellTexts } from './columns.ts'
import { splitMoment } from './deadline.ts'
import { isEmptyRow, readPasted } from './paste.ts'
import { emptyRow, MAX_ROWS, readRows, type TableRow, writeRows } from './rows.ts'

type Row = Omit<TableRow, 'row'>

/** What a step says to the planner; `field`: where it stands. */
export type StepNote = { kind: 'good' | 'bad'; field: 'paste' | 'change'; text: string }
type Stepped = { values: FormValues; note?: StepNote | undefined; order?: TypedReading['order'] }

export const STEPS = ['paste', 'add', 'fill', 'change', 'copy', 'remove', 'restore'] as const
export type Step = (typeof STEPS)[number]
export const isStep = (step: string): step is Step => (STEPS as readonly string[]).includes(step)

/** A stored shift, or a new row in which something is typed. */
const isFilled = ({ id, texts }: Row): boolean => id !== undefined || !isEmptyRow(texts)

/** Fields of the form that are no rows. */
const OTHERS = [
  'paste',
  'pattern',
  'order',
  'column',
  'by_sign',
  'by_count',
  'by_unit',
  'set_min',
  'set_max',
  'set_flow',
  'set_until',
]

/** How many empty rows a planner gets at once. */
export const NEW_ROWS = 5

type StepContext = { words: Words; reading: TypedReading }

/** Changes rows of the form; nothing is saved. */
export function applyTableStep(values: FormValues, step: Step, context: StepContext): Stepped {
  const rows = readRows(values)
  const others = Object.fromEntries(OTHERS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]!]])))
  const done = (next: readonly Row[], more: FormValues = {}, note?: StepNote): Stepped => ({
    values: { ...others, ...more, ...writeRows(next.slice(0, MAX_ROWS)) },
    note,
  })
  const picked = rows.filter(({ isPicked }) => isPicked)
  const bad = (field: StepNote['field'], text: string) => done(rows, {}, { kind: 'bad', field, text })
  const { words } = context
  if (step === 'add') return done([...rows, ...Array.from({ length: NEW_ROWS }, () => emptyRow())])
  if (step === 'paste') return paste(rows, fieldValue(values, 'paste'), context, done)
  if (!picked.length) return bad('change', words.t('table.none_picked'))
  if (step === 'remove') return done(rows.flatMap((row) => remove(row)))
  if (step === 'restore') return done(rows.map((row) => (row.isPicked ? { ...row, isGone: false, isPicked: false } : row)))
  if (step === 'fill') return done(fillDown(rows, fieldValue(values, 'column')))
  const offset = readOffset(values)
  if (offset === undefined) return bad('change', words.t('table.offset_invalid'))
  if (step === 'copy') {
    const copies = picked
      .filter(isFilled)
      .map((row) => ({ ...emptyRow(move(row.texts, offset, context)), isPicked: true, which: {} }))
    const kept = rows.filter(isFilled).map((row) => ({ ...row, isPicked: false }))
    if (kept.length + copies.length > MAX_ROWS) return bad('change', words.t('table.too_many', { count: MAX_ROWS }))
    return done([...kept, ...copies])
  }
  const isChanged = (row: Row) => row.isPicked && !row.isGone && isFilled(row)
  const count = rows.filter(isChanged).length
  if (!count) return bad('change', words.t('table.none_picked'))
  const changed = rows.map((row) => (isChanged(row) ? { ...row, texts: change(row.texts, values, offset, context) } : row))
  return done(
    changed,
    { by_count: '', set_min: '', set_max: '', set_flow: '', set_until: '' },
    {
      kind: 'good',
      field: 'change',
      text: words.t('table.changed_rows', { count }),
    },
  )
}

function paste(
  rows: readonly Row[],
  text: string,
  { words, reading }: StepContext,
  done: (rows: readonly Row[], more?: FormValues, note?: StepNote) => Stepped,
): Stepped {
  const filled = rows.filter(isFilled)
  const left = Math.max(0, MAX_ROWS - filled.length)
  const read = readPasted(text, reading, left)
  if (!read.ok) {
    const reason =
      read.reason === 'too_long' ? words.t('table.too_many', { count: MAX_ROWS }) : words.t(`table.paste_${read.reason}`)
    return done(rows, {}, { kind: 'bad', field: 'paste', text: reason })
  }
  const said = [
    words.t('table.pasted', { count: read.rows.length }),
    ...(read.left.length ? [words.t('table.left_out', { columns: words.list(read.left) })] : []),
  ]
  const order: FormValues = read.order ? { order: read.order } : {}
  return done(
    [...filled, ...read.rows.map((texts) => emptyRow(texts))],
    { paste: '', ...order },
    { kind: 'good', field: 'paste', text: said.join(' ') },
  )
}

/** A new row disappears; a stored shift is marked, and deleted when the table is saved. */
const remove = (row: Row): Row[] => {
  if (!row.isPicked) return [row]
  return row.id === undefined ? [] : [{ ...row, isGone: true, isPicked: false }]
}

/** The value of the first chosen row in all chosen rows, as far as they have the cell. */
function fillDown(rows: readonly Row[], column: string): Row[] {
  const cell = CELLS.find((each) => each === column)
  const first = rows.find(({ isPicked }) => isPicked)
  if (!cell || !first) return [...rows]
  const text = first.texts[cell] ?? ''
  return rows.map((row) =>
    row.isPicked && (row.id === undefined || row.texts[cell] !== undefined)
      ? { ...row, texts: { ...row.texts, [cell]: text } }
      : row,
  )
}

const MAX_OFFSET = 9999
/** Undefined if what was typed is no number. */
function readOffset(values: FormValues): Temporal.Duration | undefined {
  const text = fieldValue(values, 'by_count').trim()
  if (text === '') return new Temporal.Duration()
  if (!/^\d{1,4}$/.test(text) || Number(text) > MAX_OFFSET) return undefined
  const count = Number(text) * (fieldValue(values, 'by_sign') === 'earlier' ? -1 : 1)
  const unit = fieldValue(values, 'by_unit')
  return Temporal.Duration.from(unit === 'days' ? { days: count } : unit === 'hours' ? { hours: count } : { minutes: count })
}

/** Cells that cannot be read stay as they are; the error stands beside them. */
function change(texts: CellTexts, values: FormValues, offset: Temporal.Duration, context: StepContext): CellTexts {
  const typed: [Cell, string][] = [
    ['min', fieldValue(values, 'set_min').trim()],
    ['max', fieldValue(values, 'set_max').trim()],
    ['flow', fieldValue(values, 'set_flow')],
    ['until', fieldValue(values, 'set_until').trim()],
  ]
  const isCell = (cell: Cell) => (cell !== 'min' && cell !== 'max' ? true : texts[cell] !== undefined || texts.date === undefined)
  const given = typed.filter(([cell, text]) => text !== '' && isCell(cell))
  return { ...move(texts, offset, context), ...Object.fromEntries(given) }
}

/** Moves all times of a row, in local time: a shift from 8 to 12 stays one over the change of clocks. */
function move(texts: CellTexts, offset: Temporal.Duration, { words, reading }: StepContext): CellTexts {
  if (offset.blank) return texts
  const day = readTypedDay(texts.date ?? '', reading)
  const start = readTypedTime(texts.start ?? '')
  if (!day.ok || start === undefined || start === '24:00') return texts
  const print = (wall: Temporal.PlainDateTime) => ({
    day: words.shortDate(new Date(`${wall.toPlainDate().toString()}T12:00Z`)),
    time: wall.toPlainTime().toString().slice(0, 5),
  })
  const moved = print(Temporal.PlainDateTime.from(`${day.day}T${start}`).add(offset))
  const other = (cell: 'meeting' | 'end'): CellTexts => {
    const text = texts[cell] ?? ''
    const time = readTypedTime(text)
    if (time !== undefined) {
      const wall = Temporal.PlainDateTime.from(`${day.day}T${time === '24:00' ? '00:00' : time}`)
      return { [cell]: print(wall.add(offset)).time }
    }
    const both = splitMoment(text, reading)
    if (!both) return {}
    const { day: on, time: at } = print(Temporal.PlainDateTime.from(`${both.day}T${both.time}`).add(offset))
    return { [cell]: `${on} ${at}` }
  }
  return { ...texts, date: moved.day, start: moved.time, ...other('meeting'), ...other('end') }
}
