import type { SignupStats } from '../rules/model.ts'
import { fallbackStats } from '../rules/statistics.ts'
import { complex } from './complex.ts'
import { namedTeams } from './named-teams.ts'
import { qualificationMix } from './qualification-mix.ts'
import type { Structure, StructureInput } from './structure.ts'
import { uniform } from './uniform.ts'

export const STRUCTURES: readonly Structure[] = [uniform, namedTeams, qualificationMix, complex]

const bySlug = new Map(STRUCTURES.map((structure) => [structure.slug, structure]))

/** Undefined for an unknown slug, e.g. of imported data: the shift must stay readable. */
export function getStructure(slug: string): Structure | undefined {
  return bySlug.get(slug)
}

export function computeStatistics(
  shift: { structureSlug: string; structureConfiguration: unknown } & StructureInput,
): SignupStats {
  const { structureSlug, structureConfiguration, ...input } = shift
  return getStructure(structureSlug)?.statistics(structureConfiguration, input) ?? fallbackStats(input.people)
}
