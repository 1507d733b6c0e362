import { type Kysely, sql } from 'kysely'
import { loadBlocks } from '#features/building-blocks/queries.ts'
import { answersOf, questionsOfShift, savedAnswersOf } from '#features/questionnaires/queries.ts'
import type { Answers } from '#features/questionnaires/rules.ts'
import { getFlow } from '#features/staffing/flows/registry.ts'
import { loadInclusions } from '#features/staffing/queries/qualifications.ts'
import { findLapse } from '#features/staffing/rules/lapses.ts'
import type { Engagement, Inclusions, State } from '#features/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/rules/skills.ts'
import { isQualifiedForPlace } from '#features/staffing/structures/registry.ts'
import type { StructurePerson } from '#features/staffing/structures/structure.ts'
import type { RequestContext } from '#platform/auth/context.ts'
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
} from '../rules/candidacy.ts'
import type { SignupSettings } from '../rules/eligibility.ts'

/** What the caller can do about these shifts. The number of queries does not depend on the number of shifts. */
export async function findEligibility(context: RequestContext, shiftIds: readonly number[]): Promise<Map<number, Candidacy>> {
  const { db, actor, now, site } = context
  const who = participantOf(actor)
  if (!who || !shiftIds.length) return new Map()
  const facts = await loadSignupFacts(db, who, shiftIds, now)
  return new Map(
    shiftIds.flatMap((id) => {
      const candidacy = judgeCandidacy(facts, id, { now, timeZone: site.timeZone })
      return candidacy ? [[id, candidacy] as const] : []
    }),
  )
}

const HOUR_MS = 3_600_000
/** Loads engagements within this margin around the shifts, because individual times can be outside of them. */
const MARGIN_HOURS = 24

export async function loadSignupFacts(
  db: Kysely<DB>,
  who: Participant,
  shiftIds: readonly number[],
  now: Date,
): Promise<SignupFacts> {
  const shifts = await loadShifts(db, shiftIds)
  const settings = await loadSettings(db)
  const person = await loadPerson(db, who)
  const inclusions = await loadInclusions(db)
  const limited = shifts.filter(({ flowSlug }) => getFlow(flowSlug)?.hasRequestStage === false)
  const isComplex = shifts.some(({ structureSlug }) => structureSlug === 'complex')
  const blocks = isComplex ? await loadBlocks(db) : new Map()
  const own = await loadOwn(db, who, shiftIds)
  return {
    who,
    settings,
    person,
    inclusions,
    shifts: new Map(shifts.map((shift) => [shift.id, shift])),
    own: new Map(own.map(({ answers: _answers, ...record }) => [record.shiftId, record])),
    answers: new Map(own.map(({ shiftId, answers }) => [shiftId, answers])),
    engagements: await loadEngagements(db, who, shifts, settings),
    people: limited.length
      ? await loadPeople(db, limited, { inclusions, blocks, since: settings.expiringWarns ? now : undefined })
      : new Map(),
    blocks,
  }
}

async function loadShifts(db: Kysely<DB>, shiftIds: readonly number[]): Promise<SignupShift[]> {
  const { rows } = await sql<SignupShift>`
    select s.id, s.event_id as "eventId", e.active and e.deleted_at is null as "isActive", e.cancelled_at is not null as "isCancelled",
      s.meeting_time as meeting, s.start_time as start, s.end_time as end,
      s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration",
      s.structure_slug as "structureSlug", s.structure_configuration as "structureConfiguration",
      array(select r.qualification_id from event_type_required_qualification r where r.event_type_id = e.type_id order by 1) as "requiredByType",
      ${questionsOfShift(sql`s.id`)} as questions
    from shift s join event e on e.id = s.event_id where s.id = any (${shiftIds}::bigint[]) order by s.id`.execute(db)
  return rows
}

/** Settings of the instance, with defaults for those that were never set. */
async function loadSettings(db: Kysely<DB>): Promise<SignupSettings> {
  const { rows } = await sql<{ name: string; value: unknown }>`
    select name, value from setting where name in (
      'unknown_age_blocks', 'expiring_qualification_warns', 'minimum_rest_hours', 'individual_times_tolerance_minutes'
    )`.execute(db)
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const number = (name: string) => {
    const value = values.get(name)
    return typeof value === 'number' && value > 0 ? value : 0
  }
  return {
    unknownAgeBlocks: values.get('unknown_age_blocks') === true,
    expiringWarns: values.get('expiring_qualification_warns') === true,
    minimumRestHours: number('minimum_rest_hours'),
    toleranceMinutes: number('individual_times_tolerance_minutes'),
  }
}

const PEOPLE = {
  local: sql`select u.date_of_birth as "dateOfBirth", u.is_active and not u.is_service_account as "isActive", false as "isProvisional",
    (select json_agg(json_build_object('id', g.qualification_id, 'until', g.expires_at)) from qualification_grant g where g.user_id = u.id) as grants,
    ${savedAnswersOf(sql`u.id`)} as "savedAnswers"
    from user_profile u where u.id =`,
  visitor: sql`select v.date_of_birth as "dateOfBirth", true as "isActive", false as "isProvisional",
    (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from visitor_qualification q where q.visitor_id = v.id) as grants, '{}'::json as "savedAnswers"
    from visitor v where v.id =`,
  guest: sql`select g.date_of_birth as "dateOfBirth", true as "isActive", g.email_confirmed_at is null as "isProvisional",
    (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from guest_qualification q
      where q.guest_id = g.id and q.verified_at is not null) as grants, '{}'::json as "savedAnswers"
    from guest g where g.id =`,
}

async function loadPerson(db: Kysely<DB>, { kind, id }: Participant): Promise<SignupFacts['person']> {
  const { rows } = await sql<{
    dateOfBirth: string | null
    isActive: boolean
    isProvisional: boolean
    grants: { id: number; until: string | null }[] | null
    savedAnswers: Answers
  }>`${PEOPLE[kind]} ${id}`.execute(db)
  const [row] = rows
  // A person whose record was deleted meanwhile cannot do anything.
  if (!row) return { exists: false, isActive: false, isProvisional: false, dateOfBirth: null, grants: [], savedAnswers: {} }
  const { grants: held, ...person } = row
  const grants = (held ?? []).map(({ id, until }) => ({ id, until: until === null ? null : new Date(until) }))
  return { exists: true, ...person, grants }
}

const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }

type OwnRow = OwnRecord & { answers: Answers }

async function loadOwn(db: Kysely<DB>, { kind, id }: Participant, shiftIds: readonly number[]): Promise<OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select p.id, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart", p.individual_end_time as "individualEnd",
      p.start_time as start, p.end_time as end, p.structure_data as "structureData", ${answersOf(sql`p.id`)} as answers
    from participation p where ${COLUMNS[kind]} = ${id} and p.shift_id = any (${shiftIds}::bigint[])`.execute(db)
  return rows
}

/** Requests and cancelled events do not conflict with a sign-up. */
async function loadEngagements(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shifts: readonly SignupShift[],
  { minimumRestHours, toleranceMinutes }: SignupSettings,
): Promise<EngagementRow[]> {
  if (!shifts.length) return []
  const margin = (MARGIN_HOURS + minimumRestHours + toleranceMinutes / 60) * HOUR_MS
  const from = new Date(Math.min(...shifts.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...shifts.map(({ end }) => end.getTime())) + margin)
  const { rows } = await sql<EngagementRow>`
    select p.shift_id as "shiftId", p.event_id as "eventId", e.title as "eventTitle", p.start_time as start, p.end_time as end,
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId"
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where ${COLUMNS[kind]} = ${id} and p.state = 1 and e.listed and p.end_time > ${from} and p.start_time < ${until}
    order by p.start_time, p.id`.execute(db)
  const abroad = kind === 'local' ? await findEngagementsAbroad(db, [id], { from, until }) : []
  return [...rows, ...abroad]
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
  inclusions: Inclusions
  blocks: SignupFacts['blocks']
  /** Qualifications that are valid at this time count, even if they expire before the end of the shift. */
  since: Date | undefined
}

async function loadPeople(
  db: Kysely<DB>,
  shifts: readonly SignupShift[],
  { inclusions, blocks, since }: PeopleContext,
): Promise<Map<number, StructurePerson[]>> {
  const byId = new Map(shifts.map((shift) => [shift.id, shift]))
  const { rows } = await sql<PersonRow>`
    select p.id as participation_id, p.shift_id, p.state, p.structure_data,
      coalesce(b.was_qualified, false) as was_qualified, coalesce(b.has_left_group, false) as has_left_group, array(
      select g.qualification_id from qualification_grant g where g.user_id = p.user_id
        and (g.expires_at is null or g.expires_at >= least(p.end_time, ${since ?? null}::timestamptz))
      union all select v.qualification_id from visitor_qualification v where v.visitor_id = p.visitor_id
      union all select q.qualification_id from guest_qualification q where q.guest_id = p.guest_id and q.verified_at is not null
    ) as held
    from participation p left join place_basis b on b.participation_id = p.id and not p.finished
    where p.shift_id = any (${[...byId.keys()]}::bigint[]) and p.state = 1 order by p.id`.execute(db)
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

type AbroadRow = { userId: number; eventTitle: string; start: Date; end: Date; host: string; href: string }

/** Local ids are positive, so an external shift never equals the one that the person signs up for. */
const EXTERNAL_ID = 0

/** Shifts at partner instances on which our people are confirmed, as of the last synchronisation. */
export async function findEngagementsAbroad(
  db: Kysely<DB>,
  userIds: readonly number[],
  { from, until }: { from: Date; until: Date },
): Promise<(Engagement & { userId: number; leaderShiftId: null })[]> {
  if (!userIds.length) return []
  const { rows } = await sql<AbroadRow>`
    select a.user_id as "userId", x.title as "eventTitle", a.start_time as start, a.end_time as end, h.name as host, x.signup_url as href
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = any (${userIds}::bigint[]) and a.state = 1 and not a.denied and a.end_time > ${from} and a.start_time < ${until}
    order by a.start_time, a.id`.execute(db)
  return rows.map(({ host, href, ...row }) => ({
    ...row,
    shiftId: EXTERNAL_ID,
    eventId: EXTERNAL_ID,
    leaderShiftId: null,
    abroad: { host, href },
  }))
}
