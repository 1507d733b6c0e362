import { findChildActors } from '#features/accounts/users/queries/guardians.ts'
import { loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import {
  getEventDetails,
  type ParticipantDetails,
  type ShiftDetails,
} from '#features/staffing/participations/queries/event-details.ts'
import { familyLinks, type Links } from '#features/staffing/participations/rules/links.ts'
import type { SignupData } from '#features/staffing/participations/views/signup.ts'
import type { Coverage } from '#features/staffing/staffing/queries/coverage.ts'
import type { Needs } from '#features/staffing/staffing/queries/needs.ts'
import { ownWaitingListOf } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { EventShiftData } from '../views/event-shift.ts'
import type { ShiftPeople } from '../views/shift-people.ts'

type ChildAt = { name: string; links: Links; eligibility: ReadonlyMap<number, Candidacy> }

/** The reader's children who see the event, and what each can do about its shifts. */
export async function findChildrenAt(context: RequestContext, eventId: number, shiftIds: readonly number[]): Promise<ChildAt[]> {
  const children = await findChildActors(context)
  const found = await Promise.all(
    children.map(async (actor) => {
      const own = { ...context, actor }
      if (!(await getEventDetails(own, eventId))) return []
      const { eligibility } = await loadEligibility(own, shiftIds)
      return [{ name: actor.displayName, links: familyLinks(actor.userId), eligibility }]
    }),
  )
  return found.flat()
}

type AboutShift = {
  needs: Needs
  people: ParticipantDetails[]
  grouped: ShiftPeople
  candidacy: Candidacy | undefined
  coverage: Coverage | undefined
  resources: EventShiftData['resources']
  /** Visitors and guests cannot wait. */
  isMember: boolean
  hasWaitingLists: boolean
  hasExchanges: boolean
  swaps: EventShiftData['swaps']
  children: readonly ChildAt[]
  links: EventShiftData['links']
}

export function shiftDataOf(
  shift: ShiftDetails,
  {
    needs,
    people,
    grouped,
    candidacy,
    coverage,
    resources,
    isMember,
    hasWaitingLists,
    hasExchanges,
    swaps,
    children,
    links,
  }: AboutShift,
): EventShiftData {
  const own = people.find(({ is_own }) => is_own)
  return {
    ...shift,
    own: own && { state: own.state, start: own.start_time, end: own.end_time, hasOwnTimes: own.has_own_times },
    needs,
    people: grouped,
    shortages: coverage?.shortages ?? [],
    signup: candidacy && signupDataOf(candidacy),
    resources,
    waitingList: candidacy && isMember && hasWaitingLists ? ownWaitingListOf(candidacy) : undefined,
    hasExchanges,
    swaps,
    links,
    children: children.flatMap(({ name, links, eligibility }) => {
      const each = eligibility.get(shift.id)
      return each ? [{ name, links, signup: signupDataOf(each) }] : []
    }),
  }
}

export function signupDataOf(candidacy: Candidacy): SignupData {
  const { shift, own, signupRules, formReasons, signupState, areTimesOutside } = candidacy
  return {
    shiftId: shift.id,
    state: own?.state,
    eligibility: candidacy,
    formReasons,
    signupState,
    areTimesOutside,
    closesAt: signupRules?.closesAt,
    companions: { count: own?.companions ?? 0, max: signupRules?.maxCompanions ?? 0 },
  }
}
