import type { Span } from '#platform/time-span.ts'
import type { SignupRules } from '../rules/model.ts'
import { coupled } from './coupled.ts'
import type { Flow } from './flow.ts'
import { instantConfirmation } from './instant-confirmation.ts'
import { manual } from './manual.ts'
import { requestConfirm } from './request-confirm.ts'

export const FLOWS: readonly Flow[] = [requestConfirm, instantConfirmation, manual, coupled]

const bySlug = new Map(FLOWS.map((flow) => [flow.slug, flow]))

/** Undefined for an unknown slug, e.g. of imported data: the shift must stay readable. */
export function getFlow(slug: string): Flow | undefined {
  return bySlug.get(slug)
}

export function readSignupRules(
  shift: Span & { flowSlug: string; flowConfiguration: unknown },
  timeZone: string,
): SignupRules | undefined {
  return getFlow(shift.flowSlug)?.readRules(shift.flowConfiguration, shift, timeZone)
}
