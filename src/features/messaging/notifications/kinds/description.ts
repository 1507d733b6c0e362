import type { Words } from '#platform/i18n/words.ts'
import type { NotificationDetails } from '../rules/details.ts'
import type { Description, Notification } from './kind.ts'

export function describeNotification(words: Words, notification: Notification, now: Date): Description {
  const someone = words.t('notification.someone')
  const { participation } = notification
  const shift = describeShift(words, notification, now)
  return notification.kind.describe({
    words,
    now,
    details: notification,
    event: notification.event?.title ?? '–',
    shift,
    times: participation ? words.span(participation.start, participation.end, now) : shift,
    participant: notification.participant ?? someone,
    actor: notification.actor ?? someone,
  })
}

/** “Sat 14 Nov 08:00–16:00, First aid”. Of a deleted shift, from what was stored. */
function describeShift(words: Words, { shift, data }: NotificationDetails, now: Date): string {
  const times = shift ?? storedTimes(data)
  if (!times) return words.t('notification.deleted_shift')
  const label = shift ? shift.label : data.label
  const span = words.span(times.start, times.end, now)
  return typeof label === 'string' && label ? `${span}, ${label}` : span
}

function storedTimes({ start_time, end_time }: NotificationDetails['data']): { start: Date; end: Date } | undefined {
  if (typeof start_time !== 'string' || typeof end_time !== 'string') return undefined
  return { start: new Date(start_time), end: new Date(end_time) }
}

/** A day of the calendar, `YYYY-MM-DD`: “10 June 2031”. Noon in UTC is another day in some zones. */
export function describeDay(words: Words, day: string): string {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const moments = [0, -12, 12].map((hours) => new Date(noon + hours * 3600_000))
  return words.date(moments.find((at) => words.inputDate(at) === day) ?? moments[0]!)
}

type SwapTexts = { proposer: string; other: string; given: string; wanted: string }

/** Names and shifts of a proposal. */
export function swapTexts(words: Words, swap: NotificationDetails['swap'], now: Date): SwapTexts {
  if (!swap) return { proposer: '–', other: '–', given: '–', wanted: '–' }
  const text = ({ title, label, start, end }: typeof swap.given) =>
    [words.span(start, end, now), title, ...(label ? [label] : [])].join(', ')
  return { proposer: swap.proposer, other: swap.other, given: text(swap.given), wanted: text(swap.wanted) }
}
