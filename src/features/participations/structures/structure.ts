import type { z } from 'zod'
import type { SignupStats } from '#features/events/rules/statistics.ts'
import type { Inclusions, Skills } from '../rules/skills.ts'
import type { State } from '../rules/states.ts'
import { fallbackStats } from '../rules/statistics.ts'
import type { BuildingBlock } from '../rules/units.ts'

/** `skills`: everything held, includes followed, at the end of this person's time on the shift. */
export type StructurePerson = { participationId: number; state: State; skills: Skills; structureData: unknown }

export type StructureInput = {
  people: readonly StructurePerson[]
  blocks: ReadonlyMap<number, BuildingBlock>
  qualifications: Inclusions
}

export type Structure<Configuration = unknown> = {
  slug: string
  configuration: z.ZodType<Configuration>
  /** Takes the configuration as it is stored; one that cannot be read gives the fallback. */
  statistics: (stored: unknown, input: StructureInput) => SignupStats
}

export function defineStructure<Configuration>(parts: {
  slug: string
  configuration: z.ZodType<Configuration>
  /** Undefined if the configuration is well-formed but makes no sense. */
  count: (configuration: Configuration, input: StructureInput) => SignupStats | undefined
}): Structure<Configuration> {
  const { slug, configuration, count } = parts
  return {
    slug,
    configuration,
    statistics: (stored, input) => {
      const parsed = configuration.safeParse(stored)
      const counted = parsed.success ? count(parsed.data, input) : undefined
      return counted && isStorable(counted) ? counted : fallbackStats(input.people)
    },
  }
}

/** Counts are stored as 32-bit integers; a configuration that asks for more must not keep the shift from being saved. */
function isStorable(stats: SignupStats): boolean {
  return Object.values(stats).every((value) => value === null || value <= 0x7fffffff)
}

/** A text in a participation's structure data; empty means not chosen. */
export function textIn(structureData: unknown, key: string): string | undefined {
  if (typeof structureData !== 'object' || structureData === null || !Object.hasOwn(structureData, key)) return undefined
  const value = (structureData as Record<string, unknown>)[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
