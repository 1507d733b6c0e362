import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkStructure, completeStructure } from './structure-checks.ts'

type Configuration = Record<string, unknown>
const KNOWN = { qualifications: new Set([1]), blocks: new Set([4]) }

describe('a structure from an API client', () => {
  const team = (more: object = {}) => ({ uuid: 'a', title: 'A', qualification: 1, min_count: 1, max_count: 2, ...more })
  const many = (count: number) => Array.from({ length: count }, (_, index) => team({ uuid: String(index) }))
  const teams = (...some: unknown[]) => ({ teams: some })
  const mix = (...some: unknown[]) => ({ qualification_requirements: some })
  const units = (...some: unknown[]) => ({ starting_blocks: some })
  const CASES: [what: string, slug: string, configuration: Configuration, expected: string[]][] = [
    ['nothing set', 'uniform', {}, []],
    [
      'all set',
      'uniform',
      {
        minimum_age: 999,
        minimum_number_of_participants: 2,
        maximum_number_of_participants: 2,
        required_qualification_ids: [1],
      },
      [],
    ],
    ['too old', 'uniform', { minimum_age: 1000 }, ['minimum_age: not_a_number']],
    ['half a year', 'named_teams', { minimum_age: 15.5, ...teams(team()) }, ['minimum_age: not_a_number']],
    ['an age that is no number is left to the schema', 'uniform', { minimum_age: 'x' }, []],
    [
      'more at least than at most',
      'uniform',
      { minimum_number_of_participants: 3, maximum_number_of_participants: 2 },
      ['maximum_number_of_participants: min_above_max'],
    ],
    ['nobody at most', 'uniform', { maximum_number_of_participants: 0 }, ['maximum_number_of_participants: too_small']],
    ['nobody at least', 'uniform', { minimum_number_of_participants: 0, maximum_number_of_participants: 1 }, []],
    ['as many as the form can show', 'uniform', { minimum_number_of_participants: 999_999 }, []],
    [
      'more than the form can show',
      'uniform',
      { minimum_number_of_participants: 1_000_000, maximum_number_of_participants: 1.5 },
      ['minimum_number_of_participants: not_a_number', 'maximum_number_of_participants: not_a_number'],
    ],
    [
      'a qualification that does not exist',
      'uniform',
      { required_qualification_ids: [1, 2, 'x'] },
      ['required_qualification_ids/1: unknown_qualification'],
    ],
    ['a structure from elsewhere', 'circus', { teams: [] }, []],
    ['a team', 'named_teams', teams(team(), team({ uuid: 'b', qualification: null })), []],
    ['no team', 'named_teams', {}, ['teams: no_team']],
    ['rows that are no list are left to the schema', 'named_teams', { teams: 'x' }, []],
    ['a row that is none', 'named_teams', teams('x', null, [], team()), []],
    ['as many teams as there can be', 'named_teams', teams(...many(200)), []],
    ['more teams', 'named_teams', teams(...many(201)), ['teams: too_many_rows']],
    ['more requirements', 'qualification_mix', mix(...many(201)), ['qualification_requirements: too_many_rows']],
    ['as many qualifications', 'uniform', { required_qualification_ids: Array(200).fill(1) }, []],
    [
      'more qualifications',
      'uniform',
      { required_qualification_ids: Array(201).fill(1) },
      ['required_qualification_ids: too_many_rows'],
    ],
    ['two teams with one uuid', 'named_teams', teams(team(), team()), ['teams/1/uuid: duplicate_uuid']],
    ['a team without a title', 'named_teams', teams(team({ title: '' })), ['teams/0/title: missing']],
    ['a team whose title is null', 'named_teams', teams(team({ title: null })), ['teams/0/title: missing']],
    [
      'a team with several faults',
      'named_teams',
      teams(team({ qualification: 2, min_count: 3 })),
      ['teams/0/qualification: unknown_qualification', 'teams/0/max_count: min_above_max'],
    ],
    ['a mix needs no titles and no uuids', 'qualification_mix', mix({ qualification: 1 }, { qualification: null }), []],
    ['no requirement', 'qualification_mix', mix(), ['qualification_requirements: no_requirement']],
    [
      'a requirement for nobody',
      'qualification_mix',
      mix({ max_count: 0 }),
      ['qualification_requirements/0/max_count: too_small'],
    ],
    ['a unit', 'complex', units({ uuid: 'a', building_block: 4 }), []],
    ['no unit', 'complex', units(), ['starting_blocks: no_block']],
    ['a unit without a block', 'complex', units({ uuid: 'a', label: 'A' }), ['starting_blocks/0/building_block: missing']],
    [
      'a unit with an unknown block',
      'complex',
      units({ uuid: 'a', building_block: 5 }),
      ['starting_blocks/0/building_block: unknown_block'],
    ],
    [
      'two units with one uuid',
      'complex',
      units({ uuid: 'a', building_block: 4 }, { uuid: 'a', building_block: 4 }),
      ['starting_blocks/1/uuid: duplicate_uuid'],
    ],
  ]
  for (const [what, slug, configuration, expected] of CASES)
    test(`${slug}, ${what}: ${expected.join(', ') || 'accepted'}`, () =>
      assert.deepEqual(
        checkStructure(slug, configuration, KNOWN).map(({ field, code }) => `${field}: ${code}`),
        expected,
      ))

  const COMPLETED: [slug: string, configuration: Configuration, expected: Configuration][] = [
    [
      'uniform',
      { minimum_age: 16 },
      {
        minimum_age: 16,
        minimum_number_of_participants: null,
        maximum_number_of_participants: null,
        required_qualification_ids: [],
      },
    ],
    [
      'named_teams',
      { teams: [{ title: 'A' }, { uuid: 'b', title: 'B', qualification: 1, min_count: 2, max_count: 3 }, 'x'] },
      {
        minimum_age: null,
        choose_preferred_team: false,
        teams: [
          { uuid: 'new', title: 'A', qualification: null, min_count: 0, max_count: null },
          { uuid: 'b', title: 'B', qualification: 1, min_count: 2, max_count: 3 },
          'x',
        ],
      },
    ],
    [
      'qualification_mix',
      { qualification_requirements: [{}] },
      { minimum_age: null, qualification_requirements: [{ qualification: null, min_count: 0, max_count: null }] },
    ],
    [
      'complex',
      { choose_preferred_unit: true, starting_blocks: [{ building_block: 4 }] },
      {
        minimum_age: null,
        choose_preferred_unit: true,
        starting_blocks: [{ uuid: 'new', building_block: 4, label: '', optional: false }],
      },
    ],
    ['complex', {}, { minimum_age: null, choose_preferred_unit: false }],
    ['circus', { odd: 1 }, { odd: 1 }],
  ]
  for (const [slug, configuration, expected] of COMPLETED)
    test(`${slug} is stored with all keys that the form writes: ${JSON.stringify(configuration)}`, () =>
      assert.deepEqual(
        completeStructure(slug, configuration, () => 'new'),
        expected,
      ))
})
