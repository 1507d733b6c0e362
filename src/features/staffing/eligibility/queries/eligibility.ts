import { type Kysely, type RawBuilder, sql } from 'kysely'
import { loadBlocks } from '#features/events/building-blocks/queries.ts'
import { moduleIsOn } from '#features/operations/settings/queries.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import { heldInShifts } from '#features/staffing/staffing/queries/qualifications.ts'
import { findLapse } from '#features/staffing/staffing/rules/lapses.ts'
import type { Inclusions, State } from '#features/staffing/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import { isQualifiedForPlace } from '#features/staffing/staffing/structures/registry.ts'
import type { StructurePerson } from '#features/staffing/staffing/structures/structure.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOneOf } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'
import {
  type Candidacy,
  judgeCandidacy,
  type Participant,
  participantOf,
  type SignupFacts,
  type SignupShift,
} from '../rules/candidacy.ts'
import { loadEngagements, NOBODY } from './engagements.ts'
import { basisOf, loadBasis, readBasis } from './person-facts.ts'
import { findVerdicts } from './rules.ts'
import { loadShifts, type OwnRow } from './shift-facts.ts'

/** What the caller can do about these shifts. The number of queries does not depend on the number of shifts. */
export const findEligibility = async (context: RequestContext, shiftIds: readonly number[]): Promise<Map<number, Candidacy>> =>
  (await loadEligibility(context, shiftIds)).eligibility

/** `facts` undefined: nothing to judge. */
export type Eligibility = { eligibility: Map<number, Candidacy>; facts: (SignupFacts & OfCatalogue) | undefined }

/** What the caller can do about these shifts, with what it was judged by. */
export async function loadEligibility(
  { db, actor, now, site }: RequestContext,
  shiftIds: readonly number[],
): Promise<Eligibility> {
  const who = participantOf(actor)
  if (!who || !shiftIds.length) return { eligibility: new Map(), facts: undefined }
  const facts = await loadSignupFacts(db, who, shiftIds, { now, site })
  const judged = shiftIds.flatMap((id) => {
    const candidacy = judgeCandidacy(facts, id, { now, timeZone: site.timeZone })
    return candidacy ? [[id, candidacy] as const] : []
  })
  return { eligibility: new Map(judged), facts }
}

/** What decides about any person: the shifts, the settings, and who has places already. */
export type SharedFacts = Pick<SignupFacts, 'settings' | 'inclusions' | 'shifts' | 'people' | 'blocks'> & OfCatalogue
/** The version of the catalogue that the facts were read with, for its titles. */
type OfCatalogue = { catalogueVersion: number }

type LoadedFacts = SharedFacts & { person: SignupFacts['person']; own: OwnRow[]; reached: number | undefined }
type Options = {
  /** Confirmed participations of this person and of others that end with the sign-up, so they do not count. */
  givenUp?: readonly number[]
  /** A query of the event that the person reaches, to read it at the same moment. */
  reached?: RawBuilder<unknown> | undefined
}

/** The number of queries does not depend on the number of shifts. */
async function loadFacts(
  db: Kysely<DB>,
  who: Participant,
  shiftIds: readonly number[],
  now: Date,
  { givenUp = [], reached: asked }: Options = {},
): Promise<LoadedFacts> {
  const basis = basisOf(db, who, shiftIds)
  const { found, reached, basis: read } = await loadShifts(db, who, shiftIds, { givenUp, basis, reached: asked })
  const { settings, person, inclusions, catalogueVersion } = await (read ? readBasis(db, read) : loadBasis(db, who, shiftIds))
  const shifts = found.map(({ shift }) => shift)
  const limited = shifts.filter(({ flowSlug }) => getFlow(flowSlug)?.hasRequestStage === false)
  const isComplex = shifts.some(({ structureSlug }) => structureSlug === 'complex')
  const blocks = isComplex ? await loadBlocks(db) : new Map()
  return {
    settings,
    inclusions,
    catalogueVersion,
    shifts: new Map(shifts.map((shift) => [shift.id, shift])),
    people: limited.length
      ? await loadPeople(db, limited, { who, inclusions, blocks, givenUp, since: settings.expiringWarns ? now : undefined })
      : new Map(),
    blocks,
    person,
    reached,
    own: found.flatMap((each) => (each.own ? [each.own] : [])),
  }
}

export async function loadSharedFacts(db: Kysely<DB>, shiftIds: readonly number[], now: Date): Promise<SharedFacts> {
  const { person: _person, own: _own, reached: _reached, ...shared } = await loadFacts(db, NOBODY, shiftIds, now)
  return shared
}

/** `reached`: the event, if the options ask for it and it is reached. */
export async function loadSignupFacts(
  db: Kysely<DB>,
  who: Participant,
  shiftIds: readonly number[],
  { now, site }: Pick<RequestContext, 'now' | 'site'>,
  options: Options = {},
): Promise<SignupFacts & OfCatalogue & { reached: number | undefined }> {
  const { own, ...facts } = await loadFacts(db, who, shiftIds, now, options)
  const { givenUp = [] } = options
  return {
    ...facts,
    who,
    ...(who.kind === 'local' ? { verdicts: (await findVerdicts({ now, site }, [who.id], shiftIds))(who.id) } : {}),
    own: new Map(own.map(({ answers: _answers, ...record }) => [record.shiftId, record])),
    answers: new Map(own.map(({ shiftId, answers }) => [shiftId, answers])),
    engagements: await loadEngagements(db, who, [...facts.shifts.values()], { ...facts.settings, givenUp }),
  }
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
    where ${isOneOf(sql`w.shift_id`, shiftIds)} and w.state = 'offered' and ${moduleIsOn('waiting_list')}
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
