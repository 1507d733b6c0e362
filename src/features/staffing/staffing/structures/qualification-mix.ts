import { z } from 'zod'
import { match } from '../rules/matching.ts'
import { type Inclusions, type MatchPosition, STATE } from '../rules/model.ts'
import { boundedSeats } from '../rules/seats.ts'
import { compareSkillLevels, skillLevel } from '../rules/skills.ts'
import { boundedStats, countPeople, extraStats, sumStats } from '../rules/statistics.ts'
import { judgePlaces } from './places.ts'
import { defineStructure, type StructurePerson } from './structure.ts'

export const qualificationMixConfiguration = z.looseObject({
  minimum_age: z.int().min(0).nullish(),
  qualification_requirements: z
    .array(
      z.looseObject({
        qualification: z.int().nullish(),
        min_count: z.int().min(0).nullish(),
        max_count: z.int().min(0).nullish(),
      }),
    )
    .min(1),
})

type Requirement = z.infer<typeof qualificationMixConfiguration>['qualification_requirements'][number]

const skillsOf = ({ qualification }: Requirement) => (qualification == null ? [] : [qualification])

/** The most demanding requirements first; the sort is stable. */
export function sortBySkillLevel(requirements: readonly Requirement[], qualifications: Inclusions): Requirement[] {
  const levels = new Map(requirements.map((one) => [one, skillLevel(skillsOf(one), qualifications)]))
  return [...requirements].sort((a, b) => compareSkillLevels(levels.get(b)!, levels.get(a)!))
}

/** `min_count` required places, then optional ones. Without a maximum there is one more place than people. */
export function buildMixPositions(
  requirements: readonly Requirement[],
  people: number,
): { position: MatchPosition; of: Requirement }[] {
  return requirements.flatMap((of, index) => {
    const min = of.min_count ?? 0
    const max = of.max_count ?? Math.max(min, people + 1)
    const shared = { needs: [new Set(skillsOf(of))], designatedFor: new Set<number>(), designationOnly: false, real: true }
    const required = { ...shared, id: `${index}.required`, rank: 2 * index, required: true, places: Math.min(min, max) }
    const optional = { ...shared, id: `${index}.optional`, rank: 2 * index + 1, required: false, places: Math.max(max - min, 0) }
    return [
      { position: required, of },
      { position: optional, of },
    ]
  })
}

export const qualificationMix = defineStructure({
  slug: 'qualification_mix',
  configuration: qualificationMixConfiguration,
  count: (configuration, { people, qualifications }) => {
    const requirements = sortBySkillLevel(configuration.qualification_requirements, qualifications)
    const confirmed = people.filter(({ state }) => state === STATE.confirmed)
    const slots = buildMixPositions(requirements, confirmed.length)
    const { assignment } = match({ people: confirmed.map(confirmedPerson), positions: slots.map(({ position }) => position) })
    const placed = new Map(requirements.map((one) => [one, 0]))
    const requirementOf = new Map(slots.map(({ position, of }) => [position.id, of]))
    for (const id of assignment.values()) {
      const requirement = requirementOf.get(id)!
      placed.set(requirement, placed.get(requirement)! + 1)
    }
    const groups = requirements.map((one) =>
      boundedStats(
        { requestedCount: 0, confirmedCount: placed.get(one)! },
        { min: one.min_count ?? null, max: one.max_count ?? null },
      ),
    )
    const { requestedCount, confirmedCount } = countPeople(people)
    return sumStats([...groups, extraStats({ requestedCount, confirmedCount: confirmedCount - assignment.size })])
  },
  fit: ({ qualification_requirements }, { people, qualifications }, { state, skills }, { instant }) => {
    if (instant && state === STATE.confirmed) return { reasons: [] }
    const needs = needsOf(qualification_requirements)
    const confirmed = people.filter((person) => person.state === STATE.confirmed).map(confirmedPerson)
    const requirements = sortBySkillLevel(qualification_requirements, qualifications)
    const positions = buildMixPositions(requirements, confirmed.length + 1).map(({ position }) => position)
    return { reasons: judgePlaces({ skills, needs, confirmed, positions, instant }) }
  },
  needs: ({ qualification_requirements }) => needsOf(qualification_requirements),
  seats: ({ qualification_requirements }, { people, qualifications }) =>
    sortBySkillLevel(qualification_requirements, qualifications).flatMap((of, rank) =>
      boundedSeats(
        { id: String(rank), rank, min: of.min_count ?? 0, max: of.max_count ?? null, people: people.length },
        {
          place: null,
          label: { kind: 'requirement', qualificationId: of.qualification ?? null },
          needs: [new Set(skillsOf(of))],
          designatedFor: new Set<number>(),
        },
      ),
    ),
})

const needsOf = (requirements: readonly Requirement[]) =>
  requirements.filter(({ max_count }) => max_count !== 0).map((one) => new Set(skillsOf(one)))

function confirmedPerson({ participationId, skills }: StructurePerson) {
  return { id: participationId, state: 'confirmed' as const, skills }
}
