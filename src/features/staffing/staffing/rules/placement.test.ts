import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Lapse } from './lapses.ts'
import { type MatchPosition, type PlaceLabel, type Seat, STATE } from './model.ts'
import { assignRosterPlaces } from './placement.ts'

const MEDIC = 1
function seat(id: string, label: PlaceLabel, more: Partial<MatchPosition> = {}): Seat {
  const position = {
    rank: 0,
    required: true,
    needs: [new Set<number>()],
    designatedFor: new Set<number>(),
    designationOnly: false,
  }
  return { place: id, label, isUnlimited: false, position: { id, real: true, ...position, ...more } }
}
const unit = (position: string | null): PlaceLabel => ({ kind: 'unit', title: 'Ambulance', position, blocks: [] })
const team = (title: string): PlaceLabel => ({ kind: 'team', title })
const shift: PlaceLabel = { kind: 'shift' }
const person = (
  participationId: number,
  more: { state?: 0 | 1; skills?: number[]; structureData?: unknown; lapse?: Lapse } = {},
) => ({ participationId, state: STATE.confirmed, structureData: {}, ...more, skills: new Set(more.skills) })

describe('places on the roster', () => {
  test('of confirmed people are those that the matching gives them', () => {
    const seats = [seat('a', unit('Medic'), { needs: [new Set([MEDIC])] }), seat('b', unit('Driver'), { rank: 1 })]
    const { placeOf, open } = assignRosterPlaces(seats, [person(1), person(2, { skills: [MEDIC] })])
    assert.deepEqual([placeOf.get(1), placeOf.get(2)], [unit('Driver'), unit('Medic')])
    assert.deepEqual(open, [])
  })

  test('of requests are their wishes, without the position in the unit', () => {
    const seats = [seat('root.a.', unit('Medic')), seat('north', team('North'))]
    const wish = { state: STATE.requested, structureData: { preferred_unit_path: 'root.a' } }
    const other = { state: STATE.requested, structureData: { preferred_team_uuid: 'north' } }
    const none = { state: STATE.requested, structureData: { preferred_team_uuid: 'gone' } }
    const { placeOf, open } = assignRosterPlaces(seats, [person(1, wish), person(2, other), person(3, none)])
    assert.deepEqual(
      placeOf,
      new Map<number, PlaceLabel>([
        [1, unit(null)],
        [2, team('North')],
      ]),
    )
    assert.deepEqual(open, [unit('Medic'), team('North')])
  })

  test('a place that stores nothing is nobody’s wish', () => {
    const { placeOf } = assignRosterPlaces(
      [{ ...seat('a', shift), place: null }],
      [person(1, { state: STATE.requested, structureData: { wish: null } })],
    )
    assert.equal(placeOf.size, 0)
  })

  test('people who do not count any more have none, and their place is open', () => {
    const lapsed = person(1, { lapse: 'unqualified', structureData: { preferred_team_uuid: 'a' } })
    const { placeOf, open } = assignRosterPlaces([seat('a', shift)], [lapsed])
    assert.deepEqual([placeOf.size, open], [0, [shift]])
  })

  test('in teams belong to people who chose one or were assigned to it', () => {
    const seats = [seat('a', team('A'), { designatedFor: new Set([1]) }), seat('b', team('B'), { rank: 1 })]
    const { placeOf, open } = assignRosterPlaces(seats, [person(1), person(2)])
    assert.deepEqual(placeOf, new Map([[1, team('A')]]))
    assert.deepEqual(open, [team('B')])
    const mixed = assignRosterPlaces([...seats, seat('c', shift, { rank: 2 })], [person(2)])
    assert.equal(mixed.placeOf.size, 0)
  })

  test('a place keeps the assigned person’s label even if they wish for another one', () => {
    const wish = { structureData: { preferred_unit_path: 'b' } }
    const { placeOf } = assignRosterPlaces(
      [seat('a', unit('X')), seat('b.', unit('Y'), { designationOnly: true })],
      [person(1, wish)],
    )
    assert.deepEqual(placeOf, new Map([[1, unit('X')]]))
  })

  test('are open if they are required and nobody is there', () => {
    const CASES: [what: string, more: Partial<MatchPosition>, people: number, open: number][] = [
      ['one place without a person', {}, 0, 1],
      ['one place with a person', {}, 1, 0],
      ['three places, one person', { places: 3 }, 1, 2],
      ['three places, five people', { places: 3 }, 5, 0],
      ['an optional place', { required: false, places: 2 }, 0, 0],
      ['a negative number of places', { places: -2 }, 0, 0],
    ]
    for (const [what, more, people, open] of CASES) {
      const crowd = Array.from({ length: people }, (_, n) => person(n + 1))
      assert.equal(assignRosterPlaces([seat('a', shift, more)], crowd).open.length, open, what)
    }
  })
})
