import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLapse, type Lapse } from '../rules/lapses.ts'
import { STATE } from '../rules/model.ts'
import type { BuildingBlock } from '../rules/units.ts'
import { computeStatistics, getStructure, isQualifiedForPlace } from './registry.ts'

const MEDIC = 1
const DRIVER = 2
const inclusions = new Map([MEDIC, DRIVER].map((id) => [id, new Set([id])]))

test('findLapse: only a person who was qualified lapses by losing a qualification', () => {
  const cases: [wasQualified: boolean, hasLeftGroup: boolean, isQualified: boolean | undefined, Lapse | undefined][] = [
    [true, false, false, 'unqualified'],
    [true, false, true, undefined],
    [true, false, undefined, undefined],
    [false, false, false, undefined],
    [false, true, true, 'left_group'],
    [true, true, false, 'left_group'],
  ]
  for (const [wasQualified, hasLeftGroup, isQualified, expected] of cases)
    assert.equal(
      findLapse({ wasQualified, hasLeftGroup }, isQualified),
      expected,
      `${wasQualified} ${hasLeftGroup} ${isQualified}`,
    )
  assert.equal(findLapse(undefined, false), undefined)
})

const ambulance: BuildingBlock = {
  id: 7,
  uuid: 'b7',
  name: 'Ambulance',
  blockType: 'atomic',
  allowMore: false,
  positions: [{ id: 1, label: '', optional: false, qualificationIds: [MEDIC] }],
  compositions: [],
  requirements: [],
}

const STRUCTURES: [slug: string, configuration: object, data: object][] = [
  ['uniform', { minimum_number_of_participants: 1, maximum_number_of_participants: 1, required_qualification_ids: [MEDIC] }, {}],
  [
    'named_teams',
    { teams: [{ uuid: 'a', title: 'A', qualification: MEDIC, min_count: 1, max_count: 1 }] },
    { dispatched_team_uuid: 'a' },
  ],
  ['qualification_mix', { qualification_requirements: [{ qualification: MEDIC, min_count: 1, max_count: 1 }] }, {}],
  ['complex', { starting_blocks: [{ uuid: 's', building_block: 7, label: '', optional: false }] }, {}],
]

for (const [structureSlug, structureConfiguration, structureData] of STRUCTURES) {
  const shift = { structureSlug, structureConfiguration }
  const around = { blocks: new Map([[7, ambulance]]), qualifications: inclusions }
  const statsWith = (lapse: Lapse | undefined) => {
    const skills = new Set([MEDIC])
    const people = [{ participationId: 1, state: STATE.confirmed, skills, structureData, lapse }]
    const { confirmedCount, missing, free } = computeStatistics({ ...shift, ...around, people })
    return [confirmedCount, missing, free]
  }

  test(`${structureSlug}: a lapsed person stays confirmed, and their place is missing and free`, () => {
    assert.deepEqual(statsWith(undefined), [1, 0, 0])
    assert.deepEqual(statsWith('unqualified'), [1, 1, 1])
    assert.deepEqual(statsWith('left_group'), [1, 1, 1])
  })

  test(`${structureSlug}: another person can sign up for the place of a lapsed one`, () => {
    const people = [{ participationId: 1, state: STATE.confirmed, skills: new Set([MEDIC]), structureData }]
    const applicant = { participationId: undefined, state: undefined, skills: new Set([MEDIC]), structureData: {} }
    const reasonsWith = (lapse: Lapse | undefined) =>
      getStructure(structureSlug)!
        .fit(structureConfiguration, { ...around, people: people.map((person) => ({ ...person, lapse })) }, applicant, {
          instant: true,
        })!
        .reasons.map(({ code }) => code)
    assert.deepEqual(reasonsWith(undefined), ['full'])
    assert.deepEqual(reasonsWith('unqualified'), [])
  })

  test(`${structureSlug}: who is qualified for their place`, () => {
    const input = { ...around, people: [] }
    const isQualified = (skills: number[], requiredByType?: number[]) =>
      isQualifiedForPlace(
        shift,
        { ...input, requiredByType: requiredByType && new Set(requiredByType) },
        { skills: new Set(skills), structureData },
      )
    assert.deepEqual([isQualified([MEDIC]), isQualified([DRIVER]), isQualified([])], [true, false, false])
    assert.deepEqual([isQualified([MEDIC], [DRIVER]), isQualified([MEDIC, DRIVER], [DRIVER])], [false, true])
  })
}

test('a place without requirements needs no qualification', () => {
  const input = { people: [], blocks: new Map(), qualifications: inclusions }
  const person = { skills: new Set<number>(), structureData: {} }
  const uniform = { structureSlug: 'uniform', structureConfiguration: {} }
  assert.equal(isQualifiedForPlace(uniform, input, person), undefined)
  assert.equal(isQualifiedForPlace(uniform, { ...input, requiredByType: new Set([MEDIC]) }, person), false)
  const mix = {
    structureSlug: 'qualification_mix',
    structureConfiguration: { qualification_requirements: [{ qualification: MEDIC }, { qualification: null }] },
  }
  assert.equal(isQualifiedForPlace(mix, input, person), undefined)
  assert.equal(isQualifiedForPlace({ structureSlug: 'lottery', structureConfiguration: {} }, input, person), undefined)
})
