import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { State } from '../rules/model.ts'
import { fallbackStats } from '../rules/statistics.ts'
import type { BuildingBlock } from '../rules/units.ts'
import { computeStatistics, getStructure, STRUCTURES } from './registry.ts'

const SLUGS = ['uniform', 'named_teams', 'qualification_mix', 'complex']
const person = (state: State, i = 0) => ({ participationId: i, state, skills: new Set<number>(), structureData: {} })
const people = ([0, 1, 1, 2, 3, 4] satisfies State[]).map(person)
const none = { blocks: new Map<number, BuildingBlock>(), qualifications: new Map<number, Set<number>>() }
const fallback = { requestedCount: 1, confirmedCount: 2, missing: 0, free: null, minCount: null, maxCount: null }

test('the four structures are known by their slugs', () => {
  assert.deepEqual(
    STRUCTURES.map(({ slug }) => slug),
    SLUGS,
  )
  for (const slug of SLUGS) assert.equal(getStructure(slug)?.slug, slug)
})

describe('fallback statistics for', () => {
  const team = { uuid: 'a', title: 'A', min_count: 1 }
  const cases: [string, unknown][] = [
    ['unknown_structure', {}],
    ['', {}],
    ['__proto__', {}],
    ['constructor', {}],
    ...SLUGS.flatMap((slug) => [null, [], 'text', 7, true].map((broken): [string, unknown] => [slug, broken])),
    ['uniform', { minimum_number_of_participants: '3' }],
    ['uniform', { minimum_number_of_participants: 1.5 }],
    ['uniform', { maximum_number_of_participants: -1 }],
    ['uniform', { maximum_number_of_participants: true }],
    ['uniform', { required_qualification_ids: ['1'] }],
    ['uniform', { minimum_age: 'adult' }],
    ['uniform', { maximum_number_of_participants: 2 ** 31 }],
    ['uniform', { maximum_number_of_participants: 2 ** 60 }],
    [
      'named_teams',
      {
        teams: [
          { ...team, max_count: 2 ** 31 - 1 },
          { ...team, uuid: 'b', max_count: 1 },
        ],
      },
    ],
    ['named_teams', {}],
    ['named_teams', { teams: [] }],
    ['named_teams', { teams: { 0: team } }],
    ['named_teams', { teams: [{ ...team, uuid: 7 }] }],
    ['named_teams', { teams: [team, { ...team, min_count: '1' }] }],
    ['qualification_mix', {}],
    ['qualification_mix', { qualification_requirements: [] }],
    ['qualification_mix', { qualification_requirements: [{ qualification: '1', min_count: 1, max_count: 1 }] }],
    ['complex', {}],
    ['complex', { starting_blocks: [] }],
    ['complex', { starting_blocks: [{ uuid: 'a', building_block: 'x' }] }],
    [
      'complex',
      {
        starting_blocks: [
          { uuid: 'a', building_block: 1 },
          { uuid: 'a', building_block: 2 },
        ],
      },
    ],
  ]
  for (const [structureSlug, structureConfiguration] of cases) {
    test(`${structureSlug} with ${JSON.stringify(structureConfiguration)}`, () => {
      assert.deepEqual(computeStatistics({ structureSlug, structureConfiguration, people, ...none }), fallback)
    })
  }
})

test('unknown keys in a stored configuration are kept and ignored', () => {
  const stored = [
    { maximum_number_of_participants: 3, extra: 1 },
    { teams: [{ uuid: 'a', title: '2026-01-01', min_count: 1, max_count: null, extra: [] }], other: null },
    { qualification_requirements: [{ qualification: null, min_count: 0, max_count: 2, extra: {} }], other: 'x' },
    { starting_blocks: [{ uuid: 'a', building_block: 1, label: 'L', optional: false, extra: 0 }], other: [1] },
  ]
  STRUCTURES.forEach(({ configuration, slug }, i) => {
    assert.deepEqual(configuration.parse(stored[i]), stored[i])
    const stats = computeStatistics({ structureSlug: slug, structureConfiguration: stored[i], people, ...none })
    assert.equal(stats.maxCount, [3, null, 2, 0][i])
    assert.equal(stats.minCount, [null, 1, 0, null][i])
  })
})

const text = fc.constantFrom('a', 'b', 'c', '', 'root.a.', 'root.b.', 'root.a.1.', 'root.a.2.')
const count = fc.oneof(
  { weight: 15, arbitrary: fc.nat({ max: 4 }) },
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, '2') },
)
const id = fc.oneof({ weight: 30, arbitrary: fc.nat({ max: 5 }) }, { weight: 1, arbitrary: fc.constantFrom(null, 'x', -1) })
const few = { minLength: 1, maxLength: 3 }
/** Mostly valid values, sometimes arbitrary ones. */
const someConfiguration = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        minimum_age: fc.option(fc.nat()),
        minimum_number_of_participants: count,
        maximum_number_of_participants: count,
        required_qualification_ids: fc.array(id, few),
        teams: fc.array(fc.record({ uuid: text, title: text, qualification: id, min_count: count, max_count: count }), few),
        qualification_requirements: fc.array(fc.record({ qualification: id, min_count: count, max_count: count }), few),
        starting_blocks: fc.uniqueArray(
          fc.record(
            { uuid: fc.constantFrom('a', 'b', 'c'), building_block: id, label: text, optional: fc.boolean() },
            { requiredKeys: ['uuid', 'building_block'] },
          ),
          { ...few, selector: ({ uuid }) => uuid },
        ),
      },
      { requiredKeys: [] },
    ),
  },
)
const ids = fc.array(fc.nat({ max: 5 }), { maxLength: 3 })
const rowId = fc.integer({ min: 1, max: 3 })
const unique = { selector: (row: { id: number }) => row.id, maxLength: 3 }
const someBlock = fc.record({
  uuid: fc.string(),
  name: text,
  blockType: fc.constantFrom('atomic' as const, 'atomic' as const, 'composite' as const),
  allowMore: fc.constantFrom(false, false, false, true),
  positions: fc.uniqueArray(fc.record({ id: rowId, label: text, optional: fc.boolean(), qualificationIds: ids }), unique),
  compositions: fc.uniqueArray(
    fc.record({ id: rowId, label: text, optional: fc.boolean(), subBlockId: fc.integer({ min: 3, max: 9 }) }),
    unique,
  ),
  requirements: fc.uniqueArray(
    fc.record({ id: rowId, qualificationIds: ids, everyone: fc.boolean(), atLeast: fc.nat({ max: 3 }) }),
    unique,
  ),
})
const someData = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc.record(
      { preferred_team_uuid: text, dispatched_team_uuid: text, dispatched_unit_path: fc.oneof(text, fc.constant(null)) },
      { requiredKeys: [] },
    ),
  },
)
const someShift = fc.record({
  structureSlug: fc.constantFrom(...SLUGS, 'unknown'),
  structureConfiguration: someConfiguration,
  people: fc.array(
    fc.record({
      state: fc.constantFrom<State>(0, 1, 1, 1, 2, 3, 4),
      skills: ids.map((some) => new Set(some)),
      structureData: someData,
    }),
    { maxLength: 8 },
  ),
  blocks: fc
    .array(someBlock, { minLength: 2, maxLength: 6 })
    .map((rows) => new Map(rows.map((row, i) => [i, { ...row, id: i }]))),
  qualifications: fc.constant(new Map([0, 1, 2, 3, 4, 5].map((top) => [top, new Set([top, top % 3])]))),
})

describe('statistics of any JSON', () => {
  test('never throw and are consistent', () => {
    const readable = new Map(SLUGS.map((slug) => [slug, 0]))
    fc.assert(
      fc.property(someShift, ({ people: some, ...shift }) => {
        const rows = some.map((row, participationId) => ({ ...row, participationId }))
        const stats = computeStatistics({ ...shift, people: rows })
        const { requestedCount, confirmedCount, missing, free, minCount, maxCount } = stats
        const expected = fallbackStats(rows)
        assert.equal(requestedCount, expected.requestedCount)
        assert.equal(confirmedCount, expected.confirmedCount)
        assert.ok(missing >= 0 && missing <= (minCount ?? 0))
        assert.ok(missing >= Math.min((minCount ?? 0) - confirmedCount, 1), 'fewer people than the minimum, but none is missing')
        assert.ok(Object.values(stats).every((value) => value === null || (value >= 0 && value < 2 ** 31)))
        assert.equal(free === null, maxCount === null)
        assert.ok(free === null || (free >= 0 && free <= maxCount! && free >= maxCount! - confirmedCount))
        if (minCount || maxCount) readable.set(shift.structureSlug, readable.get(shift.structureSlug)! + 1)
      }),
      { numRuns: 2000 },
    )
    for (const [slug, times] of readable) assert.ok(times > 50, `only ${times} configurations of ${slug} could be read`)
  })

  test('do not depend on the order of people', () => {
    const shuffled = someShift.chain((shift) => {
      const rows = shift.people.map((row, participationId) => ({ ...row, participationId }))
      return fc.shuffledSubarray(rows, { minLength: rows.length }).map((other) => [{ ...shift, people: rows }, other] as const)
    })
    fc.assert(
      fc.property(shuffled, ([shift, other]) =>
        assert.deepEqual(computeStatistics({ ...shift, people: other }), computeStatistics(shift)),
      ),
    )
  })

  test('ignore people who declined or were rejected', () => {
    fc.assert(
      fc.property(someShift, ({ people: some, ...shift }) => {
        const rows = some.map((row, participationId) => ({ ...row, participationId }))
        const positive = rows.filter(({ state }) => state < 2)
        assert.deepEqual(computeStatistics({ ...shift, people: rows }), computeStatistics({ ...shift, people: positive }))
      }),
    )
  })
})
