import { type Kysely, type RawBuilder, sql } from 'kysely'
import { answersOf, questionsOfShift } from '#features/events/questionnaires/queries.ts'
import type { Answers } from '#features/events/questionnaires/rules.ts'
import { moduleIsOn } from '#features/operations/settings/queries.ts'
import { completeSettings } from '#features/operations/settings/rules.ts'
import type { Reach } from '#features/staffing/availability/queries/availability.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { hasLimit } from '#features/staffing/working-time-limits/queries.ts'
import type { StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import { isOneOf } from '#platform/db/conditions.ts'
import type { Nullable } from '#platform/db/nullable.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { OwnRecord, Participant, SignupShift } from '../rules/candidacy.ts'
import { AGE_UNKNOWN, type SignupSettings } from '../rules/eligibility.ts'
import { signupSettings, waitingListSettings } from '../schema.ts'
import { COLUMNS, NOBODY } from './engagements.ts'

export type OwnRow = OwnRecord & { answers: Answers }
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

type Asked<Basis> = {
  /** Confirmed participations that do not count. */
  givenUp: readonly number[]
  /** A JSON value to read with the shifts. */
  basis: RawBuilder<Basis>
  /** A query of an event id. */
  reached: RawBuilder<unknown> | undefined
}
type FoundShifts<Basis> = {
  found: { shift: SignupShift; own: OwnRow | undefined }[]
  /** Undefined: there is no such shift. */
  basis: Basis | undefined
  reached: number | undefined
}

/** The shifts, and the person's participation in each; with the first of them, by the same statement, what does not depend on them. */
export async function loadShifts<Basis>(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shiftIds: readonly number[],
  { givenUp, basis, reached }: Asked<Basis>,
): Promise<FoundShifts<Basis>> {
  const isFirst = sql`row_number() over (order by s.id) = 1`
  const { rows } = await sql<SignupShift & OwnColumns & { basis: Basis | null; reached: number | null }>`
    select s.id, s.event_id as "eventId", e.active and e.deleted_at is null as "isActive", e.cancelled_at is not null as "isCancelled",
      s.meeting_time as meeting, s.start_time as start, s.end_time as end,
      s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration",
      s.structure_slug as "structureSlug", s.structure_configuration as "structureConfiguration",
      array(select r.qualification_id from event_type_required_qualification r where r.event_type_id = e.type_id order by 1) as "requiredByType",
      ${questionsOfShift(sql`s.id`)} as questions,
      ${waitingListOf({ kind, id })} as "waitingList",
      case when ${hasLimit('minor_accompanied')} then ${oldestBirth(givenUp)} end as "oldestBirth",
      p.id as "ownId", p.state, p.individual_start_time as "individualStart", p.individual_end_time as "individualEnd",
      p.start_time as "ownStart", p.end_time as "ownEnd", p.structure_data as "structureData",
      case when p.id is not null then ${answersOf(sql`p.id`)} end as answers,
      ${companionsOf(sql`p`)} as companions,
      case when ${isFirst} then ${basis} end as basis, ${reached ? sql`case when ${isFirst} then (${reached}) end` : sql`null::bigint`} as reached
    from shift s join event e on e.id = s.event_id
      left join participation p on p.shift_id = s.id and p.kind = ${sql.lit(kind)} and ${COLUMNS[kind]} = ${id}
    where ${isOneOf(sql`s.id`, shiftIds)} order by s.id`.execute(db)
  const found = rows.map(({ basis: _basis, reached: _reached, ...row }) => {
    const { ownId, state, individualStart, individualEnd, ownStart, ownEnd, structureData, answers, companions, ...shift } = row
    return {
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
    }
  })
  return { found, basis: rows[0]?.basis ?? undefined, reached: rows[0]?.reached ?? undefined }
}

/** While the module is off, nobody waits and no place is held. */
const hasWaitingLists = moduleIsOn('waiting_list')
const isOnWaitingList = sql`w.shift_id = s.id and w.state in ('waiting', 'offered') and ${hasWaitingLists}`

/** How many others take part with a participation. */
const companionsOf = (p: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select count(*)::int from participation b
  where b.brought_by_id = ${p}.id and b.shift_id = ${p}.shift_id and b.state in (0, 1))`

/** The waiting list of `shift` as `s`: a `ShiftWaitingList`. */
const waitingListOf = ({ kind, id }: Participant): RawBuilder<unknown> => sql`(
  select json_build_object('mode', coalesce(l.mode, 'automatic'), 'isDue', coalesce(l.is_due, false),
    'waiting', (select count(*) from waiting_entry w where ${isOnWaitingList}),
    'own', (
      select json_build_object('id', o.id, 'state', o.state, 'offeredUntil', o.offered_until, 'passedOver', o.passed_over,
        'position', case when o.state in ('waiting', 'offered') then
          (select count(*) from waiting_entry w where ${isOnWaitingList} and (w.since, w.id) <= (o.since, o.id)) end)
      from waiting_entry o where o.shift_id = s.id and o.user_id = ${kind === 'local' ? id : NOBODY.id} and ${hasWaitingLists} order by o.id desc limit 1))
  from (select) one left join waiting_line l on l.shift_id = s.id)`

/** Of `shift` as `s`. Its day depends on the zone of the instance, so the rules compare. */
export const oldestBirth = (givenUp: readonly number[]) => sql`(
  select min(coalesce(u.date_of_birth, v.date_of_birth, g.date_of_birth, ${AGE_UNKNOWN}::date)) from participation p
  left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
  where p.shift_id = s.id and p.state = 1 and p.id <> all (${givenUp}::bigint[]))`

/** Of shifts, as if these participations had ended. */
export async function findOldestBirths(
  db: Kysely<DB>,
  shiftIds: readonly number[],
  givenUp: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await rowsOf(db).all(sql<{ id: number; oldestBirth: string | null }>`
    select s.id, ${oldestBirth(givenUp)} as "oldestBirth" from shift s where ${isOneOf(sql`s.id`, shiftIds)}`)
  return new Map(rows.map((row) => [row.id, row.oldestBirth]))
}

const DEFAULTS = { ...signupSettings.defaults, ...waitingListSettings.defaults }
export const SETTINGS = [...Object.keys(DEFAULTS), 'modules']

export function readSettings(stored: Record<string, unknown>, limits: readonly StoredLimit[]): SignupSettings {
  const settings = completeSettings(stored, DEFAULTS)
  return {
    unknownAgeBlocks: settings.unknown_age_blocks,
    expiringWarns: settings.expiring_qualification_warns,
    limits,
    toleranceMinutes: settings.individual_times_tolerance_minutes,
    hasWaitingLists: settings.waiting_list && !(Array.isArray(stored.modules) && !stored.modules.includes('waiting_list')),
  }
}

/** For `availabilityOf`: around these shifts. Individual times may begin before a shift and end after it. */
export const reachOfShifts = (shiftIds: readonly number[]): Reach => ({
  from: sql`(select min(x.start_time) - interval '1 day' from shift x where ${isOneOf(sql`x.id`, shiftIds)})`,
  until: sql`(select max(x.end_time) + interval '1 day' from shift x where ${isOneOf(sql`x.id`, shiftIds)})`,
})
