import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MatchPosition, PlaceLabel, Seat } from './model.ts'
import { type Candidate, suggest } from './suggestion.ts'

const [MEDIC, DRIVER, LEADER] = [1, 2, 3] as const
const inclusions = new Map([MEDIC, DRIVER, LEADER].map((id) => [id, new Set([id])]))
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
    for (const order of [
      [12, 3, 7],
      [7, 3, 12],
      [3, 7, 12],
    ]) {
      const people = order.map((id) => person(id))
      const { seats, unmatched } = suggest({ people, seats: [seat('a', team, { places: 2 })], inclusions })
      assert.deepEqual([ids(seats), ids(unmatched)], [[3, 7], [12]])
    }
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
    const beyond = seat('b', team, { designationOnly: true })
    assert.deepEqual(
      reasonOf([], medic, beyond),
      { code: 'not_qualified', missingAnyOf: [[MEDIC]] },
      'a place for assigned people',
    )
  })

  test('names only qualifications that the person lacks, the shortest way first', () => {
    const reasonOf = (skills: number[], ...needs: number[][]) =>
      suggest({
        people: [person(1, { skills: new Set(skills) })],
        seats: [seat('a', team, { needs: needs.map((ids) => new Set(ids)) })],
        inclusions,
      }).unmatched[0]!.reason
    assert.deepEqual(reasonOf([DRIVER], [MEDIC, DRIVER]), { code: 'not_qualified', missingAnyOf: [[MEDIC]] })
    const three = [[MEDIC, DRIVER, LEADER], [MEDIC], [DRIVER, LEADER]]
    const sorted = { code: 'not_qualified', missingAnyOf: [[MEDIC], [DRIVER, LEADER], [MEDIC, DRIVER, LEADER]] }
    assert.deepEqual(reasonOf([], ...three), sorted)
    assert.deepEqual(reasonOf([], ...three.toReversed()), sorted)
  })

  test('says what a required place needs', () => {
    const reasonOf = (needs: number[]) =>
      suggest({
        people: [person(1, { skills: new Set([MEDIC]) })],
        seats: [seat('a', team, { needs: [new Set(needs)] })],
        inclusions,
      }).seats[0]!.reason
    assert.deepEqual(reasonOf([MEDIC]), { code: 'needed', needs: [MEDIC] })
    assert.deepEqual(reasonOf([]), { code: 'needed', needs: [] })
  })

  test('lists open places by their rank', () => {
    for (const order of [
      [2, 0, 1],
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const seats: Seat[] = order.map((rank): Seat => seat(`rank ${rank}`, team, { rank }))
      assert.deepEqual(
        suggest({ people: [], seats, inclusions }).open.map(({ positionId }) => positionId),
        ['rank 0', 'rank 1', 'rank 2'],
      )
    }
  })
})

describe('help for an open place', () => {
  const medic = (id: number) => person(id, { state: 'confirmed', skills: new Set([MEDIC]) })
  const needsMedic = [new Set([MEDIC])]
  const assigned = (id: number, more: Partial<MatchPosition> = {}) =>
    seat(`of ${id}`, { kind: 'team', title: `Team ${id}` }, { designatedFor: new Set([id]), ...more })
  const helpFor = (people: Candidate[], ...seats: Seat[]) =>
    suggest({ people, seats, inclusions }).open.map(({ help }) =>
      help.map((one) =>
        one.code === 'move' ? `move ${one.participationId} from ${(one.from as { title: string }).title}` : one.code,
      ),
    )
  const open = seat('open', unit('Medic'), { rank: 1, needs: needsMedic })
  const MOVE = ['move 1 from Team 1']

  test('moves an assigned person whose place another one can take', () => {
    assert.deepEqual(helpFor([medic(1), person(2)], assigned(1), open), [MOVE])
    assert.deepEqual(
      helpFor([medic(1), person(2)], assigned(1), seat('open', team, { needs: [new Set([DRIVER]), new Set([MEDIC])] })),
      [MOVE],
    )
  })
  test('needs a new person if the place of the assigned one would stay empty, or nobody is qualified', () => {
    assert.deepEqual(helpFor([medic(1)], assigned(1), open), [['find']])
    assert.deepEqual(helpFor([person(1), person(2)], assigned(1), open), [['find']])
    assert.deepEqual(helpFor([], open), [['find']])
  })
  test('does not move within the same place', () => {
    const [from, to] = [assigned(1), open].map((one) => ({ ...one, place: 'same' }))
    assert.deepEqual(helpFor([medic(1), person(2)], from!, to!), [['find']])
  })
  test('names the same person for each of several open places', () => {
    assert.deepEqual(helpFor([medic(1), person(2)], assigned(1), open, seat('other', team, { rank: 2, needs: needsMedic })), [
      MOVE,
      MOVE,
    ])
  })
  test('tries twelve assigned people', () => {
    /** Only the last of them has a place that the other person can take. */
    const helpWith = (count: number) => {
      const numbers = Array.from({ length: count }, (_, index) => index + 1)
      const seats = numbers.map((id) => assigned(id, id === count ? {} : { needs: needsMedic }))
      return helpFor([...numbers.map(medic), person(99)], ...seats, open)
    }
    assert.deepEqual(helpWith(12), [['move 12 from Team 12']])
    assert.deepEqual(helpWith(13), [['find']])
  })
})
