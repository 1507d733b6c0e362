import { Temporal } from 'temporal-polyfill'
import { BadParameter, type Parameter } from './parameters.ts'

const DATE = /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2})|(\d{4})-W(\d{2})(?:-([1-7]))?|(\d{4})W(\d{2})([1-7])?)$/
const TIME = /^(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d+))?)?|(\d{2})(?:(\d{2})(?:[.,](\d+))?)?)?$/
const OFFSET = /^(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/

class AmbiguousTime extends Error {}

/** An instant as text in UTC with microseconds, which a `Date` would lose. */
type InstantText = string

/**
 * Parses a date or a date and time; without an offset it is local to `timeZone`. Returns undefined if it is not a time, and throws
 * `AmbiguousTime` for a local time that is skipped or repeated by a clock change.
 */
export function parseTime(text: string, timeZone: string): InstantText | undefined {
  const separator = /^\S+?(?=[T ])/.exec(text)?.[0].length ?? text.length
  const date = parseDate(text.slice(0, separator))
  if (!date) return undefined
  if (separator === text.length) return instantOf(date.toPlainDateTime(), undefined, timeZone)
  const [, clock = '', offset] = /^(.+?)(Z|[+-][\d:]+)?$/.exec(text.slice(separator + 1)) ?? []
  const time = parseClock(clock)
  if (!time || (offset !== undefined && !OFFSET.test(offset))) return undefined
  return instantOf(date.toPlainDateTime(time), offset, timeZone)
}

function parseDate(text: string): Temporal.PlainDate | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [year, month, day] = [match[1] ?? match[4], match[2] ?? match[5], match[3] ?? match[6]].map(Number)
  if (year) return plainDate(year, month!, day!)
  const [weekYear, week, weekday] = [match[7] ?? match[10], match[8] ?? match[11], match[9] ?? match[12] ?? '1'].map(Number)
  const fourth = plainDate(weekYear!, 1, 4)
  if (!fourth || week! < 1) return undefined
  // ISO 8601: the fourth of January is always in week 1.
  const date = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ days: (week! - 1) * 7 + weekday! - 1 })
  const thursday = date.add({ days: 4 - date.dayOfWeek })
  return thursday.year === weekYear ? date : undefined
}

function plainDate(year: number, month: number, day: number): Temporal.PlainDate | undefined {
  if (year < 1) return undefined
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

function parseClock(text: string): Temporal.PlainTime | undefined {
  const match = TIME.exec(text)
  if (!match) return undefined
  const [hour, minute, second] = [match[1], match[2] ?? match[5], match[3] ?? match[6]].map((part) => Number(part ?? 0))
  if (hour! > 23 || minute! > 59 || second! > 59) return undefined
  const micros = Number(`${match[4] ?? match[7] ?? ''}000000`.slice(0, 6))
  return new Temporal.PlainTime(hour, minute, second, Math.floor(micros / 1000), micros % 1000)
}

function instantOf(local: Temporal.PlainDateTime, offset: string | undefined, timeZone: string): InstantText | undefined {
  try {
    if (offset === undefined) return withinRange(local.toZonedDateTime(timeZone, { disambiguation: 'reject' }))
    const [, sign, hours, minutes] = OFFSET.exec(offset)!
    if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined
    const difference = (sign === '-' ? 1 : -1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
    return withinRange(local.add({ minutes: difference }).toZonedDateTime('UTC'))
  } catch (error) {
    if (error instanceof RangeError && offset === undefined) throw new AmbiguousTime(formatLocal(local), { cause: error })
    return undefined
  }
}

/** Years from 0001 to 9999. */
function withinRange(time: Temporal.ZonedDateTime): InstantText | undefined {
  const text = time.toInstant().toString()
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined
}

const formatLocal = (local: Temporal.PlainDateTime): string => local.toString({ smallestUnit: 'second' }).replace('T', ' ')

type TimeOptions = { description: string; deprecated?: { use: string } }

/** `what` changed; the description of lists whose records have a time of modification. */
export const modifiedSince = (what: string): Parameter<InstantText> =>
  timeParameter({ description: `${what} Deleted records are in the change feed only.` })

/** Uses the last of repeated values; blank counts as absent. */
export function timeParameter({ description, deprecated }: TimeOptions): Parameter<InstantText> {
  return {
    description: `${description} A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive.`,
    schema: { type: 'string', examples: ['2031-05-04', '2031-05-04T08:00:00+02:00'] },
    ...(deprecated ? { deprecated } : {}),
    read: (values, { words, site }) => {
      const text = values.at(-1)!.trim()
      if (!text) return undefined
      try {
        const instant = parseTime(text, site.timeZone)
        if (instant !== undefined) return instant
      } catch (error) {
        if (!(error instanceof AmbiguousTime)) throw error
        throw new BadParameter(
          'ambiguous_time',
          words.t('parameter.ambiguous_time', { value: error.message, zone: site.timeZone }),
        )
      }
      throw new BadParameter('invalid_time', words.t('parameter.bad_time'))
    },
  }
}
