import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formStateOf } from './form-state.ts'

const stored = { title: 'Medic', abbreviation: 'M', categoryId: 1, includes: [2, 10, 3], validMonths: 24 }

for (const [what, change, isSame] of [
  ['the same inclusions in another order', { includes: [10, 3, 2] }, true],
  ['one inclusion less', { includes: [2, 10] }, false],
  ['another title', { title: 'Paramedic' }, false],
  ['another abbreviation', { abbreviation: 'P' }, false],
  ['another category', { categoryId: 2 }, false],
  ['another period', { validMonths: 12 }, false],
  ['no period', { validMonths: null }, false],
] as const)
  test(`a qualification with ${what} ${isSame ? 'has not changed' : 'has changed'}`, () =>
    assert.equal(formStateOf({ ...stored, ...change }) === formStateOf(stored), isSame))
