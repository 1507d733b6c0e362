import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundedSeats } from './seats.ts'

describe('places between a minimum and a maximum', () => {
  /** `designated`: how many people a responsible assigned. */
  type Case = [what: string, min: number, max: number | null, designated: number, seats: Record<string, number>]
  const CASES: Case[] = [
    ['nobody is needed or fits', 0, 0, 0, {}],
    ['all places are needed', 2, 2, 0, { required: 2 }],
    ['some are needed', 2, 5, 0, { required: 2, optional: 3 }],
    ['none is needed', 0, 3, 3, { optional: 3 }],
    ['a minimum above the maximum', 5, 3, 0, { required: 3 }],
    // One more than there are people, so that one place stays free.
    ['without a maximum', 1, null, 9, { required: 1, optional: 5 }],
    ['more people assigned than fit', 1, 2, 4, { required: 1, optional: 1, beyond: 2 }],
    ['people assigned where nobody fits', 0, 0, 1, { beyond: 1 }],
  ]
  for (const [what, min, max, designated, expected] of CASES)
    test(what, () => {
      const designatedFor = new Set(Array.from({ length: designated }, (_, index) => index))
      const seats = boundedSeats(
        { id: 'a', rank: 2, min, max, people: 4 },
        { needs: [new Set()], designatedFor, place: null, label: { kind: 'team' } as never },
      )
      assert.deepEqual(Object.fromEntries(seats.map(({ position }) => [position.id.slice(2), position.places])), expected)
      for (const { position, isUnlimited } of seats) {
        const kind = position.id.slice(2)
        assert.deepEqual(
          [position.required, position.real, position.designationOnly, isUnlimited],
          [kind === 'required', kind !== 'beyond', kind === 'beyond', kind === 'optional' && max === null],
        )
        assert.equal(position.rank, 6 + ['required', 'optional', 'beyond'].indexOf(kind))
        assert.equal(position.designatedFor, designatedFor)
      }
    })
})
