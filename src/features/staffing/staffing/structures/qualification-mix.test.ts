import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '../rules/model.ts'
import { buildMixPositions, qualificationMix, sortBySkillLevel } from './qualification-mix.ts'

/** 3 includes 2 includes 1. */
const qualifications = new Map([
  [1, new Set([1])],
  [2, new Set([1, 2])],
  [3, new Set([1, 2, 3])],
])
const need = (qualification: number | null, min_count: number, max_count: number | null) => ({
  qualification,
  min_count,
  max_count,
})
type Need = ReturnType<typeof need>

const statistics = (needs: Need[], people: [State, number][]) => {
  const rows = people.map(([state, top], participationId) => ({
    participationId,
    state,
    skills: qualifications.get(top) ?? new Set<number>(),
    structureData: {},
  }))
  const stored = { qualification_requirements: needs }
  const stats = qualificationMix.statistics(stored, { people: rows, blocks: new Map(), qualifications })
  return [stats.requestedCount, stats.confirmedCount, stats.missing, stats.free, stats.minCount, stats.maxCount]
}

describe('statistics of a qualification mix (requested, confirmed, missing, free, min, max)', () => {
  const mix = [need(1, 2, 3), need(3, 1, 1)]
  const cases: [string, Need[], [State, number][], (number | null)[]][] = [
    ['no people', mix, [], [0, 0, 3, 4, 3, 4]],
    [
      'higher qualifications fill lower places',
      mix,
      [
        [1, 3],
        [1, 3],
        [1, 2],
      ],
      [0, 3, 0, 1, 3, 4],
    ],
    [
      'lower qualifications do not fill higher places',
      mix,
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      [0, 3, 1, 1, 3, 4],
    ],
    [
      'the rare person goes where only they can',
      [need(1, 1, 1), need(3, 1, 1)],
      [
        [1, 3],
        [1, 1],
      ],
      [0, 2, 0, 0, 2, 2],
    ],
    ['required places go before optional ones', [need(3, 0, 1), need(1, 1, 1)], [[1, 3]], [0, 1, 0, 1, 1, 2]],
    [
      'people who fit nowhere are only counted',
      mix,
      [
        [1, 0],
        [1, 0],
      ],
      [0, 2, 3, 4, 3, 4],
    ],
    [
      'people beyond the maximum are only counted',
      [need(null, 1, 1)],
      [
        [1, 0],
        [1, 1],
        [1, 3],
      ],
      [0, 3, 0, 0, 1, 1],
    ],
    [
      'requests fill nothing',
      mix,
      [
        [0, 3],
        [0, 3],
        [2, 3],
        [3, 3],
        [4, 3],
      ],
      [2, 0, 3, 4, 3, 4],
    ],
    [
      'an unlimited requirement makes all unlimited',
      [need(1, 1, null), need(3, 1, 1)],
      [
        [1, 1],
        [1, 1],
      ],
      [0, 2, 1, null, 2, null],
    ],
    [
      'an unlimited requirement takes everybody who fits',
      [need(1, 0, null), need(null, 1, 1)],
      [
        [1, 1],
        [1, 1],
      ],
      [0, 2, 0, null, 1, null],
    ],
    ['no person holds a deleted qualification', [need(99, 1, 1)], [[1, 3]], [0, 1, 1, 1, 1, 1]],
    [
      'a minimum above the maximum stays missing',
      [need(1, 3, 1)],
      [
        [1, 1],
        [1, 1],
      ],
      [0, 2, 2, 0, 3, 1],
    ],
  ]
  for (const [title, needs, people, expected] of cases) test(title, () => assert.deepEqual(statistics(needs, people), expected))
})

test('requirements are sorted by descending skill level, equal ones in their given order', () => {
  const [open, low, high, again] = [need(null, 1, 1), need(1, 1, 1), need(3, 1, 1), need(3, 2, 2)]
  assert.deepEqual(sortBySkillLevel([open, low, high, again], qualifications), [high, again, low, open])
})

test('a requirement has its required places first, and without a maximum one more place than people', () => {
  const placesOf = (one: Need, people: number) => buildMixPositions([one], people).map(({ position }) => position.places)
  assert.deepEqual(placesOf(need(1, 2, 5), 9), [2, 3])
  assert.deepEqual(placesOf(need(1, 2, null), 4), [2, 3])
  assert.deepEqual(placesOf(need(1, 8, null), 4), [8, 0])
})
