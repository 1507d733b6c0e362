import { notificationPart } from '#features/messaging/notification-kinds/points.ts'
import type { Notification, NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { mailedPath, makeMailToken } from '#features/sharing/guests/rules.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { AddressError, type Mail } from '#platform/mail/mail.ts'
import { type ClaimMail, claimMail, markFailed, markSent, markSkipped } from '../commands/delivery.ts'
import { translateTitles } from '../queries/event-titles.ts'
import { getMailRecipient, getReplyAddress, type MailRecipient, type NotificationMailbox } from '../queries/mail-recipients.ts'
import { findNotifications } from '../queries/notifications.ts'
import { makeUnsubscribeToken } from '../queries/unsubscribe-tokens.ts'
import { describeFailure } from '../rules/delivery.ts'
import { type Delivery, delivery, type Recipient, SEND_TASK } from '../schema.ts'
import { renderNotificationMail, switchableKindsOf } from '../views/mail.ts'
import { sendByChannels } from './channels.ts'
import { sendPush } from './push.ts'
import { type NotificationContext, selectSendable } from './sendable.ts'

/** One job per recipient and bundle, so an address or device that fails does not delay others. */
export function sendTask(context: NotificationContext): Task {
  return {
    name: SEND_TASK,
    run: async (payload) => {
      const job = delivery.parse(payload)
      await sendMail(context, job)
      await sendByChannels(context, job)
      // Last: it throws if it must be repeated.
      await sendPush(context, job)
    },
  }
}

export async function sendMail(context: NotificationContext, job: Delivery, claim: ClaimMail = claimMail): Promise<void> {
  const { db, clock, mailer, site, log } = context
  const now = clock.now()
  const reading = { db: db.write, now, site }
  const { ids, isDigest } = await claim(db.write, job, now)
  if (!ids.length) return
  const found = await getMailRecipient(reading, job.person)
  if (!found.ok) return markSkipped(db.write, ids, found.reason)
  const { recipient } = found
  if (!recipient.mailboxes.length) return markSkipped(db.write, ids, 'address')
  const all = await findNotifications(reading, recipient.actor, { ids })
  const { sendable, skipped } = selectSendable('mail', all, job.person, recipient, now)
  for (const [reason, skippedIds] of skipped) await markSkipped(db.write, skippedIds, reason)
  if (!sendable.length) return
  const sendableIds = sendable.map(({ id }) => id)
  const failures: unknown[] = []
  for (const mailbox of recipient.mailboxes) {
    const mail = await makeMail(context, { person: job.person, recipient, mailbox, notifications: sendable, isDigest })
    await mailer.send(mail).catch((error: unknown) => failures.push(error))
  }
  // One mailbox of several is enough: another attempt would send the mail to it again.
  if (failures.length === recipient.mailboxes.length) {
    if (failures.every((error) => error instanceof AddressError)) return markSkipped(db.write, sendableIds, 'address')
    const reason = describeFailure(failures.find((error) => !(error instanceof AddressError)))
    const { givenUp } = await markFailed(db.write, sendableIds, reason, now)
    if (givenUp) log.error({ notifications: givenUp, reason }, 'a mail could not be sent after the last attempt')
    return
  }
  for (const error of failures) log.error({ reason: describeFailure(error) }, 'a mail reached only some of its mailboxes')
  await markSent(db.write, sendableIds, clock.now())
}

type MailInput = {
  person: Recipient
  recipient: MailRecipient
  mailbox: NotificationMailbox
  notifications: readonly Notification[]
  isDigest: boolean
}

export async function makeMail(context: NotificationContext, input: MailInput): Promise<Mail> {
  const { db, clock, site, defaultLanguage } = context
  const { person, recipient, mailbox, notifications, isDigest } = input
  const isUser = person.kind === 'user'
  const unsubscribePath = (kinds: readonly NotificationKind[]) =>
    `/notifications/off/${makeUnsubscribeToken(site.keyring, { userId: person.id, kinds: kinds.map(({ name }) => name) })}/`
  const words = wordsFor(mailbox.language ?? site.defaultLanguage ?? defaultLanguage, site.timeZone)
  const content = renderNotificationMail({
    words,
    now: clock.now(),
    siteName: (await getOrganizationName(db.read)) ?? 'Turnout',
    siteUrl: site.url,
    reader: {
      name: mailbox.name,
      about: mailbox.about,
      childId: mailbox.childId,
      isUser,
      federatedGuestId: recipient.federatedGuestId,
      guestPath: guestPathOf(site, person, mailbox.email),
      keyring: site.keyring,
    },
    notifications: await translateTitles({ db: db.write, site, words }, notifications),
    isDigest,
    parts: site.added(notificationPart),
    unsubscribePath: isUser ? unsubscribePath : undefined,
  })
  const kinds = switchableKindsOf(notifications)
  const replyTo = await findReplyAddress(db, notifications)
  return {
    to: mailbox.email,
    ...(mailbox.ownerId === undefined ? {} : { userId: mailbox.ownerId }),
    ...content,
    ...(replyTo ? { replyTo } : {}),
    headers: isUser && kinds.length ? unsubscribeHeaders(`${site.url}${unsubscribePath(kinds)}`) : {},
  }
}

/** The link proves the address of the guest, like that of the first mail. */
const guestPathOf = ({ keyring }: Pick<Site, 'keyring'>, { kind, id }: Recipient, email: string): string | undefined =>
  kind === 'guest' ? mailedPath(makeMailToken(keyring, { id, email })) : undefined

/** RFC 8058: one-click unsubscribe in mail clients. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Replies of participants go to a responsible, if the mail is about one event. */
async function findReplyAddress(db: Database, notifications: readonly Notification[]): Promise<string | undefined> {
  const { event, kind, actorId } = notifications[0]!
  if (!event || kind.role === 'responsible' || notifications.some((each) => each.event?.id !== event.id)) return undefined
  return getReplyAddress(db.read, event.id, actorId)
}
