import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns } from '#features/accounts/users/queries/actor.ts'
import type { FeedState } from '#features/sharing/change-feed/rules/cursor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Standing } from '../rules/retries.ts'

/** A webhook that one dispatcher works on until the lease ends. */
export type Claim = Standing & {
  webhookId: number
  leaseId: string
  url: string
  kinds: string[]
  /** Without those that the service account of the owner has lost. */
  scopes: string[]
  includesRecord: boolean
  active: boolean
  secretSealed: string
  oldSecretSealed: string | null
  oldSecretUntil: Date | null
  feedId: string
  position: number
  nextAt: Date
  isAsked: boolean
}
export type ClaimRow = Claim & ActorRow

type Wish = {
  feed: FeedState
  now: Date
  limit: number
  /** Those whose last attempt failed, or the others. */
  failing: boolean
  leaseUntil: Date
}

/**
 * Takes webhooks that have something to do, those that waited longest first. A lease that ended belongs to a dispatcher that was killed,
 * so its webhooks are taken over.
 */
export async function claimWebhooks(db: Kysely<DB>, { feed, now, limit, failing, leaseUntil }: Wish): Promise<ClaimRow[]> {
  return rowsOf(db).all(sql<ClaimRow>`
    with due as (
      select q.webhook_id, a.is_asked
      from webhook_queue q join webhook w on w.id = q.webhook_id join user_profile u on u.id = w.owner_id
        left join service_account s on s.user_id = u.id
        cross join lateral (select exists (
          select from webhook_delivery d where d.webhook_id = q.webhook_id and d.asked_at is not null) as is_asked) a
      where (q.lease_until is null or q.lease_until <= ${now}) and u.is_active and (s.expires_at is null or s.expires_at > ${now})
        and (a.is_asked or (w.active and q.next_at <= ${now} and (q.position < ${feed.position} or q.feed_id <> ${feed.id}::uuid)))
        and (q.failures > 0 and not a.is_asked) = ${failing}
      order by q.next_at, q.webhook_id limit ${limit} for update of q skip locked
    )
    update webhook_queue q set lease_id = gen_random_uuid(), lease_until = ${leaseUntil}
    from due join webhook w on w.id = due.webhook_id join user_profile u on u.id = w.owner_id left join service_account s on s.user_id = u.id
    where q.webhook_id = due.webhook_id
    returning q.webhook_id as "webhookId", q.lease_id::text as "leaseId", w.url, w.kinds, w.active,
      w.include_record as "includesRecord",
      array(select given from unnest(w.scopes) given where s.user_id is null or given = any (s.scopes)) as scopes,
      w.secret_sealed as "secretSealed", w.old_secret_sealed as "oldSecretSealed", w.old_secret_until as "oldSecretUntil",
      q.feed_id::text as "feedId", q.position, q.failures, q.failing_since as "failingSince", q.refusals,
      q.passed_over as "passedOver", q.next_at as "nextAt",
      due.is_asked as "isAsked", ${actorColumns}`)
}

export type Lease = { webhookId: number; leaseId: string }

/** Gives the webhook back; it waits behind the others. */
export async function releaseLease(db: Kysely<DB>, { webhookId, leaseId }: Lease, now: Date): Promise<void> {
  await sql`update webhook_queue set lease_id = null, lease_until = null, next_at = greatest(next_at, ${now})
    where webhook_id = ${webhookId} and lease_id = ${leaseId}::uuid`.execute(db)
}

/** The owner of a webhook; undefined if the account is deactivated. */
export async function getOwner(db: Kysely<DB>, webhookId: number): Promise<ActorRow | undefined> {
  return rowsOf(db).first(sql<ActorRow>`
    select ${actorColumns} from webhook w join user_profile u on u.id = w.owner_id
    where w.id = ${webhookId} and u.is_active`)
}
