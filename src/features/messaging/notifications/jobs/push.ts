import { notificationPart } from '#features/messaging/notification-kinds/points.ts'
import {
  deletePushDevices,
  LIFETIME_SECONDS,
  markPushDevicesUsed,
  sendToDevices,
} from '#features/messaging/push/commands/sending.ts'
import { findPushTargets } from '#features/messaging/push/queries.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { claimPush, markPush } from '../commands/delivery.ts'
import { getMailRecipient } from '../queries/mail-recipients.ts'
import { findNotifications } from '../queries/notifications.ts'
import type { Delivery } from '../schema.ts'
import { makePushMessages } from '../views/push.ts'
import { type NotificationContext, selectSendable } from './sendable.ts'

/** Throws if no device could be reached for the moment, so that the job is repeated. */
export async function sendPush(context: NotificationContext, job: Delivery): Promise<void> {
  const { db, clock, site, defaultLanguage, log } = context
  const now = clock.now()
  const reading = { db: db.write, now, site }
  const ids = await claimPush(db.write, job, now)
  if (!ids.length) return
  const found = await getMailRecipient(reading, job.person)
  if (!found.ok) return markPush(db.write, ids, 'skipped')
  const { recipient } = found
  const all = await findNotifications(reading, recipient.actor, { ids })
  const { sendable, skipped } = selectSendable('push', all, job.person, recipient, now)
  await markPush(db.write, [...skipped.values()].flat(), 'skipped')
  if (!sendable.length) return
  const words = wordsFor(recipient.language ?? site.defaultLanguage ?? defaultLanguage, site.timeZone)
  const siteName = (await getOrganizationName(db.read)) ?? 'Turnout'
  const messages = makePushMessages({
    words,
    now,
    siteName,
    notifications: sendable,
    parts: site.added(notificationPart),
    keyring: site.keyring,
  })
  const devices = await findPushTargets(db.read, job.person.id)
  const outcome = await sendToDevices(context, devices, messages)
  await deletePushDevices(db.write, outcome.gone)
  await markPushDevicesUsed(db.write, outcome.reached, now)
  const sendableIds = sendable.map(({ id }) => id)
  if (outcome.reached.length) return
  // No device is left, so nothing came by push.
  if (!outcome.failed.length) return markPush(db.write, sendableIds, 'skipped')
  const isOld = sendable.every(({ createdAt }) => now.getTime() - createdAt.getTime() > LIFETIME_SECONDS * 1000)
  await markPush(db.write, sendableIds, isOld ? 'failed' : 'waiting')
  log.warn({ devices: outcome.failed.length, reason: outcome.reason }, 'push messages could not be delivered')
  if (!isOld) throw new Error(`no push service could be reached: ${outcome.reason}`)
}
