import { type ShiftFieldName, type ShiftValues, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { MAX_QUESTIONS_PER_SHIFT } from '#features/events/questionnaires/rules.ts'
import { readWhich, whichOf } from '#platform/i18n/local-time.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { type Configuration, flowValues, newFlowValues, readFlow } from './flow-form.ts'
import { type Fault, findRows, nextRow, readIds, renameRow, withoutRow } from './form-rows.ts'
import { fitsShortcut, readInFull, readShortcut, type ShiftTimes, toInstant, toWallTime } from './shift-times.ts'
import { newStructureValues, readStructure, structureValues } from './structure-form.ts'

export type ShiftInput = ShiftValues & {
  times: ShiftTimes
  flowSlug: string
  flowConfiguration: Configuration
  structureSlug: string
  structureConfiguration: Configuration
  /** Ids of the questions that are asked at sign-up, ascending. */
  questions: readonly number[]
}
export type StoredShift = ShiftInput & { id: number }
/** `input` is complete if there are no faults. */
export type ShiftRead = {
  faults: Fault[]
  input: Omit<ShiftInput, 'times'> & { times: ShiftTimes | undefined }
  leaderRow: number | undefined
}

export const shiftPrefix = (row: number): string => `s${row}-`
export const shiftRows = (values: FormValues): number[] => findRows(values, 's')

const MINUTE_MS = 60_000

/** The field that says which of two equal local times is meant. */
export const whichField = (name: string): string => `${name}_which`

/** The field name of a time, with one date for all times or a date for each. */
const timeField = (field: string, isFull: boolean): string => (isFull && field !== 'date' ? `${field}_at` : field)

function readTimes(values: FormValues, prefix: string, timeZone: string, stored: ShiftTimes | undefined) {
  const isFull = isChecked(values, `${prefix}full`)
  const text = (field: string) => fieldValue(values, `${prefix}${timeField(field, isFull)}`)
  const which = (field: string) => readWhich(fieldValue(values, whichField(`${prefix}${timeField(field, isFull)}`)))
  const typed = {
    date: text('date'),
    meeting: text('meeting'),
    start: text('start'),
    end: text('end'),
    which: { meeting: which('meeting'), start: which('start'), end: which('end') },
  }
  const read = isFull ? readInFull(typed, timeZone) : readShortcut(typed, timeZone)
  if (!read.ok)
    return {
      times: undefined,
      faults: read.faults.map(({ field, code }): Fault => ({ field: `${prefix}${timeField(field, isFull)}`, code })),
    }
  // An unchanged field keeps the seconds of the stored time.
  const same = (now: Date, former: Date | undefined) => {
    const minute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)
    return former && minute(former) === minute(now) ? former : now
  }
  const { meeting, start, end } = read.times
  const times = { meeting: same(meeting, stored?.meeting), start: same(start, stored?.start), end: same(end, stored?.end) }
  return { times, faults: [] as Fault[] }
}

type ShiftContext = {
  timeZone: string
  stored?: StoredShift | undefined
  /** Valid values of the leader field. */
  leaders: ReadonlySet<string>
  newUuid: () => string
}

export function readShift(values: FormValues, prefix: string, { timeZone, stored, leaders, newUuid }: ShiftContext): ShiftRead {
  const { times, faults } = readTimes(values, prefix, timeZone, stored?.times)
  const plain = shiftFields.readForm((name) => fieldValue(values, `${prefix}${name}`))
  const flowSlug = fieldValue(values, `${prefix}flow`)
  const structureSlug = fieldValue(values, `${prefix}structure`)
  const keptFlow = stored?.flowSlug === flowSlug ? stored.flowConfiguration : {}
  const keptStructure = stored?.structureSlug === structureSlug ? stored.structureConfiguration : {}
  const flow = readFlow(values, prefix, { timeZone, times, kept: keptFlow, leaders })
  const structure = readStructure(values, prefix, { kept: keptStructure, newUuid })
  const questions = readIds(values, `${prefix}questions`).sort((a, b) => a - b)
  return {
    faults: [
      ...faults,
      ...shiftFields.findFaults(plain).map(({ field, code }) => ({ field: `${prefix}${field}`, code })),
      ...flow.faults,
      ...structure.faults,
      ...(questions.length > MAX_QUESTIONS_PER_SHIFT
        ? [{ field: `${prefix}questions`, code: 'too_many_questions' } as const]
        : []),
    ],
    input: {
      times,
      ...plain,
      flowSlug,
      flowConfiguration: flow.configuration,
      structureSlug,
      structureConfiguration: structure.configuration,
      questions,
    },
    leaderRow: flow.leaderRow,
  }
}

/** All form values of a stored shift; fields of other flows and structures get the defaults. */
export function shiftValues(prefix: string, shift: ShiftInput, timeZone: string): FormValues {
  return {
    [`${prefix}on`]: '1',
    ...plainValues(prefix, shift),
    ...timeValues(prefix, shift.times, timeZone),
    ...flowValues(prefix, {
      slug: shift.flowSlug,
      configuration: shift.flowConfiguration,
      start: shift.times.start,
      timeZone,
    }),
    ...structureValues(prefix, { slug: shift.structureSlug, configuration: shift.structureConfiguration }),
    [`${prefix}questions`]: shift.questions.map(String),
  }
}

const plainValues = (prefix: string, values: ShiftValues): FormValues =>
  Object.fromEntries(Object.entries(shiftFields.print(values)).map(([name, text]) => [`${prefix}${name}`, text]))

function timeValues(prefix: string, times: ShiftTimes, timeZone: string): FormValues {
  const wall = (at: Date) => toWallTime(at, timeZone).toString().slice(0, 16)
  const [meeting, start, end] = [wall(times.meeting), wall(times.start), wall(times.end)]
  const isShort = fitsShortcut(times, timeZone)
  const which = (['meeting', 'start', 'end'] as const).flatMap((field) => {
    const one = whichOf(times[field], timeZone)
    return one ? [false, true].map((isFull) => [whichField(`${prefix}${timeField(field, isFull)}`), one]) : []
  })
  return {
    ...Object.fromEntries(which),
    ...(isShort ? {} : { [`${prefix}full`]: 'on' }),
    [`${prefix}date`]: start.slice(0, 10),
    [`${prefix}meeting`]: meeting.slice(11),
    [`${prefix}start`]: start.slice(11),
    [`${prefix}end`]: end.slice(11),
    [`${prefix}meeting_at`]: meeting,
    [`${prefix}start_at`]: start,
    [`${prefix}end_at`]: end,
  }
}

export const newShiftValues = (prefix: string): FormValues => ({
  [`${prefix}on`]: '1',
  ...plainValues(prefix, shiftFields.defaults),
  [`${prefix}min`]: '',
  [`${prefix}max`]: '',
  ...newFlowValues(prefix),
  ...newStructureValues(prefix),
})

/**
 * Appends a copy of the last shift with the same length that starts at its end. Teams of the copy get new uuids.
 */
export function withNextShift(values: FormValues, timeZone: string): FormValues {
  const row = nextRow(values, 's')
  const last = shiftRows(values).at(-1)
  const prefix = shiftPrefix(row)
  if (last === undefined) return { ...values, ...newShiftValues(prefix) }
  const from = shiftPrefix(last)
  const copied = Object.entries(renameRow(values, from, prefix)).filter(([name]) => !/-(uuid|old)$/.test(name))
  const read = readTimes(values, from, timeZone, undefined).times
  const next = read && following(read, timeZone)
  const fresh = Object.entries(plainValues(prefix, shiftFields.defaults)).filter(
    ([name]) => !shiftFields.fields[name.slice(prefix.length) as ShiftFieldName].isRepeated,
  )
  return { ...values, ...Object.fromEntries([...copied, ...fresh]), ...(next ? timeValues(prefix, next, timeZone) : {}) }
}

/** People meet as long before it as before the last one. */
function following({ meeting, start, end }: ShiftTimes, timeZone: string): ShiftTimes {
  const wall = (at: Date) => toWallTime(at, timeZone)
  const length = wall(start).until(wall(end))
  const lead = wall(meeting).until(wall(start))
  return {
    meeting: toInstant(wall(end).subtract(lead), timeZone),
    start: end,
    end: toInstant(wall(end).add(length), timeZone),
  }
}

/** `add-shift`, `drop:s1`, `add:s0-t`, `drop:s0-t2`; anything else changes nothing. */
export function applyStep(values: FormValues, step: string, timeZone: string): FormValues {
  if (step === 'add-shift') return withNextShift(values, timeZone)
  const [verb, what = ''] = step.split(':')
  if (verb === 'drop' && /^s\d{1,4}(-[tmb]\d{1,4})?$/.test(what)) return withoutRow(values, what)
  if (verb === 'add' && /^s\d{1,4}-[tmb]$/.test(what)) return { ...values, [`${what}${nextRow(values, what)}-on`]: '1' }
  return values
}
