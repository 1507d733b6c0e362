import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { findOwnTexts, type Reading } from '#platform/features/own-texts.ts'

/** With the titles of their events in the language of the reader. */
export async function translateTitles(reading: Reading, notifications: readonly Notification[]): Promise<Notification[]> {
  const ids = notifications.flatMap(({ event }) => event?.id ?? [])
  const textOf = await findOwnTexts(reading, 'event', ids)
  return notifications.map((notification) => {
    const { event } = notification
    return event ? { ...notification, event: { ...event, title: textOf(event.id, 'title', event.title) } } : notification
  })
}
