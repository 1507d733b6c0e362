import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawPlaces, numberOf } from './draw.js'

const SEED = 'a seed'
const people = (/** @type {number[]} */ ...ids) => ids.map((personId) => ({ personId, wentWithout: false }))
const winners = (/** @type {ReturnType<typeof drawPlaces>} */ tickets) =>
  tickets.filter(({ won }) => won).map(({ personId }) => personId)

describe('a draw', () => {
  test('gives a person the number that everybody can compute', () => {
    assert.equal(numberOf('seed', 7), '0f1c63b88102f461803c0118ee3e89f1b31b928cd4bc21f5f6297cbb1544b76c')
  })

  /** @type {[string, Parameters<typeof drawPlaces>[0], number | null, number][]} */
  const PLACES = [
    ['no place', people(1, 2, 3), 0, 0],
    ['fewer places than people', people(1, 2, 3), 2, 2],
    ['more places than people', people(1, 2, 3), 9, 3],
    ['room for everybody', people(1, 2, 3), null, 3],
    ['nobody', [], 3, 0],
  ]
  for (const [what, applicants, places, expected] of PLACES)
    test(what, () => assert.equal(winners(drawPlaces(applicants, { seed: SEED, places })).length, expected))

  test('is the same for the same seed, in any order of the people', () => {
    const once = drawPlaces(people(1, 2, 3, 4, 5), { seed: SEED, places: 2 })
    assert.deepEqual(drawPlaces(people(5, 3, 1, 4, 2), { seed: SEED, places: 2 }), once)
    assert.notDeepEqual(winners(drawPlaces(people(1, 2, 3, 4, 5), { seed: 'other', places: 2 })), winners(once))
  })

  test('takes those first who went without last time', () => {
    for (let id = 1; id <= 20; id++) {
      const applicants = people(...Array.from({ length: 20 }, (_, index) => index + 1)).map((each) => ({
        ...each,
        wentWithout: each.personId === id,
      }))
      assert.deepEqual(winners(drawPlaces(applicants, { seed: SEED, places: 1 })), [id])
    }
  })

  test('gives everybody the same chance', () => {
    const won = new Map([1, 2, 3, 4].map((id) => [id, 0]))
    for (let seed = 0; seed < 4000; seed++)
      for (const id of winners(drawPlaces(people(1, 2, 3, 4), { seed: `${seed}`, places: 1 })))
        won.set(id, (won.get(id) ?? 0) + 1)
    for (const count of won.values()) assert.ok(Math.abs(count - 1000) < 150, String(count))
  })
})
