import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '../rules/model.ts'
import { uniform } from './uniform.ts'

const people = (...states: State[]) =>
  states.map((state, participationId) => ({ participationId, state, skills: new Set<number>(), structureData: {} }))
const none = { blocks: new Map(), qualifications: new Map() }

describe('statistics of a uniform shift', () => {
  const cases: { min?: number | null; max?: number | null; states: State[]; missing: number; free: number | null }[] = [
    { states: [], missing: 0, free: null },
    { min: null, max: null, states: [0, 1], missing: 0, free: null },
    { min: 0, max: 3, states: [0, 0], missing: 0, free: 3 },
    { min: 2, max: 3, states: [0, 0, 0], missing: 2, free: 3 },
    { min: 2, max: 3, states: [1, 0], missing: 1, free: 2 },
    { min: 2, max: 3, states: [1, 1, 1], missing: 0, free: 0 },
    { min: 2, max: 3, states: [1, 1, 1, 1, 1], missing: 0, free: 0 },
    { min: 2, states: [1, 2, 3, 4], missing: 1, free: null },
    { max: 1, states: [2, 3, 4], missing: 0, free: 1 },
  ]
  for (const { min, max, states, missing, free } of cases) {
    test(`${min} to ${max} with states [${states}]: ${missing} missing, ${free} free`, () => {
      const stored = {
        ...(min === undefined ? {} : { minimum_number_of_participants: min }),
        ...(max === undefined ? {} : { maximum_number_of_participants: max }),
      }
      assert.deepEqual(uniform.statistics(stored, { people: people(...states), ...none }), {
        requestedCount: states.filter((state) => state === 0).length,
        confirmedCount: states.filter((state) => state === 1).length,
        missing,
        free,
        minCount: min ?? null,
        maxCount: max ?? null,
      })
    })
  }

  test('count confirmed people, qualified or not', () => {
    const stored = { minimum_number_of_participants: 1, required_qualification_ids: [7] }
    assert.equal(uniform.statistics(stored, { people: people(1), ...none }).missing, 0)
  })
})
