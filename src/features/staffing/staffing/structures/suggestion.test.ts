import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '../rules/model.ts'
import { suggest } from '../rules/suggestion.ts'
import type { BuildingBlock } from '../rules/units.ts'
import { getStructure } from './registry.ts'
import type { StructurePerson } from './structure.ts'

const MEDIC = 1
const DRIVER = 2
const qualifications = new Map([
  [MEDIC, new Set([MEDIC])],
  [DRIVER, new Set([DRIVER])],
])
const block = (id: number, name: string, needs: number[][], allowMore = false): BuildingBlock => ({
  id,
  uuid: `block ${id}`,
  name,
  blockType: 'atomic',
  allowMore,
  compositions: [],
  requirements: [],
  positions: needs.map((qualificationIds, i) => ({ id: 10 * id + i, label: `Seat ${i}`, optional: false, qualificationIds })),
})
const blocks = new Map([
  [1, block(1, 'Ambulance', [[MEDIC], [DRIVER]])],
  [2, block(2, 'Tent', [[]], true)],
])

const who = (participationId: number, state: State, skills: number[] = [], structureData: object = {}): StructurePerson => ({
  participationId,
  state,
  structureData,
  skills: new Set(skills),
})

function suggested(slug: string, configuration: object, people: StructurePerson[]) {
  const input = { people, blocks, qualifications }
  const seats = getStructure(slug)!.seats(configuration, input)!
  const candidates = people.map(({ participationId: id, state, skills }) => ({
    id,
    skills,
    state: state === 1 ? ('confirmed' as const) : ('requested' as const),
  }))
  const { seats: taken, unmatched, open } = suggest({ people: candidates, seats, inclusions: qualifications })
  return {
    seats: taken.map(({ participationId, place, reason, confirm, isMove }) => [
      participationId,
      place,
      reason.code,
      [confirm && 'confirm', isMove && 'move'].filter(Boolean).join(' '),
    ]),
    unmatched: unmatched.map(({ participationId, reason }) => [participationId, reason]),
    open: open.map(({ place, required, count, needs, help }) => ({
      place,
      required,
      count,
      needs,
      help: help.map((one) => (one.code === 'move' ? one.participationId : one.code)),
    })),
    taken,
  }
}

describe('a suggestion', () => {
  test('for a uniform shift confirms requests up to the maximum and keeps confirmed people', () => {
    const configuration = {
      minimum_number_of_participants: 1,
      maximum_number_of_participants: 2,
      required_qualification_ids: [MEDIC],
    }
    const { seats, unmatched, open } = suggested('uniform', configuration, [
      who(1, 0, [MEDIC]),
      who(2, 1),
      who(3, 0, [MEDIC]),
      who(4, 0),
    ])
    assert.deepEqual(seats, [
      [1, null, 'room', 'confirm'],
      [2, null, 'assigned', ''],
    ])
    assert.deepEqual(unmatched, [
      [3, { code: 'full' }],
      [4, { code: 'not_qualified', missingAnyOf: [[MEDIC]] }],
    ])
    assert.deepEqual(open, [])
  })

  test('for a uniform shift reports how many people are missing and their qualifications', () => {
    const configuration = { minimum_number_of_participants: 3, required_qualification_ids: [MEDIC] }
    const { open } = suggested('uniform', configuration, [who(1, 1, [MEDIC])])
    assert.deepEqual(open, [
      { place: null, required: true, count: 2, needs: [[MEDIC]], help: ['find'] },
      { place: null, required: false, count: null, needs: [[MEDIC]], help: [] },
    ])
  })

  const teams = {
    teams: [
      { uuid: 'm', title: 'Medics', qualification: MEDIC, min_count: 1, max_count: 1 },
      { uuid: 't', title: 'Tea', qualification: null, min_count: 0, max_count: 2 },
    ],
  }

  test('for named teams gives each person a team, follows wishes and keeps assignments', () => {
    const { seats, unmatched, taken } = suggested('named_teams', teams, [
      who(1, 1, [], { dispatched_team_uuid: 't' }),
      who(2, 0, [MEDIC], { preferred_team_uuid: 't' }),
      who(3, 0, [], { preferred_team_uuid: 'm' }),
      who(4, 0),
    ])
    // The medic is needed as a medic; the wish comes after that.
    assert.deepEqual(seats, [
      [1, 't', 'assigned', ''],
      [2, 'm', 'needed', 'confirm move'],
      [3, 't', 'room', 'confirm move'],
    ])
    assert.deepEqual(taken[1]!.wishMissed, { kind: 'team', title: 'Tea' })
    assert.deepEqual(unmatched, [[4, { code: 'full' }]])
  })

  test('for named teams names the move that would help when a medic is assigned elsewhere', () => {
    const { open } = suggested('named_teams', teams, [who(1, 1, [MEDIC], { dispatched_team_uuid: 't' })])
    assert.deepEqual(open, [
      { place: 'm', required: true, count: 1, needs: [[MEDIC]], help: [1] },
      { place: 't', required: false, count: 1, needs: [[]], help: [] },
    ])
  })

  test('for named teams shows people beyond the maximum in their assigned team', () => {
    const people = [1, 2, 3].map((id) => who(id, 1, [], { dispatched_team_uuid: 't' }))
    const { seats } = suggested('named_teams', teams, people)
    assert.deepEqual(
      seats.map(([, place, reason]) => [place, reason]),
      [
        ['t', 'assigned'],
        ['t', 'assigned'],
        ['t', 'beyond'],
      ],
    )
  })

  test('for a qualification mix does not spend qualified people on places without requirements', () => {
    const configuration = {
      qualification_requirements: [
        { qualification: null, min_count: 1, max_count: 1 },
        { qualification: MEDIC, min_count: 0, max_count: 1 },
        { qualification: DRIVER, min_count: 1, max_count: 1 },
      ],
    }
    const { taken, unmatched, open } = suggested('qualification_mix', configuration, [
      who(1, 0, [MEDIC]),
      who(2, 0),
      who(3, 0, [MEDIC]),
    ])
    assert.deepEqual(
      taken.map(({ participationId, placeLabel }) => [participationId, placeLabel]),
      [
        [1, { kind: 'requirement', qualificationId: MEDIC }],
        [2, { kind: 'requirement', qualificationId: null }],
      ],
    )
    assert.deepEqual(unmatched, [[3, { code: 'full' }]])
    assert.deepEqual(open, [{ place: null, required: true, count: 1, needs: [[DRIVER]], help: ['find'] }])
  })

  test('for building blocks places people by position, wish and assignment', () => {
    const configuration = {
      starting_blocks: [
        { uuid: 'a', building_block: 1 },
        { uuid: 'b', building_block: 1 },
        { uuid: 't', building_block: 2 },
      ],
    }
    const { seats, open, unmatched } = suggested('complex', configuration, [
      who(1, 1, [MEDIC], { dispatched_unit_path: 'root.t.' }),
      who(2, 0, [MEDIC], { preferred_unit_path: 'root.b.' }),
      who(3, 0, [DRIVER]),
      who(4, 0),
    ])
    assert.deepEqual(seats, [
      [1, 'root.t.', 'assigned', ''],
      [2, 'root.b.', 'wished', 'confirm move'],
      [3, 'root.a.', 'needed', 'confirm move'],
      [4, 'root.t.', 'more', 'confirm move'],
    ])
    assert.deepEqual(unmatched, [])
    // The person assigned to the tent could be a medic on the ambulance, and another person could serve the tea.
    assert.deepEqual(open, [
      { place: 'root.a.', required: true, count: 1, needs: [[MEDIC]], help: [1] },
      { place: 'root.b.', required: true, count: 1, needs: [[DRIVER]], help: ['find'] },
      { place: 'root.t.', required: false, count: null, needs: [[]], help: [] },
    ])
  })

  test('is undefined for an invalid configuration', () => {
    for (const slug of ['uniform', 'named_teams', 'qualification_mix', 'complex']) {
      assert.equal(getStructure(slug)!.seats('broken', { people: [], blocks, qualifications }), undefined)
    }
  })
})
