import { Temporal } from 'temporal-polyfill'
import { readId } from '#platform/ids.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { dayOf, daysBetween, moveByDays } from './moving-dates.ts'
import { dayIn } from './recurrence.ts'

export const MAX_MONTH_COPIES = 400
export const MAX_MONTHS = 12

/** How a date moves to another month: to the same weekday, such as the first Monday, or to the same day of the month. */
export const MAPPINGS = ['weekday', 'day'] as const
export type Mapping = (typeof MAPPINGS)[number]

/** The date in a month such as `2031-06`; undefined if the month has no fifth weekday of the kind, or no such day. */
export function mapDate(date: string, month: string, mapping: Mapping): string | undefined {
  const from = Temporal.PlainDate.from(date)
  const target = Temporal.PlainDate.from(`${month}-01`)
  if (mapping === 'weekday') return dayIn(target, from, 'weekday')?.toString()
  return from.day <= target.daysInMonth ? target.with({ day: from.day }).toString() : undefined
}

export const monthsFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => Temporal.PlainYearMonth.from(first).add({ months: index }).toString())

export type MonthChoice = { source: string; target: string; months: number; mapping: Mapping; type: number | undefined }

type MonthFault = { field: 'target' | 'months'; code: 'series.month_same' | 'series.month_count' }

const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)

/** What the form says; absent or unknown values are those of a copy to the next month. */
export function readMonthChoice(values: FormValues, now: string): { choice: MonthChoice; faults: MonthFault[] } {
  const given = (name: string) => fieldValue(values, name)
  const source = isMonth(given('source')) ? given('source') : now
  const next = monthsFrom(source, 2)[1]!
  const target = isMonth(given('target')) ? given('target') : next
  const count = given('months') === '' ? 1 : Number(given('months'))
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_MONTHS
  const months = isCount ? count : 1
  const faults: MonthFault[] = [
    ...(monthsFrom(target, months).includes(source) ? [{ field: 'target', code: 'series.month_same' } as const] : []),
    ...(isCount ? [] : [{ field: 'months', code: 'series.month_count' } as const]),
  ]
  const mapping = MAPPINGS.find((one) => one === given('mapping')) ?? 'weekday'
  return { choice: { source, target, months, mapping, type: readId(given('type')) }, faults }
}

/** Tells whether the check boxes of a form belong to the choice beside them. */
export const signatureOf = ({ source, target, months, mapping, type }: MonthChoice): string =>
  [source, target, months, mapping, type ?? ''].join(' ')

export type SourceEvent = { id: number; title: string; start: Date; isLinked: boolean }

/** `known`: how many events with this title and start there are already. */
export type MonthCopy = { eventId: number; title: string; date: string; start: Date; known: number; isLinked: boolean }
export type LeftOut = { eventId: number; title: string; from: Date; month: string }

const keyOf = (title: string, start: Date): string => `${start.toISOString()} ${title}`

type Known = readonly { title: string; start: Date }[]

/** Every copy in the order of time, and the dates that a month does not have. Local times stay. */
export function planCopies(
  events: readonly SourceEvent[],
  { target, months, mapping }: Pick<MonthChoice, 'target' | 'months' | 'mapping'>,
  { known, timeZone }: { known: Known; timeZone: string },
): { copies: MonthCopy[]; leftOut: LeftOut[] } {
  const counts = new Map<string, number>()
  for (const { title, start } of known) counts.set(keyOf(title, start), (counts.get(keyOf(title, start)) ?? 0) + 1)
  const copies: MonthCopy[] = []
  const leftOut: LeftOut[] = []
  for (const month of monthsFrom(target, months))
    for (const { id: eventId, title, start: from, isLinked } of events) {
      const date = mapDate(dayOf(from, timeZone), month, mapping)
      if (date === undefined) {
        leftOut.push({ eventId, title, from, month })
        continue
      }
      const start = moveByDays(from, daysBetween(dayOf(from, timeZone), date), timeZone)
      copies.push({ eventId, title, date, start, isLinked, known: counts.get(keyOf(title, start)) ?? 0 })
    }
  return { copies: copies.sort((a, b) => a.start.getTime() - b.start.getTime() || a.eventId - b.eventId), leftOut }
}

export type ChosenCopy = Pick<MonthCopy, 'eventId' | 'date' | 'known'>

/** The value of a check box. */
export const writeChosen = ({ eventId, date, known }: ChosenCopy): string => `${eventId}@${date}@${known}`

export function readChosen(text: string): ChosenCopy | undefined {
  const [, eventId, date, known] = /^([1-9]\d{0,14})@(20\d\d-\d\d-\d\d)@(\d{1,4})$/.exec(text) ?? []
  return eventId && date && known ? { eventId: Number(eventId), date, known: Number(known) } : undefined
}
