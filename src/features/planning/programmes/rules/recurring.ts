import { Temporal } from 'temporal-polyfill'
import { datesOf, nthOfMonth, type Recurrence } from '#features/planning/series/rules/recurrence.ts'
import { toInstant, toWallTime } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { ProgrammeFile, RecurringSession, Session, SessionFault } from '../formats/programme-file.ts'

type RepeatFault = 'rule' | 'endless' | 'too_many_dates'
export type ContentFault = Omit<SessionFault, 'code'> & { code: SessionFault['code'] | RepeatFault }
/** What is stored of a file. */
export type ProgrammeContent = { sessions: Session[]; faults: ContentFault[] }

const MAX_REPEATS = 400
const MAX_SESSIONS = 5000

/** The sessions of a file, with each time of those that are repeated. */
export function contentOf({ sessions, recurring, faults }: ProgrammeFile): ProgrammeContent {
  const content: ProgrammeContent = { sessions: [...sessions], faults: [...faults] }
  for (const session of recurring) {
    const times = repeat(session)
    const code = typeof times === 'string' ? times : undefined
    if (typeof times !== 'string' && content.sessions.length + times.length <= MAX_SESSIONS) content.sessions.push(...times)
    else
      content.faults.push({
        code: code ?? 'too_many_dates',
        title: session.title,
        at: session.line,
        value: session.rules[0] ?? '',
      })
  }
  return content
}

/** Each time has the key of the session and its instant, so that it stays the same when others are added. */
export function repeat(recurring: RecurringSession): Session[] | RepeatFault {
  const { zone, rules, added, skipped, line: _line, ...session } = recurring
  const first = toWallTime(new Date(session.start), zone)
  const length = Date.parse(session.end) - Date.parse(session.start)
  if (rules.length > 1) return 'rule'
  const rule = rules[0] === undefined ? undefined : readRule(rules[0], first, zone)
  if (typeof rule === 'string') return rule
  const dates = rule ? datesOf([rule], []) : [first.toPlainDate().toString()]
  if (!dates || dates.length > MAX_REPEATS) return 'too_many_dates'
  const starts = dates.map((date) =>
    toInstant(Temporal.PlainDate.from(date).toPlainDateTime(first.toPlainTime()), zone).toISOString(),
  )
  return [...new Set([...starts, ...added])]
    .filter((start) => !skipped.includes(start))
    .sort()
    .map((start) => ({
      ...session,
      key: `${session.key} ${start}`,
      start,
      end: new Date(Date.parse(start) + length).toISOString(),
    }))
}

const EVERY: Record<string, Recurrence['every']> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const KNOWN = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST']

/** A rule of RFC 5545, as far as it means the same as a rule of a series; `endless` has no last date. */
export function readRule(text: string, first: Temporal.PlainDateTime, zone: string): Recurrence | 'rule' | 'endless' {
  const parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  )
  const every = EVERY[parts.get('FREQ') ?? '']
  if (!every || [...parts.keys()].some((name) => !KNOWN.includes(name))) return 'rule'
  const end = endOf(parts, first, zone)
  if (typeof end === 'string') return end
  const interval = Number(parts.get('INTERVAL') ?? 1)
  if (!Number.isInteger(interval) || interval < 1 || interval > 1000) return 'rule'
  const rule = { first: first.toPlainDate().toString(), interval, end }
  const days = parts.get('BYDAY')?.split(',')
  const weekdays = days?.map((name) => WEEKDAYS.indexOf(name) + 1)
  if (every === 'day' || every === 'week') {
    if (parts.has('BYMONTHDAY') || parts.has('BYMONTH')) return 'rule'
    if (!weekdays) return { ...rule, every }
    if (every === 'day' && interval > 1) return 'rule'
    if (interval > 1 && (parts.get('WKST') ?? 'MO') !== 'MO') return 'rule'
    // The start is the first date, also if the rule does not name its weekday.
    return weekdays.includes(0) || !weekdays.includes(first.dayOfWeek) ? 'rule' : { ...rule, every: 'week', weekdays }
  }
  if (parts.has('BYMONTH') && (every === 'month' || Number(parts.get('BYMONTH')) !== first.month)) return 'rule'
  return readMonths({ ...rule, every }, parts, first.toPlainDate())
}

function readMonths(rule: Recurrence, parts: ReadonlyMap<string, string>, first: Temporal.PlainDate): Recurrence | 'rule' {
  const day = parts.get('BYDAY')
  if (day === undefined) {
    const isOwnDay = Number(parts.get('BYMONTHDAY') ?? first.day) === first.day
    // Months without the day have no date; a series takes their last day.
    return isOwnDay && first.day <= 28 ? { ...rule, on: 'day' } : 'rule'
  }
  if (parts.has('BYMONTHDAY') || (rule.every === 'year' && !parts.has('BYMONTH'))) return 'rule'
  const weekday = WEEKDAYS[first.dayOfWeek - 1]!
  if (day === `-1${weekday}`) return first.day + 7 > first.daysInMonth ? { ...rule, on: 'last_weekday' } : 'rule'
  return day.replace('+', '') === `${nthOfMonth(first)}${weekday}` ? { ...rule, on: 'weekday' } : 'rule'
}

function endOf(
  parts: ReadonlyMap<string, string>,
  first: Temporal.PlainDateTime,
  zone: string,
): Recurrence['end'] | 'rule' | 'endless' {
  const times = Number(parts.get('COUNT'))
  if (parts.has('COUNT')) return Number.isInteger(times) && times >= 1 ? { times } : 'rule'
  const until = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z?))?$/.exec(parts.get('UNTIL') ?? '')
  if (!until) return parts.has('UNTIL') ? 'rule' : 'endless'
  const [, year, month, day, hour, minute, second, utc] = until
  try {
    const date = `${year}-${month}-${day}`
    if (hour === undefined) return { until: Temporal.PlainDate.from(date).toString() }
    const time = `${date}T${hour}:${minute}:${second}`
    const last = utc ? toWallTime(new Date(`${time}Z`), zone) : Temporal.PlainDateTime.from(time)
    const isWithin = Temporal.PlainTime.compare(first.toPlainTime(), last.toPlainTime()) <= 0
    return {
      until: last
        .toPlainDate()
        .subtract({ days: isWithin ? 0 : 1 })
        .toString(),
    }
  } catch {
    return 'rule'
  }
}
