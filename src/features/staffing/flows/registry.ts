import type { Span } from '#platform/time-span.ts'
import type { FlowTerms } from '../rules/model.ts'
import { coupled } from './coupled.ts'
import type { Flow } from './flow.ts'
import { instantConfirmation } from './instant-confirmation.ts'
import { manual } from './manual.ts'
import { requestConfirm } from './request-confirm.ts'

export const FLOWS: readonly Flow[] = [requestConfirm, instantConfirmation, manual, coupled]

const bySlug = new Map(FLOWS.map((flow) => [flow.slug, flow]))

/** Undefined for a slug that nobody here knows; the shift must stay readable all the same. */
export function getFlow(slug: string): Flow | undefined {
  return bySlug.get(slug)
}

export function termsOf(shift: Span & { flowSlug: string; flowConfiguration: unknown }, timeZone: string): FlowTerms | undefined {
  return getFlow(shift.flowSlug)?.terms(shift.flowConfiguration, shift, timeZone)
}
