import { addedSlugs, FLOWS, getAddedFlow } from '#features/staffing/staffing/flows/registry.ts'
import { STRUCTURES } from '#features/staffing/staffing/structures/registry.ts'
import type { FaultCode } from './form-rows.ts'

type Slugs = { flowSlug: string; structureSlug: string }

const withCurrentSlug = (slugs: readonly string[], own: string): string[] =>
  own && !slugs.includes(own) ? [...slugs, own] : [...slugs]

/** An unknown flow or structure is offered only to the shift that already uses it, as is a flow whose module is off. */
export const slugChoices = (
  stored: Slugs | undefined,
  isOn: (module: string) => boolean = () => true,
): { flows: string[]; structures: string[] } => ({
  flows: withCurrentSlug(
    [...FLOWS.map(({ slug }) => slug), ...addedSlugs().filter((slug) => isOn(getAddedFlow(slug)!.module))],
    stored?.flowSlug ?? '',
  ),
  structures: withCurrentSlug(
    STRUCTURES.map(({ slug }) => slug),
    stored?.structureSlug ?? '',
  ),
})

/** For the form and the API. */
export function checkSlugs(
  { flowSlug, structureSlug }: Slugs,
  stored: Slugs | undefined,
): { of: 'flow' | 'structure'; code: FaultCode }[] {
  const { flows, structures } = slugChoices(stored)
  return [
    ...(flows.includes(flowSlug) ? [] : [{ of: 'flow', code: flowSlug ? 'unknown_flow' : 'missing' } as const]),
    ...(structures.includes(structureSlug)
      ? []
      : [{ of: 'structure', code: structureSlug ? 'unknown_structure' : 'missing' } as const]),
  ]
}
