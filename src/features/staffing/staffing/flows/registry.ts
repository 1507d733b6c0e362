import type { Span } from '#platform/time-span.ts'
import type { SignupRules } from '../rules/model.ts'
import { coupled } from './coupled.ts'
import { defineSelfServiceFlow, type Flow } from './flow.ts'
import { instantConfirmation } from './instant-confirmation.ts'
import { manual } from './manual.ts'
import { requestConfirm } from './request-confirm.ts'

export const FLOWS: readonly Flow[] = [requestConfirm, instantConfirmation, manual, coupled]

const bySlug = new Map(FLOWS.map((flow) => [flow.slug, flow]))

/** Of an extension: people sign up themselves. `label`: key of its text. */
type AddedFlow = { slug: string; hasRequestStage: boolean; label: string }
const added = new Map<string, readonly AddedFlow[]>()
let addedBySlug = new Map<string, AddedFlow & Flow & { module: string }>()

/** Replaces those of the module. */
export function addFlows(module: string, flows: readonly AddedFlow[]): void {
  added.set(module, flows)
  addedBySlug = new Map(
    [...added].flatMap(([owner, own]) =>
      own.map((flow) => [flow.slug, { ...defineSelfServiceFlow(flow.slug, flow), ...flow, module: owner }] as const),
    ),
  )
}

export const getAddedFlow = (slug: string): { label: string; module: string } | undefined => addedBySlug.get(slug)
export const addedSlugs = (): string[] => [...addedBySlug.keys()]

export const isSelfService = (slug: string): boolean => getFlow(slug)?.isSelfService ?? false
export const selfServiceSlugs = (): string[] =>
  [...FLOWS, ...addedBySlug.values()].filter((flow) => flow.isSelfService).map(({ slug }) => slug)

/** Undefined for an unknown slug, e.g. of imported data: the shift must stay readable. */
export function getFlow(slug: string): Flow | undefined {
  return bySlug.get(slug) ?? addedBySlug.get(slug)
}

export function readSignupRules(
  shift: Span & { flowSlug: string; flowConfiguration: unknown },
  timeZone: string,
): SignupRules | undefined {
  return getFlow(shift.flowSlug)?.readRules(shift.flowConfiguration, shift, timeZone)
}
