import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { NO_STATS, type SignupStats, type State } from './model.ts'
import {
  addStats,
  boundedStats,
  extraStats,
  fallbackStats,
  type StaffingLabel,
  shortfallOf,
  staffingLabel,
  sumStats,
} from './statistics.ts'

const stats = (
  requestedCount: number,
  confirmedCount: number,
  missing: number,
  free: number | null,
  minCount: number | null,
  maxCount: number | null,
): SignupStats => ({ requestedCount, confirmedCount, missing, free, minCount, maxCount })

const count = fc.nat({ max: 50 })
const someStats = fc
  .tuple(count, count, count, fc.option(count), fc.option(count), fc.option(count))
  .map((values) => stats(...values))

describe('adding statistics', () => {
  const cases: [string, SignupStats, SignupStats, SignupStats][] = [
    [
      'adds counts, missing, free and bounds',
      stats(1, 2, 3, 4, 5, 6),
      stats(10, 20, 30, 40, 50, 60),
      stats(11, 22, 33, 44, 55, 66),
    ],
    ['is unlimited if either part is', stats(0, 0, 0, null, 1, null), stats(0, 0, 0, 4, 1, 6), stats(0, 0, 0, null, 2, null)],
    ['counts no minimum as 0 beside one', stats(0, 0, 0, 0, null, 0), stats(0, 0, 0, 0, 3, 0), stats(0, 0, 0, 0, 3, 0)],
    ['has no minimum if neither part has', stats(0, 0, 0, 0, null, 0), stats(0, 0, 0, 0, null, 0), stats(0, 0, 0, 0, null, 0)],
    ['lets no surplus hide a gap', stats(0, 5, 0, 0, 2, 5), stats(0, 0, 2, 2, 2, 2), stats(0, 5, 2, 2, 4, 7)],
  ]
  for (const [title, a, b, sum] of cases) {
    test(title, () => {
      assert.deepEqual(addStats(a, b), sum)
      assert.deepEqual(addStats(b, a), sum)
    })
  }

  test('with NO_STATS changes nothing', () => {
    assert.deepEqual(sumStats([]), stats(0, 0, 0, 0, null, 0))
    fc.assert(fc.property(someStats, (one) => assert.deepEqual(addStats(NO_STATS, one), one)))
  })

  test('does not depend on order or grouping', () => {
    fc.assert(
      fc.property(someStats, someStats, someStats, (a, b, c) => {
        assert.deepEqual(addStats(a, addStats(b, c)), addStats(addStats(a, b), c))
        assert.deepEqual(sumStats([a, b, c]), sumStats([c, a, b]))
      }),
    )
  })
})

describe('boundedStats', () => {
  const cases: [number, { min: number | null; max: number | null }, number, number | null][] = [
    [0, { min: null, max: null }, 0, null],
    [3, { min: null, max: null }, 0, null],
    [0, { min: 0, max: 2 }, 0, 2],
    [1, { min: 3, max: 4 }, 2, 3],
    [3, { min: 3, max: 4 }, 0, 1],
    [4, { min: 3, max: 4 }, 0, 0],
    [6, { min: 3, max: 4 }, 0, 0],
    [1, { min: 3, max: null }, 2, null],
  ]
  for (const [confirmedCount, bounds, missing, free] of cases) {
    test(`${confirmedCount} confirmed of ${bounds.min} to ${bounds.max}`, () => {
      const actual = boundedStats({ requestedCount: 7, confirmedCount }, bounds)
      assert.deepEqual(actual, stats(7, confirmedCount, missing, free, bounds.min, bounds.max))
    })
  }
})

test('extra people add to the counts and nothing else', () => {
  assert.deepEqual(
    addStats(stats(0, 1, 1, 2, 2, 3), extraStats({ requestedCount: 4, confirmedCount: 5 })),
    stats(4, 6, 1, 2, 2, 3),
  )
})

test('the fallback counts requested and confirmed people and has no bounds', () => {
  const people = ([0, 0, 1, 1, 1, 2, 3, 4] satisfies State[]).map((state) => ({ state }))
  assert.deepEqual(fallbackStats(people), stats(2, 3, 0, null, null, null))
})

describe('the shortfall of a shift', () => {
  test('is the larger of what is missing for the whole shift and for a part of it', () => {
    for (const [missing, shortfall, expected] of [
      [2, undefined, 2],
      [0, undefined, 0],
      [1, 3, 3],
      [3, 1, 3],
    ] as const)
      assert.equal(shortfallOf(shortfall === undefined ? { missing } : { missing, shortfall }), expected)
  })

  test('of several shifts is the sum, as soon as one has a part without enough people', () => {
    const [whole, part] = [stats(0, 0, 2, 2, 2, 2), { ...stats(0, 1, 0, 1, 1, 2), shortfall: 1 }]
    assert.equal(addStats(whole, part).shortfall, 3)
    assert.equal(addStats(part, whole).shortfall, 3)
    assert.equal(addStats(part, part).shortfall, 2)
    assert.equal('shortfall' in addStats(whole, whole), false)
  })
})

describe('staffingLabel', () => {
  const cases: [number, number | null, StaffingLabel][] = [
    [1, 3, { kind: 'missing', count: 1 }],
    [2, 3, { kind: 'missing', count: 2 }],
    [2, 0, { kind: 'missing', count: 2 }],
    [2, null, { kind: 'missing', count: 2 }],
    [0, 3, { kind: 'open', count: 3 }],
    [0, 0, { kind: 'full' }],
    [0, null, { kind: 'open', count: null }],
  ]
  for (const [missing, free, label] of cases) {
    test(`${missing} missing, ${free} free: ${label.kind}`, () => assert.deepEqual(staffingLabel({ missing, free }), label))
  }
})
