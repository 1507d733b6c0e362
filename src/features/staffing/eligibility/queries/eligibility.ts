import { type Kysely, type RawBuilder, sql } from 'kysely'
import { loadBlocks } from '#features/events/building-blocks/queries.ts'
import { answersOf, questionsOfShift, savedAnswersOf } from '#features/events/questionnaires/queries.ts'
import type { Answers } from '#features/events/questionnaires/rules.ts'
import { completeSettings } from '#features/operations/settings/rules.ts'
import { INSTANCE_DEFAULTS, type InstanceForm } from '#features/operations/settings/schema/settings.ts'
import { availabilityOf, type Reach } from '#features/staffing/availability/queries/availability.ts'
import type { Availability } from '#features/staffing/availability/rules/availability.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import {
  heldInShifts,
  type InclusionRow,
  inclusionRows,
  readInclusions,
} from '#features/staffing/staffing/queries/qualifications.ts'
import { findLapse } from '#features/staffing/staffing/rules/lapses.ts'
import type { Engagement, Inclusions, State } from '#features/staffing/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import { isQualifiedForPlace } from '#features/staffing/staffing/structures/registry.ts'
import type { StructurePerson } from '#features/staffing/staffing/structures/structure.ts'
import { storedLimits } from '#features/staffing/working-time-limits/queries.ts'
import { reachOf, type StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOneOf } from '#platform/db/conditions.ts'
import type { Nullable } from '#platform/db/nullable.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import {
  type Candidacy,
  type EngagementRow,
  judgeCandidacy,
  type OwnRecord,
  type Participant,
  participantOf,
  type SignupFacts,
  type SignupShift,
  UNKNOWN_PERSON,
} from '../rules/candidacy.ts'
import type { SignupSettings } from '../rules/eligibility.ts'

/** What the caller can do about these shifts. The number of queries does not depend on the number of shifts. */
export const findEligibility = async (context: RequestContext, shiftIds: readonly number[]): Promise<Map<number, Candidacy>> =>
  (await loadEligibility(context, shiftIds)).eligibility

/** What the caller can do about these shifts, with what it was judged by; `facts` undefined: nothing to judge. */
export async function loadEligibility(
  { db, actor, now, site }: RequestContext,
  shiftIds: readonly number[],
): Promise<{ eligibility: Map<number, Candidacy>; facts: SignupFacts | undefined }> {
  const who = participantOf(actor)
  if (!who || !shiftIds.length) return { eligibility: new Map(), facts: undefined }
  const facts = await loadSignupFacts(db, who, shiftIds, now)
  const judged = shiftIds.flatMap((id) => {
    const candidacy = judgeCandidacy(facts, id, { now, timeZone: site.timeZone })
    return candidacy ? [[id, candidacy] as const] : []
  })
  return { eligibility: new Map(judged), facts }
}

/** For facts about shifts that do not concern a person. */
export const NOBODY = { kind: 'local', id: 0 } as const

const HOUR_MS = 3_600_000
/** Loads engagements within this margin around the shifts, because individual times can be outside of them. */
const MARGIN_HOURS = 24

/** What decides about any person: the shifts, the settings, and who has places already. */
export type SharedFacts = Pick<SignupFacts, 'settings' | 'inclusions' | 'shifts' | 'people' | 'blocks'>

type LoadedFacts = SharedFacts & { person: SignupFacts['person']; own: OwnRow[] }

/** The number of queries does not depend on the number of shifts. */
async function loadFacts(
  db: Kysely<DB>,
  who: Participant,
  shiftIds: readonly number[],
  now: Date,
  givenUp: readonly number[] = [],
): Promise<LoadedFacts> {
  const { settings, person, inclusions } = await loadBasis(db, who, shiftIds)
  const found = await loadShifts(db, who, shiftIds, { ...settings, givenUp })
  const shifts = found.map(({ shift }) => shift)
  const limited = shifts.filter(({ flowSlug }) => getFlow(flowSlug)?.hasRequestStage === false)
  const isComplex = shifts.some(({ structureSlug }) => structureSlug === 'complex')
  const blocks = isComplex ? await loadBlocks(db) : new Map()
  return {
    settings,
    inclusions,
    shifts: new Map(shifts.map((shift) => [shift.id, shift])),
    people: limited.length
      ? await loadPeople(db, limited, { who, inclusions, blocks, givenUp, since: settings.expiringWarns ? now : undefined })
      : new Map(),
    blocks,
    person,
    own: found.flatMap((each) => (each.own ? [each.own] : [])),
  }
}

export async function loadSharedFacts(db: Kysely<DB>, shiftIds: readonly number[], now: Date): Promise<SharedFacts> {
  const { person: _person, own: _own, ...shared } = await loadFacts(db, NOBODY, shiftIds, now)
  return shared
}

/** `givenUp`: confirmed participations of this person and of others that end with the sign-up, so they do not count. */
export async function loadSignupFacts(
  db: Kysely<DB>,
  who: Participant,
  shiftIds: readonly number[],
  now: Date,
  givenUp: readonly number[] = [],
): Promise<SignupFacts> {
  const { own, ...facts } = await loadFacts(db, who, shiftIds, now, givenUp)
  return {
    ...facts,
    who,
    own: new Map(own.map(({ answers: _answers, ...record }) => [record.shiftId, record])),
    answers: new Map(own.map(({ shiftId, answers }) => [shiftId, answers])),
    engagements: await loadEngagements(db, who, [...facts.shifts.values()], { ...facts.settings, givenUp }),
  }
}

const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }

type OwnRow = OwnRecord & { answers: Answers }
type OwnColumns = Nullable<{
  ownId: number
  state: State
  individualStart: Date
  individualEnd: Date
  ownStart: Date
  ownEnd: Date
  structureData: unknown
  answers: Answers
  companions: number
}>

/** The shifts, and the person's participation in each. */
async function loadShifts(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shiftIds: readonly number[],
  { limits, givenUp }: SignupSettings & { givenUp: readonly number[] },
): Promise<{ shift: SignupShift; own: OwnRow | undefined }[]> {
  const isAdultNeeded = limits.some(({ kind }) => kind === 'minor_accompanied')
  const { rows } = await sql<SignupShift & OwnColumns>`
    select s.id, s.event_id as "eventId", e.active and e.deleted_at is null as "isActive", e.cancelled_at is not null as "isCancelled",
      s.meeting_time as meeting, s.start_time as start, s.end_time as end,
      s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration",
      s.structure_slug as "structureSlug", s.structure_configuration as "structureConfiguration",
      array(select r.qualification_id from event_type_required_qualification r where r.event_type_id = e.type_id order by 1) as "requiredByType",
      ${questionsOfShift(sql`s.id`)} as questions,
      ${lineOf({ kind, id })} as line,
      case when ${isAdultNeeded} then ${hasAdult(givenUp)} else true end as "hasAdult",
      p.id as "ownId", p.state, p.individual_start_time as "individualStart", p.individual_end_time as "individualEnd",
      p.start_time as "ownStart", p.end_time as "ownEnd", p.structure_data as "structureData",
      case when p.id is not null then ${answersOf(sql`p.id`)} end as answers,
      ${companionsOf(sql`p`)} as companions
    from shift s join event e on e.id = s.event_id
      left join participation p on p.shift_id = s.id and p.kind = ${sql.lit(kind)} and ${COLUMNS[kind]} = ${id}
    where ${isOneOf(sql`s.id`, shiftIds)} order by s.id`.execute(db)
  return rows.map(
    ({ ownId, state, individualStart, individualEnd, ownStart, ownEnd, structureData, answers, companions, ...shift }) => ({
      shift,
      own:
        ownId === null
          ? undefined
          : {
              id: ownId,
              shiftId: shift.id,
              state: state!,
              individualStart,
              individualEnd,
              start: ownStart!,
              end: ownEnd!,
              structureData,
              answers: answers!,
              companions: companions!,
            },
    }),
  )
}

const isInLine = sql`w.shift_id = s.id and w.state in ('waiting', 'offered')`

/** How many others take part with a participation. */
const companionsOf = (p: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select count(*)::int from participation b
  where b.brought_by_id = ${p}.id and b.shift_id = ${p}.shift_id and b.state in (0, 1))`

/** The waiting list of `shift` as `s`: a `ShiftLine`. */
const lineOf = ({ kind, id }: Participant): RawBuilder<unknown> => sql`(
  select json_build_object('mode', coalesce(l.mode, 'automatic'), 'isDue', coalesce(l.is_due, false),
    'waiting', (select count(*) from waiting_entry w where ${isInLine}),
    'own', (
      select json_build_object('id', o.id, 'state', o.state, 'offeredUntil', o.offered_until, 'passedOver', o.passed_over,
        'position', case when o.state in ('waiting', 'offered') then
          (select count(*) from waiting_entry w where ${isInLine} and (w.since, w.id) <= (o.since, o.id)) end)
      from waiting_entry o where o.shift_id = s.id and o.user_id = ${kind === 'local' ? id : NOBODY.id} order by o.id desc limit 1))
  from (select) one left join waiting_line l on l.shift_id = s.id)`

/** People whose age is unknown are not minors. */
const hasAdult = (givenUp: readonly number[]) => sql`exists (select from participation p
  left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
  where p.shift_id = s.id and p.state = 1 and p.id <> all (${givenUp}::bigint[])
    and coalesce(coalesce(u.date_of_birth, v.date_of_birth, g.date_of_birth) <= s.start_time - interval '18 years', true))`

const SETTINGS = [
  'unknown_age_blocks',
  'expiring_qualification_warns',
  'individual_times_tolerance_minutes',
  'waiting_list',
] as const satisfies readonly (keyof InstanceForm)[]

function readSettings(stored: Record<string, unknown>, limits: readonly StoredLimit[]): SignupSettings {
  const settings = completeSettings(stored, INSTANCE_DEFAULTS)
  return {
    unknownAgeBlocks: settings.unknown_age_blocks,
    expiringWarns: settings.expiring_qualification_warns,
    limits,
    toleranceMinutes: settings.individual_times_tolerance_minutes,
    hasLines: settings.waiting_list,
  }
}

/** For `availabilityOf`: around these shifts. Individual times may begin before a shift and end after it. */
export const reachOfShifts = (shiftIds: readonly number[]): Reach => ({
  from: sql`(select min(x.start_time) - interval '1 day' from shift x where ${isOneOf(sql`x.id`, shiftIds)})`,
  until: sql`(select max(x.end_time) + interval '1 day' from shift x where ${isOneOf(sql`x.id`, shiftIds)})`,
})

const PEOPLE = {
  local: (
    shiftIds: readonly number[],
  ) => sql`select u.date_of_birth as "dateOfBirth", array(select m.group_id from user_group_member m where m.user_id = u.id) as "groupIds", ${availabilityOf(sql`u.id`, reachOfShifts(shiftIds))} as availability, u.is_active and not u.is_service_account as "isActive", false as "isProvisional",
    (select json_agg(json_build_object('id', g.qualification_id, 'until', g.expires_at)) from qualification_grant g where g.user_id = u.id) as grants,
    ${savedAnswersOf(sql`u.id`)} as "savedAnswers"
    from user_profile u where u.id =`,
  visitor:
    () => sql`select v.date_of_birth as "dateOfBirth", '{}'::bigint[] as "groupIds", null::json as availability, true as "isActive", false as "isProvisional",
    (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from visitor_qualification q where q.visitor_id = v.id) as grants, '{}'::json as "savedAnswers"
    from visitor v where v.id =`,
  guest:
    () => sql`select g.date_of_birth as "dateOfBirth", '{}'::bigint[] as "groupIds", null::json as availability, true as "isActive", g.email_confirmed_at is null as "isProvisional",
    (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from guest_qualification q
      where q.guest_id = g.id and q.verified_at is not null) as grants, '{}'::json as "savedAnswers"
    from guest g where g.id =`,
}

type PersonColumns = {
  dateOfBirth: string | null
  isActive: boolean
  isProvisional: boolean
  groupIds: number[]
  availability: Availability | null
  grants: { id: number; until: string | null }[] | null
  savedAnswers: Answers
}
type BasisRow = Nullable<PersonColumns> & { settings: Record<string, unknown>; limits: StoredLimit[]; inclusions: InclusionRow[] }

/** What does not depend on the shifts, except that busy times of calendars are those around them. */
async function loadBasis(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shiftIds: readonly number[],
): Promise<Pick<SignupFacts, 'settings' | 'person' | 'inclusions'>> {
  const { settings, limits, inclusions, ...row } = await rowsOf(db).one(sql<BasisRow>`
    select person."dateOfBirth", person."isActive", person."isProvisional", person."groupIds", person.availability, person.grants, person."savedAnswers",
      (select coalesce(json_object_agg(name, value), '{}') from setting where name = any (${SETTINGS}::text[])) as settings,
      ${storedLimits} as limits, ${inclusionRows} as inclusions
    from (select) one left join (${PEOPLE[kind](shiftIds)} ${id}) person on true`)
  return { settings: readSettings(settings, limits), inclusions: readInclusions(inclusions), person: readPerson(row) }
}

function readPerson({
  isActive,
  isProvisional,
  dateOfBirth,
  groupIds,
  availability,
  grants: held,
  savedAnswers,
}: Nullable<PersonColumns>): SignupFacts['person'] {
  // A person whose record was deleted meanwhile cannot do anything.
  if (isActive === null || isProvisional === null) return { ...UNKNOWN_PERSON, exists: false, isActive: false }
  const grants = (held ?? []).map(({ id, until }) => ({ id, until: until === null ? null : new Date(until) }))
  return {
    exists: true,
    isActive,
    isProvisional,
    dateOfBirth,
    groupIds: groupIds ?? [],
    availability,
    grants,
    savedAnswers: savedAnswers ?? {},
  }
}

/** Requests and cancelled events do not conflict with a sign-up. */
async function loadEngagements(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shifts: readonly SignupShift[],
  { limits, toleranceMinutes, givenUp }: SignupSettings & { givenUp: readonly number[] },
): Promise<EngagementRow[]> {
  if (!shifts.length || id === NOBODY.id) return []
  const margin = (MARGIN_HOURS + toleranceMinutes / 60) * HOUR_MS + reachOf(limits)
  const from = new Date(Math.min(...shifts.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...shifts.map(({ end }) => end.getTime())) + margin)
  const here = sql`
    select p.shift_id as "shiftId", p.event_id as "eventId", e.title as "eventTitle", p.start_time as start, p.end_time as end,
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId",
      null as host, null as href, p.id
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where ${COLUMNS[kind]} = ${id} and p.state = 1 and e.listed and p.end_time > ${from} and p.start_time < ${until}
      and p.id <> all (${givenUp}::bigint[])`
  const abroad = sql`
    select a."shiftId", a."eventId", a."eventTitle", a.start, a.end, null, a.host, a.href, a.id
    from (${engagementsAbroad([id], { from, until })}) a`
  const { rows } = await sql<Omit<EngagementRow, 'abroad'> & { host: string | null; href: string | null }>`
    select "shiftId", "eventId", "eventTitle", start, "end", "leaderShiftId", host, href
    from (${kind === 'local' ? sql`${here} union all ${abroad}` : here}) found order by host is not null, start, id`.execute(db)
  return rows.map(({ host, href, ...row }) => (host !== null && href !== null ? { ...row, abroad: { host, href } } : row))
}

type PersonRow = {
  participation_id: number
  shift_id: number
  state: State
  structure_data: unknown
  held: number[]
  was_qualified: boolean
  has_left_group: boolean
}
type PeopleContext = {
  /** A place that is offered to this person is free for them. */
  who: Participant
  inclusions: Inclusions
  blocks: SignupFacts['blocks']
  givenUp: readonly number[]
  /** Qualifications that are valid at this time count, even if they expire before the end of the shift. */
  since: Date | undefined
}

/** People who are confirmed, and under negative ids those of the waiting list to whom a place is offered. */
async function loadPeople(
  db: Kysely<DB>,
  shifts: readonly SignupShift[],
  { who, inclusions, blocks, givenUp, since }: PeopleContext,
): Promise<Map<number, StructurePerson[]>> {
  const byId = new Map(shifts.map((shift) => [shift.id, shift]))
  const shiftIds = [...byId.keys()]
  const held = heldInShifts(shiftIds, sql`least(p.end_time, ${since ?? null}::timestamptz)`)
  const { rows } = await sql<PersonRow>`
    select p.id as participation_id, p.shift_id, p.state, p.structure_data,
      coalesce(b.was_qualified, false) as was_qualified, coalesce(b.has_left_group, false) as has_left_group,
      coalesce(h.held, '{}') as held
    from participation p left join place_basis b on b.participation_id = p.id and not p.finished left join ${held} h on h.id = p.id
    where ${isOneOf(sql`p.shift_id`, shiftIds)} and p.state = 1 and p.id <> all (${givenUp}::bigint[])
    union all
    select -1 - w.id, w.shift_id, 1, w.structure_data, false, false, array(
      select g.qualification_id from qualification_grant g where g.user_id = w.user_id
        and (g.expires_at is null or g.expires_at >= least(s.end_time, ${since ?? null}::timestamptz)))
    from waiting_entry w join shift s on s.id = w.shift_id
    where ${isOneOf(sql`w.shift_id`, shiftIds)} and w.state = 'offered'
      and w.user_id <> ${who.kind === 'local' ? who.id : NOBODY.id}
    order by 1`.execute(db)
  const people = rows.map(({ participation_id, shift_id, state, structure_data, held, was_qualified, has_left_group }) => {
    const shift = byId.get(shift_id)!
    const person = {
      participationId: participation_id,
      state,
      structureData: structure_data,
      skills: expandSkills(held, inclusions),
    }
    const input = { people: [], blocks, qualifications: inclusions, requiredByType: new Set(shift.requiredByType) }
    const isQualified = isQualifiedForPlace(shift, input, person)
    const lapse = findLapse({ wasQualified: was_qualified, hasLeftGroup: has_left_group }, isQualified)
    return { shiftId: shift_id, person: { ...person, lapse } }
  })
  const byShift = Map.groupBy(people, ({ shiftId }) => shiftId)
  return new Map([...byShift].map(([id, all]) => [id, all.map(({ person }) => person)]))
}

type AbroadRow = Omit<Engagement, 'abroad'> & { userId: number; host: string; href: string }

/** Local ids are positive, so an external shift never equals the one that the person signs up for. */
const EXTERNAL_ID = 0

const engagementsAbroad = (userIds: readonly number[], { from, until }: { from: Date; until: Date }): RawBuilder<unknown> => sql`
  select ${sql.lit(EXTERNAL_ID)}::bigint as "shiftId", ${sql.lit(EXTERNAL_ID)}::bigint as "eventId", a.user_id as "userId",
    x.title as "eventTitle", a.start_time as start, a.end_time as end, h.name as host, x.signup_url as href, a.id
  from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
  where ${isOneOf(sql`a.user_id`, userIds)} and a.state = 1 and not a.denied and a.end_time > ${from} and a.start_time < ${until}`

/** Shifts at partner instances on which our people are confirmed, as of the last synchronisation. */
export async function findEngagementsAbroad(
  db: Kysely<DB>,
  userIds: readonly number[],
  { from, until }: { from: Date; until: Date },
): Promise<(Engagement & { userId: number; leaderShiftId: null })[]> {
  if (!userIds.length) return []
  const { rows } = await sql<AbroadRow>`
    select "shiftId", "eventId", "userId", "eventTitle", start, "end", host, href
    from (${engagementsAbroad(userIds, { from, until })}) a order by start, id`.execute(db)
  return rows.map(({ host, href, ...row }) => ({ ...row, leaderShiftId: null, abroad: { host, href } }))
}
