import {
  deletePushDevices,
  LIFETIME_SECONDS,
  markPushDevicesUsed,
  sendToDevices,
} from '#features/messaging/push/commands/sending.ts'
import { findPushTargets } from '#features/messaging/push/queries.ts'
import { claimPush, markPush } from '../commands/delivery.ts'
import type { Delivery } from '../schema.ts'
import { makePushMessages } from '../views/short-messages.ts'
import type { NotificationContext } from './sendable.ts'
import { isOlder, sendBy, type ToSend } from './ways.ts'

/** Throws if no device could be reached for the moment, so that the job is repeated. */
export const sendPush = (context: NotificationContext, job: Delivery): Promise<void> =>
  sendBy(
    {
      channel: 'push',
      claim: () => claimPush(context.db.write, job, context.clock.now()),
      mark: (ids, state) => markPush(context.db.write, ids, state),
      send: (input) => sendToAll(context, input),
    },
    context,
    job,
  )

async function sendToAll(context: NotificationContext, input: ToSend): Promise<void> {
  const { db, log } = context
  const { userId, now, notifications } = input
  const ids = notifications.map(({ id }) => id)
  const outcome = await sendToDevices(context, await findPushTargets(db.read, userId), makePushMessages(input))
  await deletePushDevices(db.write, outcome.gone)
  await markPushDevicesUsed(db.write, outcome.reached, now)
  if (outcome.reached.length) return
  // No device is left, so nothing came by push.
  if (!outcome.failed.length) return markPush(db.write, ids, 'skipped')
  const isOld = isOlder(notifications, now, LIFETIME_SECONDS * 1000)
  await markPush(db.write, ids, isOld ? 'failed' : 'waiting')
  log.warn({ devices: outcome.failed.length, reason: outcome.reason }, 'push messages could not be delivered')
  if (!isOld) throw new Error(`no push service could be reached: ${outcome.reason}`)
}
