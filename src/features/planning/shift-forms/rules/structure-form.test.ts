import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FormValues } from '#platform/ui/form-values.ts'
import type { Configuration } from './flow-form.ts'
import { newStructureValues, readStructure, structureValues } from './structure-form.ts'

const read = (values: FormValues, kept: Configuration = {}) => readStructure(values, '', { kept, newUuid: () => 'new' })
const faultsOf = (values: FormValues) => read(values).faults.map(({ field, code }) => `${field}: ${code}`)

describe('the form of a structure', () => {
  const EMPTY = { 't0-on': '1', 'm0-on': '1', 'b0-on': '1' }
  test('of a new shift is uniform and has an empty row for each other structure', () => {
    assert.deepEqual(newStructureValues('s0-'), {
      's0-structure': 'uniform',
      's0-t0-on': '1',
      's0-m0-on': '1',
      's0-b0-on': '1',
    })
  })

  test('takes 200 rows', () => {
    const rows = (count: number) => ({
      structure: 'named_teams',
      ...Object.fromEntries(
        Array.from({ length: count }, (_, row) => [
          [`t${row}-on`, '1'],
          [`t${row}-title`, 'A'],
        ]).flat(),
      ),
    })
    assert.deepEqual([faultsOf(rows(200)), faultsOf(rows(201))], [[], ['structure: too_many_rows']])
  })

  const SHOWN: [slug: string, configuration: Configuration, expected: FormValues][] = [
    [
      'uniform',
      {
        minimum_age: 16,
        minimum_number_of_participants: 2,
        maximum_number_of_participants: null,
        required_qualification_ids: [1, 2],
      },
      { ...EMPTY, age: '16', min: '2', max: '', quals: ['1', '2'] },
    ],
    ['uniform', { required_qualification_ids: 'x' }, { ...EMPTY, age: '', min: '', max: '', quals: [] }],
    [
      'named_teams',
      {
        choose_preferred_team: true,
        teams: [null, 'x', { uuid: 'a', title: 'A', qualification: 1, min_count: 0, max_count: 3 }],
      },
      {
        ...EMPTY,
        age: '',
        choose_team: 'on',
        't0-old': '0',
        't0-uuid': 'a',
        't0-title': 'A',
        't0-qual': '1',
        't0-min': '0',
        't0-max': '3',
        't0-block': '',
        't0-label': '',
      },
    ],
    [
      'complex',
      { choose_preferred_unit: true, starting_blocks: [{ uuid: 'a', building_block: 4, label: 'North', optional: true }] },
      {
        ...EMPTY,
        age: '',
        choose_unit: 'on',
        'b0-old': '0',
        'b0-uuid': 'a',
        'b0-title': '',
        'b0-qual': '',
        'b0-min': '',
        'b0-max': '',
        'b0-block': '4',
        'b0-label': 'North',
        'b0-optional': 'on',
      },
    ],
    ['circus', { minimum_age: 16, teams: [{ title: 'A' }] }, { ...EMPTY, age: '16' }],
  ]
  for (const [slug, configuration, expected] of SHOWN)
    test(`shows ${slug} ${JSON.stringify(configuration)}`, () =>
      assert.deepEqual(structureValues('', { slug, configuration }), { structure: slug, ...expected }))

  const WRITTEN: [what: string, values: FormValues, kept: Configuration, expected: Configuration][] = [
    [
      'one kind of places',
      { structure: 'uniform', age: '16', min: '2', max: '3', quals: ['2', '1'] },
      { odd: 1, minimum_age: 14 },
      {
        odd: 1,
        minimum_age: 16,
        minimum_number_of_participants: 2,
        maximum_number_of_participants: 3,
        required_qualification_ids: [2, 1],
      },
    ],
    [
      'teams, without empty rows',
      {
        structure: 'named_teams',
        choose_team: 'on',
        't0-on': '1',
        't2-on': '1',
        't2-title': ' B ',
        't2-qual': '1',
        't2-max': '2',
      },
      {},
      {
        minimum_age: null,
        choose_preferred_team: true,
        teams: [{ uuid: 'new', title: 'B', qualification: 1, min_count: 0, max_count: 2 }],
      },
    ],
    [
      'units',
      { structure: 'complex', 'b0-on': '1', 'b0-block': '4', 'b1-on': '1', 'b1-block': '4', 'b1-optional': 'on' },
      {},
      {
        minimum_age: null,
        choose_preferred_unit: false,
        starting_blocks: [
          { uuid: 'new', building_block: 4, label: '', optional: false },
          { uuid: 'new', building_block: 4, label: '', optional: true },
        ],
      },
    ],
    [
      'what the form does not know about a team that moved up',
      { structure: 'named_teams', 't0-on': '1', 't0-uuid': 'b', 't0-old': '0', 't0-title': 'B' },
      {
        teams: [
          { uuid: 'a', colour: 'red' },
          { uuid: 'b', colour: 'blue' },
        ],
      },
      {
        minimum_age: null,
        choose_preferred_team: false,
        teams: [{ uuid: 'b', title: 'B', colour: 'blue', qualification: null, min_count: 0, max_count: null }],
      },
    ],
    [
      'what the form does not know about a requirement, which has no uuid',
      { structure: 'qualification_mix', 'm0-on': '1', 'm0-old': '1', 'm0-min': '1', 'm1-on': '1', 'm1-min': '2' },
      { qualification_requirements: [{ note: 'first' }, { note: 'second' }] },
      {
        minimum_age: null,
        qualification_requirements: [
          { note: 'second', qualification: null, min_count: 1, max_count: null },
          { qualification: null, min_count: 2, max_count: null },
        ],
      },
    ],
    ['a structure that the form does not know, as stored', { structure: 'circus', age: 'x' }, { odd: 1 }, { odd: 1 }],
  ]
  for (const [what, values, kept, expected] of WRITTEN)
    test(`writes ${what}`, () => assert.deepEqual(read(values, kept), { configuration: expected, faults: [] }))

  const FAULTS: [what: string, values: FormValues, expected: string[]][] = [
    ['an age of 1000', { structure: 'uniform', age: '1000' }, ['age: not_a_number']],
    ['no unit', { structure: 'complex', 'b0-on': '1' }, ['structure: no_block']],
    ['a team whose only fault is its name', { structure: 'named_teams', 't0-on': '1', 't0-qual': '1' }, ['t0-title: missing']],
    ['only one fault, if there is one besides the missing team', { structure: 'named_teams', age: 'x' }, ['age: not_a_number']],
    [
      'a requirement with counts that are none',
      { structure: 'qualification_mix', 'm0-on': '1', 'm0-min': 'x', 'm0-max': '-1' },
      ['m0-min: not_a_number', 'm0-max: not_a_number'],
    ],
    ['a block that is no id', { structure: 'complex', 'b0-on': '1', 'b0-block': 'x' }, ['b0-block: missing']],
  ]
  for (const [what, values, expected] of FAULTS) test(`refuses ${what}`, () => assert.deepEqual(faultsOf(values), expected))
})
