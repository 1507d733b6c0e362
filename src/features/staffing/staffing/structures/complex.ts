import { z } from 'zod'
import { match } from '../rules/matching.ts'
import { type MatchPosition, type Seat, STATE, type UnitBlock } from '../rules/model.ts'
import { covers } from '../rules/skills.ts'
import { boundedStats, countPeople, extraStats, sumStats } from '../rules/statistics.ts'
import { expandUnits, normalizeUnitPaths, type Unit } from '../rules/units.ts'
import { judgePlaces } from './places.ts'
import { defineStructure, type StructureInput, type StructurePerson, textIn } from './structure.ts'

export const complexConfiguration = z.looseObject({
  minimum_age: z.int().min(0).nullish(),
  choose_preferred_unit: z.boolean().nullish(),
  starting_blocks: z
    .array(
      z.looseObject({
        uuid: z.string().min(1),
        building_block: z.int(),
        label: z.string().nullish(),
        optional: z.boolean().nullish(),
      }),
    )
    .min(1)
    // Unit paths start with the uuid; with a duplicate, assignments would be ambiguous.
    .refine((blocks) => new Set(blocks.map(({ uuid }) => uuid)).size === blocks.length),
})

type UnitPlace = { position: MatchPosition; unit: Unit; label: string | null; kind: 'position' | 'more' | 'overflow' }

/**
 * The positions of all units for the people who are to be matched. People assigned to a unit are designated for each of its positions;
 * an assignment to a unit that does not exist any more is ignored. If more people are assigned than there are positions, `overflow`
 * places for designated people are added.
 */
export function buildUnitPlaces(units: readonly Unit[], people: readonly StructurePerson[]): UnitPlace[] {
  const byUnit = (key: string) => {
    const found = new Map(units.map(({ path }) => [path, new Set<number>()]))
    for (const { participationId, structureData } of people)
      found.get(textIn(normalizeUnitPaths(structureData), key) ?? '')?.add(participationId)
    return found
  }
  const assigned = byUnit('dispatched_unit_path')
  const wished = byUnit('preferred_unit_path')
  const places: UnitPlace[] = []
  for (const unit of units) {
    const designatedFor = assigned.get(unit.path)!
    const preferredBy = wished.get(unit.path)!
    type PlaceNeeds = Pick<MatchPosition, 'places' | 'required' | 'needs'>
    const add = (kind: UnitPlace['kind'], id: string, more: PlaceNeeds, label: string | null = null) => {
      const given = { id, rank: places.length, designatedFor, preferredBy }
      places.push({
        position: { ...more, ...given, designationOnly: kind === 'overflow', real: kind === 'position' },
        unit,
        kind,
        label,
      })
    }
    for (const { id, required, needs, label } of unit.positions) {
      add('position', `${unit.path}:${id}`, { places: 1, required, needs: [needs] }, label || null)
    }
    const overflow = designatedFor.size - unit.positions.length
    if (unit.more) add('more', `${unit.path}:more`, { places: people.length + 1, required: false, needs: unit.more })
    else if (overflow > 0) add('overflow', `${unit.path}:overflow`, { places: overflow, required: false, needs: [] })
  }
  return places
}

type Configuration = z.infer<typeof complexConfiguration>

function unitsOf({ starting_blocks }: Configuration, { blocks, qualifications }: StructureInput): Unit[] | null {
  const startingBlocks = starting_blocks.map(({ uuid, building_block, label, optional }) => ({
    uuid,
    blockId: building_block,
    label: label ?? '',
    optional: optional ?? false,
  }))
  return expandUnits(startingBlocks, blocks, qualifications)
}

export const complex = defineStructure({
  slug: 'complex',
  configuration: complexConfiguration,
  count: (configuration, input) => {
    const { people } = input
    const units = unitsOf(configuration, input)
    if (!units) return undefined
    // Confirmed people only: a request must not hide a gap.
    const confirmed = people.filter(({ state }) => state === STATE.confirmed)
    const places = buildUnitPlaces(units, confirmed)
    const { assignment } = match({
      people: confirmed.map(({ participationId, skills }) => ({ id: participationId, state: 'confirmed', skills })),
      positions: places.map(({ position }) => position),
    })
    const filled = new Set(assignment.values())
    const groups = places.flatMap(({ position, kind }) => {
      if (kind === 'overflow') return []
      const taken = kind === 'position' && filled.has(position.id) ? 1 : 0
      const bounds = { min: position.required ? 1 : 0, max: kind === 'more' ? null : 1 }
      return [boundedStats({ requestedCount: 0, confirmedCount: taken }, bounds)]
    })
    const { requestedCount, confirmedCount } = countPeople(people)
    const inPositions = groups.reduce((sum, group) => sum + group.confirmedCount, 0)
    return sumStats([...groups, extraStats({ requestedCount, confirmedCount: confirmedCount - inPositions })])
  },
  assignment: { key: 'dispatched_unit_path' },
  seats: (configuration, input) => {
    const units = unitsOf(configuration, input)
    if (!units) return undefined
    const titles = titlesOf(units)
    return buildUnitPlaces(units, input.people).map(
      ({ position, unit, label, kind }): Seat => ({
        position,
        place: unit.path,
        isUnlimited: kind === 'more',
        label: { kind: 'unit', title: titles.get(unit)!, position: label, blocks: blocksAround(unit) },
      }),
    )
  },
  needs: (configuration, input, { structureData }) => {
    const units = unitsOf(configuration, input) ?? []
    const assigned = units.find(({ path }) => path === textIn(normalizeUnitPaths(structureData), 'dispatched_unit_path'))
    return (assigned ? [assigned] : units).flatMap(needsOf)
  },
  fit: (configuration, input, applicant, { instant }) => {
    const units = unitsOf(configuration, input)
    if (!units) return undefined
    const { skills, state, structureData } = applicant
    const confirmed = input.people.filter((person) => person.state === STATE.confirmed)
    const positions = buildUnitPlaces(units, confirmed).map(({ position }) => position)
    const reasons =
      instant && state === STATE.confirmed
        ? []
        : judgePlaces({
            skills,
            instant,
            positions,
            needs: units.flatMap(needsOf),
            confirmed: confirmed.map(({ participationId: id, skills }) => ({ id, state: 'confirmed', skills })),
          })
    const qualified = units.filter((unit) => needsOf(unit).some((needs) => covers(skills, needs)))
    const current = textIn(normalizeUnitPaths(structureData), 'preferred_unit_path')
    const titles = titlesOf(units)
    return {
      reasons,
      wish: {
        kind: 'unit',
        key: 'preferred_unit_path',
        isRequired: configuration.choose_preferred_unit ?? false,
        current: qualified.some(({ path }) => path === current) ? current : undefined,
        options: qualified.map((unit) => ({ value: unit.path, title: titles.get(unit)! })),
        full: [],
        unqualified: units.filter((unit) => !qualified.includes(unit)).map((unit) => titles.get(unit)!),
      },
    }
  },
})

const needsOf = ({ positions, more }: Unit) => [...positions.map(({ needs }) => needs), ...(more ?? [])]

/** The blocks from the outside in; the last one is the unit itself. The path has one step for each of them after `root`. */
function blocksAround({ path, trail }: Unit): UnitBlock[] {
  const steps = path.split('.')
  return trail.map((title, at) => ({ title, path: steps.slice(0, at + 2).join('.') }))
}

/** Units of the same name are numbered; enclosing blocks are added in brackets. */
function titlesOf(units: readonly Unit[]): Map<Unit, string> {
  const numbered = new Set(units.filter(({ number }) => number > 1).map(({ name }) => name))
  return new Map(
    units.map((unit) => {
      const { name, number, trail } = unit
      const around = trail.filter((label) => label !== name).join(', ')
      const own = numbered.has(name) ? `${name} #${number}` : name
      return [unit, around ? `${own} (${around})` : own]
    }),
  )
}
