import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '../rules/model.ts'
import { namedTeams } from './named-teams.ts'

const none = { blocks: new Map(), qualifications: new Map() }
const team = (uuid: string, min_count: number, max_count: number | null, qualification: number | null = null) => ({
  uuid,
  title: uuid,
  qualification,
  min_count,
  max_count,
})
const statistics = (teams: ReturnType<typeof team>[], ...people: [State, unknown?][]) => {
  const rows = people.map(([state, structureData = {}], participationId) => ({
    participationId,
    state,
    skills: new Set<number>(),
    structureData,
  }))
  const { requestedCount, confirmedCount, missing, free, minCount, maxCount } = namedTeams.statistics(
    { teams },
    { people: rows, ...none },
  )
  return [requestedCount, confirmedCount, missing, free, minCount, maxCount]
}
const inA = { dispatched_team_uuid: 'a' }
const wishesA = { preferred_team_uuid: 'a' }

describe('statistics of named teams (requested, confirmed, missing, free, min, max)', () => {
  const teams = [team('a', 1, 2), team('b', 2, 3)]
  const cases: [string, ReturnType<typeof team>[], [State, unknown?][], (number | null)[]][] = [
    ['empty teams', teams, [], [0, 0, 3, 5, 3, 5]],
    [
      'a team with a surplus hides no gap',
      teams,
      [
        [1, inA],
        [1, inA],
        [1, inA],
      ],
      [0, 3, 2, 3, 3, 5],
    ],
    [
      'the wish counts without an assignment',
      teams,
      [
        [1, wishesA],
        [0, wishesA],
      ],
      [1, 1, 2, 4, 3, 5],
    ],
    ['the assignment goes before the wish', teams, [[1, { ...wishesA, dispatched_team_uuid: 'b' }]], [0, 1, 2, 4, 3, 5]],
    ['an empty assignment leaves the wish', teams, [[1, { ...wishesA, dispatched_team_uuid: '' }]], [0, 1, 2, 4, 3, 5]],
    [
      'an assignment to a team that is gone counts for none',
      teams,
      [[1, { ...wishesA, dispatched_team_uuid: 'x' }]],
      [0, 1, 3, 5, 3, 5],
    ],
    [
      'people without a team are only counted',
      teams,
      [[1], [1, { preferred_team_uuid: 7 }], [1, 'x'], [0, null]],
      [1, 3, 3, 5, 3, 5],
    ],
    [
      'declined and rejected people do not count',
      teams,
      [
        [2, inA],
        [3, inA],
        [4, inA],
      ],
      [0, 0, 3, 5, 3, 5],
    ],
    ['one unlimited team makes all unlimited', [team('a', 1, null), team('b', 2, 2)], [[1, inA]], [0, 1, 2, null, 3, null]],
    ['the qualification of a team is not asked for', [team('a', 1, 1, 9)], [[1, inA]], [0, 1, 0, 0, 1, 1]],
    ['teams with the same uuid count their people once', [team('a', 1, 1), team('a', 1, 1)], [[1, inA]], [0, 1, 1, 1, 2, 2]],
  ]
  for (const [title, some, people, expected] of cases) test(title, () => assert.deepEqual(statistics(some, ...people), expected))
})
