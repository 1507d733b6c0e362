import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isConfirmedNoShow } from '#features/on-the-day/check-in/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { isToldAbout, requireGuestId, sharedWith } from '../access.ts'
import type { Cursor } from '../rules/cursor.ts'

/** A guest asks to be told; asked again, it replaces the secret. */
export async function subscribeGuest(context: CommandContext, secret: string): Promise<void> {
  const { db, now, site } = context
  const secret_sealed = site.keyring.seal(secret)
  const fresh = { secret_sealed, subscribed_at: now, next_attempt_at: now, failures_in_row: 0, last_error: null }
  await db
    .insertInto('guest_updates')
    .values({ ...fresh, federated_guest_id: requireGuestId(context.actor), feed_id: randomUUID() })
    .onConflict((conflict) => conflict.column('federated_guest_id').doUpdateSet(fresh))
    .execute()
}

/** Events leave the list of a guest so long after their end. */
const KEPT_DAYS = 14

/**
 * Numbers what has changed since the last call, after all that was numbered before, and returns the last position. Undefined: the guest
 * has not asked to be told. Works under the lock of the row, so that positions become visible in their order.
 */
export async function numberChanges(tx: Tx, guestId: number, now: Date): Promise<Cursor | undefined> {
  const feed = await tx
    .selectFrom('guest_updates')
    .select(['feed_id', 'position'])
    .where('federated_guest_id', '=', guestId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!feed) return undefined
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 3600_000)
  const isShared = sql`(${sharedWith(guestId)})`
  // Times of the event count for a participation, because the guest compares them.
  const { count } = await rowsOf(tx).one(sql<{ count: number }>`
    with wanted as (
      select 'event' as kind, e.id as record_id, null::bigint as visitor_id,
        md5(jsonb_build_array(e.title, e.description, e.location, e.type_id, t.title, e.start_time, e.end_time)::text) as hash
      from event e join event_type t on t.id = e.type_id where ${isShared} and e.end_time >= ${since}
      union all
      select 'participation', p.id, v.id, md5(jsonb_build_array(p.state, p.start_time, p.end_time, p.shift_id, s.label, p.event_id, e.title,
        e.start_time, e.end_time, v.remote_id, ${isShared}, ${isConfirmedNoShow})::text)
      from visitor v join participation p on p.visitor_id = v.id join shift s on s.id = p.shift_id join event e on e.id = p.event_id
      where ${isToldAbout(guestId, now)}
    ), stored as (select * from guest_copy where federated_guest_id = ${guestId}),
    changed as (
      select kind, record_id, coalesce(wanted.visitor_id, stored.visitor_id) as visitor_id, wanted.hash,
        row_number() over (order by kind, record_id) as place
      from wanted full join stored using (kind, record_id) where wanted.hash is distinct from stored.hash
    ), written as (
      insert into guest_copy (federated_guest_id, kind, record_id, position, hash, visitor_id)
      select ${guestId}, kind, record_id, ${feed.position}::bigint + place, hash, visitor_id from changed
      on conflict (federated_guest_id, kind, record_id) do update set position = excluded.position, hash = excluded.hash
      returning 1
    )
    select count(*)::int as count from written`)
  const position = feed.position + count
  if (count) await tx.updateTable('guest_updates').set({ position }).where('federated_guest_id', '=', guestId).execute()
  return { feedId: feed.feed_id, position }
}

/** The guest has everything up to this position, so that it need not be told any more what it no longer sees. */
export async function forgetGone(tx: Tx, guestId: number, position: number): Promise<void> {
  await tx
    .deleteFrom('guest_copy')
    .where('federated_guest_id', '=', guestId)
    .where('hash', 'is', null)
    .where('position', '<=', position)
    .execute()
}

/** These people of the guest, and no others, do not want to be reported to it. */
export async function setObjections(context: CommandContext, people: readonly number[]): Promise<void> {
  const guestId = requireGuestId(context.actor)
  await transact(context.db, async (tx) => {
    // Serialises requests of one guest.
    await tx.selectFrom('federated_guest').select('id').where('id', '=', guestId).forNoKeyUpdate().execute()
    await tx.deleteFrom('visitor_objection').where('federated_guest_id', '=', guestId).execute()
    await sql`insert into visitor_objection (federated_guest_id, remote_id)
      select distinct ${guestId}::bigint, person from unnest(${people}::bigint[]) person`.execute(tx)
    // Without a word about them: the guest has deleted what it knew.
    await sql`delete from guest_copy c using visitor v, visitor_objection o where c.federated_guest_id = ${guestId} and v.id = c.visitor_id
      and o.federated_guest_id = ${guestId} and o.remote_id = v.remote_id`.execute(tx)
  })
}
