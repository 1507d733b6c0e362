import type { Step } from './book.ts'
import { type AccessFacts, applicationStep, refreshStep, tokenStep } from './steps-access.ts'
import { blockSteps, eventTypeSteps, qualificationSteps } from './steps-catalogue.ts'
import { COMMENT_STEP, EVENT_STEPS, participationStep, SHIFT_STEP } from './steps-events.ts'
import { GUEST_STEPS, HOST_STEP, PARTNER_STEPS, shareSteps } from './steps-partners.ts'
import { type Names, objectPermissionStep, peopleSteps } from './steps-people.ts'
import { logStep, PREFERENCE_STEP } from './steps-rest.ts'

/** What has to be known before the first row is taken. */
export type SourceFacts = AccessFacts & {
  names: Names
  restrictedTypes: ReadonlySet<number>
  losers: ReadonlySet<number>
  eventOfShare: ReadonlyMap<number, number>
  clientIds: ReadonlyMap<number, string>
}

/** In an order in which everything that a row refers to is there before it. */
export const stepsOf = (facts: SourceFacts): Step[] => [
  ...qualificationSteps(),
  ...peopleSteps(facts.names),
  ...eventTypeSteps(facts.restrictedTypes),
  ...blockSteps(),
  ...EVENT_STEPS,
  objectPermissionStep('guardian_groupobjectpermission', facts.names),
  objectPermissionStep('guardian_userobjectpermission', facts.names),
  SHIFT_STEP,
  ...PARTNER_STEPS,
  ...shareSteps(facts.eventOfShare),
  ...GUEST_STEPS,
  participationStep(facts.losers),
  COMMENT_STEP,
  applicationStep(facts),
  HOST_STEP,
  tokenStep(facts),
  refreshStep(facts, facts.clientIds),
  logStep(facts.names),
  PREFERENCE_STEP,
]
