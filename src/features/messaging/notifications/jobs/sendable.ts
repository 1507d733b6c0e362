import type { Notification } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { SkipReason } from '../commands/delivery.ts'
import type { MailRecipient } from '../queries/mail-recipients.ts'
import { type Channel, wants } from '../rules/channels.ts'
import type { Recipient } from '../schema.ts'

export type NotificationContext = {
  db: Database
  clock: Clock
  mailer: Mailer
  /** For push services and channels. */
  outbound: Outbound
  site: Site
  /** For guests and visitors. */
  defaultLanguage: Language
  log: Log
}

/** Those to send by this channel, and the others by the reason why not. */
export function selectSendable(
  channel: Channel,
  notifications: readonly Notification[],
  person: Recipient,
  recipient: Pick<MailRecipient, 'choices'>,
  now: Date,
) {
  const skipped = new Map<SkipReason, number[]>()
  const sendable = notifications.filter((notification) => {
    const reason = findSkipReason(channel, notification, person, recipient, now)
    if (reason) skipped.set(reason, [...(skipped.get(reason) ?? []), notification.id])
    return !reason
  })
  return { sendable, skipped }
}

function findSkipReason(
  channel: Channel,
  notification: Notification,
  person: Recipient,
  { choices }: Pick<MailRecipient, 'choices'>,
  now: Date,
): SkipReason | undefined {
  const { kind, event } = notification
  if (notification.readAt) return 'read'
  if (!wants(channel, kind, choices)) return 'switched_off'
  if (kind.isObsolete(notification, now)) return 'obsolete'
  if (person.kind !== 'user' || kind.showsHiddenEvents || kind.hasNoEvent) return undefined
  // The user could not open the link: a draft, or an event that is no longer visible to them.
  if (event && !event.isShown) return 'not_shown'
  return kind.role === 'responsible' && !event?.isResponsible ? 'not_shown' : undefined
}
