import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareCatalogue, type ExchangedQualification, edgesOfFile, type Known, planImport } from './exchange.ts'

const category = { uuid: 'c', title: 'Medical' }
const entry = (uuid: string, includes: string[] = [], included_by: string[] = []): ExchangedQualification => ({
  uuid,
  title: uuid.toUpperCase(),
  abbreviation: uuid,
  category,
  includes,
  included_by,
})
const known = (uuid: string, includes: string[] = []): Known => ({
  uuid,
  title: uuid.toUpperCase(),
  abbreviation: uuid,
  category: 'Medical',
  includes,
})

describe('a catalogue from elsewhere', () => {
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

  test('may tell an inclusion at either end, or at both', () => {
    assert.deepEqual(edgesOfFile([entry('a', ['b']), entry('b', [], ['a']), entry('c', [], ['a', 'x'])]).get('a'), ['b', 'c'])
  })

  const CASES: [what: string, file: ExchangedQualification[], here: Known[], chosen: string, result: Record<string, string[]>][] =
    [
      ['all of it', [entry('a', ['b']), entry('b')], [], 'ab', { a: ['b'], b: [] }],
      ['without one in the middle', [entry('a', ['b']), entry('b', ['c']), entry('c')], [], 'ac', { a: ['c'], c: [] }],
      [
        'over one that is left out to one that is here',
        [entry('a', ['b']), entry('b', ['c'])],
        [known('c')],
        'a',
        { a: ['c'], c: [] },
      ],
      [
        'what is here counts as chosen',
        [entry('a', ['b']), entry('b', ['c']), entry('c')],
        [known('a')],
        'c',
        { a: ['c'], c: [] },
      ],
      ['what is included here stays', [entry('a')], [known('a', ['z']), known('z')], '', { a: ['z'], z: [] }],
      ['what nobody knows is left aside', [entry('a', ['x'])], [], 'a', { a: [] }],
      ['nothing chosen', [entry('a', ['b']), entry('b')], [], '', {}],
    ]
  for (const [what, file, here, chosen, result] of CASES) {
    test(`taken over: ${what}`, () => {
      const plan = planImport(file, here, new Set(chosen))
      assert.ok(plan.ok)
      assert.deepEqual(Object.fromEntries(plan.includes), result)
    })
  }

  const CIRCLES: [what: string, file: ExchangedQualification[], here: Known[], chosen: string][] = [
    ['in the file', [entry('a', ['b']), entry('b', ['a'])], [], 'ab'],
    ['in the file, through one that is not even chosen', [entry('a', ['b']), entry('b', ['a'])], [], 'a'],
    ['with what is here', [entry('a', ['b']), entry('b')], [known('b', ['a']), known('a')], ''],
    ['with itself', [entry('a', ['a'])], [], 'a'],
  ]
  for (const [what, file, here, chosen] of CIRCLES)
    test(`is refused when it closes a circle ${what}`, () => assert.equal(planImport(file, here, new Set(chosen)).ok, false))
})
