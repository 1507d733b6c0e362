import type { CommandContext } from '#platform/auth/context.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { wireTime } from '#platform/http/time-format.ts'
import { record } from '#platform/journal/journal.ts'
import { lockWebhook, requireOwner } from './webhooks.ts'

/** Sends a change of the kind `test` as soon as possible, also while the webhook is paused. Undefined: no such webhook. */
export async function askForTest(context: CommandContext, id: number): Promise<{ deliveryId: number } | undefined> {
  return transact(context.db, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    if (!webhook) return undefined
    requireOwner(context, webhook)
    const { now, site } = context
    const messageId = `test-${randomSecret(16)}`
    const body = {
      cursor: messageId,
      kind: 'test',
      id,
      version: 0,
      what: 'updated',
      cause: null,
      at: wireTime(`${now.toISOString().slice(0, 19).replace('T', ' ')}+00`, site.timeZone),
    }
    const delivery = await tx
      .insertInto('webhook_delivery')
      .values({
        webhook_id: id,
        message_id: messageId,
        kind: body.kind,
        record_id: id,
        what: body.what,
        body: JSON.stringify(body),
        state: 'waiting',
        attempts: 0,
        created_at: now,
        asked_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, { kind: 'webhook.tested', subject: { kind: 'webhook', id } })
    return { deliveryId: delivery.id }
  })
}

/** Sends a delivery of the log again, with the same id and body; one that waits for its next attempt, at once. Undefined: no such delivery. */
export async function askForResend(
  context: CommandContext,
  id: number,
  deliveryId: number,
): Promise<{ ok: true } | { ok: false; reason: 'still_waiting' } | undefined> {
  return transact(context.db, async (tx): Promise<{ ok: true } | { ok: false; reason: 'still_waiting' } | undefined> => {
    const webhook = await lockWebhook(tx, id)
    if (!webhook) return undefined
    requireOwner(context, webhook)
    const delivery = await tx
      .selectFrom('webhook_delivery')
      .select(['state', 'asked_at'])
      .where('id', '=', deliveryId)
      .where('webhook_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!delivery) return undefined
    if (delivery.asked_at) return { ok: false, reason: 'still_waiting' }
    if (delivery.state === 'waiting') {
      // It is the next one anyway.
      await tx.updateTable('webhook_queue').set({ next_at: context.now }).where('webhook_id', '=', id).execute()
    } else {
      await tx.updateTable('webhook_delivery').set({ asked_at: context.now }).where('id', '=', deliveryId).execute()
    }
    await record(tx, context, { kind: 'webhook.resent', subject: { kind: 'webhook', id }, changes: { delivery: deliveryId } })
    return { ok: true }
  })
}
