import { z } from 'zod'
import { sumStats } from '#features/events/rules/statistics.ts'
import { boundedStats, countPeople, extraStats } from '../rules/statistics.ts'
import { defineStructure, type StructurePerson, textIn } from './structure.ts'

export const namedTeamsConfiguration = z.looseObject({
  minimum_age: z.int().min(0).nullish(),
  choose_preferred_team: z.boolean().nullish(),
  teams: z
    .array(
      z.looseObject({
        uuid: z.string().min(1),
        title: z.string(),
        qualification: z.int().nullish(),
        min_count: z.int().min(0).nullish(),
        max_count: z.int().min(0).nullish(),
      }),
    )
    .min(1),
})

/** The team somebody was given, or else the one they wish for. A team that no longer exists is as good as none. */
export function effectiveTeam({ structureData }: Pick<StructurePerson, 'structureData'>): string | undefined {
  return textIn(structureData, 'dispatched_team_uuid') ?? textIn(structureData, 'preferred_team_uuid')
}

export const namedTeams = defineStructure({
  slug: 'named_teams',
  configuration: namedTeamsConfiguration,
  count: ({ teams }, { people }) => {
    const members = new Map(teams.map(({ uuid }) => [uuid, [] as StructurePerson[]]))
    const unassigned: StructurePerson[] = []
    for (const person of people) (members.get(effectiveTeam(person) ?? '') ?? unassigned).push(person)
    const groups = teams.map(({ uuid, min_count, max_count }) => {
      const team = members.get(uuid) ?? []
      // Should two teams share a uuid, their people are counted once.
      members.delete(uuid)
      return boundedStats(countPeople(team), { min: min_count ?? null, max: max_count ?? null })
    })
    return sumStats([...groups, extraStats(countPeople(unassigned))])
  },
})
