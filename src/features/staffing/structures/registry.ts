import type { SignupStats } from '../rules/model.ts'
import { fallbackStats } from '../rules/statistics.ts'
import { complex } from './complex.ts'
import { namedTeams } from './named-teams.ts'
import { qualificationMix } from './qualification-mix.ts'
import type { Structure, StructureInput, StructurePerson } from './structure.ts'
import { uniform } from './uniform.ts'

export const STRUCTURES: readonly Structure[] = [uniform, namedTeams, qualificationMix, complex]

const bySlug = new Map(STRUCTURES.map((structure) => [structure.slug, structure]))

/** Undefined for an unknown slug, e.g. of imported data: the shift must stay readable. */
export function getStructure(slug: string): Structure | undefined {
  return bySlug.get(slug)
}

type Planned = { structureSlug: string; structureConfiguration: unknown }

/** Undefined if no qualification is needed, or the structure is unknown. */
export function isQualifiedForPlace(
  { structureSlug, structureConfiguration }: Planned,
  input: StructureInput,
  person: Pick<StructurePerson, 'skills' | 'structureData'>,
): boolean | undefined {
  return getStructure(structureSlug)?.isQualified(structureConfiguration, input, person)
}

export function computeStatistics(shift: Planned & StructureInput): SignupStats {
  const { structureSlug, structureConfiguration, ...input } = shift
  return getStructure(structureSlug)?.statistics(structureConfiguration, input) ?? fallbackStats(input.people)
}
