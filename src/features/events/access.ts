import { type RawBuilder, sql } from 'kysely'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'

/** Superusers, managers and whoever may view events globally. */
export const seesAllEvents = (actor: Actor): boolean => hasPermission(actor, 'view_event')

export const groupsOf = (actor: Actor): readonly number[] => (actor.kind === 'user' ? actor.groupIds : [])
const userOf = (actor: Actor): number => (actor.kind === 'user' ? actor.userId : 0)

/**
 * Events that the caller sees beside those of the groups' audiences: granted to the person alone, or because of
 * a participation there in any state but 4. Both are few.
 */
export function eventsOfPerson(actor: Actor): RawBuilder<unknown> {
  const user = userOf(actor)
  return sql`select g.event_id from event_user_grant g where g.user_id = ${user}
    union select p.event_id from participation p where p.user_id = ${user} and p.state <> 4`
}

/** A condition on `event` as `e`: the caller belongs to those it is meant for, whatever its state. */
function meantFor(actor: Actor): RawBuilder<unknown> {
  return sql`(
    e.audience_id in (select a.id from audience a where a.group_ids && ${groupsOf(actor)}::bigint[])
    or e.id in (${eventsOfPerson(actor)})
  )`
}

/**
 * The same without those that the audiences in the table `seen` show anyway, told by what participations know of their
 * event. Together with `offset 0` around the look at the events it keeps the planner from reading all of them.
 */
export function eventsBesideAudiences(actor: Actor): RawBuilder<unknown> {
  const user = userOf(actor)
  return sql`select g.event_id from event_user_grant g where g.user_id = ${user}
    union select p.event_id from participation p where p.user_id = ${user} and p.state <> 4
      and p.listed_audience_id is not null and p.listed_audience_id not in (select id from seen)`
}

/** A condition on `event` as `e`. Drafts, cancelled and deleted events are for nobody. */
export function visibleTo(actor: Actor): RawBuilder<unknown> {
  return seesAllEvents(actor) ? sql`e.listed` : sql`e.listed and ${meantFor(actor)}`
}

/** The same for pages, where cancelled events stay, so that nobody waits at a closed door without knowing why. */
export function shownTo(actor: Actor): RawBuilder<unknown> {
  const published = sql`e.active and e.deleted_at is null`
  return seesAllEvents(actor) ? published : sql`${published} and ${meantFor(actor)}`
}

/** A condition on `event` as `e`: responsible for it, or allowed to change all events. */
export function changeableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`(
    exists (select from event_user_grant g where g.event_id = e.id and g.permission = 'change' and g.user_id = ${userOf(actor)})
    or exists (select from event_group_grant g where g.event_id = e.id and g.permission = 'change' and g.group_id = any (${groupsOf(actor)}::bigint[]))
  )`
}

/** The same for lists: it starts from the grants, of which most people have none, and not from the events. */
export function plannedBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`e.id in (
    select g.event_id from event_user_grant g where g.permission = 'change' and g.user_id = ${userOf(actor)}
    union select g.event_id from event_group_grant g where g.permission = 'change' and g.group_id = any (${groupsOf(actor)}::bigint[])
  )`
}

/** For the page of one event: drafts open for whoever adds events, if they are among those it is meant for. */
export function openTo(actor: Actor): RawBuilder<unknown> {
  const state = hasPermission(actor, 'add_event') ? sql`e.deleted_at is null` : sql`e.active and e.deleted_at is null`
  return seesAllEvents(actor) ? state : sql`${state} and ${meantFor(actor)}`
}

/** A condition on `user_group` as `g`: events may be made visible for it by the caller. */
export function publishableBy(actor: Actor): RawBuilder<unknown> {
  if (hasPermission(actor, 'publish_event_for_group')) return sql`true`
  return sql`exists (
    select from group_grant r
    where r.target_group_id = g.id and r.permission = 'publish_event_for_group' and r.group_id = any (${groupsOf(actor)}::bigint[])
  )`
}
