import { type RawBuilder, sql } from 'kysely'
import { changeableBy, visibleTo } from '#features/events/access.ts'
import { type Actor, may } from '#platform/auth/actor.ts'

const userOf = (actor: Actor): number => (actor.kind === 'user' ? actor.userId : 0)

/** A condition on `participation` as `p`: a local person whose profile the caller may view. */
function profileViewableBy(actor: Actor): RawBuilder<unknown> {
  if (may(actor, 'view_user')) return sql`p.user_id is not null`
  const groups = actor.kind === 'user' ? actor.groupIds : []
  return sql`(
    exists (select from profile_user_grant v where v.user_id = p.user_id and v.viewer_id = ${userOf(actor)})
    or exists (select from profile_group_grant v where v.user_id = p.user_id and v.group_id = any (${groups}::bigint[]))
  )`
}

/**
 * A condition on `participation` p, `event` e and `event_type` t, for events that the caller sees: their type shows
 * participants to the caller, or the caller is responsible, the person, or may view the person's profile.
 */
export function identityShownTo(actor: Actor): RawBuilder<unknown> {
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

/** The same, with the condition that the event is visible. */
export function visibleParticipations(actor: Actor): RawBuilder<unknown> {
  return sql`${visibleTo(actor)} and ${identityShownTo(actor)}`
}
