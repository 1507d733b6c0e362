import { type RawBuilder, sql } from 'kysely'
import { changeableBy, plannedBy, visibleTo } from '#features/events/events/access.ts'
import { type Actor, hasPermission, type UserActor, userIdOf } from '#platform/auth/actor.ts'

/** A condition on `participation` as `p`: a local person whose profile the caller may view. */
export function profileViewableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'view_user')) return sql`p.user_id is not null`
  const groups = actor.kind === 'user' ? actor.groupIds : []
  return sql`(
    exists (select from profile_user_grant v where v.user_id = p.user_id and v.viewer_id = ${userIdOf(actor)})
    or exists (select from profile_group_grant v where v.user_id = p.user_id and v.group_id = any (${groups}::bigint[]))
  )`
}

/** A condition on `participation` as `p`: it is the caller's own. */
export function ownedBy(actor: Actor): RawBuilder<unknown> {
  if (actor.kind === 'visitor') return sql`p.visitor_id is not distinct from ${actor.visitorId}::bigint`
  if (actor.kind === 'guest') return sql`p.guest_id is not distinct from ${actor.guestId}::bigint`
  return sql`p.user_id is not distinct from ${userIdOf(actor)}::bigint`
}

/**
 * A condition on `participation` p, `event` e and `event_type` t, for events that the caller sees: their type shows
 * participants to the caller, or the caller is responsible, the person, or may view the person's profile. Visitors see themselves,
 * and others only if the type shows participants to visitors, too. Guests see themselves: anybody can become one by a link.
 */
export function identityShownTo(actor: Actor): RawBuilder<unknown> {
  if (actor.kind === 'guest') return ownedBy(actor)
  if (actor.kind === 'visitor') return sql`(t.show_participant_data = 3 or ${ownedBy(actor)})`
  const user = userIdOf(actor)
  return sql`(
    t.show_participant_data in (0, 3)
    or p.user_id = ${user}
    or t.show_participant_data = 1
      and exists (select from participation own where own.event_id = e.id and own.user_id = ${user} and own.state = 1)
    or ${profileViewableBy(actor)}
    or ${changeableBy(actor)}
  )`
}

/** A condition on `participation` p: the caller knows that this person takes part. Requests of others are no matter of guests. */
export const presenceShownTo = (actor: Actor): RawBuilder<unknown> =>
  actor.kind === 'guest' ? sql`(p.state = 1 or ${ownedBy(actor)})` : sql`(p.state in (0, 1) or ${ownedBy(actor)})`

/** `identityShownTo` for events that the caller sees. */
export function visibleParticipations(actor: Actor): RawBuilder<unknown> {
  return sql`${visibleTo(actor)} and ${identityShownTo(actor)}`
}

/** A condition on `event` e and `event_type` t, for queries over all events: the caller sees everybody who takes part. */
export const showsEverybodyTo = (actor: UserActor): RawBuilder<unknown> => sql`(
  t.show_participant_data in (0, 3)
  or t.show_participant_data = 1
    and e.id in (select own.event_id from participation own where own.user_id = ${actor.userId} and own.state = 1)
  or ${plannedBy(actor)}
)`

/** `visibleParticipations` for queries over all rows: uncorrelated subqueries run once instead of per row. */
export function visibleAmongAll(actor: Actor): RawBuilder<unknown> {
  if (actor.kind !== 'user') return visibleParticipations(actor)
  const { userId: user, groupIds: groups } = actor
  const viewable = hasPermission(actor, 'view_user')
    ? sql`p.user_id is not null`
    : sql`p.user_id in (
        select v.user_id from profile_user_grant v where v.viewer_id = ${user}
        union select v.user_id from profile_group_grant v where v.group_id = any (${groups}::bigint[]))`
  return sql`${visibleTo(actor)} and (${showsEverybodyTo(actor)} or p.user_id = ${user} or ${viewable})`
}
