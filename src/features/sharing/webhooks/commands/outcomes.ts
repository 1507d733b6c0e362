import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { type Attempt, isDelivered, type Verdict } from '../rules/retries.ts'
import { startOfLog } from '../rules/webhooks.ts'
import type { Lease } from './leases.ts'

/** A change as it is sent. */
export type Message = { id: string; position: number; kind: string; recordId: number; what: string; body: string }

/** `leaseUntil`: the batch may take so long. */
type Done = { lease: Lease; message: Message; attempt: Attempt; now: Date; leaseUntil: Date; feedId: string }

/** One statement, because it runs for every change. False: the lease was lost, and another dispatcher sends the change again. */
export const recordDelivered = (db: Kysely<DB>, done: Done): Promise<boolean> => recordDone(db, done, 'delivered')

async function recordDone(
  db: Kysely<DB>,
  { lease, message, attempt, now, leaseUntil, feedId }: Done,
  state: 'delivered' | 'refused',
): Promise<boolean> {
  const isRefused = state === 'refused'
  return rowsOf(db).exists(sql<{ webhook_id: number }>`
    with moved as (
      update webhook_queue set position = ${message.position}, feed_id = ${feedId}::uuid, failures = 0, failing_since = null, refusals = 0,
        passed_over = case when ${isRefused} then passed_over + 1 else 0 end,
        refused_at = case when ${isRefused} then ${now}::timestamptz else refused_at end,
        next_at = ${now}, lease_until = ${leaseUntil}
      where webhook_id = ${lease.webhookId} and lease_id = ${lease.leaseId}::uuid
      returning webhook_id
    )
    insert into webhook_delivery
      (webhook_id, message_id, kind, record_id, what, body, state, attempts, status, duration_ms, created_at, attempted_at)
    select webhook_id, ${message.id}, ${message.kind}, ${message.recordId}::bigint, ${message.what}, ${message.body}, ${state}, 1,
      ${attempt.status}::smallint, ${attempt.durationMs}::integer, ${now}, ${now} from moved
    on conflict (webhook_id, message_id) do update set state = excluded.state, attempts = webhook_delivery.attempts + 1,
      status = excluded.status, error = null, duration_ms = excluded.duration_ms, attempted_at = excluded.attempted_at,
      body = excluded.body, what = excluded.what
    returning webhook_id`)
}

/** Owners are told of changes that were passed over at most once in so long. */
const TOLD_AGAIN_MS = 24 * 3600_000

/** Passes over a change that the receiver refused. Its owner can send it again from the log. */
export async function recordRefused(db: Kysely<DB>, done: Done): Promise<boolean> {
  const { lease, message, attempt, now } = done
  return transact(db, async (tx) => {
    const webhook = await tx
      .selectFrom('webhook')
      .innerJoin('webhook_queue', 'webhook_queue.webhook_id', 'webhook.id')
      .select(['webhook.name', 'webhook_queue.refused_at'])
      .where('webhook.id', '=', lease.webhookId)
      .executeTakeFirst()
    if (!webhook || !(await recordDone(tx, done, 'refused'))) return false
    const { name, refused_at } = webhook
    if (refused_at && now.getTime() - refused_at.getTime() < TOLD_AGAIN_MS) return true
    const changes = { name, status: attempt.status, kind: message.kind, record: message.recordId }
    await record(
      tx,
      { actor: ANONYMOUS, now, requestId: null },
      { kind: 'webhook.refused', subject: { kind: 'webhook', id: lease.webhookId }, changes },
    )
    return true
  })
}

type Failed = Omit<Done, 'leaseUntil' | 'feedId'> & { verdict: Extract<Verdict, { kind: 'retry' | 'off' }> }

/** Notes the failure and gives the webhook back, or switches it off. */
export async function recordFailed(db: Kysely<DB>, { lease, message, attempt, now, verdict }: Failed): Promise<void> {
  const { failures, failingSince, refusals } = verdict
  const nextAt = verdict.kind === 'retry' ? verdict.nextAt : now
  await transact(db, async (tx) => {
    // In the order of the commands: the webhook, then its queue.
    if (verdict.kind === 'off')
      await tx.selectFrom('webhook').select('id').where('id', '=', lease.webhookId).forNoKeyUpdate().execute()
    const { rows } = await sql<{ webhook_id: number }>`
      update webhook_queue set failures = ${failures}, failing_since = ${failingSince}, refusals = ${refusals}, next_at = ${nextAt},
        lease_id = null, lease_until = null
      where webhook_id = ${lease.webhookId} and lease_id = ${lease.leaseId}::uuid returning webhook_id`.execute(tx)
    if (!rows.length) return
    await sql`
      insert into webhook_delivery
        (webhook_id, message_id, kind, record_id, what, body, state, attempts, status, error, duration_ms, created_at, attempted_at)
      values (${lease.webhookId}, ${message.id}, ${message.kind}, ${message.recordId}, ${message.what}, ${message.body}, 'waiting', 1,
        ${attempt.status}, ${attempt.error}, ${attempt.durationMs}, ${now}, ${now})
      on conflict (webhook_id, message_id) do update set state = 'waiting', attempts = webhook_delivery.attempts + 1,
        status = excluded.status, error = excluded.error, duration_ms = excluded.duration_ms, attempted_at = excluded.attempted_at,
        body = excluded.body, what = excluded.what`.execute(tx)
    if (verdict.kind !== 'off') return
    const off = await tx
      .updateTable('webhook')
      .set({ active: false, off_reason: verdict.reason, off_at: now })
      .where('id', '=', lease.webhookId)
      .where('active', '=', true)
      .returning('name')
      .executeTakeFirst()
    if (!off) return
    const changes = { name: off.name, reason: verdict.reason }
    await record(
      tx,
      { actor: ANONYMOUS, now, requestId: null },
      { kind: 'webhook.switched_off', subject: { kind: 'webhook', id: lease.webhookId }, changes },
    )
  })
}

type Passed = { lease: Lease; position: number; feedId: string; isMissed: boolean; now: Date }

/** Moves on past changes that are not sent. What waited before this position is not visible any longer. False: the lease was lost. */
export async function moveOn(db: Kysely<DB>, { lease, position, feedId, isMissed, now }: Passed): Promise<boolean> {
  return rowsOf(db).exists(sql<{ webhook_id: number }>`
    with moved as (
      update webhook_queue set position = ${position}, feed_id = ${feedId}::uuid, failures = 0, failing_since = null, refusals = 0,
        missed_at = case when ${isMissed} then ${now}::timestamptz else missed_at end
      where webhook_id = ${lease.webhookId} and lease_id = ${lease.leaseId}::uuid returning webhook_id
    ), skipped as (
      update webhook_delivery d set state = 'skipped' from moved
      where d.webhook_id = moved.webhook_id and d.state = 'waiting' and d.asked_at is null
    )
    select webhook_id from moved`)
}

/** A delivery that was asked for has one attempt and does not change the order of others. */
export async function recordAsked(db: Kysely<DB>, deliveryId: number, attempt: Attempt, now: Date): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set((eb) => ({
      state: isDelivered(attempt) ? 'delivered' : 'failed',
      attempts: eb('attempts', '+', 1),
      status: attempt.status,
      error: attempt.error,
      duration_ms: attempt.durationMs,
      attempted_at: now,
      asked_at: null,
    }))
    .where('id', '=', deliveryId)
    .execute()
}

export async function deleteOldDeliveries(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('created_at', '<', startOfLog(now)).execute()
}

/** Forgets secrets that do not sign any more. */
export async function forgetOldSecrets(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ old_secret_sealed: null, old_secret_until: null })
    .where('old_secret_until', '<=', now)
    .execute()
}
