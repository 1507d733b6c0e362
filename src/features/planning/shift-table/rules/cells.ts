import type { FaultCode } from '#features/planning/shift-forms/rules/form-rows.ts'
import { checkSlugs } from '#features/planning/shift-forms/rules/offered-slugs.ts'
import {
  newShiftValues,
  readShift,
  type ShiftInput,
  type ShiftRead,
  type StoredShift,
  shiftPrefix,
  shiftValues,
} from '#features/planning/shift-forms/rules/shift-form.ts'
import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import { addDays } from '#platform/i18n/days.ts'
import { readTypedDay, readTypedTime, type TypedReading } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import type { Cell, CellTexts } from './columns.ts'
import { type Deadline, KEEP, readDeadline, splitMoment } from './deadline.ts'

/** Cells that belong together: if two people change cells of one part, they are asked. */
export const PARTS = ['times', 'label', 'needs', 'flow', 'until'] as const
export type Part = (typeof PARTS)[number]
export const CELLS_OF: Record<Part, readonly Cell[]> = {
  times: ['date', 'meeting', 'start', 'end'],
  label: ['label'],
  needs: ['min', 'max'],
  flow: ['flow'],
  until: ['until'],
}

const AT = shiftPrefix(0)
type Which = Partial<Record<'meeting' | 'start' | 'end', string>>

/** A shift as cells. Teams, qualifications and units have no cells for numbers; shifts without sign-up have none for its end. */
export function printCells(words: Words, shift: ShiftInput): { texts: CellTexts; which: Which } {
  const { times } = shift
  const values = shiftValues(AT, shift, words.timeZone)
  const isShort = !isChecked(values, `${AT}full`)
  const moment = (at: Date) => (isShort ? words.inputTime(at) : `${words.shortDate(at)} ${words.inputTime(at)}`)
  const which = (name: 'meeting' | 'start' | 'end') => fieldValue(values, `${AT}${name}_which`)
  return {
    texts: {
      date: words.shortDate(times.start),
      meeting: times.meeting.getTime() === times.start.getTime() ? '' : moment(times.meeting),
      start: words.inputTime(times.start),
      end: moment(times.end),
      label: shift.label,
      ...(shift.structureSlug === 'uniform' ? { min: fieldValue(values, `${AT}min`), max: fieldValue(values, `${AT}max`) } : {}),
      flow: shift.flowSlug,
      ...(isSelfService(shift.flowSlug) ? { until: printDeadline(words, values) } : {}),
    },
    which: { meeting: which('meeting'), start: which('start'), end: which('end') },
  }
}

function printDeadline(words: Words, values: FormValues): string {
  const kind = fieldValue(values, `${AT}until_kind`)
  if (kind === 'start' || kind === 'end') return words.t(`table.until.${kind}`)
  if (kind === 'before') {
    const unit = fieldValue(values, `${AT}until_unit`) as 'hours' | 'days' | 'weeks'
    return words.t(`table.until.${unit}`, { count: Number(fieldValue(values, `${AT}until_count`)) })
  }
  if (kind !== 'at') return KEEP
  const [day = '', time = ''] = fieldValue(values, `${AT}until_at`).split('T')
  return `${words.shortDate(new Date(`${day}T12:00Z`))} ${time}`
}

/** What a shift is for the table, to find out which parts somebody has changed. Does not depend on the language. */
export function partsOf(shift: ShiftInput, timeZone: string): Record<Part, string> {
  const values = shiftValues(AT, shift, timeZone)
  const pick = (...names: string[]) => JSON.stringify(names.map((name) => fieldValue(values, `${AT}${name}`)))
  return {
    times: JSON.stringify([shift.times.meeting, shift.times.start, shift.times.end]),
    label: shift.label,
    needs: pick('structure', 'min', 'max'),
    flow: shift.flowSlug,
    until: isSelfService(shift.flowSlug) ? pick('until_kind', 'until_count', 'until_unit', 'until_at') : '',
  }
}

export type CellFault = { cell: Cell; code: FaultCode }
/** `input` is complete if there are no faults. */
export type RowRead = { input: ShiftRead['input']; faults: CellFault[] }

type RowContext = {
  timeZone: string
  reading: TypedReading
  stored?: StoredShift | undefined
  /** New shifts take everything from it that their row does not say. */
  pattern?: ShiftInput | undefined
  newUuid: () => string
}

/** Reads a row by the form of a shift: what has no cell stays as it is, or as in the pattern. */
export function readRow({ texts, which }: { texts: CellTexts; which: Which }, context: RowContext): RowRead {
  const { stored, timeZone } = context
  const base = baseValues(context)
  const times = readTimes(texts, which, context.reading)
  const sign = readSignUp(texts, base, context.reading)
  const values = { ...base, ...times.values, ...readNeeds(texts, base, stored !== undefined), ...sign.values }
  if (texts.label !== undefined) values[`${AT}label`] = texts.label
  const leader = fieldValue(base, `${AT}leader`)
  const read = readShift(values, AT, { timeZone, stored, newUuid: context.newUuid, leaders: new Set(leader ? [leader] : []) })
  const found = [...read.faults, ...checkSlugs(read.input, stored).map(({ of, code }) => ({ field: `${AT}${of}`, code }))]
  const own = [...times.faults, ...sign.faults]
  const others = found.map(({ field, code }): CellFault => ({ cell: cellOf(field.slice(AT.length)), code }))
  // What could not be read is reported once, with the more exact reason.
  return { input: read.input, faults: [...own, ...others.filter(({ cell }) => !own.some((fault) => fault.cell === cell))] }
}

function baseValues({ stored, pattern, timeZone }: RowContext): FormValues {
  if (stored) return shiftValues(AT, stored, timeZone)
  if (!pattern) return newShiftValues(AT)
  // Teams of a new shift get uuids of their own.
  const copied = Object.entries(shiftValues(AT, { ...pattern, label: '' }, timeZone))
  return Object.fromEntries(copied.filter(([name]) => !/-(uuid|old)$/.test(name)))
}

const FIELD_CELLS: Record<string, Cell> = {
  date: 'date',
  meeting: 'meeting',
  meeting_at: 'meeting',
  start: 'start',
  start_at: 'start',
  end: 'end',
  end_at: 'end',
  min: 'min',
  max: 'max',
  flow: 'flow',
  leader: 'flow',
  bring: 'flow',
}
/** The cell beside which a fault of the shift form is shown. */
function cellOf(field: string): Cell {
  if (/^(until|from|late)_/.test(field)) return 'until'
  return FIELD_CELLS[field] ?? 'label'
}

type Reading = { values: FormValues; faults: CellFault[] }

/** Texts that cannot be read stay as they are and are missing or unreadable for the shift form. */
function readTimes(texts: CellTexts, which: Which, reading: TypedReading): Reading {
  const faults: CellFault[] = []
  const text = (cell: Cell) => texts[cell]?.trim() ?? ''
  const typedDay = text('date') === '' ? undefined : readTypedDay(text('date'), reading)
  if (typedDay && !typedDay.ok) faults.push({ cell: 'date', code: typedDay.code === 'unreadable' ? 'not_a_date' : typedDay.code })
  const day = typedDay?.ok ? typedDay.day : ''
  /** With a day of its own, or without. */
  const moment = (cell: 'meeting' | 'start' | 'end'): { day?: string; time: string } => {
    if (text(cell) === '') return { time: '' }
    const time = readTypedTime(text(cell))
    const found = time === undefined ? (cell === 'start' ? undefined : splitMoment(text(cell), reading)) : { time }
    if (!found || (found.time === '24:00' && cell !== 'end')) {
      faults.push({ cell, code: 'not_a_time' })
      return { time: text(cell) }
    }
    return found
  }
  const [start, end, meeting] = [moment('start'), moment('end'), moment('meeting')]
  const isFull = end.day !== undefined || meeting.day !== undefined
  const full = (at: { day?: string; time: string }, isEnd = false) => {
    if (at.time === '' || day === '') return ''
    const isNext = isEnd && at.day === undefined && at.time <= start.time
    const on = at.day ?? (isNext ? addDays(day, 1) : day)
    return at.time === '24:00' ? `${addDays(on, isNext ? 0 : 1)}T00:00` : `${on}T${at.time}`
  }
  const values: FormValues = isFull
    ? {
        [`${AT}full`]: 'on',
        [`${AT}meeting_at`]: full(meeting),
        [`${AT}start_at`]: full(start),
        [`${AT}end_at`]: full(end, true),
      }
    : {
        [`${AT}full`]: [],
        [`${AT}date`]: day,
        [`${AT}meeting`]: meeting.time,
        [`${AT}start`]: start.time,
        [`${AT}end`]: end.time === '24:00' ? '00:00' : end.time,
      }
  for (const name of ['meeting', 'start', 'end'] as const) values[`${AT}${name}${isFull ? '_at' : ''}_which`] = which[name] ?? ''
  if (isFull && day === '' && text('date') === '') faults.push({ cell: 'date', code: 'missing' })
  return { values, faults }
}

/** Numbers make a new shift one that needs just people. */
function readNeeds(texts: CellTexts, base: FormValues, isStored: boolean): FormValues {
  const isUniform = fieldValue(base, `${AT}structure`) === 'uniform'
  const [min, max] = [texts.min?.trim() ?? '', texts.max?.trim() ?? '']
  if (isStored) {
    if (!isUniform) return {}
    return {
      ...(texts.min === undefined ? {} : { [`${AT}min`]: min }),
      ...(texts.max === undefined ? {} : { [`${AT}max`]: max }),
    }
  }
  if (min === '' && max === '') return {}
  return { [`${AT}structure`]: 'uniform', [`${AT}min`]: min, [`${AT}max`]: max }
}

function readSignUp(texts: CellTexts, base: FormValues, reading: TypedReading): Reading {
  const flow = texts.flow?.trim() || fieldValue(base, `${AT}flow`)
  const values: FormValues = { [`${AT}flow`]: flow }
  const text = texts.until?.trim() ?? ''
  if (text === '' || !isSelfService(flow)) return { values, faults: [] }
  const deadline = readDeadline(text, reading)
  if (!deadline) return { values, faults: [{ cell: 'until', code: 'not_a_deadline' }] }
  return { values: { ...values, ...deadlineValues(deadline, base) }, faults: [] }
}

function deadlineValues(deadline: Deadline, base: FormValues): FormValues {
  if (deadline.kind === 'keep') return {}
  const kind = { [`${AT}until_kind`]: deadline.kind }
  if (deadline.kind === 'before')
    return { ...kind, [`${AT}until_count`]: String(deadline.count), [`${AT}until_unit`]: deadline.unit }
  if (deadline.kind !== 'at' || deadline.at === fieldValue(base, `${AT}until_at`)) return kind
  return { ...kind, [`${AT}until_at`]: deadline.at, [`${AT}until_at_which`]: '' }
}
