import type { Day } from './days.ts'
import { readTypedDay, type TypedReading } from './typed-dates.ts'

type DayFault = { text: string; code: 'unreadable' | 'wrong_weekday' | 'before_first' }
/** By the name of the field. */
export type DayFaults = Readonly<Partial<Record<string, DayFault>>>
type FilterDays = { first: Day | undefined; last: Day | undefined; faults: DayFaults }

const MAX_SHOWN_TEXT = 40

/**
 * The days from and until which a list is shown, as browsers or people write them. What cannot be read is left out and named in
 * `faults`, so that the page says so at the field. `near`: today; dates without a year are the first ones from it on, or the last ones up to
 * it.
 */
export function readFilterDays(
  raw: URLSearchParams,
  { first, last }: { first: string; last: string },
  near: { from: Day } | { until: Day },
): FilterDays {
  const today = 'from' in near ? near.from : near.until
  const faults: Record<string, DayFault> = {}
  const read = (name: string, reading: TypedReading): Day | undefined => {
    const text = (raw.get(name) ?? '').trim()
    if (text === '') return undefined
    const typed = readTypedDay(text, { ...reading, today })
    if (typed.ok) return typed.day
    faults[name] = { text: text.slice(0, MAX_SHOWN_TEXT), code: typed.code }
    return undefined
  }
  const from = read(first, near)
  const until = read(last, from === undefined ? near : { from })
  if (from === undefined || until === undefined || until >= from) return { first: from, last: until, faults }
  faults[last] = { text: (raw.get(last) ?? '').trim(), code: 'before_first' }
  return { first: from, last: undefined, faults }
}

export const NO_FAULTS: DayFaults = {}
export const hasFaults = (faults: DayFaults): boolean => Object.keys(faults).length > 0
