import { notificationPart } from '#features/messaging/notification-kinds/points.ts'
import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { DeliveryState } from '../commands/delivery.ts'
import { translateTitles } from '../queries/event-titles.ts'
import { getMailRecipient } from '../queries/mail-recipients.ts'
import { findNotifications } from '../queries/notifications.ts'
import type { Channel } from '../rules/channels.ts'
import type { Delivery } from '../schema.ts'
import type { NameParts } from '../views/mail-names.ts'
import { type NotificationContext, selectSendable } from './sendable.ts'

/** What a short message is made from. */
export type ToSend = {
  userId: number
  words: Words
  now: Date
  siteName: string
  notifications: readonly Notification[]
  parts: NameParts
  keyring: Keyring
}

/** A way by which people with an account get short messages at most once: push, or a channel of an extension. */
export type Way = {
  channel: Channel
  /** Marks the waiting notifications as sent before they are, so that nobody gets one twice. */
  claim: () => Promise<number[]>
  mark: (ids: readonly number[], state: DeliveryState) => Promise<void>
  /** Marks what could not be sent. */
  send: (input: ToSend) => Promise<void>
}

/** Sends what waits for this way and is still true and wanted. */
export async function sendBy(way: Way, context: NotificationContext, job: Delivery): Promise<void> {
  const { db, clock, site, defaultLanguage } = context
  const now = clock.now()
  const reading = { db: db.write, now, site }
  const ids = await way.claim()
  if (!ids.length) return
  const found = await getMailRecipient(reading, job.person)
  if (!found.ok) return way.mark(ids, 'skipped')
  const { recipient } = found
  const all = await findNotifications(reading, recipient.actor, { ids })
  const { sendable, skipped } = selectSendable(way.channel, all, job.person, recipient, now)
  await way.mark([...skipped.values()].flat(), 'skipped')
  if (!sendable.length) return
  const words = wordsFor(recipient.language ?? site.defaultLanguage ?? defaultLanguage, site.timeZone)
  await way.send({
    userId: job.person.id,
    words,
    now,
    siteName: (await getOrganizationName(db.read)) ?? 'Turnout',
    notifications: await translateTitles({ db: db.write, site, words }, sendable),
    parts: site.added(notificationPart),
    keyring: site.keyring,
  })
}

export const isOlder = (notifications: readonly Notification[], now: Date, limitMs: number): boolean =>
  notifications.every(({ createdAt }) => now.getTime() - createdAt.getTime() > limitMs)
