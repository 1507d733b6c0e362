import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { type CompanionsChange, companionState, isNeutral, leftToBring, planCompanions, wishOfCompanion } from './rules.ts'

const BASE = 'Companion of Ann'
const person = (id: number, name: string, state: State = 1) => ({ id, name, state, version: 1 })
const change = (given: Partial<CompanionsChange>): CompanionsChange => ({
  names: new Map(),
  leaving: new Set(),
  added: [],
  ...given,
})
const [first, max] = [person(1, `${BASE} (1)`), person(2, 'Max')]
const gone = person(3, 'Mia', 2)
const goneUnnamed = person(4, `${BASE} (2)`, 2)
const rejected = person(5, 'Tom', 3)
const german = person(6, 'Begleitung von Ann (1)')

describe('people whom somebody brings', () => {
  const CASES: [text: string, companions: ReturnType<typeof person>[], given: Partial<CompanionsChange>, expected: object][] = [
    ['numbers people without a name', [], { added: ['', ''] }, { added: [`${BASE} (1)`, `${BASE} (2)`] }],
    ['skips a number that another placeholder of the event has', [first], { added: [''] }, { added: [`${BASE} (3)`] }],
    ['tidies spaces', [], { added: ['  Eva   Lind '] }, { added: ['Eva Lind'] }],
    ['names a person later', [first], { names: new Map([[1, 'Eva']]) }, { renamed: [[1, 'Eva']] }],
    ['keeps a neutral name when the field is empty', [first], { names: new Map([[1, '']]) }, {}],
    ['keeps a neutral name of another language', [german], { names: new Map([[6, '']]) }, {}],
    ['takes a name away', [max], { names: new Map([[2, ' ']]) }, { renamed: [[2, `${BASE} (1)`]] }],
    ['keeps a name that stays', [max], { names: new Map([[2, 'Max']]) }, {}],
    ['removes a person', [first, max], { leaving: new Set([2]) }, { leaving: [2] }],
    ['ignores ids of others', [first], { leaving: new Set([99]), names: new Map([[98, 'Eva']]) }, {}],
    ['brings a person back who was removed', [gone], { added: ['Mia'] }, { added: ['Mia'], returning: [3] }],
    ['brings an unnamed person back', [goneUnnamed], { added: [''] }, { added: [`${BASE} (2)`], returning: [4] }],
    ['does not remove or rename a rejected person', [rejected], { leaving: new Set([5]), names: new Map([[5, 'Tim']]) }, {}],
    [
      'a removed person makes room',
      [first, max, rejected],
      { leaving: new Set([1]), added: ['Eva'] },
      { leaving: [1], added: ['Eva'] },
    ],
  ]
  for (const [text, companions, given, expected] of CASES)
    test(text, () => {
      const planned = planCompanions(
        {
          companions,
          max: 3,
          taken: new Set(['Otto', `${BASE} (2)`].slice(0, companions.includes(first) ? 2 : 1)),
          bases: [BASE, 'Begleitung von Ann'],
        },
        change(given),
      )
      assert.ok(planned.ok)
      const { leaving, renamed, added } = planned.plan
      assert.deepEqual(
        {
          leaving: leaving.map(({ id }) => id),
          renamed: renamed.map(({ companion, name }) => [companion.id, name]),
          added: added.map(({ name }) => name),
          returning: added.flatMap(({ returning }) => returning?.id ?? []),
        },
        { leaving: [], renamed: [], added: [], returning: [], ...expected },
      )
    })

  const FAULTS: [text: string, companions: ReturnType<typeof person>[], given: Partial<CompanionsChange>, expected: object[]][] =
    [
      ['more than allowed', [first, max], { added: ['', ''] }, [{ code: 'too_many', left: 1 }]],
      ['rejected people count', [first, max, rejected], { added: [''] }, [{ code: 'too_many', left: 0 }]],
      ['the name of another placeholder', [], { added: ['Otto'] }, [{ code: 'name_taken', name: 'Otto' }]],
      ['the same name twice', [], { added: ['Eva', 'Eva'] }, [{ code: 'name_taken', name: 'Eva' }]],
      [
        'a name that another companion has',
        [first, max],
        { names: new Map([[1, 'Max']]) },
        [{ code: 'name_taken', name: 'Max', id: 1 }],
      ],
      ['a name that is too long', [], { added: ['x'.repeat(255)] }, [{ code: 'name_long', name: 'x'.repeat(255) }]],
    ]
  for (const [text, companions, given, expected] of FAULTS)
    test(`refuses ${text}`, () => {
      assert.deepEqual(
        planCompanions({ companions, max: 3, taken: new Set(['Otto']), bases: [BASE, 'Begleitung von Ann'] }, change(given)),
        {
          ok: false,
          faults: expected,
        },
      )
    })

  test('counts how many more are possible', () => {
    assert.deepEqual([leftToBring([], 3), leftToBring([first, gone], 3), leftToBring([first, max, rejected], 2)], [3, 2, 0])
  })

  test('knows neutral names', () => {
    assert.deepEqual(
      [`${BASE} (12)`, 'Begleitung von Ann (1)', BASE, `${BASE} (x)`, `${BASE} (1) and dog`].map((name) =>
        isNeutral(name, [BASE, 'Begleitung von Ann']),
      ),
      [true, true, false, false, false],
    )
  })

  for (const [bringer, hasRequestStage, expected] of [
    [1, false, 1],
    [0, false, 0],
    [1, true, 0],
    [0, true, 0],
  ] as const)
    test(`of a person in state ${bringer}, ${hasRequestStage ? 'with' : 'without'} decisions: state ${expected}`, () => {
      assert.equal(companionState(bringer, { hasRequestStage }), expected)
    })

  test('join the team of the person, or else any if one is needed', () => {
    const options = ['north', 'south'].map((value) => ({ value, title: value }))
    const field = { kind: 'team', key: 'preferred_team_uuid', current: undefined, full: [], unqualified: [], options } as const
    assert.deepEqual(
      [
        wishOfCompanion({ ...field, isRequired: true }, 'south'),
        wishOfCompanion({ ...field, isRequired: true }, 'east'),
        wishOfCompanion({ ...field, isRequired: false }, 'east'),
        wishOfCompanion(undefined, 'south'),
      ],
      ['south', 'north', '', undefined],
    )
  })
})
