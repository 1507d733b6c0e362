import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MatchPosition, PlaceLabel, Seat } from './model.ts'
import { type Candidate, suggest } from './suggestion.ts'

const MEDIC = 1
const inclusions = new Map([[MEDIC, new Set([MEDIC])]])
const unit = (position: string | null): PlaceLabel => ({ kind: 'unit', title: 'Ambulance', position, blocks: [] })
const team: PlaceLabel = { kind: 'team', title: 'North' }
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
const person = (id: number, more: Partial<Candidate> = {}): Candidate => ({ id, state: 'requested', skills: new Set(), ...more })
const ids = (list: readonly { participationId: number }[]) => list.map(({ participationId }) => participationId)

describe('a suggestion', () => {
  test('names people in the order of their participations', () => {
    const { seats, unmatched } = suggest({
      people: [person(12), person(3), person(7)],
      seats: [seat('a', team, { places: 2 })],
      inclusions,
    })
    assert.deepEqual([ids(seats), ids(unmatched)], [[3, 7], [12]])
  })

  test('gives no place to a requester who cannot be confirmed, and says why', () => {
    const blockedBy = { code: 'full' } as const
    const { seats, unmatched, open } = suggest({
      people: [person(1, { blockedBy }), person(2)],
      seats: [seat('a', team)],
      inclusions,
    })
    assert.deepEqual([ids(seats), open], [[2], []])
    assert.deepEqual(unmatched, [{ participationId: 1, state: 'requested', reason: blockedBy }])
    const alone = suggest({ people: [person(1, { blockedBy })], seats: [seat('a', team)], inclusions })
    assert.deepEqual([ids(alone.seats), alone.open.length], [[], 1])
  })

  test('names the wish that it does not meet, without the position in a unit', () => {
    const wishFor = (label: PlaceLabel) => {
      const wished = seat('a', label, { designationOnly: true, preferredBy: new Set([1]) })
      return suggest({ people: [person(1)], seats: [wished, seat('b', team, { rank: 1 })], inclusions }).seats[0]!.wishMissed
    }
    assert.deepEqual(wishFor(unit('Medic')), unit(null))
    assert.deepEqual(wishFor(team), team)
    const met = suggest({ people: [person(1)], seats: [seat('a', team, { preferredBy: new Set([1]) })], inclusions })
    assert.deepEqual([met.seats[0]!.wishMissed, met.seats[0]!.reason], [undefined, { code: 'wished' }])
  })

  test('tells what is missing: a qualification or a place', () => {
    const reasonOf = (skills: number[], ...seats: Seat[]) =>
      suggest({
        people: [person(1, { state: 'confirmed', skills: new Set([MEDIC]) }), person(2, { skills: new Set(skills) })],
        seats,
        inclusions,
      }).unmatched[0]!.reason
    const medic = seat('a', team, { needs: [new Set([MEDIC])] })
    assert.deepEqual(reasonOf([], medic), { code: 'not_qualified', missingAnyOf: [[MEDIC]] })
    assert.deepEqual(reasonOf([MEDIC], medic), { code: 'full' })
  })
})
