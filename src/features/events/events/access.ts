import { type RawBuilder, sql } from 'kysely'
import { type Actor, hasPermission, userIdOf } from '#platform/auth/actor.ts'

/** Superusers, managers and users with the global view permission. */
export const seesAllEvents = (actor: Actor): boolean => hasPermission(actor, 'view_event')

export const groupsOf = (actor: Actor): readonly number[] => (actor.kind === 'user' ? actor.groupIds : [])
/**
 * Events that the caller sees besides those of their groups: granted to them personally, or because of
 * a participation in any state but 4. Both sets are small.
 */
function eventsOfPerson(actor: Actor): RawBuilder<unknown> {
  const { grant, participation } = waysToSee(actor)
  return sql`${grant} union ${participation}`
}

/**
 * How the caller can be in the audience of an event: `group` is a condition on `event` as `e`, the others are queries for ids of
 * events. The explanation of who sees an event uses the same ones.
 */
export function waysToSee(actor: Actor): Record<'group' | 'grant' | 'participation', RawBuilder<unknown>> {
  const user = userIdOf(actor)
  return {
    group: sql`e.audience_id in (select a.id from audience a where a.group_ids && ${groupsOf(actor)}::bigint[])`,
    grant: sql`select g.event_id from event_user_grant g where g.user_id = ${user}`,
    participation: sql`select p.event_id from participation p where p.user_id = ${user} and p.state <> 4`,
  }
}

/** A condition on `event` as `e`: the caller is in the audience of the event, in any state. */
function meantFor(actor: Actor): RawBuilder<unknown> {
  return sql`(
    ${waysToSee(actor).group}
    or e.id in (${eventsOfPerson(actor)})
  )`
}

/**
 * Events that the caller is meant to see and that the audiences in the table `seen` do not include, from the copies that participations
 * hold of their event. With `offset 0` around the subquery, it keeps the query planner from reading all events. `unlisted`: also events
 * that are not listed, which pages show.
 */
export function eventsBesideAudiences(actor: Actor, { unlisted = false } = {}): RawBuilder<unknown> {
  const { grant, participation } = waysToSee(actor)
  const isBeside = sql`p.listed_audience_id not in (select id from seen)`
  return sql`${grant} union ${participation}
    and (${unlisted ? sql`p.listed_audience_id is null or ${isBeside}` : sql`p.listed_audience_id is not null and ${isBeside}`})`
}

/** The audiences of the caller, for a statement with the following queries. Reads nothing for callers who see all events. */
export const seenAudiences = (actor: Actor): RawBuilder<unknown> =>
  sql`seen as materialized (select id from audience where ${seesAllEvents(actor) ? sql`false` : sql`group_ids && ${groupsOf(actor)}::bigint[]`})`

/** Audiences with groups of the caller that are responsible for some event. Most people are in none. */
export const plannedAudiences = (actor: Actor): RawBuilder<unknown> => sql`seen as materialized (
  select id from audience where group_ids && array(
    select own.id from unnest(${groupsOf(actor)}::bigint[]) own (id)
    where exists (select from event_group_grant g where g.group_id = own.id and g.permission = 'change')))`

/** A condition on `event` as `e`. Excludes drafts, cancelled and deleted events. */
export function visibleTo(actor: Actor): RawBuilder<unknown> {
  return seesAllEvents(actor) ? sql`e.listed` : sql`e.listed and ${meantFor(actor)}`
}

/** A condition on `event` as `e`, for pages: they also show cancelled events, with the reason. */
export function shownTo(actor: Actor): RawBuilder<unknown> {
  const published = sql`e.active and e.deleted_at is null`
  return seesAllEvents(actor) ? published : sql`${published} and ${meantFor(actor)}`
}

/** A condition on `event` as `e`: the caller is responsible or may change all events. */
export function changeableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`(
    exists (select from event_user_grant g where g.event_id = e.id and g.permission = 'change' and g.user_id = ${userIdOf(actor)})
    or exists (select from event_group_grant g where g.event_id = e.id and g.permission = 'change' and g.group_id = any (${groupsOf(actor)}::bigint[]))
  )`
}

/** Events that the caller may change, for lists: starts from the grants instead of the events, because most users have none. */
export function plannedBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`e.id in (
    select g.event_id from event_user_grant g where g.permission = 'change' and g.user_id = ${userIdOf(actor)}
    union select g.event_id from event_group_grant g where g.permission = 'change' and g.group_id = any (${groupsOf(actor)}::bigint[])
  )`
}

/** For event pages: also shows drafts to users in the audience who may add events. */
export function openTo(actor: Actor): RawBuilder<unknown> {
  const state = hasPermission(actor, 'add_event') ? sql`e.deleted_at is null` : sql`e.active and e.deleted_at is null`
  return seesAllEvents(actor) ? state : sql`${state} and ${meantFor(actor)}`
}

/** A condition on `user_group` as `g`: the caller may publish events for the group. */
export function publishableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'publish_event_for_group')) return sql`true`
  return sql`exists (
    select from group_grant r
    where r.target_group_id = g.id and r.permission = 'publish_event_for_group' and r.group_id = any (${groupsOf(actor)}::bigint[])
  )`
}
