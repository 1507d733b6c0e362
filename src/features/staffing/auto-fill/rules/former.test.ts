import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FixedPerson } from './chosen.ts'
import { compareProposals } from './former.ts'

const on = (placeId: string, id: number): FixedPerson => ({ placeId, who: { kind: 'local', id } })
const place = (id: string, count = 1, isRequired = true) => ({ id, shiftId: Number.parseInt(id, 10), count, isRequired })
const local = (...ids: number[]) => ids.map((id) => ({ kind: 'local' as const, id }))

describe('the difference of two proposals', () => {
  for (const [what, { places, now, former, expected }] of Object.entries({
    nothing: {
      places: [place('1-a', 2)],
      now: [on('1-a', 1), on('1-a', 2)],
      former: [on('1-a', 2), on('1-a', 1)],
      expected: { before: { people: 2, open: 0 }, now: { people: 2, open: 0 }, differences: [] },
    },
    'who is new and who is gone, by shift': {
      places: [place('1-a'), place('2-a', 2)],
      now: [on('1-a', 2), on('2-a', 3), on('2-a', 4)],
      former: [on('1-a', 1), on('2-a', 3)],
      expected: {
        before: { people: 2, open: 1 },
        now: { people: 3, open: 0 },
        differences: [
          { shiftId: 1, added: local(2), gone: local(1), moved: [], openBefore: 0, openNow: 0 },
          { shiftId: 2, added: local(4), gone: [], moved: [], openBefore: 1, openNow: 0 },
        ],
      },
    },
    'another place of the same shift': {
      places: [place('1-a'), place('1-b')],
      now: [on('1-b', 1)],
      former: [on('1-a', 1)],
      expected: {
        before: { people: 1, open: 1 },
        now: { people: 1, open: 1 },
        differences: [{ shiftId: 1, added: [], gone: [], moved: local(1), openBefore: 1, openNow: 1 }],
      },
    },
    'no open places that are optional, and no shifts that are full by now': {
      places: [place('1-a', 3, false)],
      now: [],
      former: [on('9-a', 1)],
      expected: { before: { people: 0, open: 0 }, now: { people: 0, open: 0 }, differences: [] },
    },
  }))
    test(`is ${what}`, () => assert.deepEqual(compareProposals(places, now, former), expected))
})
