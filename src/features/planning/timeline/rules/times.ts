import { whichField } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import { checkOrder, moveTimes, readInFull, toWallTime } from '#features/planning/shift-forms/rules/shift-times.ts'
import { readWhich, whichOf } from '#platform/i18n/local-time.ts'
import type { Span } from '#platform/time-span.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'

const MINUTE_MS = 60_000

/** The values of the form with the times of a shift. Seconds only where there are some, so that undo restores them. */
export function timesValues({ start, end }: Span, timeZone: string): FormValues {
  const wall = (at: Date) =>
    toWallTime(at, timeZone).toString({ smallestUnit: at.getTime() % MINUTE_MS === 0 ? 'minute' : 'millisecond' })
  const which = Object.entries({ start, end }).map(([name, at]) => [whichField(name), whichOf(at, timeZone) ?? ''])
  return { start: wall(start), end: wall(end), ...Object.fromEntries(which) }
}

/** The times that the form asks for; `stored`: the times now. */
export function readTimes(values: FormValues, stored: ShiftTimes, timeZone: string) {
  const which = (name: string) => readWhich(fieldValue(values, whichField(name)))
  const typed = { meeting: '', start: fieldValue(values, 'start'), end: fieldValue(values, 'end') }
  const read = readInFull({ ...typed, which: { start: which('start'), end: which('end') } }, timeZone)
  return read.ok ? { ...read, times: moveTimes(stored, read.times) } : read
}

/** The times of an address, as scripts write them: milliseconds. Undefined if they are no times of a shift. */
export function readWish(query: URLSearchParams): Span | undefined {
  const read = (name: string) => new Date(/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : Number.NaN)
  const [start, end] = [read('start'), read('end')]
  return checkOrder({ meeting: start, start, end }).length || !(start < end) ? undefined : { start, end }
}
