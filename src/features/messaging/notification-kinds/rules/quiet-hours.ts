import { zoneOf } from '#platform/i18n/zone.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Times of the clock, as `<input type="time">` writes them. Over midnight if the first is later; the same twice: never quiet. */
export type QuietHours = { from: string; to: string }

/** When nobody is asked, wherever people have not chosen hours of their own. */
export const NIGHT: QuietHours = { from: '22:00', to: '07:00' }

/** People need this long between the end of quiet hours and what they are notified of; with less time, they are notified at once. */
const LEAD_MS = 2 * HOUR_MS
/** After quiet hours, people have this long to answer. */
const MORNING_MS = HOUR_MS

/** As they are stored: `22:00-07:00`. */
export const writeQuietHours = ({ from, to }: QuietHours): string => `${from}-${to}`
export function readQuietHours(stored: string): QuietHours {
  const [from = '', to = ''] = stored.split('-')
  return { from, to }
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** The quiet hours that contain the moment, by the clock of the zone; undefined: it is not quiet. */
function quietSpan(at: Date, timeZone: string, { from, to }: QuietHours): { start: Date; end: Date } | undefined {
  const zone = zoneOf(timeZone)
  const [begin, finish] = [minutesOf(from), minutesOf(to)]
  if (begin === finish) return undefined
  const midnight = Math.floor((at.getTime() + zone.offsetAt(at.getTime())) / DAY_MS) * DAY_MS
  for (const day of [midnight - DAY_MS, midnight]) {
    const start = zone.instantOf(day + begin * MINUTE_MS)
    const end = zone.instantOf(day + (finish < begin ? DAY_MS : 0) + finish * MINUTE_MS)
    if (start <= at.getTime() && at.getTime() < end) return { start: new Date(start), end: new Date(end) }
  }
  return undefined
}

type Notifying = {
  timeZone: string
  /** After this it is too late: the shift begins, sign-up closes, or an offer ends. Undefined: there is no hurry. */
  latest: Date | undefined
  hours?: QuietHours
}

/** When people are notified of what is due at this moment: then, or after quiet hours, unless that would be too late. */
export function notifyingTime(at: Date, { timeZone, latest, hours = NIGHT }: Notifying): Date {
  const end = quietSpan(at, timeZone, hours)?.end
  if (!end) return at
  return latest && latest.getTime() - end.getTime() < LEAD_MS ? at : end
}

type Answering = {
  timeZone: string
  /** When people are asked. */
  from: Date
  /** Until when an answer leaves enough time for others, and until when it is of any use. */
  wanted: Date
  latest: Date
}

/**
 * Until when people can answer who should answer by `end`, so that the time does not run out at night: an hour after it, or before it
 * if that is later than wanted. If the evening is too short, the morning has to do; if the morning comes too late, the end stays.
 */
export function answeringEnd(end: Date, { timeZone, from, wanted, latest }: Answering): Date {
  const night = quietSpan(end, timeZone, NIGHT)
  if (!night) return end
  const morning = new Date(night.end.getTime() + MORNING_MS)
  if (morning <= wanted && morning <= latest) return morning
  if (night.start.getTime() - from.getTime() >= MORNING_MS) return night.start
  const late = new Date(Math.min(morning.getTime(), latest.getTime()))
  return late >= night.end ? late : end
}
