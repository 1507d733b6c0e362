import { type RawBuilder, sql } from 'kysely'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** A condition on `shift` as `f` and `leader`: f is coupled to leader. Coupled shifts cannot be leaders. */
const follows = sql`leader.event_id = f.event_id and leader.id <> f.id and leader.signup_flow_slug <> 'coupled'
  and f.signup_flow_slug = 'coupled' and f.signup_flow_configuration ->> 'leader_shift_id' = leader.id::text`

/** A condition on two participations: they belong to the same person or placeholder name. */
const samePerson = (a: RawBuilder<unknown>, b: RawBuilder<unknown>) => sql`${a}.kind = ${b}.kind
  and coalesce(${a}.user_id, ${a}.visitor_id, ${a}.guest_id) is not distinct from coalesce(${b}.user_id, ${b}.visitor_id, ${b}.guest_id)
  and ${a}.placeholder_name is not distinct from ${b}.placeholder_name`

/** Shifts that are coupled to this one, as an array. */
export const followersOf = (leaderId: number): RawBuilder<number[]> => sql`array(
  select f.id from shift f join shift leader on ${follows} where leader.id = ${leaderId} order by f.id)`

export const findFollowers = async (tx: Tx, leaderId: number): Promise<number[]> =>
  (await rowsOf(tx).one(sql<{ followers: number[] }>`select ${followersOf(leaderId)} as followers`)).followers

/** A condition on `participation` as `t`: the same person takes part in the shift, and the one of `t` is coupled to it. */
export const copiesOf = (shiftId: number): RawBuilder<unknown> => sql`exists (
  select from participation followed join shift leader on leader.id = followed.shift_id join shift f on ${follows}
  where followed.shift_id = ${shiftId} and f.id = t.shift_id and ${samePerson(sql`t`, sql`followed`)})`

/** Copies only the state of the leader's participations, without the imported state `gettingDispatched` (4). */
async function copyStates(
  tx: Tx,
  { now }: CommandContext,
  followers: readonly number[],
  ofLeader: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update participation set state = followed.state from participation followed
    where ${ofLeader} and followed.state <> 4 and participation.shift_id = any (${followers}::bigint[])
      and participation.state <> followed.state and ${samePerson(sql`participation`, sql`followed`)}`.execute(tx)
  await sql`
    insert into participation (shift_id, kind, user_id, visitor_id, guest_id, placeholder_name, brought_by_id, state, created_at, event_id, start_time, end_time)
    select f.id, followed.kind, followed.user_id, followed.visitor_id, followed.guest_id, followed.placeholder_name, followed.brought_by_id, followed.state,
      ${now}, followed.event_id, followed.start_time, followed.end_time
    from participation followed cross join unnest(${followers}::bigint[]) as f (id)
    where ${ofLeader} and followed.state <> 4 order by f.id, followed.id
    on conflict do nothing`.execute(tx)
}

/** Copies the state of a changed participation to the shifts that are coupled to its shift. Returns their ids. */
export async function copyStateToFollowers(
  tx: Tx,
  context: CommandContext,
  { shiftId, participationId, followers }: { shiftId: number; participationId: number; followers?: readonly number[] },
): Promise<readonly number[]> {
  const found = followers ?? (await findFollowers(tx, shiftId))
  if (found.length) await copyStates(tx, context, found, sql`followed.id = ${participationId}`)
  return found
}

/**
 * Copies the participations of the leaders to coupled shifts that were just written; does nothing for other shifts. People who take
 * part only in the coupled shift stay. The caller holds the lock of the event.
 */
export async function copyFromLeaders(tx: Tx, context: CommandContext, shiftIds: readonly number[]): Promise<void> {
  const coupled = await rowsOf(tx).all(sql<{ id: number; leader_id: number }>`
    select f.id, leader.id as leader_id from shift f join shift leader on ${follows} where f.id = any (${shiftIds}::bigint[])`)
  for (const { id, leader_id } of coupled) await copyStates(tx, context, [id], sql`followed.shift_id = ${leader_id}`)
  await refreshStatistics(
    tx,
    coupled.map(({ id }) => id),
  )
}

/**
 * For undo: deletes the participations of the same person in coupled shifts that were created together with an action on this one.
 * Returns the ids of the coupled shifts. The caller holds the lock of the event.
 */
export async function removeCopiesMadeAt(tx: Tx, shiftId: number, participationId: number, at: Date): Promise<number[]> {
  const followers = await findFollowers(tx, shiftId)
  if (followers.length)
    await sql`
      delete from participation using participation followed
      where followed.id = ${participationId} and participation.shift_id = any (${followers}::bigint[])
        and participation.created_at = ${at} and ${samePerson(sql`participation`, sql`followed`)}`.execute(tx)
  return followers
}

/**
 * Before participations of a leader are deleted, alone or with their shift: deletes those of the same people from the coupled shifts.
 * Without ids: of all people on the shift. The caller holds the lock of the event.
 */
export async function removeFromFollowers(tx: Tx, shiftId: number, participationIds?: readonly number[]): Promise<void> {
  const followers = await findFollowers(tx, shiftId)
  if (!followers.length) return
  const some = participationIds ? sql`followed.id = any (${participationIds}::bigint[])` : sql`true`
  await sql`
    delete from participation using participation followed
    where followed.shift_id = ${shiftId} and ${some} and participation.shift_id = any (${followers}::bigint[])
      and ${samePerson(sql`participation`, sql`followed`)}`.execute(tx)
  await refreshStatistics(tx, followers)
}
