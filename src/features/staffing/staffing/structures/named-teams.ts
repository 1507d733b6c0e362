import { z } from 'zod'
import { STATE } from '../rules/model.ts'
import { boundedSeats } from '../rules/seats.ts'
import { compareSkillLevels, skillLevel } from '../rules/skills.ts'
import { boundedStats, countPeople, extraStats, sumStats } from '../rules/statistics.ts'
import { type Applicant, defineStructure, type StructureInput, type StructurePerson, textIn } from './structure.ts'

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

type Team = z.infer<typeof namedTeamsConfiguration>['teams'][number]

/** The assigned team, or else the wished one. It may not exist any more. */
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
      // Imported teams can share a uuid; their people are counted once.
      members.delete(uuid)
      return boundedStats(countPeople(team), { min: min_count ?? null, max: max_count ?? null })
    })
    return sumStats([...groups, extraStats(countPeople(unassigned))])
  },
  fit: ({ teams, choose_preferred_team }, input, applicant, { instant }) => {
    const current = teams.find(({ uuid }) => uuid === effectiveTeam(applicant))
    const isOwn = (team: Team) => team === current && applicant.state === STATE.confirmed
    const qualified = teams.filter((team) => isOwn(team) || isQualified(team, applicant))
    const offered = qualified.filter((team) => !instant || isOwn(team) || confirmedIn(team, input) < (team.max_count ?? Infinity))
    const missingAnyOf = teams.flatMap(({ qualification }) => (qualification == null ? [] : [[qualification]]))
    const titles = (some: readonly Team[]) => some.map(({ title }) => title)
    return {
      reasons: !qualified.length ? [{ code: 'not_qualified', missingAnyOf }] : offered.length ? [] : [{ code: 'full' }],
      wish: {
        kind: 'team',
        key: 'preferred_team_uuid',
        isRequired: choose_preferred_team ?? false,
        current: current && offered.includes(current) ? current.uuid : undefined,
        options: offered.map(({ uuid, title }) => ({ value: uuid, title })),
        full: titles(qualified.filter((team) => !offered.includes(team))),
        unqualified: titles(teams.filter((team) => !qualified.includes(team))),
      },
    }
  },
  needs: ({ teams }, _input, person) => {
    const team = teams.find(({ uuid }) => uuid === effectiveTeam(person))
    return team?.qualification == null ? [] : [new Set([team.qualification])]
  },
  // Confirmed people count in the team that they chose; for requesters the choice is a wish.
  seats: ({ teams }, { people }) => {
    const idsOf = (uuid: string, isHere: (person: StructurePerson) => string | undefined) =>
      new Set(people.filter((person) => isHere(person) === uuid).map(({ participationId }) => participationId))
    const given = (person: StructurePerson) =>
      person.state === STATE.confirmed ? effectiveTeam(person) : textIn(person.structureData, 'dispatched_team_uuid')
    const distinct = teams.filter(({ uuid }, i) => teams.findIndex((team) => team.uuid === uuid) === i)
    return distinct.flatMap(({ uuid, title, qualification, min_count, max_count }, rank) =>
      boundedSeats(
        { id: uuid, rank, min: min_count ?? 0, max: max_count ?? null, people: people.length },
        {
          place: uuid,
          label: { kind: 'team', title },
          needs: [new Set(qualification == null ? [] : [qualification])],
          designatedFor: idsOf(uuid, given),
          preferredBy: idsOf(uuid, ({ structureData }) => textIn(structureData, 'preferred_team_uuid')),
        },
      ),
    )
  },
  assignment: {
    key: 'dispatched_team_uuid',
    isPlaced: ({ teams }, applicant) => teams.some(({ uuid }) => uuid === effectiveTeam(applicant)),
  },
  assign: ({ teams }, input, applicant) => {
    const data = { ...(applicant.structureData as Record<string, unknown>) }
    // A person's own choice replaces an earlier assignment, so that only one team counts them.
    delete data.dispatched_team_uuid
    if (textIn(data, 'preferred_team_uuid') !== undefined) return data
    const team = bestTeam(teams, input, applicant)
    return team ? { ...data, dispatched_team_uuid: team.uuid } : data
  },
})

function isQualified({ qualification }: Team, { skills }: Pick<Applicant, 'skills'>): boolean {
  return qualification == null || skills.has(qualification)
}

function confirmedIn({ uuid }: Team, { people }: StructureInput): number {
  return people.filter((person) => person.state === STATE.confirmed && effectiveTeam(person) === uuid).length
}

/** Teams below their minimum first, then the most demanding ones: places without requirements stay free for others. */
function bestTeam(teams: readonly Team[], input: StructureInput, applicant: Applicant): Team | undefined {
  const level = ({ qualification }: Team) => skillLevel(qualification == null ? [] : [qualification], input.qualifications)
  const lacks = (team: Team) => confirmedIn(team, input) < (team.min_count ?? 0)
  return teams
    .filter((team) => isQualified(team, applicant) && confirmedIn(team, input) < (team.max_count ?? Infinity))
    .sort((a, b) => Number(lacks(b)) - Number(lacks(a)) || compareSkillLevels(level(b), level(a)))[0]
}
