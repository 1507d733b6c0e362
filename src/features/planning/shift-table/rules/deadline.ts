import type { Unit } from '#features/planning/shift-forms/rules/flow-form.ts'
import { readTypedDay, readTypedTime, type TypedReading } from '#platform/i18n/typed-dates.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'

/** When sign-up closes. `at`: a local time, as `<input type="datetime-local">` writes it. `keep`: a stored setting of another kind. */
export type Deadline =
  | { kind: 'start' | 'end' | 'keep' }
  | { kind: 'before'; count: number; unit: Unit }
  | { kind: 'at'; at: string }

const START = [
  'start',
  'atstart',
  'begin',
  'beginning',
  'beginn',
  'zubeginn',
  'zumbeginn',
  'anfang',
  'schichtbeginn',
  'shiftstart',
]
const END = ['end', 'atend', 'ende', 'zumende', 'schichtende', 'shiftend']
export const KEEP = '…'
const UNITS: Record<Unit, readonly string[]> = {
  hours: ['h', 'hour', 'hours', 'std', 'stunde', 'stunden'],
  days: ['d', 'day', 'days', 't', 'tag', 'tage', 'tagen'],
  weeks: ['w', 'week', 'weeks', 'wo', 'woche', 'wochen'],
}
const BEFORE = /^(\d{1,4})\s?(\p{L}+)\.?(?:\s(?:before|earlier|prior|vorher|davor|vor).*)?$/iu

/** Undefined for a text that says no time. */
export function readDeadline(text: string, reading: TypedReading): Deadline | undefined {
  const typed = text.trim().replaceAll(/\s+/g, ' ')
  if (typed === KEEP) return { kind: 'keep' }
  if (START.includes(foldName(typed))) return { kind: 'start' }
  if (END.includes(foldName(typed))) return { kind: 'end' }
  const [, count, name] = BEFORE.exec(typed) ?? []
  const unit = name === undefined ? undefined : unitOf(name)
  if (unit) return { kind: 'before', count: Number(count), unit }
  const at = readMoment(typed, reading)
  return at && { kind: 'at', at: `${at.day}T${at.time}` }
}

function unitOf(name: string): Unit | undefined {
  const units = Object.keys(UNITS) as Unit[]
  return units.find((unit) => UNITS[unit].includes(name.toLowerCase()))
}

/** Sign-up until a day includes the day. */
const END_OF_DAY = '23:59'

/** A day with a time, or a day alone. */
function readMoment(text: string, reading: TypedReading): { day: string; time: string } | undefined {
  const both = splitMoment(text, reading)
  if (both) return both.time === '24:00' ? undefined : both
  const alone = readTypedDay(text, reading)
  return alone.ok ? { day: alone.day, time: END_OF_DAY } : undefined
}

/** “14.11.2026 08:00”, “14 Nov, 8 am”: the day is all up to the time. */
export function splitMoment(text: string, reading: TypedReading): { day: string; time: string } | undefined {
  const typed = text.trim()
  for (const { index } of typed.matchAll(/[,T\s]+/g)) {
    const day = readTypedDay(typed.slice(0, index), reading)
    const time = readTypedTime(typed.slice(index).replace(/^[,T\s]+/, ''))
    if (day.ok && time !== undefined) return { day: day.day, time }
  }
  return undefined
}
