import { type Kysely, sql } from 'kysely'
import { findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Delivery } from '../rules/deliveries.ts'

/** An entry of the log; times as stored. */
export type DeliveryRow = {
  id: number
  message_id: string
  kind: string
  record_id: number
  what: string
  state: string
  attempts: number
  status: number | null
  error: string | null
  duration_ms: number | null
  created_at: string
  attempted_at: string | null
}

const columns = {
  id: sql`d.id`,
  message_id: sql`d.message_id`,
  kind: sql`d.kind`,
  record_id: sql`d.record_id`,
  what: sql`d.what`,
  state: sql`d.state`,
  attempts: sql`d.attempts`,
  status: sql`d.status`,
  error: sql`d.error`,
  duration_ms: sql`d.duration_ms`,
  created_at: sql`d.created_at::text`,
  attempted_at: sql`d.attempted_at::text`,
}

/** Newest first. */
export function findDeliveryRows(
  { db }: { db: Kysely<DB> },
  webhookId: number,
  page: PageRequest,
): Promise<PagedRows<DeliveryRow>> {
  const order = [{ column: sql`d.id`, type: 'bigint', descending: true }] as const
  const listing = { columns, from: sql`from webhook_delivery d`, where: sql`d.webhook_id = ${webhookId}`, order }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<DeliveryRow>>`${chosen}`)
}

export async function getDeliveryRow(db: Kysely<DB>, id: number): Promise<DeliveryRow | undefined> {
  return rowsOf(db).first(sql<DeliveryRow>`
    select ${selected(columns)} from webhook_delivery d where d.id = ${id}`)
}

/** For pages, newest first. */
export async function findDeliveries(
  db: Kysely<DB>,
  webhookId: number,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<Delivery[]> {
  return rowsOf(db).all(sql<Delivery>`
    select d.id, d.kind, d.record_id as "recordId", d.what, d.state, d.attempts, d.status, d.error, d.duration_ms as "durationMs",
      d.created_at as "createdAt", d.attempted_at as "attemptedAt", d.asked_at is not null as "isAsked"
    from webhook_delivery d
    where d.webhook_id = ${webhookId} and (${before ?? null}::bigint is null or d.id < ${before ?? null}::bigint)
    order by d.id desc limit ${limit}`)
}

type AskedDelivery = { id: number; messageId: string; body: string }

/** Deliveries that were asked for, the oldest first. */
export async function findAsked(db: Kysely<DB>, webhookId: number): Promise<AskedDelivery[]> {
  return rowsOf(db).all(sql<AskedDelivery>`
    select d.id, d.message_id as "messageId", d.body from webhook_delivery d
    where d.webhook_id = ${webhookId} and d.asked_at is not null order by d.asked_at, d.id`)
}
