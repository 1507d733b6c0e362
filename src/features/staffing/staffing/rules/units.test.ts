import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type BuildingBlock, expandUnits, normalizeUnitPaths, type StartingBlock, type Unit } from './units.ts'

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
const at = (id: number, qualificationIds: number[] = [], optional = false) => ({
  id,
  label: `p${id}`,
  optional,
  qualificationIds,
})
const sub = (id: number, subBlockId: number, { label = '', optional = false } = {}) => ({ id, label, optional, subBlockId })
const everyone = (id: number, ...qualificationIds: number[]) => ({ id, qualificationIds, everyone: true, atLeast: 0 })
const atLeast = (id: number, n: number, ...qualificationIds: number[]) => ({ id, qualificationIds, everyone: false, atLeast: n })
const start = (uuid: string, blockId: number, more: Partial<StartingBlock> = {}) => ({
  uuid,
  blockId,
  label: '',
  optional: false,
  ...more,
})

/** 3 includes 2 includes 1. */
const inclusions = new Map([
  [1, new Set([1])],
  [2, new Set([1, 2])],
  [3, new Set([1, 2, 3])],
])
const expand = (starting: StartingBlock[], ...blocks: BuildingBlock[]) =>
  expandUnits(starting, new Map(blocks.map((one) => [one.id, one])), inclusions)

/** `!` marks required positions, then come the needs. */
const sketch = (units: Unit[] | null) =>
  units?.map(({ path, positions }) => [
    path,
    ...positions.map(({ id, required, needs }) => `${id}${required ? '!' : ''} ${[...needs].sort()}`.trim()),
  ])

describe('expandUnits', () => {
  test('turns an atomic block into one unit with positions ordered by id', () => {
    assert.deepEqual(sketch(expand([start('s', 1)], block(1, { positions: [at(12, [2, 1]), at(11, [], true)] }))), [
      ['root.s.', '11', '12! 1,2'],
    ])
  })

  test('follows compositions by id and names units by their path', () => {
    const blocks = [
      block(1, { compositions: [sub(52, 3), sub(51, 2)] }),
      block(2, { compositions: [sub(61, 3), sub(62, 3, { label: 'Second' })] }),
      block(3, { name: 'Ambulance', positions: [at(31)] }),
    ]
    const units = expand([start('s', 1, { label: 'North' }), start('t', 3)], ...blocks)!
    assert.deepEqual(
      units.map(({ path, name, number, trail }) => [path, `${name} #${number}`, trail.join(' / ')]),
      [
        ['root.s.51.61.', 'Ambulance #1', 'North / Block 2 / Ambulance'],
        ['root.s.51.62.', 'Ambulance #2', 'North / Block 2 / Second'],
        ['root.s.52.', 'Ambulance #3', 'North / Ambulance'],
        ['root.t.', 'Ambulance #4', 'Ambulance'],
      ],
    )
  })

  test('requires a position unless it or an enclosing part is optional', () => {
    const blocks = [
      block(1, { compositions: [sub(51, 2), sub(52, 2, { optional: true })] }),
      block(2, { compositions: [sub(61, 3), sub(62, 3, { optional: true })] }),
      block(3, { positions: [at(31), at(32, [], true)] }),
    ]
    const required = (optional: boolean) =>
      expand([start('s', 1, { optional })], ...blocks)!.map(({ positions }) => positions.filter((one) => one.required).length)
    assert.deepEqual(required(false), [1, 0, 0, 0])
    assert.deepEqual(required(true), [0, 0, 0, 0])
  })

  test('adds the requirements for everyone along the path, for additional people too', () => {
    const blocks = [
      block(1, { compositions: [sub(51, 2)], requirements: [everyone(71, 7)] }),
      block(2, { allowMore: true, positions: [at(21, [1]), at(22, [2])], requirements: [everyone(72, 8)] }),
    ]
    const units = expand([start('s', 1)], ...blocks)
    assert.deepEqual(sketch(units), [['root.s.51.', '21! 1,7,8', '22! 2,7,8']])
    assert.deepEqual(units![0]!.more, [new Set([1, 8, 7]), new Set([2, 8, 7])])
  })

  test('applies the requirements of a block without positions to additional people', () => {
    const units = expand([start('s', 1)], block(1, { allowMore: true, requirements: [everyone(71, 7)] }))
    assert.deepEqual(units![0]!.more, [new Set([7])])
    assert.equal(expand([start('s', 1)], block(1, {}))![0]!.more, null)
  })

  const crew = (requirements: BuildingBlock['requirements'], ...positions: BuildingBlock['positions'][number][]) =>
    sketch(expand([start('s', 1)], block(1, { positions, requirements })))![0]!.slice(1)

  describe('at least n of a block', () => {
    const cases: [string, string[], string[]][] = [
      [
        'falls on the first required positions',
        crew([atLeast(1, 2, 5)], at(1, [], true), at(2), at(3), at(4)),
        ['1', '2! 5', '3! 5', '4!'],
      ],
      ['counts positions that need it anyway first', crew([atLeast(1, 2, 5)], at(1), at(2), at(3, [5])), ['1! 5', '2!', '3! 5']],
      ['passes over positions that need it anyway', crew([atLeast(1, 2, 5)], at(1, [5]), at(2), at(3)), ['1! 5', '2! 5', '3!']],
      ['knows what a qualification includes', crew([atLeast(1, 1, 2)], at(1), at(2, [3])), ['1!', '2! 3']],
      ['knows what everyone needs', crew([atLeast(1, 1, 2), everyone(2, 2)], at(1), at(2)), ['1! 2', '2! 2']],
      ['ends when there are no more positions', crew([atLeast(1, 9, 5)], at(1), at(2, [], true)), ['1! 5', '2']],
      ['asks for nothing with 0', crew([atLeast(1, 0, 5)], at(1)), ['1!']],
      ['asks for all of its qualifications', crew([atLeast(1, 1, 5, 6)], at(1), at(2, [5])), ['1! 5,6', '2! 5']],
      ['sees what an earlier condition asked for', crew([atLeast(2, 1, 2), atLeast(1, 2, 3)], at(1), at(2)), ['1! 3', '2! 3']],
    ]
    for (const [title, actual, expected] of cases) test(title, () => assert.deepEqual(actual, expected))

    test('applies to all positions below, independent of the enclosing blocks', () => {
      const blocks = [
        block(1, { compositions: [sub(51, 2), sub(52, 2, { optional: true })], requirements: [everyone(70, 5)] }),
        block(2, { compositions: [sub(61, 3), sub(62, 3)], requirements: [atLeast(71, 3, 5)] }),
        block(3, { positions: [at(31), at(32)], requirements: [atLeast(72, 1, 6)] }),
      ]
      assert.deepEqual(sketch(expand([start('s', 2, { optional: true })], ...blocks)), [
        ['root.s.61.', '31 5,6', '32 5'],
        ['root.s.62.', '31 5,6', '32'],
      ])
      assert.deepEqual(sketch(expand([start('s', 1)], ...blocks)), [
        ['root.s.51.61.', '31! 5,6', '32! 5'],
        ['root.s.51.62.', '31! 5,6', '32! 5'],
        ['root.s.52.61.', '31 5,6', '32 5'],
        ['root.s.52.62.', '31 5,6', '32 5'],
      ])
    })
  })

  test('skips deleted blocks', () => {
    const blocks = [block(1, { compositions: [sub(51, 99), sub(52, 2)] }), block(2, { positions: [at(21)] })]
    assert.deepEqual(sketch(expand([start('s', 1), start('t', 98)], ...blocks)), [['root.s.52.', '21!']])
  })

  test('refuses blocks that contain each other', () => {
    assert.equal(expand([start('s', 1)], block(1, { compositions: [sub(51, 1)] })), null)
    const ring = [1, 2, 3].map((id) => block(id, { compositions: [sub(50 + id, (id % 3) + 1)] }))
    assert.equal(expand([start('s', 4), start('t', 2)], ...ring, block(4, {})), null)
  })

  test('refuses plans beyond the limits, and accepts large ones', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => block(i, { compositions: [sub(2 * i, i + 1), sub(2 * i + 1, i + 1)] }))
    assert.equal(expand([start('s', 0)], ...doubling, block(40, { positions: [at(1)] })), null)
    const chain = Array.from({ length: 5000 }, (_, i) => block(i, { compositions: [sub(i, i + 1)] }))
    assert.equal(expand([start('s', 0)], ...chain, block(5000, {})), null)
    const many = Array.from({ length: 200 }, (_, i) => block(i + 1, {}))
    const wide = block(0, { compositions: many.map(({ id }) => sub(id, id)) })
    assert.equal(expand([start('s', 0)], wide, ...many)!.length, 200)
    const crowd = block(1, { positions: Array.from({ length: 15_000 }, (_, i) => at(i)) })
    assert.equal(expand([start('s', 1)], crowd)!.length, 1)
    assert.equal(expand([start('s', 1), start('t', 1)], crowd), null)
  })

  test('accepts 20,000 units and positions and 64 levels, and no more', () => {
    const crowd = (id: number, size: number) => block(id, { positions: Array.from({ length: size }, (_, i) => at(i)) })
    const isAccepted = (starting: StartingBlock[], ...blocks: BuildingBlock[]) => expand(starting, ...blocks) !== null
    assert.deepEqual(
      [isAccepted([start('s', 1)], crowd(1, 19_999)), isAccepted([start('s', 1)], crowd(1, 20_000))],
      [true, false],
    )
    const two = [start('s', 1), start('t', 2)]
    assert.ok(isAccepted(two, crowd(1, 9_999), crowd(2, 9_999)))
    assert.ok(!isAccepted(two, crowd(1, 9_999), crowd(2, 10_000)))
    const both = block(3, { compositions: [sub(51, 1), sub(52, 2)] })
    assert.ok(isAccepted([start('s', 3)], both, crowd(1, 9_999), crowd(2, 9_999)))
    assert.ok(!isAccepted([start('s', 3)], both, crowd(1, 9_999), crowd(2, 10_000)))
    const chain = (levels: number) =>
      Array.from({ length: levels }, (_, i) => block(i, i === levels - 1 ? {} : { compositions: [sub(i, i + 1)] }))
    assert.deepEqual([isAccepted([start('s', 0)], ...chain(64)), isAccepted([start('s', 0)], ...chain(65))], [true, false])
  })

  test('does not depend on the order of rows', () => {
    const blocks = [
      block(1, { compositions: [sub(51, 2), sub(52, 3)], requirements: [atLeast(71, 3, 2), atLeast(72, 2, 1), everyone(73, 9)] }),
      block(2, { positions: [at(21, [3]), at(22), at(23)], requirements: [atLeast(74, 1, 5), atLeast(75, 2, 6)] }),
      block(3, { allowMore: true, positions: [at(31, [1, 2]), at(32, [], true)] }),
    ]
    const shuffle = <T>(rows: readonly T[]) => fc.shuffledSubarray([...rows], { minLength: rows.length })
    const shuffled = fc.tuple(
      ...blocks.map((one) =>
        fc
          .record({
            positions: shuffle(one.positions),
            compositions: shuffle(one.compositions),
            requirements: shuffle(one.requirements),
          })
          .map((rows) => ({ ...one, ...rows })),
      ),
    )
    const expected = expand([start('s', 1)], ...blocks)
    fc.assert(
      fc.property(shuffled, (rows) => assert.deepEqual(sketch(expand([start('s', 1)], ...rows.reverse())), sketch(expected))),
    )
  })
})

test('normalizeUnitPaths adds the last dot to paths of units and nothing else', () => {
  for (const [stored, expected] of [
    [
      { dispatched_unit_path: 'root.a.16', other: 'x.y' },
      { dispatched_unit_path: 'root.a.16.', other: 'x.y' },
    ],
    [
      { preferred_unit_path: 'root.a', dispatched_unit_path: 'root.b.' },
      { preferred_unit_path: 'root.a.', dispatched_unit_path: 'root.b.' },
    ],
    [
      { dispatched_unit_path: '', preferred_unit_path: 7 },
      { dispatched_unit_path: '', preferred_unit_path: 7 },
    ],
    [null, {}],
    ['root.a', {}],
  ] as const)
    assert.deepEqual(normalizeUnitPaths(stored), expected)
})
