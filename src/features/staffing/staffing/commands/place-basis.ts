import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import { markShiftsOfPeople } from './statistics.ts'

/** After a decision about the place: from now on the person counts as they are. A statement, also for a `with` of another one. */
export const withoutPlaceBasis = (participationId: number) =>
  sql`delete from place_basis where participation_id = ${participationId}`

export async function forgetPlaceBasis(tx: Tx, participationId: number): Promise<void> {
  await withoutPlaceBasis(participationId).execute(tx)
}

/** A condition on `participation` as `p`: its person would see the event without taking part in it. */
const isInAudience = sql`(
  exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
    where g.event_id = p.event_id and m.user_id = p.user_id)
  or exists (select from event_user_grant g where g.event_id = p.event_id and g.user_id = p.user_id)
  or exists (select from user_profile u where u.id = p.user_id and (u.is_staff or u.is_superuser))
  or exists (select from user_permission o where o.user_id = p.user_id and o.permission = 'view_event')
  or exists (select from group_permission o join user_group_member m on m.group_id = o.group_id
    where m.user_id = p.user_id and o.permission = 'view_event')
)`

type MembershipChange = { userIds: readonly number[]; left: readonly number[]; now: Date }

/**
 * After people joined or left groups: their future places in events of the groups they left do not count any more, unless they see
 * the event for another reason. Places count again when they return.
 */
export async function updateLeftGroups(tx: Tx, { userIds, left, now }: MembershipChange): Promise<void> {
  if (!userIds.length) return
  const { numAffectedRows: returned = 0n } = await sql`
    update place_basis b set has_left_group = false from participation p
    where p.id = b.participation_id and p.user_id = any (${userIds}::bigint[]) and b.has_left_group and ${isInAudience}`.execute(
    tx,
  )
  const { numAffectedRows: gone = 0n } = await sql`
    insert into place_basis (participation_id, has_left_group)
    select p.id, true from participation p
    where p.user_id = any (${userIds}::bigint[]) and p.state = 1 and not p.finished and p.end_time > ${now}
      and exists (select from event_group_grant g where g.event_id = p.event_id and g.group_id = any (${left}::bigint[]))
      and not ${isInAudience}
    on conflict (participation_id) do update set has_left_group = true`.execute(tx)
  if (returned + gone > 0n) await markShiftsOfPeople(tx, userIds, now)
}
