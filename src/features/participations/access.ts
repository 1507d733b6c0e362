import { type RawBuilder, sql } from 'kysely'
import { changeableBy, openTo, plannedBy, shownTo, visibleTo } from '#features/events/access.ts'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'

const userOf = (actor: Actor): number => (actor.kind === 'user' ? actor.userId : 0)

/** A condition on `participation` as `p`: a local person whose profile the caller may view. */
export function profileViewableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'view_user')) return sql`p.user_id is not null`
  const groups = actor.kind === 'user' ? actor.groupIds : []
  return sql`(
    exists (select from profile_user_grant v where v.user_id = p.user_id and v.viewer_id = ${userOf(actor)})
    or exists (select from profile_group_grant v where v.user_id = p.user_id and v.group_id = any (${groups}::bigint[]))
  )`
}

/** A condition on `participation` as `p`: it is the caller's own. */
export function ownedBy(actor: Actor): RawBuilder<unknown> {
  if (actor.kind === 'visitor') return sql`p.visitor_id is not distinct from ${actor.visitorId}::bigint`
  if (actor.kind === 'guest') return sql`p.guest_id is not distinct from ${actor.guestId}::bigint`
  return sql`p.user_id is not distinct from ${userOf(actor)}::bigint`
}

/**
 * A condition on `participation` p, `event` e and `event_type` t, for events that the caller sees: their type shows
 * participants to the caller, or the caller is responsible, the person, or may view the person's profile. Visitors and guests see
 * themselves, and others only if the type shows participants to visitors and guests, too.
 */
export function identityShownTo(actor: Actor): RawBuilder<unknown> {
  if (actor.kind === 'visitor' || actor.kind === 'guest') return sql`(t.show_participant_data = 3 or ${ownedBy(actor)})`
  const user = userOf(actor)
  return sql`(
    t.show_participant_data in (0, 3)
    or p.user_id = ${user}
    or t.show_participant_data = 1
      and exists (select from participation own where own.event_id = e.id and own.user_id = ${user} and own.state = 1)
    or ${profileViewableBy(actor)}
    or ${changeableBy(actor)}
  )`
}

/** `identityShownTo` for events that the caller sees. */
export function visibleParticipations(actor: Actor): RawBuilder<unknown> {
  return sql`${visibleTo(actor)} and ${identityShownTo(actor)}`
}

/** `visibleParticipations` for queries over all rows: uncorrelated subqueries run once instead of per row. */
export function visibleAmongAll(actor: Actor): RawBuilder<unknown> {
  if (actor.kind !== 'user') return visibleParticipations(actor)
  const { userId: user, groupIds: groups } = actor
  const viewable = hasPermission(actor, 'view_user')
    ? sql`p.user_id is not null`
    : sql`p.user_id in (
        select v.user_id from profile_user_grant v where v.viewer_id = ${user}
        union select v.user_id from profile_group_grant v where v.group_id = any (${groups}::bigint[]))`
  return sql`${visibleTo(actor)} and (
    t.show_participant_data in (0, 3)
    or p.user_id = ${user}
    or t.show_participant_data = 1
      and e.id in (select own.event_id from participation own where own.user_id = ${user} and own.state = 1)
    or ${viewable}
    or ${plannedBy(actor)}
  )`
}

/**
 * A condition on `event` as `e`: the caller can act as a participant. Visitors while the event is shared with their instance, guests
 * in their own event while its link is active, each only while their own record exists.
 */
export function reachableBy(actor: Actor): RawBuilder<unknown> {
  const published = sql`e.active and e.deleted_at is null`
  switch (actor.kind) {
    case 'user':
      return shownTo(actor)
    case 'visitor':
      return sql`${published} and exists (
        select from event_share s join visitor v on v.federated_guest_id = s.federated_guest_id
        where s.event_id = e.id and s.federated_guest_id = ${actor.federatedGuestId} and v.id = ${actor.visitorId})`
    case 'guest':
      return sql`${published} and e.id = ${actor.eventId} and exists (
        select from guest_share s join guest g on g.event_id = s.event_id
        where s.event_id = e.id and s.active and g.id = ${actor.guestId})`
    case 'partner':
    case 'anonymous':
      return sql`false`
  }
}

/** A condition on `event` as `e`: the caller may open its page. */
export const openFor = (actor: Actor): RawBuilder<unknown> => (actor.kind === 'user' ? openTo(actor) : reachableBy(actor))
