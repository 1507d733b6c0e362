import { markLinkUsed, removeLink } from '#features/messaging/channels/commands/links.ts'
import { type NotificationChannel, notificationChannel } from '#features/messaging/channels/points.ts'
import { getLink } from '#features/messaging/channels/queries.ts'
import { claimDelivery, markDelivery } from '../commands/delivery.ts'
import { CHANNEL_LIFETIME_MS } from '../rules/delivery.ts'
import type { Delivery } from '../schema.ts'
import { makeChannelMessages } from '../views/short-messages.ts'
import type { NotificationContext } from './sendable.ts'
import { isOlder, sendBy, type ToSend } from './ways.ts'

/** By every channel of extensions. What a channel cannot send for the moment waits, and delays nothing else. */
export async function sendByChannels(context: NotificationContext, job: Delivery): Promise<void> {
  if (job.person.kind !== 'user') return
  for (const channel of context.site.added(notificationChannel)) {
    const { db } = context
    const mark = (ids: readonly number[], state: Parameters<typeof markDelivery>[3]) =>
      markDelivery(db.write, channel.name, ids, state)
    await sendBy(
      {
        channel: channel.name,
        claim: () => claimDelivery(db.write, channel.name, job, context.clock.now()),
        mark,
        send: (input) => sendMessages(context, channel, input, mark),
      },
      context,
      job,
    )
  }
}

async function sendMessages(
  { db, site, outbound, log }: NotificationContext,
  channel: NotificationChannel,
  input: ToSend,
  mark: (ids: readonly number[], state: 'waiting' | 'skipped' | 'failed') => Promise<void>,
): Promise<void> {
  const { userId, words, now, notifications } = input
  const messages = makeChannelMessages({ ...input, siteUrl: site.url })
  const link = await getLink(db.write, userId, channel.name)
  for (const [index, { message }] of messages.entries()) {
    const outcome = link ? await channel.send({ db, now, site, outbound, words }, link.address, message) : 'gone'
    if (outcome === 'sent') continue
    const rest = messages.slice(index).flatMap(({ ids }) => ids)
    if (outcome === 'gone') {
      if (link) await removeLink(db.write, link.id)
      return mark(rest, 'skipped')
    }
    const isOld = isOlder(notifications, now, CHANNEL_LIFETIME_MS)
    log.warn({ channel: channel.name, isGivenUp: isOld }, 'a message could not be delivered by a channel')
    return mark(rest, isOld ? 'failed' : 'waiting')
  }
  if (link) await markLinkUsed(db.write, link.id, now)
}
