import { type Kysely, type RawBuilder, sql } from 'kysely'
import { catalogueVersion, requireInclusions } from '#features/accounts/qualifications/queries.ts'
import { savedAnswersOf } from '#features/events/questionnaires/queries.ts'
import type { Answers } from '#features/events/questionnaires/rules.ts'
import { availabilityOf } from '#features/staffing/availability/queries/availability.ts'
import type { Availability } from '#features/staffing/availability/rules/availability.ts'
import { type InclusionRow, inclusionRows, readInclusions } from '#features/staffing/staffing/queries/qualifications.ts'
import { storedLimits } from '#features/staffing/working-time-limits/queries.ts'
import type { StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import type { Nullable } from '#platform/db/nullable.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Participant, type SignupFacts, UNKNOWN_PERSON } from '../rules/candidacy.ts'
import { reachOfShifts, readSettings, SETTINGS } from './shift-facts.ts'

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
  // What guests declare counts for requests until the organisers have decided about it.
  guest:
    () => sql`select g.date_of_birth as "dateOfBirth", '{}'::bigint[] as "groupIds", null::json as availability, true as "isActive",
    g.email_confirmed_at is null as "isProvisional",
    (select json_agg(json_build_object('id', q.qualification_id, 'until', null, 'isDeclared', q.verified_at is null)) from guest_qualification q
      where q.guest_id = g.id and q.rejected_at is null) as grants, '{}'::json as "savedAnswers"
    from guest g where g.id =`,
}

type PersonColumns = {
  dateOfBirth: string | null
  isActive: boolean
  isProvisional: boolean
  groupIds: number[]
  availability: Availability | null
  grants: { id: number; until: string | null; isDeclared?: boolean }[] | null
  savedAnswers: Answers
}
type Basis = Pick<SignupFacts, 'settings' | 'person' | 'inclusions'> & { catalogueVersion: number }
type BasisRow = Nullable<PersonColumns> & {
  settings: Record<string, unknown>
  limits: StoredLimit[]
  catalogueVersion: number
  /** Null: those of the version. */
  inclusions: InclusionRow[] | null
}

/**
 * A JSON value, read by `readBasis`: what does not depend on the shifts, except that busy times of calendars are those around them. A
 * transaction reads what qualifications include, others know it by the version of the catalogue.
 */
export const basisOf = (db: Kysely<DB>, { kind, id }: Participant, shiftIds: readonly number[]): RawBuilder<BasisRow> => sql`(
  select row_to_json(basis) from (
    select person."dateOfBirth", person."isActive", person."isProvisional", person."groupIds", person.availability, person.grants, person."savedAnswers",
      (select coalesce(json_object_agg(name, value), '{}') from setting where name = any (${SETTINGS}::text[])) as settings,
      ${storedLimits} as limits, ${catalogueVersion} as "catalogueVersion",
      ${db.isTransaction ? inclusionRows : sql`null`} as inclusions
    from (select) one left join (${PEOPLE[kind](shiftIds)} ${id}) person on true) basis)`

export async function readBasis(
  db: Kysely<DB>,
  { settings, limits, inclusions, catalogueVersion: version, ...row }: BasisRow,
): Promise<Basis> {
  return {
    settings: readSettings(settings, limits),
    catalogueVersion: version,
    inclusions: inclusions ? readInclusions(inclusions) : await requireInclusions(db, version),
    person: readPerson(row),
  }
}

export const loadBasis = async (db: Kysely<DB>, who: Participant, shiftIds: readonly number[]): Promise<Basis> =>
  readBasis(db, (await rowsOf(db).one(sql<{ basis: BasisRow }>`select ${basisOf(db, who, shiftIds)} as basis`)).basis)

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
  const grants = (held ?? []).map(({ id, until, isDeclared }) => ({
    id,
    until: until === null ? null : new Date(until),
    ...(isDeclared ? { isDeclared } : {}),
  }))
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
