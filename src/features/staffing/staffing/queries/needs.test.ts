import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Catalogue } from '#features/accounts/qualifications/queries.ts'
import { type Needs, needsOfShifts } from './needs.ts'

const catalogue = new Map([
  [1, { title: 'Medic' }],
  [2, { title: 'Driver' }],
]) as unknown as Catalogue
const blocks = new Map([
  [7, { name: 'Ambulance' }],
  [8, { name: 'Boat' }],
])
const NOTHING: Needs = { minimumAge: null, qualifications: [], teams: [], requirements: [], units: [] }
/** A configuration that is valid for every structure. */
const EVERYTHING = {
  minimum_age: 18,
  required_qualification_ids: [1],
  teams: [{ uuid: 't', title: 'Team', min_count: 1, max_count: 2 }],
  qualification_requirements: [{ qualification: 2, min_count: 1, max_count: 2 }],
  starting_blocks: [{ uuid: 'b', building_block: 7 }],
}

const CASES: [what: string, slug: string, configuration: unknown, needs: Partial<Needs>][] = [
  ['uniform, nothing', 'uniform', {}, {}],
  ['uniform, only its own parts count', 'uniform', EVERYTHING, { minimumAge: 18, qualifications: ['Medic'] }],
  ['uniform, an age of 0 is none', 'uniform', { minimum_age: 0 }, {}],
  [
    'uniform, without deleted qualifications',
    'uniform',
    { required_qualification_ids: [2, 99, 1] },
    { qualifications: ['Driver', 'Medic'] },
  ],
  ['uniform, invalid', 'uniform', { minimum_age: 'eighteen', required_qualification_ids: [1] }, {}],
  [
    'teams, only their own parts count',
    'named_teams',
    EVERYTHING,
    { minimumAge: 18, teams: [{ uuid: 't', title: 'Team', min: 1, max: 2 }] },
  ],
  [
    'teams without bounds',
    'named_teams',
    {
      minimum_age: 16,
      teams: [
        { uuid: 'a', title: 'North' },
        { uuid: 'b', title: 'South', min_count: 3 },
      ],
    },
    {
      minimumAge: 16,
      teams: [
        { uuid: 'a', title: 'North', min: 0, max: null },
        { uuid: 'b', title: 'South', min: 3, max: null },
      ],
    },
  ],
  ['no team at all is invalid', 'named_teams', { minimum_age: 16, teams: [] }, {}],
  [
    'a mix, only its own parts count',
    'qualification_mix',
    EVERYTHING,
    { minimumAge: 18, requirements: [{ title: 'Driver', min: 1, max: 2 }] },
  ],
  [
    'a mix with places for everybody, and with a deleted qualification',
    'qualification_mix',
    {
      qualification_requirements: [{ max_count: 4 }, { qualification: 99, min_count: 1 }, { qualification: null, min_count: 2 }],
    },
    {
      requirements: [
        { title: null, min: 0, max: 4 },
        { title: null, min: 1, max: null },
        { title: null, min: 2, max: null },
      ],
    },
  ],
  ['units, only their own parts count', 'complex', EVERYTHING, { minimumAge: 18, units: ['Ambulance'] }],
  [
    'units by their names, the block in parentheses',
    'complex',
    {
      starting_blocks: [
        { uuid: 'a', building_block: 7, label: 'First' },
        { uuid: 'b', building_block: 8, label: 'Boat' },
        { uuid: 'c', building_block: 8, label: '' },
        { uuid: 'd', building_block: 99, label: 'Deleted' },
      ],
    },
    { units: ['First (Ambulance)', 'Boat', 'Boat'] },
  ],
  ['a structure that is not known', 'something', EVERYTHING, {}],
]

describe('what a shift needs', () => {
  for (const [what, structure_slug, structure_configuration, needs] of CASES)
    test(what, () => {
      const found = needsOfShifts([{ id: 5, structure_slug, structure_configuration }], catalogue, blocks)
      assert.deepEqual([...found], [[5, { ...NOTHING, ...needs }]])
    })

  test('is told for each shift', () => {
    const shifts = [
      { id: 1, structure_slug: 'uniform', structure_configuration: { minimum_age: 14 } },
      { id: 2, structure_slug: 'complex', structure_configuration: EVERYTHING },
    ]
    const found = needsOfShifts(shifts, catalogue, blocks)
    assert.deepEqual([found.get(1)?.minimumAge, found.get(1)?.units, found.get(2)?.units], [14, [], ['Ambulance']])
  })
})
