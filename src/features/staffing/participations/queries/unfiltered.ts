import { type RawBuilder, sql } from 'kysely'
import { eventsBesideAudiences, groupsOf, seesAllEvents, visibleTo } from '#features/events/events/access.ts'
import { hasPermission, type UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Condition } from '#platform/db/conditions.ts'
import { showsEverybodyTo, visibleParticipations } from '../access.ts'

/**
 * The list of all requested and confirmed participations. Its cost does not depend on its length: triggers count participations by
 * what decides who sees them (table `participation_count`), and the few that a person sees for other reasons are added. The list of
 * all states adds the others by event.
 */
type UserContext = RequestContext & { actor: UserActor }
type Slice = { limit: number; offset: number }

export const isByUser = (context: RequestContext): context is UserContext => context.actor.kind === 'user'

export const takesPart = sql`p.state in (0, 1) and p.listed_audience_id is not null`
export const isInAnyState = sql`p.listed_audience_id is not null`
/** Per row, because the planner expects many more rows than there are. */
const joined = sql`cross join lateral (select * from event where id = p.event_id offset 0) e
  cross join lateral (select * from event_type where id = e.type_id offset 0) t`

/** Rows that are read for each row of the page before the search by audience is faster. */
const READ_PER_ROW = 8

/** Ids of the page among the first rows of the table: enough for callers who see many participations. */
export function chooseInOrder(
  { actor }: UserContext,
  { limit, offset }: Slice,
  states: 'taking-part' | 'all',
): RawBuilder<unknown> {
  const most = (limit + offset) * READ_PER_ROW
  return sql`select p.id from (select * from participation order by id limit ${most}) p ${joined}
    where ${states === 'all' ? isInAnyState : takesPart} and ${visibleParticipations(actor)} order by p.id limit ${limit} offset ${offset}`
}

/** Ids of the page from the first rows of each audience that has visible participations. */
export function chooseByAudience({ actor }: UserContext, { limit, offset }: Slice): RawBuilder<unknown> {
  const visible = visibleParticipations(actor)
  return sql`
    with ${openAudiences(actor)}, ${countsOf(actor)}
    select found.id from (
      select own.id from (select distinct audience_id from counted where audience_id in (select id from seen)) source
      cross join lateral (
        select p.id from participation p ${joined}
        where p.listed_audience_id = source.audience_id and ${takesPart} and ${visible} order by p.id limit ${limit + offset}
      ) own
      union all
      select p.id from (${eventsBesideAudiences(actor)}) beside join participation p on p.event_id = beside.event_id ${joined}
      where ${takesPart} and p.listed_audience_id not in (select id from seen) and ${visible}
    ) found
    order by found.id limit ${limit} offset ${offset}`
}

/** Audiences whose events the caller sees; all of them for callers who see all events. */
function openAudiences(actor: UserActor): RawBuilder<unknown> {
  const mine = seesAllEvents(actor) ? sql`true` : sql`group_ids && ${groupsOf(actor)}::bigint[]`
  return sql`seen as materialized (select id from audience where ${mine})`
}

/** A condition on `participation_count` c and `event_type` t: the caller sees everybody, because of the type or as a responsible. */
function isOpenTo(actor: UserActor): Condition {
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`(t.show_participant_data in (0, 3) or c.responsible_group_ids && ${groupsOf(actor)}::bigint[])`
}

/** Counts of the audiences that the caller sees. */
const countsOf = (actor: UserActor): RawBuilder<unknown> => sql`counted as materialized (
  select c.id, c.audience_id, ${isOpenTo(actor)} as is_open, c.local_count, c.other_count
  from participation_count c join event_type t on t.id = c.type_id where c.audience_id in (select id from seen))`

/** `all`: also in other states, for callers who may view all profiles. */
export function countUnfiltered({ actor }: UserContext, states: 'taking-part' | 'all'): RawBuilder<unknown> {
  const seesPeople = hasPermission(actor, 'view_user')
  const sums = (counts: RawBuilder<unknown>) =>
    sql`select coalesce(sum(n.local_count) filter (where ${seesPeople ? sql`true` : sql`c.is_open`}), 0)
      + coalesce(sum(n.other_count) filter (where c.is_open), 0) from counted c join ${counts} n on n.count_id = c.id`
  const all = [
    sums(sql`(select id as count_id, local_count, other_count from counted)`),
    sums(sql`(select * from participation_count_pending)`),
    ...(seesEverybody(actor) ? [] : [ofPersonalEvents(seesPeople)]),
    ...(seesEverybody(actor) || seesPeople ? [] : [ofPeople(actor)]),
    ...(states === 'all' ? [inOtherStates(actor)] : []),
  ]
  return sql`
    with ${openAudiences(actor)}, ${countsOf(actor)}, ${personalEvents(actor)}
    select (${sql.join(
      all.map((each) => sql`(${each})`),
      sql` + `,
    )})::int`
}

const seesEverybody = (actor: UserActor): boolean => seesAllEvents(actor) && hasPermission(actor, 'change_event')

/**
 * Events that are granted to the caller, or in which the caller takes part. `shows_all`: the caller sees everybody there, as a
 * responsible in person, or as one of the confirmed participants, who see each other.
 */
function personalEvents(actor: UserActor): RawBuilder<unknown> {
  const { userId } = actor
  return sql`personal as materialized (
    select k.event_id, k.local_count, k.other_count, c.audience_id, c.audience_id in (select id from seen) as is_seen,
      ${isOpenTo(actor)} as is_open,
      exists (select from event_user_grant g where g.event_id = k.event_id and g.permission = 'change' and g.user_id = ${userId})
      or t.show_participant_data = 1 and exists (
        select from participation own where own.user_id = ${userId} and own.listed_audience_id = c.audience_id
          and own.event_id = k.event_id and own.state = 1 and own.state <> 4) as shows_all
    from (
      select k.* from (
        select g.event_id from event_user_grant g where g.user_id = ${userId}
        union select p.event_id from participation p where p.user_id = ${userId} and p.state <> 4 and p.listed_audience_id is not null
      ) own
      cross join lateral (select * from event_participation_count where event_id = own.event_id offset 0) k offset 0
    ) k
    join participation_count c on c.id = k.count_id join event_type t on t.id = c.type_id)`
}

/** What the sums by audience leave out of these events. */
function ofPersonalEvents(seesPeople: boolean): RawBuilder<unknown> {
  const locals = seesPeople ? sql`local_count` : sql`0`
  return sql`select coalesce(sum(case
      when is_seen and is_open then 0
      when is_seen then case when shows_all then local_count + other_count - ${locals} else 0 end
      when is_open or shows_all then local_count + other_count
      else ${locals} end), 0) from personal`
}

/** The caller and the people whose profiles the caller may view, in events that show nobody else. */
function ofPeople({ userId, groupIds }: UserActor): RawBuilder<unknown> {
  return sql`
    select (
      select count(*) from (select * from personal where not is_open and not shows_all) narrow cross join lateral (
        select from participation p where p.user_id = ${userId} and p.listed_audience_id = narrow.audience_id
          and p.event_id = narrow.event_id and p.state in (0, 1) and p.state <> 4 offset 0) p
    ) + (
      select count(*) from (
        select v.user_id from profile_user_grant v where v.viewer_id = ${userId}
        union select v.user_id from profile_group_grant v where v.group_id = any (${groupIds}::bigint[])
      ) viewed
      cross join lateral (
        select * from participation where user_id = viewed.user_id and state in (0, 1) and listed_audience_id is not null offset 0) p
      cross join lateral (select * from event_participation_count where event_id = p.event_id offset 0) k
      left join personal on personal.event_id = p.event_id
      where viewed.user_id <> ${userId} and personal.shows_all is not true and personal.is_open is not true
        and (personal.event_id is not null
          or k.count_id in (select id from counted where not is_open)))`
}

/** Callers who may view all profiles see all people with an account in events that they see. */
const inOtherStates = (actor: UserActor): RawBuilder<unknown> => sql`
  select coalesce(sum(n.local_count + case when ${showsEverybodyTo(actor)} then n.other_count else 0 end), 0)
  from (
    select p.event_id, count(p.user_id) as local_count, count(*) - count(p.user_id) as other_count
    from participation p where p.state in (2, 3, 4) and p.listed_audience_id is not null group by p.event_id
  ) n join event e on e.id = n.event_id join event_type t on t.id = e.type_id
  where ${visibleTo(actor)}`
