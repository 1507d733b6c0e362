import { sql } from 'kysely'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { NOBODY } from '#features/staffing/eligibility/queries/engagements.ts'
import {
  type Candidacy,
  judgeCandidacy,
  type OwnRecord,
  participantOf,
  type SignupFacts,
  UNKNOWN_PERSON,
} from '#features/staffing/eligibility/rules/candidacy.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { renameCompanion, writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { lockForMove } from '#features/staffing/participations/commands/sign-up.ts'
import { type CompanionRecord, findCompanions } from '#features/staffing/participations/queries/companions.ts'
import { numberedNames } from '#features/staffing/participations/rules/placeholder-names.ts'
import { isIn, type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { StructurePerson } from '#features/staffing/staffing/structures/structure.ts'
import { textIn } from '#features/staffing/staffing/structures/structure.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'
import { findOtherNames, getBringerName } from './queries.ts'
import {
  type CompanionFault,
  type CompanionsChange,
  type CompanionsPlan,
  companionState,
  listVersion,
  planCompanions,
  wishOfCompanion,
} from './rules.ts'

export type CompanionsOutcome =
  | { ok: true; added: number; removed: number; renamed: number }
  /** `not_in`: the person does not take part; `changed`: the list is not the one that the page showed. */
  | { ok: false; code: 'not_in' | 'changed' }
  | { ok: false; code: 'faults'; faults: readonly CompanionFault[] }
  /** `possible`: how many of the new people could take part. */
  | { ok: false; code: 'refused'; reasons: readonly Reason[]; possible: number }

/** `seen`: the version of the list that the page showed. */
type CompanionsRequest = { shiftId: number; seen: string; change: CompanionsChange }

/** The name of companions without a name, before their number: in the language of the instance, then in the others. */
export async function neutralBases({ db, site }: Pick<CommandContext, 'db' | 'site'>, userId: number): Promise<string[]> {
  const name = await getBringerName(db, userId)
  const languages = new Set([site.defaultLanguage ?? 'en', ...SOURCE_LANGUAGES])
  return [...languages].map((language) => wordsFor(language, site.timeZone).t('companions.neutral', { name }))
}

/** Adds, names and removes people whom a participant brings, by the rules for the participant's own sign-up and decline. */
export async function changeCompanions(
  context: CommandContext,
  { shiftId, seen, change }: CompanionsRequest,
  guard: Guard = GUARD,
): Promise<CompanionsOutcome> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, guard)
    const facts = await loadSignupFacts(tx, who, [shiftId], context)
    const moment = { now: context.now, timeZone: context.site.timeZone }
    const bringer = judgeCandidacy(facts, shiftId, moment)!
    const { own, shift, signupRules } = bringer
    if (!own || !isIn(own.state) || !facts.person.isActive) return { ok: false, code: 'not_in' }
    const companions = await findCompanions(tx, own.id)
    if (listVersion(companions) !== seen) return { ok: false, code: 'changed' }
    const planned = planCompanions(
      {
        companions,
        max: signupRules?.maxCompanions ?? 0,
        taken: await findOtherNames(tx, eventId, own.id),
        bases: await neutralBases({ ...context, db: tx }, who.id),
      },
      change,
    )
    if (!planned.ok) return { ok: false, code: 'faults', faults: planned.faults }
    const { plan } = planned
    const judged = judgePlan({ facts, bringer, companions, plan }, moment)
    if (plan.renamed.length && shift.isCancelled) judged.reasons.push({ code: 'event_cancelled' })
    await guard.checked()
    if (judged.reasons.length || !signupRules)
      return { ok: false, code: 'refused', reasons: judged.reasons, possible: judged.places.length }
    await writePlan(tx, context, {
      eventId,
      own,
      plan,
      companions,
      places: judged.places,
      state: companionState(own.state, signupRules),
    })
    return { ok: true, added: plan.added.length, removed: plan.leaving.length, renamed: plan.renamed.length }
  })
}

type Judged = { facts: SignupFacts; bringer: Candidacy; companions: readonly CompanionRecord[]; plan: CompanionsPlan }

/** Companions are judged one after the other, so that each of them counts for the next. `places`: their structure data. */
function judgePlan(
  { facts, bringer, companions, plan }: Judged,
  moment: { now: Date; timeZone: string },
): { reasons: Reason[]; places: Record<string, unknown>[] } {
  const { shift, own, signupRules } = bringer
  const recordOf = (id: number) => companions.find((companion) => companion.id === id)
  const leaving = new Set(plan.leaving.map(({ id }) => id))
  const people = (facts.people.get(shift.id) ?? []).filter(({ participationId }) => !leaving.has(participationId))
  const judge = (before: OwnRecord | undefined) =>
    judgeCandidacy(factsOfCompanion(facts, bringer, before, people), shift.id, moment)!
  for (const { id } of plan.leaving) {
    const { reasons } = judge(recordOf(id))
    if (reasons.decline.length) return { reasons: [...reasons.decline], places: [] }
  }
  const places: Record<string, unknown>[] = []
  for (const { returning } of plan.added) {
    const before = returning && recordOf(returning.id)
    const { reasons, applicant, input, wish } = judge(before)
    const instant = signupRules?.hasRequestStage === false
    const wanted = wishOfCompanion(wish, wish && textIn(own?.structureData, wish.key))
    const placed = getStructure(shift.structureSlug)?.place(shift.structureConfiguration, input, applicant, {
      instant,
      wish: wanted,
    })
    const against = [...reasons['sign-up'], ...(placed && !placed.ok ? [placed.reason] : [])]
    if (against.length || !placed?.ok) return { reasons: against, places }
    people.push(confirmedPerson(-Number.MAX_SAFE_INTEGER + places.length, placed.structureData))
    places.push(placed.structureData)
  }
  return { reasons: [], places }
}

const confirmedPerson = (participationId: number, structureData: unknown): StructurePerson => ({
  participationId,
  state: STATE.confirmed,
  skills: new Set(),
  structureData,
})

/** A person without qualifications, age and other shifts. */
function factsOfCompanion(
  facts: SignupFacts,
  { shift }: Candidacy,
  before: OwnRecord | undefined,
  people: readonly StructurePerson[],
): SignupFacts {
  return {
    ...facts,
    who: NOBODY,
    person: UNKNOWN_PERSON,
    shifts: new Map([[shift.id, { ...shift, waitingList: { ...shift.waitingList, own: null } }]]),
    own: new Map(before ? [[shift.id, before]] : []),
    answers: new Map(),
    engagements: [],
    people: new Map([[shift.id, [...people]]]),
  }
}

type Written = {
  eventId: number
  own: OwnRecord
  plan: CompanionsPlan
  companions: readonly CompanionRecord[]
  places: readonly Record<string, unknown>[]
  state: ReturnType<typeof companionState>
}

async function writePlan(
  tx: Tx,
  context: CommandContext,
  { eventId, own, plan, companions, places, state }: Written,
): Promise<void> {
  const shift = { id: own.shiftId, eventId }
  const recordOf = (id: number) => companions.find((companion) => companion.id === id)!
  for (const { id, name } of plan.leaving) {
    const before = recordOf(id)
    await writeParticipation(tx, context, {
      kind: 'participation.companion_removed',
      shift,
      who: { placeholder: name },
      before,
      state: STATE.declinedByUser,
      times: { start: before.individualStart, end: before.individualEnd },
      structureData: before.structureData,
    })
  }
  for (const { companion, name } of plan.renamed) {
    await renameCompanion(tx, own.id, companion.name, name)
    // Without the names, which the journal would keep.
    await record(tx, context, {
      kind: 'participation.companion_named',
      subject: { kind: 'participation', id: companion.id },
      eventId,
    })
  }
  for (const [index, { name, returning }] of plan.added.entries())
    await writeParticipation(tx, context, {
      kind: 'participation.companion_added',
      shift,
      who: { placeholder: name },
      before: returning && recordOf(returning.id),
      broughtBy: own.id,
      state,
      times: { start: own.individualStart, end: own.individualEnd },
      structureData: places[index],
    })
}

/** For the erasure of a person: names of those whom they brought were typed by them, or contain their name. */
export async function forgetCompanionNames(tx: Tx, { site }: CommandContext, userId: number): Promise<void> {
  // never null: bringer_id, name (companions are placeholders)
  const { rows } = await sql<{ event_id: number; bringer_id: number; name: string }>`
    select distinct p.event_id, p.brought_by_id as bringer_id, p.placeholder_name as name
    from participation p join participation own on own.id = p.brought_by_id
    where own.user_id = ${userId} order by 1, 2, 3`.execute(tx)
  if (!rows.length) return
  const eventIds = rows.map(({ event_id }) => event_id)
  await sql`select from event where id = any (${eventIds}::bigint[]) order by id for no key update`.execute(tx)
  // never null: name (placeholders have a name)
  const { rows: others } = await sql<{ name: string }>`
    select distinct placeholder_name as name from participation
    where event_id = any (${eventIds}::bigint[]) and kind = 'placeholder'`.execute(tx)
  const base = wordsFor(site.defaultLanguage ?? 'en', site.timeZone).t('companions.former')
  const names = numberedNames(base, rows.length, new Set(others.map(({ name }) => name)))
  for (const [index, { bringer_id, name }] of rows.entries()) await renameCompanion(tx, bringer_id, name, names[index]!)
}
