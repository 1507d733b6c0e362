import { type Kysely, type RawBuilder, sql } from 'kysely'
import { savedAnswersOf } from '#features/events/questionnaires/queries.ts'
import type { Answers } from '#features/events/questionnaires/rules.ts'
import { availabilityOf } from '#features/staffing/availability/queries/availability.ts'
import type { Availability } from '#features/staffing/availability/rules/availability.ts'
import { isUnfit } from '#features/staffing/staffing/rules/reasons.ts'
import { covers, expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import { reachOf } from '#features/staffing/working-time-limits/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { overlaps } from '#platform/time-span.ts'
import { type Candidacy, type EngagementRow, type Grant, judgeCandidacy, type SignupFacts } from '../rules/candidacy.ts'
import type { SharedFacts } from './eligibility.ts'
import { findEngagementsAtPartners } from './engagements.ts'
import { findVerdicts } from './rules.ts'

/** A shift that people are wanted for. `ways`: sets of qualifications that the missing places need; any one of them is enough. */
type WantedShift = { id: number; ways: readonly (readonly number[])[] }

type FreePerson = { id: number; name: string; candidacy: Candidacy }
/** `isCut`: more people than these were not judged. */
type FreePeople = { people: FreePerson[]; isCut: boolean }

type PersonRow = {
  id: number
  name: string
  dateOfBirth: string | null
  groupIds: number[]
  availability: Availability | null
  grants: { id: number; until: string | null }[] | null
  savedAnswers: Answers
}
type Row = PersonRow & { shiftId: number }

const HOUR_MS = 3_600_000
/** Engagements are loaded this long before and after the shifts, because warnings look at the rest between shifts. */
const MARGIN_HOURS = 24

/**
 * People who fit a shift, are free at that time and did not say that they are not available, stay within their limits and have not answered, by shift. They see the event, hold what a missing place
 * needs, and no check of a sign-up is about them; whether sign-up is open for anybody is another question. SQL narrows down, then at
 * most `mostPerShift` people of each shift are judged by the rules of sign-ups. The number of queries does not depend on the number
 * of shifts.
 */
export async function findFreePeople(
  { db, now, site }: Pick<RequestContext, 'db' | 'now' | 'site'>,
  shared: SharedFacts,
  wanted: readonly WantedShift[],
  { mostPerShift, isLeftOut = sql`false` }: { mostPerShift: number; isLeftOut?: RawBuilder<boolean> },
): Promise<Map<number, FreePeople>> {
  const shifts = wanted.flatMap(({ id, ways }) => {
    const shift = shared.shifts.get(id)
    if (!shift || !ways.length) return []
    const anyOf = ways.some((way) => way.length === 0) ? null : [...new Set(ways.map(([first]) => first!))]
    return [{ shift_id: id, event_id: shift.eventId, start: shift.start, end: shift.end, any_of: anyOf }]
  })
  const rows = shifts.length ? await findRows(db, JSON.stringify(shifts), { now, limit: mostPerShift + 1, isLeftOut }) : []
  const ids = [...new Set(rows.map(({ id }) => id))]
  const engagements = await loadEngagementsOf(db, ids, shared)
  const verdictsOf = await findVerdicts(
    { now, site },
    ids,
    shifts.map((shift) => shift.shift_id),
  )
  const moment = { now, timeZone: site.timeZone }
  const byShift = Map.groupBy(rows, ({ shiftId }) => shiftId)
  return new Map(
    wanted.map(({ id: shiftId, ways }) => {
      const found = byShift.get(shiftId) ?? []
      const people = found.slice(0, mostPerShift).flatMap((row) => {
        const facts = { ...factsOf(row, shared, engagements.get(row.id) ?? []), verdicts: verdictsOf(row.id) }
        const candidacy = judgeCandidacy(facts, shiftId, moment)!
        return isFree(candidacy, facts) && fillsGap(candidacy, facts, ways) ? [{ id: row.id, name: row.name, candidacy }] : []
      })
      return [shiftId, { people, isCut: found.length > mostPerShift }]
    }),
  )
}

/** What decides whether these people could take part in the shifts of `shared`; people without an active account are left out. */
export async function loadFactsOfPeople(
  { db, now, site }: Pick<RequestContext, 'db' | 'now' | 'site'>,
  shared: SharedFacts,
  userIds: readonly number[],
): Promise<Map<number, SignupFacts>> {
  const all = [...shared.shifts.values()]
  const from = new Date(Math.min(...all.map(({ start }) => start.getTime())))
  const until = new Date(Math.max(...all.map(({ end }) => end.getTime())))
  const { rows } = await sql<PersonRow>`
    select ${personColumns({ from: sql`${from}::timestamptz`, until: sql`${until}::timestamptz` })} from user_profile c
    where c.id = any (${userIds}::bigint[]) and c.is_active and not c.is_service_account`.execute(db)
  const engagements = await loadEngagementsOf(db, userIds, shared)
  const verdictsOf = await findVerdicts({ now, site }, userIds, [...shared.shifts.keys()])
  return new Map(
    rows.map((row) => [row.id, { ...factsOf(row, shared, engagements.get(row.id) ?? []), verdicts: verdictsOf(row.id) }]),
  )
}

const isFree = ({ reasons, shift, availability }: Candidacy, { engagements }: SignupFacts): boolean =>
  availability !== 'cannot' &&
  !reasons['sign-up'].some((reason) => isUnfit(reason) || reason.code === 'conflict' || reason.code.startsWith('limit_')) &&
  !engagements.some((other) => other.leaderShiftId !== String(shift.id) && overlaps(other, shift))

/** With the qualifications that the rules counted: those that expire before the end may be enough, see the settings. */
const fillsGap = ({ applicant }: Candidacy, { inclusions }: SignupFacts, ways: WantedShift['ways']): boolean =>
  ways.some((way) => covers(applicant.skills, expandSkills(way, inclusions)))

function factsOf(
  { id, dateOfBirth, groupIds, availability, grants, savedAnswers }: PersonRow,
  shared: SharedFacts,
  engagements: EngagementRow[],
): SignupFacts {
  const held = (grants ?? []).map(({ id, until }): Grant => ({ id, until: until === null ? null : new Date(until) }))
  return {
    ...shared,
    who: { kind: 'local', id },
    person: {
      exists: true,
      isActive: true,
      isProvisional: false,
      dateOfBirth,
      groupIds,
      availability,
      grants: held,
      savedAnswers,
    },
    own: new Map(),
    answers: new Map(),
    engagements,
  }
}

/** Ids of people who see the event of `w`; a person can be there several times. */
const seers = sql`
  select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id where g.event_id = w.event_id
  union all select g.user_id from event_user_grant g where g.event_id = w.event_id
  union all select a.id from user_profile a where a.is_staff
  union all select a.id from user_profile a where a.is_superuser
  union all select o.user_id from user_permission o where o.permission = 'view_event'
  union all select m.user_id from group_permission o join user_group_member m on m.group_id = o.group_id
    where o.permission = 'view_event'`

/** A condition on `user_profile` as `u`: the person sees the event, whether they take part or not. */
export const seesEvent = (eventId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
    where g.event_id = ${eventId} and m.user_id = u.id)
  or exists (select from event_user_grant g where g.event_id = ${eventId} and g.user_id = u.id)
  or u.is_staff or u.is_superuser
  or exists (select from user_permission o where o.user_id = u.id and o.permission = 'view_event')
  or exists (select from group_permission o join user_group_member m on m.group_id = o.group_id
    where m.user_id = u.id and o.permission = 'view_event')
)`

/** Ids of people with a grant that may give what the shift `w` needs; a person can be there several times. */
const holders = sql`
  select g.user_id from qualification_grant g where g.qualification_id = any (w.any_of)
  union all select g.user_id from qualification_closure c join qualification_grant g on g.qualification_id = c.qualification_id
    where c.included_id = any (w.any_of)`

/** Most events are shown to fewer people, and the database reads these alone. */
const FEW_SEERS = 2000

/**
 * Conditions on `user_profile` as `u`: the person may fill a place of the shift `w` and is free. `offset 0` makes the database look up
 * each person instead of preparing the answer for all people.
 */
const mayFill = (now: Date, isLeftOut: RawBuilder<boolean>, eachPerson: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  u.is_active and u.is_visible and not ${isLeftOut}
  and not exists (
    select from participation p where p.shift_id = w.shift_id and p.kind = 'local' and p.user_id = u.id ${eachPerson})
  and not exists (
    select from participation o join event x on x.id = o.event_id
    where o.user_id = u.id and o.state = 1 and o.end_time > w.start and o.start_time < w."end" and x.listed ${eachPerson})
  and (w.any_of is null or exists (
    select from qualification_grant g
    where g.user_id = u.id and (g.expires_at is null or g.expires_at >= ${now}) and (g.qualification_id = any (w.any_of)
      or exists (select from qualification_closure c where c.qualification_id = g.qualification_id and c.included_id = any (w.any_of)))
    ${eachPerson}))`

/** Of `user_profile` as `c`, with what they said about the time. */
const personColumns = (time: {
  from: RawBuilder<unknown>
  until: RawBuilder<unknown>
}) => sql`c.id, c.display_name as name, c.date_of_birth as "dateOfBirth",
  array(select m.group_id from user_group_member m where m.user_id = c.id) as "groupIds", ${availabilityOf(sql`c.id`, time)} as availability,
  (select json_agg(json_build_object('id', g.qualification_id, 'until', g.expires_at)) from qualification_grant g
    where g.user_id = c.id) as grants,
  ${savedAnswersOf(sql`c.id`)} as "savedAnswers"`

/**
 * The first of these people who may fill a place of `w`, by id. The ids are sorted before anybody is checked, so that the database stops
 * when it has found enough.
 */
const firstOf = (
  ids: RawBuilder<unknown>,
  { now, limit, isLeftOut, where }: { now: Date; limit: number; isLeftOut: RawBuilder<boolean>; where: RawBuilder<unknown> },
) => sql`
  select u.id, u.display_name, u.date_of_birth
  from (select distinct i.user_id from (${ids}) i order by i.user_id offset 0) id
    cross join lateral (select * from user_profile p where p.id = id.user_id offset 0) u
  where ${where} and ${mayFill(now, isLeftOut, sql`offset 0`)} order by id.user_id limit ${limit}`

/** Necessary conditions, so that few people are left to judge. The database starts from the smallest known set of people. */
async function findRows(
  db: Kysely<DB>,
  shifts: string,
  choice: { now: Date; limit: number; isLeftOut: RawBuilder<boolean> },
): Promise<Row[]> {
  const { now, limit, isLeftOut } = choice
  return rowsOf(db).all(sql<Row>`
    select w.shift_id as "shiftId", ${personColumns({ from: sql`w.start`, until: sql`w."end"` })}
    from jsonb_to_recordset(${shifts}::jsonb) as w (shift_id bigint, event_id bigint, start timestamptz, "end" timestamptz, any_of bigint[])
    cross join lateral (select count(*) <= ${FEW_SEERS} as few from (select from (${seers}) s limit ${FEW_SEERS + 1}) counted) seen
    cross join lateral (
      (${firstOf(seers, { ...choice, where: sql`seen.few` })})
      union all
      (${firstOf(holders, { ...choice, where: sql`not seen.few and w.any_of is not null and ${seesEvent(sql`w.event_id`)}` })})
      union all
      (select u.id, u.display_name, u.date_of_birth from user_profile u
        where not seen.few and w.any_of is null and ${seesEvent(sql`w.event_id`)} and ${mayFill(now, isLeftOut, sql``)}
        order by u.id limit ${limit})
    ) c
    order by w.shift_id, c.id`)
}

/** Confirmed places of these people around the shifts, also at partners. */
async function loadEngagementsOf(
  db: Kysely<DB>,
  userIds: readonly number[],
  { shifts, settings }: SharedFacts,
): Promise<Map<number, EngagementRow[]>> {
  if (!userIds.length) return new Map()
  const all = [...shifts.values()]
  const margin = (MARGIN_HOURS + settings.toleranceMinutes / 60) * HOUR_MS + reachOf(settings.limits)
  const from = new Date(Math.min(...all.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...all.map(({ end }) => end.getTime())) + margin)
  // never null: userId (participations of these users)
  const { rows } = await sql<EngagementRow & { userId: number }>`
    select p.user_id as "userId", p.shift_id as "shiftId", p.event_id as "eventId", e.title as "eventTitle",
      p.start_time as start, p.end_time as end,
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId"
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where p.user_id = any (${userIds}::bigint[]) and p.state = 1 and e.listed and p.end_time > ${from} and p.start_time < ${until}
    order by p.start_time, p.id`.execute(db)
  const atPartners = await findEngagementsAtPartners(db, userIds, { from, until })
  return Map.groupBy([...rows, ...atPartners], ({ userId }) => userId)
}
