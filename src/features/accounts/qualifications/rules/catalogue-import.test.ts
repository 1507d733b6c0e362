import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compareCatalogue,
  type ExchangedQualification,
  type ExistingQualification,
  planImport,
  readInclusions,
} from './catalogue-import.ts'

const category = { uuid: 'c', title: 'Medical' }
const entry = (uuid: string, includes: string[] = [], included_by: string[] = []): ExchangedQualification => ({
  uuid,
  title: uuid.toUpperCase(),
  abbreviation: uuid,
  category,
  includes,
  included_by,
})
const known = (uuid: string, includes: string[] = []): ExistingQualification => ({
  uuid,
  title: uuid.toUpperCase(),
  abbreviation: uuid,
  category: 'Medical',
  includes,
  valid_months: 24,
})

describe('an imported catalogue', () => {
  test('is compared entry by entry', () => {
    const lines = compareCatalogue([entry('a'), entry('b'), { ...entry('c'), title: 'See' }], [known('b'), known('c')])
    assert.deepEqual(
      lines.map(({ entry, state, changes }) => [entry.uuid, state, changes]),
      [
        ['a', 'new', []],
        ['b', 'same', []],
        ['c', 'changed', [{ field: 'title', from: 'C', to: 'See' }]],
      ],
    )
  })

  const PERIODS: [inFile: number | null | undefined, changes: unknown[]][] = [
    [undefined, []],
    [24, []],
    [12, [{ field: 'valid_months', from: 24, to: 12 }]],
    [null, [{ field: 'valid_months', from: 24, to: null }]],
  ]
  for (const [valid_months, changes] of PERIODS)
    test(`with the period ${valid_months} where 24 months are known changes ${changes.length ? 'it' : 'nothing'}`, () =>
      assert.deepEqual(compareCatalogue([{ ...entry('a'), valid_months }], [known('a')])[0]!.changes, changes))

  test('may change title, abbreviation and category', () => {
    const renamed = { ...entry('a'), title: 'Other', abbreviation: 'O', category: { uuid: 'c', title: 'Driving' } }
    assert.deepEqual(compareCatalogue([renamed], [known('a')])[0]?.changes, [
      { field: 'title', from: 'A', to: 'Other' },
      { field: 'abbreviation', from: 'a', to: 'O' },
      { field: 'category', from: 'Medical', to: 'Driving' },
    ])
  })

  test('stores chosen entries and those of existing qualifications', () => {
    const plan = planImport([entry('a'), entry('b'), entry('c')], [known('b')], new Set('c'))
    assert.deepEqual(plan.ok && plan.entries.map(({ uuid }) => uuid), ['b', 'c'])
  })

  test('may declare an inclusion on either side or on both', () => {
    assert.deepEqual(readInclusions([entry('a', ['b']), entry('b', [], ['a']), entry('c', [], ['a', 'x'])]).get('a'), ['b', 'c'])
  })

  const CASES: [
    what: string,
    file: ExchangedQualification[],
    here: ExistingQualification[],
    chosen: string,
    result: Record<string, string[]>,
  ][] = [
    ['all entries', [entry('a', ['b']), entry('b')], [], 'ab', { a: ['b'], b: [] }],
    ['without one in the middle', [entry('a', ['b']), entry('b', ['c']), entry('c')], [], 'ac', { a: ['c'], c: [] }],
    [
      'through a skipped entry to an existing qualification',
      [entry('a', ['b']), entry('b', ['c'])],
      [known('c')],
      'a',
      { a: ['c'], c: [] },
    ],
    [
      'existing qualifications count as chosen',
      [entry('a', ['b']), entry('b', ['c']), entry('c')],
      [known('a')],
      'c',
      { a: ['c'], c: [] },
    ],
    ['existing inclusions stay', [entry('a')], [known('a', ['z']), known('z')], '', { a: ['z'], z: [] }],
    ['unknown inclusions are ignored', [entry('a', ['x'])], [], 'a', { a: [] }],
    ['nothing chosen', [entry('a', ['b']), entry('b')], [], '', {}],
  ]
  for (const [what, file, here, chosen, result] of CASES) {
    test(`import: ${what}`, () => {
      const plan = planImport(file, here, new Set(chosen))
      assert.ok(plan.ok)
      assert.deepEqual(Object.fromEntries(plan.includes), result)
    })
  }

  const CYCLES: [what: string, file: ExchangedQualification[], here: ExistingQualification[], chosen: string, path: string][] = [
    ['in the file', [entry('a', ['b']), entry('b', ['a'])], [], 'ab', 'aba'],
    ['in the file, through an entry that is not chosen', [entry('a', ['b']), entry('b', ['a'])], [], 'a', 'aba'],
    ['with existing qualifications', [entry('a', ['b']), entry('b')], [known('b', ['a']), known('a')], '', 'bab'],
    ['with itself', [entry('a', ['a'])], [], 'a', 'aa'],
  ]
  for (const [what, file, here, chosen, path] of CYCLES)
    test(`is refused if it creates a cycle ${what}`, () =>
      assert.deepEqual(planImport(file, here, new Set(chosen)), { ok: false, reason: 'cycle', path: [...path] }))
})
