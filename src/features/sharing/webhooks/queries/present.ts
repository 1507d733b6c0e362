import type { RequestContext } from '#platform/auth/context.ts'
import { wireTime } from '#platform/http/time-format.ts'
import type { DeliveryRow } from './deliveries.ts'
import { getWebhookRow, type WebhookRow } from './webhooks.ts'

const timeOf = (text: string | null, { site }: RequestContext): string | null => text && wireTime(text, site.timeZone)

export const presentWebhook = (row: WebhookRow, context: RequestContext) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  url: row.url,
  kinds: row.kinds,
  scopes: row.scopes,
  include_record: row.include_record,
  active: row.active,
  owner: row.owner,
  off_reason: row.off_reason,
  off_at: timeOf(row.off_at, context),
  old_secret_until: timeOf(row.old_secret_until, context),
  created_at: timeOf(row.created_at, context),
})

export const presentDelivery = (row: DeliveryRow, context: RequestContext) => ({
  id: row.id,
  message_id: row.message_id,
  kind: row.kind,
  record_id: row.record_id,
  what: row.what,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  duration_ms: row.duration_ms,
  created_at: timeOf(row.created_at, context),
  attempted_at: timeOf(row.attempted_at, context),
})

/** A webhook of the caller. */
export async function getOwnWebhookRow({ db, actor }: RequestContext, id: number): Promise<WebhookRow | undefined> {
  return actor.kind === 'user' ? getWebhookRow(db, actor.userId, id) : undefined
}

export async function presentOwnWebhook(context: RequestContext, id: number) {
  const row = await getOwnWebhookRow(context, id)
  return row && presentWebhook(row, context)
}
