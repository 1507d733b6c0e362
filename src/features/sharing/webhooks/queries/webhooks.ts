import { type Kysely, type RawBuilder, sql } from 'kysely'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type Webhook = {
  id: number
  ownerId: number
  owner: string
  isOwnerActive: boolean
  name: string
  description: string
  url: string
  kinds: string[]
  scopes: string[]
  includesRecord: boolean
  active: boolean
  offReason: string | null
  offAt: Date | null
  oldSecretUntil: Date | null
  createdAt: Date
  failures: number
  failingSince: Date | null
  nextAt: Date
  missedAt: Date | null
  refusedAt: Date | null
}

const webhooks = (where: RawBuilder<unknown>) => sql<Webhook>`
  select w.id, w.owner_id as "ownerId", u.display_name as owner, u.is_active as "isOwnerActive", w.name, w.description, w.url, w.kinds,
    w.scopes, w.include_record as "includesRecord", w.active, w.off_reason as "offReason", w.off_at as "offAt", w.old_secret_until as "oldSecretUntil",
    w.created_at as "createdAt", q.failures, q.failing_since as "failingSince", q.next_at as "nextAt", q.missed_at as "missedAt",
    q.refused_at as "refusedAt"
  from webhook w join user_profile u on u.id = w.owner_id join webhook_queue q on q.webhook_id = w.id
  where ${where} order by lower(w.name), w.id`

export async function findWebhooks(db: Kysely<DB>, owner: number | 'all'): Promise<Webhook[]> {
  const { rows } = await webhooks(owner === 'all' ? sql`true` : sql`w.owner_id = ${owner}`).execute(db)
  return rows
}

export async function getWebhook(db: Kysely<DB>, id: number): Promise<Webhook | undefined> {
  const { rows } = await webhooks(sql`w.id = ${id}`).execute(db)
  return rows[0]
}

/** For the API; times as stored. */
export type WebhookRow = {
  id: number
  name: string
  description: string
  url: string
  kinds: string[]
  scopes: string[]
  include_record: boolean
  owner: number
  active: boolean
  off_reason: string | null
  off_at: string | null
  old_secret_until: string | null
  created_at: string
}

const rowColumns = {
  id: sql`w.id`,
  name: sql`w.name`,
  description: sql`w.description`,
  url: sql`w.url`,
  kinds: sql`w.kinds`,
  scopes: sql`w.scopes`,
  include_record: sql`w.include_record`,
  owner: sql`w.owner_id`,
  active: sql`w.active`,
  off_reason: sql`w.off_reason`,
  off_at: sql`w.off_at::text`,
  old_secret_until: sql`w.old_secret_until::text`,
  created_at: sql`w.created_at::text`,
}

/** Of one owner, by id. */
export function findWebhookRows({ db }: { db: Kysely<DB> }, ownerId: number, page: PageRequest): Promise<PagedRows<WebhookRow>> {
  const listing = { columns: rowColumns, from: sql`from webhook w`, where: sql`w.owner_id = ${ownerId}`, order: byId(sql`w.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<WebhookRow>>`${chosen}`)
}

export async function getWebhookRow(db: Kysely<DB>, ownerId: number, id: number): Promise<WebhookRow | undefined> {
  return rowsOf(db).first(sql<WebhookRow>`
    select ${selected(rowColumns)} from webhook w where w.id = ${id} and w.owner_id = ${ownerId}`)
}

export async function countWebhooksOf(db: Kysely<DB>, ownerId: number): Promise<number> {
  const { count } = await rowsOf(db).one(
    sql<{ count: number }>`select count(*)::int as count from webhook where owner_id = ${ownerId}`,
  )
  return count
}
