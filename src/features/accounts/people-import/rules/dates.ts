import { Temporal } from 'temporal-polyfill'

/** Day first as in Europe, or month first as in the United States. */
export type DateOrder = 'dmy' | 'mdy'

const MONTHS = [
  'jan januar january janner',
  'feb februar february feber',
  'mar mrz marz maerz march',
  'apr april',
  'mai may',
  'jun juni june',
  'jul juli july',
  'aug august',
  'sep sept september',
  'okt oct oktober october',
  'nov november',
  'dez dec dezember december',
].map((names) => names.split(' '))

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$/
const DOTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
const DAY_NAME = /^(\d{1,2})\.?\s+(\p{L}+)\.?,?\s+(\d{4})$/u
const NAME_DAY = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u

function monthOf(name: string): number {
  const folded = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return MONTHS.findIndex((names) => names.includes(folded)) + 1
}

/** Short years are in the hundred years up to `lastYear`. */
function fullYear(text: string, lastYear: number): number {
  if (text.length === 4) return Number(text)
  const year = Math.floor(lastYear / 100) * 100 + Number(text)
  return year > lastYear ? year - 100 : year
}

function makeDay(year: number, month: number, day: number): string | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

/** `lastYear`: the latest year that a short year can mean. */
type DateReading = { order: DateOrder | undefined; lastYear: number }

/** `YYYY-MM-DD`; undefined if the text is no date, `ambiguous` if it needs an order. */
export function parseDay(text: string, { order, lastYear }: DateReading): string | 'ambiguous' | undefined {
  const [, ...iso] = ISO.exec(text) ?? []
  if (iso.length) return makeDay(Number(iso[0]), Number(iso[1]), Number(iso[2]))
  const [, ...dots] = DOTS.exec(text) ?? []
  if (dots.length) return makeDay(fullYear(dots[2]!, lastYear), Number(dots[1]), Number(dots[0]))
  const [, first, second, year] = SLASHES.exec(text) ?? []
  if (first !== undefined && second !== undefined && year !== undefined) {
    const used = order ?? orderOf(text) ?? (Number(first) === Number(second) ? 'dmy' : undefined)
    if (!used) return Number(first) > 12 ? undefined : 'ambiguous'
    const [day, month] = used === 'dmy' ? [first, second] : [second, first]
    return makeDay(fullYear(year, lastYear), Number(month), Number(day))
  }
  const [, ...named] = DAY_NAME.exec(text) ?? []
  if (named.length) return makeDay(Number(named[2]), monthOf(named[1]!), Number(named[0]))
  const [, ...american] = NAME_DAY.exec(text) ?? []
  return american.length ? makeDay(Number(american[2]), monthOf(american[0]!), Number(american[1])) : undefined
}

/** The order that one date proves. */
function orderOf(text: string): DateOrder | undefined {
  const [, first, second] = SLASHES.exec(text) ?? []
  if (first === undefined || Number(first) > 12 === Number(second) > 12) return undefined
  return Number(first) > 12 ? 'dmy' : 'mdy'
}

/**
 * The order of the dates with slashes in a column: `none` if there are no such dates, `ambiguous` if none of them proves an order, and
 * `mixed` if some prove one order and some the other.
 */
export type FoundOrder = DateOrder | 'none' | 'ambiguous' | 'mixed'

export function detectOrder(texts: Iterable<string>): FoundOrder {
  const found = new Set<DateOrder>()
  let isAmbiguous = false
  for (const text of texts) {
    if (!SLASHES.test(text)) continue
    const order = orderOf(text)
    if (order) found.add(order)
    else isAmbiguous = true
  }
  if (found.size === 2) return 'mixed'
  const [order] = found
  return order ?? (isAmbiguous ? 'ambiguous' : 'none')
}
