import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Words } from '#platform/i18n/words.ts'
import { checkDraft, type Draft, draftErrorText, parseCount } from './draft.ts'
import { type Countable, findContainerIds, headCount } from './head-count.ts'
import { makeOutline } from './outline.ts'

type Block = Countable & { uuid: string; name: string }
const position = { id: null, label: '', optional: false, qualificationIds: [] as number[] }
const spare = { ...position, optional: true }
const atomic = (required: number, optional = 0, allowMore = false): Omit<Block, 'uuid' | 'name'> => ({
  blockType: 'atomic',
  allowMore,
  compositions: [],
  positions: [...Array(required).fill(position), ...Array(optional).fill(spare)],
})
const part = (subBlockId: number, optional = false) => ({ id: null, subBlockId, label: '', optional })
const composite = (...compositions: ReturnType<typeof part>[]): Omit<Block, 'uuid' | 'name'> => ({
  blockType: 'composite',
  allowMore: false,
  positions: [],
  compositions,
})
const blocksOf = (blocks: Record<number, Omit<Block, 'uuid' | 'name'>>): Map<number, Block> =>
  new Map(Object.entries(blocks).map(([id, block]) => [Number(id), { ...block, uuid: `uuid ${id}`, name: `Block ${id}` }]))

describe('how many people a block takes', () => {
  const blocks = blocksOf({
    1: atomic(2),
    2: atomic(1, 1),
    3: atomic(1, 0, true),
    4: composite(part(1), part(2)),
    5: composite(part(4, true), part(1)),
    6: composite(part(4), part(3)),
    7: composite(part(99)),
    8: composite(part(1), part(1), part(1)),
  })
  const CASES: [what: string, id: number, min: number, max: number | null][] = [
    ['its positions', 1, 2, 2],
    ['optional ones need not be filled', 2, 1, 2],
    ['more may join: no upper end', 3, 1, null],
    ['the sum of the blocks inside', 4, 3, 4],
    ['a block inside that is optional needs nobody, however deep', 5, 2, 6],
    ['no upper end somewhere is none at all', 6, 4, null],
    ['a block that is missing counts as nothing', 7, 0, 0],
    ['the same block several times', 8, 6, 6],
  ]
  for (const [what, id, min, max] of CASES)
    test(what, () => {
      const count = headCount(blocks.get(id)!, blocks)
      assert.deepEqual([count.min, count.max], [min, max])
    })

  test('is fast for deeply shared blocks', () => {
    const levels = blocksOf({ 0: atomic(1) })
    for (let level = 1; level <= 40; level++)
      levels.set(level, { ...composite(part(level - 1), part(level - 1)), uuid: `${level}`, name: '' })
    assert.equal(headCount(levels.get(40)!, levels).max, 2 ** 40)
  })

  test('finds blocks that contain it, directly or indirectly', () => {
    assert.deepEqual(findContainerIds(1, blocks).sort(), [1, 4, 5, 6, 8])
    assert.deepEqual(findContainerIds(8, blocks), [8])
  })
})

describe('a draft of a block', () => {
  const blocks = blocksOf({ 1: atomic(2), 2: composite(part(1)), 3: composite(part(2)), 4: composite(part(3)) })
  const context = { id: undefined as number | undefined, blocks, qualificationIds: new Set([1, 2]) }
  const plain: Draft = {
    name: 'New',
    blockType: 'atomic',
    allowMore: false,
    positions: [position],
    compositions: [],
    requirements: [],
  }
  const of = (...compositions: Draft['compositions']): Draft => ({
    ...plain,
    blockType: 'composite',
    positions: [],
    compositions,
  })
  const needs = (change: Partial<Draft['requirements'][number]>): Draft => ({
    ...plain,
    requirements: [{ id: null, everyone: false, atLeast: '1', qualificationIds: [1], ...change }],
  })
  const huge = blocksOf({ 1: { ...atomic(199) }, 2: composite(...Array(101).fill(part(1))) })

  const CASES: [what: string, draft: Draft, found: [field: string, key: string][], context?: Partial<typeof context>][] = [
    ['is fine', plain, []],
    ['has no name', { ...plain, name: '' }, [['name', 'name_missing']]],
    ['has a name too long', { ...plain, name: 'x'.repeat(256) }, [['name', 'too_long']]],
    ['has the longest name', { ...plain, name: 'x'.repeat(255) }, []],
    ['has the longest label', { ...plain, positions: [{ ...position, label: 'x'.repeat(255) }] }, []],
    ['has as many rows as possible', { ...plain, positions: Array(200).fill(position) }, []],
    ['has as many blocks as possible', of(...Array(200).fill(part(1))), []],
    ['has too many blocks', of(...Array(201).fill(part(1))), [['add_part', 'too_many_rows']]],
    ['has a block with the longest label', of({ ...part(1), label: 'x'.repeat(255) }), []],
    ['has a block with a label too long', of({ ...part(1), label: 'x'.repeat(256) }), [['part.0.label', 'too_long']]],
    ['has as many conditions as possible', { ...plain, requirements: Array(200).fill(needs({}).requirements[0]) }, []],
    [
      'has too many conditions',
      { ...plain, requirements: Array(201).fill(needs({}).requirements[0]) },
      [['add_requirement', 'too_many_rows']],
    ],
    ['has nothing in it', { ...plain, positions: [] }, [['add_position', 'no_positions']]],
    ['has no positions, but people may join', { ...plain, positions: [], allowMore: true }, []],
    [
      'has a label too long',
      { ...plain, positions: [{ ...position, label: 'x'.repeat(256) }] },
      [['position.0.label', 'too_long']],
    ],
    [
      'needs what was deleted',
      { ...plain, positions: [position, { ...position, qualificationIds: [3] }] },
      [['position.1.qualifications', 'unknown_qualification']],
    ],
    ['has too many rows', { ...plain, positions: Array(201).fill(position) }, [['add_position', 'too_many_rows']]],
    ['is made of blocks', of(part(1), part(4)), []],
    ['is made of no blocks', of(), [['add_part', 'no_parts']]],
    ['contains a deleted block', of(part(9)), [['part.0.label', 'unknown_block']]],
    ['contains itself', of(part(2)), [['add_part', 'cycle']], { id: 2 }],
    ['contains itself through others', of(part(1), part(4)), [['add_part', 'cycle']], { id: 2 }],
    ['contains what it contained before', of(part(1)), [], { id: 2 }],
    ['has become absurd', of(part(2)), [['add_part', 'too_large']], { blocks: huge }],
    ['has a condition', needs({}), []],
    ['has a condition for everyone', needs({ everyone: true, atLeast: '' }), []],
    [
      'has a condition without qualifications',
      needs({ qualificationIds: [] }),
      [['requirement.0.qualifications', 'requirement_empty']],
    ],
    [
      'has a condition with a deleted one',
      needs({ qualificationIds: [7] }),
      [['requirement.0.qualifications', 'unknown_qualification']],
    ],
    ['asks for at least none', needs({ atLeast: '0' }), [['requirement.0.at_least', 'at_least_wrong']]],
    ['asks for half a person', needs({ atLeast: '0.5' }), [['requirement.0.at_least', 'at_least_wrong']]],
    ['asks for more than can be stored', needs({ atLeast: '99999' }), [['requirement.0.at_least', 'at_least_wrong']]],
    ['asks for more people than there are places', needs({ atLeast: '2' }), [['requirement.0.at_least', 'at_least_many']]],
    ['asks for more where more may join', { ...needs({ atLeast: '2' }), allowMore: true }, []],
  ]
  for (const [what, draft, found, more] of CASES)
    test(what, () =>
      assert.deepEqual(
        checkDraft(draft, { ...context, ...more }).map(({ field, key }) => [field, key]),
        found,
      ),
    )

  test('reports the cycle with the entered name', () => {
    const [complaint] = checkDraft({ ...of(part(4)), name: 'Renamed' }, { ...context, id: 2 })
    assert.equal(complaint!.params!.path, 'Renamed → Block 4 → Block 3 → Renamed')
  })

  test('is identified by uuid: two entries with one uuid are one block', () => {
    const twins = new Map(blocks)
    twins.set(50, { ...composite(part(1)), uuid: 'uuid 2', name: 'The same' })
    assert.equal(checkDraft(of(part(50)), { ...context, blocks: twins, id: 2 })[0]?.key, 'cycle')
  })

  test('has an outline of limited size', () => {
    const outlined = (id: number) => ({
      ...blocks.get(id)!,
      requirements: [],
      positions: blocks.get(id)!.positions.map(() => position),
    })
    const all = new Map(
      [...blocks.keys()].map((id) => [
        id,
        {
          ...outlined(id),
          compositions: blocks.get(id)!.compositions.map((one) => ({ ...one, label: id === 4 ? 'North' : '' })),
        },
      ]),
    )
    const outline = makeOutline(all.get(4)!, all)
    assert.deepEqual([outline.parts[0]!.title, outline.parts[0]!.name], ['North', 'Block 3'])
    assert.equal(outline.parts[0]!.parts[0]!.parts[0]!.positions.length, 2)
    const many = { ...all.get(2)!, compositions: Array(500).fill({ ...part(1), label: '' }) }
    const { parts, leftOut } = makeOutline(many, all)
    assert.deepEqual([parts.length, leftOut], [120, 380])
  })
})

test('a number of people is one that can be stored', () =>
  assert.deepEqual(['0', '1', '32767', '32768', '1.5', ''].map(parseCount), [
    undefined,
    1,
    32_767,
    undefined,
    undefined,
    undefined,
  ]))

test('errors are told with their values', () => {
  const words = { t: (key: string, params?: object) => [key, params] } as unknown as Words
  const textOf = (key: Parameters<typeof draftErrorText>[1]['key'], params: Record<string, string | number> = {}): unknown =>
    draftErrorText(words, { field: '', key, params })
  assert.deepEqual(textOf('cycle', { path: 'A → A' }), ['block.cycle', { path: 'A → A' }])
  assert.deepEqual(textOf('too_large', { most: 9 }), ['block.too_large', { most: 9 }])
  assert.deepEqual(textOf('at_least_many', { count: 9 }), ['block.at_least_many', { count: 9 }])
  assert.deepEqual(textOf('no_parts'), ['block.no_parts', undefined])
})

test('the size of a block counts itself and everything inside; its depth, the longest way down', () => {
  const blocks = blocksOf({ 1: atomic(2), 2: composite(part(1)), 3: composite(part(2), part(1)) })
  const sizeOf = (id: number) => {
    const { size, depth } = headCount(blocks.get(id)!, blocks)
    return [size, depth]
  }
  assert.deepEqual([1, 2, 3].map(sizeOf), [
    [3, 1],
    [3, 2],
    [6, 3],
  ])
})
