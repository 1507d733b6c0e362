import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FillProblem, type FillShift, indexProblem, Plan } from './problem.ts'

const shift = (id: number): FillShift => ({ id, start: new Date(id * 1000), end: new Date(id * 1000 + 500) })
const PROBLEM: FillProblem = {
  shifts: [shift(1), shift(2), shift(3)],
  places: [
    { id: 'a', shiftId: 1, count: 2, value: 1000 },
    { id: 'b', shiftId: 2, count: 1, value: 300 },
    { id: 'c', shiftId: 1, count: 1, value: 1000 },
    { id: 'd', shiftId: 3, count: 1, value: 1000 },
  ],
  options: [
    { personId: 30, placeId: 'a', cost: 5 },
    { personId: 10, placeId: 'a', cost: 7 },
    { personId: 20, placeId: 'a', cost: 5 },
    { personId: 10, placeId: 'b', cost: 1 },
    { personId: 10, placeId: 'c', cost: 2 },
    { personId: 10, placeId: 'd', cost: 3 },
  ],
  repeatCost: 20,
  // Nobody takes the shifts 2 and 3 together.
  isCompatible: (_, shifts) => !(shifts.some(({ id }) => id === 2) && shifts.some(({ id }) => id === 3)),
}
const [A, B, C, D] = [0, 1, 2, 3] as const
const [TEN, TWENTY, THIRTY] = [0, 1, 2] as const

test('a problem by index has people in order, and options by cost, then person', () => {
  const { people, places, optionsOf, costs } = indexProblem(PROBLEM)
  assert.deepEqual(people, [10, 20, 30])
  assert.deepEqual(
    places.map(({ id, shift: { id: shiftId } }) => [id, shiftId]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 1],
      ['d', 3],
    ],
  )
  assert.deepEqual(optionsOf[A], [
    { person: TWENTY, cost: 5 },
    { person: THIRTY, cost: 5 },
    { person: TEN, cost: 7 },
  ])
  assert.equal(costs[A]!.get(TEN), 7)
  assert.deepEqual(indexProblem({ ...PROBLEM, options: [] }).optionsOf, [[], [], [], []])
})

describe('a plan', () => {
  const planOf = (...pairs: [person: number, place: number][]) => {
    const plan = new Plan(indexProblem(PROBLEM))
    for (const [person, place] of pairs) plan.add(person, place)
    return plan
  }

  test('is worth the values of its places without costs, and less for each further shift of a person', () => {
    const plan = planOf()
    assert.equal(plan.gain(TEN, A), 993)
    plan.add(TEN, A)
    assert.equal(plan.total, 993)
    assert.equal(plan.gain(TEN, B), 279)
    assert.equal(plan.gain(TEN, B, 9), 271)
    plan.add(TEN, B)
    assert.equal(plan.total, 993 + 279)
    assert.equal(plan.loss(TEN, B), 279)
    assert.equal(plan.loss(TEN, A), 973)
    plan.remove(TEN, A)
    assert.equal(plan.total, 299)
    assert.deepEqual(plan.assignments(), [{ personId: 10, placeId: 'b' }])
  })

  test('has open places until each has its number of people', () => {
    assert.ok(planOf([TEN, A]).isOpen(A))
    assert.ok(!planOf([TEN, A], [TWENTY, A]).isOpen(A))
    assert.ok(!planOf([TEN, B]).isOpen(B))
  })

  const TAKES: [taken: [number, number][], place: number, left: number | undefined, expected: boolean][] = [
    [[], A, undefined, true],
    [[[TEN, A]], B, undefined, true],
    [[[TEN, A]], C, undefined, false],
    [[[TEN, A]], C, A, true],
    [[[TEN, B]], D, undefined, false],
    [[[TEN, B]], D, B, true],
    [
      [
        [TEN, A],
        [TEN, B],
      ],
      D,
      A,
      false,
    ],
    [[[TWENTY, A]], C, undefined, true],
  ]
  for (const [taken, place, left, expected] of TAKES)
    test(`person 10 with ${JSON.stringify(taken)} ${expected ? 'can' : 'cannot'} take ${place} without ${left}`, () => {
      assert.equal(planOf(...taken).canTake(TEN, place, left), expected)
    })

  test('lists people of a place in order, and is copied with them', () => {
    const plan = planOf([THIRTY, A], [TWENTY, A], [TEN, B])
    const copy = plan.copy()
    plan.remove(TWENTY, A)
    assert.deepEqual(copy.assignments(), [
      { personId: 20, placeId: 'a' },
      { personId: 30, placeId: 'a' },
      { personId: 10, placeId: 'b' },
    ])
    assert.equal(copy.total, 995 + 995 + 299)
    assert.equal(plan.total, 995 + 299)
  })

  test('refuses to remove a person who is not on the place', () => {
    assert.throws(() => planOf([THIRTY, A]).remove(TWENTY, A), /not in the list/)
    assert.throws(() => planOf([TEN, B]).remove(TEN, A), /not in the list/)
  })
})
