import { termsOf } from '#features/staffing/flows/registry.ts'
import type { FlowTerms, Reason, Skills, State } from '#features/staffing/rules/model.ts'
import { closureOf } from '#features/staffing/rules/skills.ts'
import { getStructure } from '#features/staffing/structures/registry.ts'
import { type Applicant, onlyOption, type StructureInput, type WishField } from '#features/staffing/structures/structure.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Span } from '#platform/time-span.ts'
import { type Eligibility, judgeEligibility, reasonsForForm, type Situation } from '../rules/eligibility.ts'
import { areOutside } from '../rules/individual-times.ts'
import { loadSignupFacts, type OwnRecord, participantOf, type SignupFacts, type SignupShift } from './signup-facts.ts'

export type Moment = { now: Date; timeZone: string }

/** How one person stands to one shift. */
export type Candidacy = Eligibility & {
  shift: SignupShift
  own: OwnRecord | undefined
  terms: FlowTerms | undefined
  wish: WishField | undefined
  /** Why one click is not enough. */
  formReasons: readonly Reason[]
  /** What a sign-up would lead to. */
  leadsTo: State
  /** They have times of their own that the shift has moved away from. */
  areTimesOutside: boolean
  /** For commands: what was judged, and what is needed to place the person. */
  situation: Situation
  applicant: Applicant
  input: StructureInput
}

/** `chosen`: times from the form. Undefined: no such shift. */
export function judgeCandidacy(
  facts: SignupFacts,
  shiftId: number,
  { now, timeZone }: Moment,
  chosen?: Span,
): Candidacy | undefined {
  const shift = facts.shifts.get(shiftId)
  if (!shift) return undefined
  const { person, settings, inclusions } = facts
  const own = facts.own.get(shiftId)
  const terms = termsOf(shift, timeZone)
  const end = (chosen ?? own ?? shift).end
  const skillsAt = (at: Date): Skills =>
    closureOf(
      person.grants.filter(({ until }) => until === null || until >= at).map(({ id }) => id),
      inclusions,
    )
  const input = { people: facts.people.get(shiftId) ?? [], blocks: facts.blocks, qualifications: inclusions }
  const judgedWith = (skills: Skills) => {
    const applicant = { participationId: own?.id, state: own?.state, skills, structureData: own?.structureData ?? {} }
    const instant = terms?.hasRequestStage === false
    const fit = getStructure(shift.structureSlug)?.fit(shift.structureConfiguration, input, applicant, { instant })
    const situation: Situation = {
      now,
      timeZone,
      shift,
      terms,
      chosen,
      settings,
      event: { isActive: shift.isActive, isCancelled: shift.isCancelled },
      structure: fit && { ...fit, isWishNeeded: !!fit.wish && isWishNeeded(fit.wish) },
      typeNeeds: new Set(shift.typeNeeds),
      person: { dateOfBirth: person.dateOfBirth, skills },
      state: own?.state,
      stored: own && { start: own.start, end: own.end },
      engagements: facts.engagements.filter(({ leaderShiftId }) => leaderShiftId !== String(shiftId)),
    }
    return { applicant, situation, wish: fit?.wish, eligibility: judgeEligibility(situation) }
  }
  const strict = judgedWith(skillsAt(end))
  const lenient = settings.expiringWarns && now < end ? judgedWith(skillsAt(now)) : strict
  const isExpiring = isUnqualified(strict.eligibility) && !isUnqualified(lenient.eligibility)
  const { eligibility, applicant, situation, wish } = lenient
  return {
    ...eligibility,
    warnings: [...eligibility.warnings, ...(isExpiring ? [{ code: 'qualification_expires' } as const] : [])],
    shift,
    own,
    terms,
    wish,
    situation,
    applicant,
    input,
    areTimesOutside:
      !!own && (own.individualStart ?? own.individualEnd) !== null && areOutside(own, shift, settings.toleranceMinutes),
    formReasons: reasonsForForm(situation),
    leadsTo: terms?.hasRequestStage === false ? 1 : 0,
  }
}

const isWishNeeded = (wish: WishField): boolean =>
  wish.isRequired && wish.options.length > 0 && wish.current === undefined && onlyOption(wish) === undefined

const isUnqualified = ({ reasons }: Eligibility): boolean =>
  reasons['sign-up'].some(({ code }) => code === 'not_qualified' || code === 'type_not_qualified')

/** Of the caller, for shifts that the caller may see; the number of queries does not depend on the number of shifts. */
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
