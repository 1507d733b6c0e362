import { type Catalogue, loadCatalogue } from '#features/accounts/qualifications/queries.ts'
import { loadBlocks } from '#features/events/building-blocks/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { complexConfiguration } from '../structures/complex.ts'
import { namedTeamsConfiguration } from '../structures/named-teams.ts'
import { qualificationMixConfiguration } from '../structures/qualification-mix.ts'
import { uniformConfiguration } from '../structures/uniform.ts'

/** One requirement of a shift. `title` null: no qualification; `max` null: no upper bound. */
export type Need = { title: string | null; min: number; max: number | null }
export type Team = Need & { uuid: string }
export type Needs = {
  minimumAge: number | null
  /** Titles of the qualifications that each person must hold. */
  qualifications: string[]
  teams: Team[]
  requirements: Need[]
  /** Names of the starting blocks. */
  units: string[]
}

type Planned = { id: number; structure_slug: string; structure_configuration: unknown }

type NamedBlocks = ReadonlyMap<number, { name: string }>

/** Requirements of each shift for display; none if its configuration is invalid. */
export async function findNeeds({ db }: RequestContext, shifts: readonly Planned[]): Promise<Map<number, Needs>> {
  const blockIds = shifts.flatMap(blocksOf).map(({ building_block }) => building_block)
  const [catalogue, blocks] = await Promise.all([
    loadCatalogue(db),
    blockIds.length ? loadBlocks(db, blockIds) : new Map<number, { name: string }>(),
  ])
  return needsOfShifts(shifts, catalogue, blocks)
}

/** Needs of shifts, from what a request has loaded before. */
export function needsOfShifts(shifts: readonly Planned[], catalogue: Catalogue, blocks: NamedBlocks): Map<number, Needs> {
  return new Map(shifts.map((shift) => [shift.id, needsOf(shift, catalogue, blocks)]))
}

function blocksOf({ structure_slug, structure_configuration }: Planned) {
  return structure_slug === 'complex' ? (complexConfiguration.safeParse(structure_configuration).data?.starting_blocks ?? []) : []
}

function needsOf(shift: Planned, catalogue: Catalogue, blocks: NamedBlocks): Needs {
  const { structure_slug: slug, structure_configuration: stored } = shift
  const titleOf = (id: number | null | undefined) => (id == null ? null : (catalogue.get(id)?.title ?? null))
  const bounds = (of: { min_count?: number | null | undefined; max_count?: number | null | undefined }) => ({
    min: of.min_count ?? 0,
    max: of.max_count ?? null,
  })
  const uniform = slug === 'uniform' ? uniformConfiguration.safeParse(stored).data : undefined
  const teams = slug === 'named_teams' ? namedTeamsConfiguration.safeParse(stored).data : undefined
  const mix = slug === 'qualification_mix' ? qualificationMixConfiguration.safeParse(stored).data : undefined
  const complex = slug === 'complex' ? complexConfiguration.safeParse(stored).data : undefined
  return {
    minimumAge: (uniform ?? teams ?? mix ?? complex)?.minimum_age || null,
    qualifications: (uniform?.required_qualification_ids ?? []).flatMap((id) => titleOf(id) ?? []),
    teams: (teams?.teams ?? []).map((team) => ({ uuid: team.uuid, title: team.title, ...bounds(team) })),
    requirements: (mix?.qualification_requirements ?? []).map((one) => ({ title: titleOf(one.qualification), ...bounds(one) })),
    units: blocksOf(shift).flatMap(({ building_block, label }) => {
      const name = blocks.get(building_block)?.name
      return name === undefined ? [] : [label && label !== name ? `${label} (${name})` : name]
    }),
  }
}
