import type { NotificationDetails } from '#features/messaging/notification-kinds/rules/details.ts'
import type { Description, Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { type Words, wordsAboutChild } from '#platform/i18n/words.ts'

/** Guardians read about the child by name. */
export function describeNotification(ownWords: Words, notification: Notification, now: Date): Description {
  const { child } = notification
  const words = child ? wordsAboutChild(ownWords, child.name) : ownWords
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
