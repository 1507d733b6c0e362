import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { match } from '../rules/matching.ts'
import type { State } from '../rules/model.ts'
import { type BuildingBlock, expandUnits } from '../rules/units.ts'
import { buildUnitPlaces, complex } from './complex.ts'

/** 1 first aid, 2 paramedic (includes 1), 5 driver. */
const qualifications = new Map([
  [1, new Set([1])],
  [2, new Set([1, 2])],
  [5, new Set([5])],
])
const block = (id: number, more: Partial<BuildingBlock>): BuildingBlock => ({
  id,
  uuid: `b${id}`,
  name: `Block ${id}`,
  blockType: more.compositions ? 'composite' : 'atomic',
  allowMore: false,
  positions: [],
  compositions: [],
  requirements: [],
  ...more,
})
const at = (id: number, qualificationIds: number[] = [], optional = false) => ({ id, label: '', optional, qualificationIds })
const sub = (id: number, subBlockId: number, optional = false) => ({ id, label: '', optional, subBlockId })

const ambulance = block(1, { positions: [at(11, [5]), at(12, [2]), at(13, [1], true)] })
const pair = block(2, { compositions: [sub(21, 1), sub(22, 1, true)] })
const tent = block(3, { allowMore: true, positions: [at(31, [1])] })
const mixed = block(4, {
  positions: [at(41), at(42)],
  requirements: [{ id: 1, qualificationIds: [2], everyone: false, atLeast: 1 }],
})
const guard = block(6, { positions: [at(61, [1], true)] })
const twins = block(5, { compositions: [sub(51, 6), sub(52, 5)] })
const blocks = new Map([ambulance, pair, tent, mixed, twins, guard].map((one) => [one.id, one]))

type Row = [State, number[], string?]
const rows = (people: Row[]) =>
  people.map(([state, skills, path], participationId) => ({
    participationId,
    state,
    skills: new Set(skills),
    structureData: path === undefined ? {} : { dispatched_unit_path: path },
  }))
const starting = (...ids: number[]) =>
  ids.map((building_block, i) => ({ uuid: `s${i}`, building_block, label: '', optional: false }))

function statistics(starting_blocks: unknown[], ...people: Row[]) {
  const stats = complex.statistics({ starting_blocks }, { people: rows(people), blocks, qualifications })
  return [stats.requestedCount, stats.confirmedCount, stats.missing, stats.free, stats.minCount, stats.maxCount]
}

describe('statistics of building blocks (requested, confirmed, missing, free, min, max)', () => {
  const cases: [string, unknown[], Row[], (number | null)[]][] = [
    ['an empty unit', starting(1), [], [0, 0, 2, 3, 2, 3]],
    [
      'each person fills one position they are qualified for',
      starting(1),
      [
        [1, [5]],
        [1, [1, 2]],
      ],
      [0, 2, 0, 1, 2, 3],
    ],
    [
      'people do not fill positions that they are not qualified for',
      starting(1),
      [
        [1, [1]],
        [1, [1]],
      ],
      [0, 2, 2, 2, 2, 3],
    ],
    ['required positions are filled first', starting(1), [[1, [1, 2]]], [0, 1, 1, 2, 2, 3]],
    [
      'requests fill nothing',
      starting(1),
      [
        [0, [5, 1, 2]],
        [0, [1, 2]],
      ],
      [2, 0, 2, 3, 2, 3],
    ],
    [
      'an assigned request hides no gap',
      starting(1),
      [
        [0, [5], 'root.s0.'],
        [0, [5], 'root.s0.'],
        [0, [5], 'root.s0.'],
        [1, [5]],
      ],
      [3, 1, 1, 2, 2, 3],
    ],
    [
      'other states do not count',
      starting(1),
      [
        [2, [5], 'root.s0.'],
        [3, [5]],
        [4, [5]],
      ],
      [0, 0, 2, 3, 2, 3],
    ],
    ['optional parts require no people and offer places', starting(2), [], [0, 0, 2, 6, 2, 6]],
    [
      'an optional starting block requires no people',
      [{ uuid: 's0', building_block: 1, optional: true }],
      [],
      [0, 0, 0, 3, 0, 3],
    ],
    ['several starting blocks are added', starting(1, 1), [[1, [5]]], [0, 1, 3, 5, 4, 6]],
    [
      'more people make it unlimited',
      starting(3),
      [
        [1, [1]],
        [1, [1]],
        [1, []],
      ],
      [0, 3, 0, null, 1, null],
    ],
    [
      'more people fill no gap elsewhere',
      starting(1, 3),
      [
        [1, [1]],
        [1, [1]],
        [1, [1]],
      ],
      [0, 3, 2, null, 3, null],
    ],
    [
      'at least one paramedic: two others leave a gap',
      starting(4),
      [
        [1, [1]],
        [1, [1]],
      ],
      [0, 2, 1, 1, 2, 2],
    ],
    [
      'at least one paramedic: one is enough',
      starting(4),
      [
        [1, [1]],
        [1, [1, 2]],
      ],
      [0, 2, 0, 0, 2, 2],
    ],
    ['a path without the last dot assigns as well', starting(1), [[1, [], 'root.s0']], [0, 1, 1, 2, 2, 3]],
    ['assigned people need no qualification', starting(1), [[1, [], 'root.s0.']], [0, 1, 1, 2, 2, 3]],
    [
      'assigned people fill no other unit',
      starting(1, 1),
      [1, 2, 3].map((): Row => [1, [5, 1, 2], 'root.s1.']),
      [0, 3, 2, 3, 4, 6],
    ],
    [
      'assigned people beyond the places are counted',
      starting(1),
      [1, 2, 3, 4, 5].map((): Row => [1, [], 'root.s0.']),
      [0, 5, 0, 0, 2, 3],
    ],
    [
      'people of a unit that is gone are matched as others',
      starting(1),
      [
        [1, [5], 'root.gone.'],
        [1, [1, 2], 'root.s0.9.'],
      ],
      [0, 2, 0, 1, 2, 3],
    ],
    [
      'a composite unit cannot be assigned',
      starting(2),
      [
        [1, [5], 'root.s0.'],
        [1, [], 'root.s0.21.'],
      ],
      [0, 2, 0, 4, 2, 6],
    ],
    [
      'blocks that are gone offer nothing',
      starting(98, 99),
      [
        [1, []],
        [0, []],
      ],
      [1, 1, 0, 0, null, 0],
    ],
    [
      'blocks that contain each other give the fallback',
      starting(1, 5),
      [
        [1, []],
        [0, []],
      ],
      [1, 1, 0, null, null, null],
    ],
  ]
  for (const [title, start, people, expected] of cases)
    test(title, () => assert.deepEqual(statistics(start, ...people), expected))
})

describe('buildUnitPlaces', () => {
  const placed = (ids: number[], people: Row[]) => {
    const start = ids.map((blockId) => ({ uuid: `s${blockId}`, blockId, label: '', optional: false }))
    const units = expandUnits(start, blocks, qualifications)!
    const all = rows(people)
    const matched = all.map(({ participationId, state, skills }) => ({
      id: participationId,
      state: state === 1 ? ('confirmed' as const) : ('requested' as const),
      skills,
    }))
    return Object.fromEntries(
      match({ people: matched, positions: buildUnitPlaces(units, all).map(({ position }) => position) }).assignment,
    )
  }

  test('add designation-only places for people assigned beyond the positions', () => {
    const people: Row[] = [...[1, 2, 3, 4].map((): Row => [1, [], 'root.s1.']), [1, [5]]]
    assert.deepEqual(placed([1], people), { 0: 'root.s1.:11', 1: 'root.s1.:12', 2: 'root.s1.:13', 3: 'root.s1.:overflow' })
  })

  test('accept additional people who meet the needs of some position', () => {
    assert.deepEqual(
      placed(
        [3],
        [
          [1, [1]],
          [0, [1]],
          [1, [5]],
        ],
      ),
      { 0: 'root.s3.:31', 1: 'root.s3.:more' },
    )
  })

  test('accept any number of additional people', () => {
    assert.deepEqual(
      placed(
        [3],
        [
          [1, [1]],
          [1, [1]],
          [1, [1]],
        ],
      ),
      { 0: 'root.s3.:31', 1: 'root.s3.:more', 2: 'root.s3.:more' },
    )
  })

  test('take additional people only when the real positions are filled', () => {
    assert.deepEqual(
      placed(
        [3, 6],
        [
          [1, [1]],
          [1, [1]],
          [0, [1]],
        ],
      ),
      { 0: 'root.s3.:31', 1: 'root.s6.:61', 2: 'root.s3.:more' },
    )
  })

  test('add no overflow if more people are allowed', () => {
    assert.deepEqual(
      placed(
        [3],
        [
          [1, [], 'root.s3.'],
          [1, [], 'root.s3.'],
        ],
      ),
      { 0: 'root.s3.:31', 1: 'root.s3.:more' },
    )
  })
})
