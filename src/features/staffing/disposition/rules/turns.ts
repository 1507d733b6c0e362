import type { EngagementRow, SignupFacts } from '#features/staffing/eligibility/rules/candidacy.ts'
import { AGE_UNKNOWN } from '#features/staffing/eligibility/rules/eligibility.ts'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { Span } from '#platform/time-span.ts'

/** A card of a Save that was judged and will be written. */
export type JudgedCard = {
  /** Of the person. */
  key: string
  to: State
  dateOfBirth: string | null
  span: Span
} & Pick<EngagementRow, 'shiftId' | 'eventId' | 'eventTitle' | 'leaderShiftId'>

/**
 * The facts about a person and a shift as if the cards judged before were saved. `oldestBirths`: of shifts that people leave in the same
 * Save.
 */
export function factsAfter(
  facts: SignupFacts,
  { key, shiftId }: Pick<JudgedCard, 'key' | 'shiftId'>,
  { judged, oldestBirths }: { judged: readonly JudgedCard[]; oldestBirths: ReadonlyMap<number, string | null> },
): SignupFacts {
  const own = judged.filter((card) => card.key === key && card.shiftId !== shiftId)
  const changed = new Set(own.map((card) => card.shiftId))
  const added = own.filter(({ to }) => to === STATE.confirmed)
  return {
    ...facts,
    engagements: [
      ...facts.engagements.filter((one) => !changed.has(one.shiftId)),
      ...added.map(({ eventId, eventTitle, leaderShiftId, span: { start, end }, ...card }): EngagementRow => {
        return { shiftId: card.shiftId, eventId, eventTitle, leaderShiftId, start, end }
      }),
    ],
    shifts: withOldest(facts.shifts, shiftId, [
      oldestBirths.has(shiftId) ? oldestBirths.get(shiftId)! : (facts.shifts.get(shiftId)?.oldestBirth ?? null),
      ...judged.flatMap((card) =>
        card.shiftId === shiftId && card.to === STATE.confirmed ? [card.dateOfBirth ?? AGE_UNKNOWN] : [],
      ),
    ]),
  }
}

function withOldest(shifts: SignupFacts['shifts'], id: number, births: readonly (string | null)[]): SignupFacts['shifts'] {
  const shift = shifts.get(id)
  const [oldestBirth = null] = births.filter((birth) => birth !== null).sort()
  return shift && shift.oldestBirth !== oldestBirth ? new Map([...shifts, [id, { ...shift, oldestBirth }]]) : shifts
}

type Turn = {
  isConfirmed: boolean
  dateOfBirth: string | null
  hasReason: boolean
}

/**
 * The order in which cards of one Save are judged: who leaves before who stays, adults before the minors whom they accompany, and what
 * the planner gives a reason for last.
 */
export const compareTurns = (a: Turn, b: Turn): number =>
  Number(a.isConfirmed) - Number(b.isConfirmed) ||
  compareText(a.dateOfBirth ?? AGE_UNKNOWN, b.dateOfBirth ?? AGE_UNKNOWN) ||
  Number(a.hasReason) - Number(b.hasReason)

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
