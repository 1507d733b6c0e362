import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeAssignments, planOf, problemOf, type Sketch } from '#test/support/small-fill-problem.ts'
import { exchangePlaces, fillOpenPlaces, improve, replacePeople } from './improve.ts'
import type { Plan } from './problem.ts'

type Case = [what: string, sketch: Sketch, before: string[], after: string[]]

/** All places are at the same time, so a person has one of them. */
const shifts: NonNullable<Sketch['shifts']> = { 1: [0, 4], 2: [0, 4], 3: [0, 4], 4: [0, 4] }

function testCases(change: (plan: Plan) => unknown, cases: readonly Case[]): void {
  for (const [what, sketch, before, after] of cases)
    test(what, () => {
      const plan = planOf(problemOf({ shifts, ...sketch }), before)
      change(plan)
      assert.deepEqual(describeAssignments(plan.assignments()), after)
    })
}

describe('filling open places', () => {
  const two = { a: {}, b: { shift: 2 } }
  const three = { ...two, c: { shift: 3 } }
  const four = { ...three, d: { shift: 4 } }
  testCases(fillOpenPlaces, [
    ['takes the person who is worth most', { places: { a: {} }, options: { '1 a': 9, '2 a': 5 } }, [], ['2 a']],
    ['takes nobody who is worth nothing', { places: { a: {} }, options: { '1 a': 100 } }, [], []],
    ['fills all of a place', { places: { a: { count: 2 } }, options: { '1 a': 1, '2 a': 2, '3 a': 3 } }, [], ['1 a', '2 a']],
    ['moves a person whom another replaces', { places: two, options: { '1 a': 0, '2 a': 0, '1 b': 0 } }, ['1 a'], ['2 a', '1 b']],
    ['moves nobody whom nobody replaces', { places: two, options: { '1 a': 0, '1 b': 0 } }, ['1 a'], ['1 a']],
    [
      'moves two people, one to the place of the other',
      { places: three, options: { '1 a': 0, '2 a': 0, '2 b': 0, '3 b': 0, '1 c': 0 } },
      ['1 a', '2 b'],
      ['2 a', '3 b', '1 c'],
    ],
    [
      'does not move three people',
      { places: four, options: { '1 a': 0, '2 a': 0, '2 b': 0, '3 b': 0, '3 c': 0, '4 c': 0, '1 d': 0 } },
      ['1 a', '2 b', '3 c'],
      ['1 a', '2 b', '3 c'],
    ],
    [
      'tries the next person if nobody replaces the first',
      { places: three, options: { '1 a': 0, '2 b': 0, '3 b': 0, '1 c': 0, '2 c': 0 } },
      ['1 a', '2 b'],
      ['1 a', '3 b', '2 c'],
    ],
    ['moves a person to a place that is worth more', { places: two, options: { '1 a': 1, '1 b': 0 } }, ['1 a'], ['1 b']],
    ['moves nobody to a place that is worth as much', { places: two, options: { '1 a': 1, '1 b': 1 } }, ['1 a'], ['1 a']],
    [
      'moves a person if that is worth more in the end',
      { places: { a: {}, b: { shift: 2, value: 50 } }, options: { '1 a': 0, '2 a': 49, '1 b': 0 } },
      ['1 a'],
      ['2 a', '1 b'],
    ],
    [
      'moves nobody if that is worth as much in the end',
      { places: { a: {}, b: { shift: 2, value: 50 } }, options: { '1 a': 0, '2 a': 50, '1 b': 0 } },
      ['1 a'],
      ['1 a'],
    ],
    [
      'moves two people if that is worth more in the end',
      {
        places: { ...two, c: { shift: 3, value: 30 } },
        options: { '1 a': 0, '2 a': 0, '2 b': 0, '3 b': 29, '1 c': 0 },
      },
      ['1 a', '2 b'],
      ['2 a', '3 b', '1 c'],
    ],
    [
      'does not move two people if that is worth as much in the end',
      {
        places: { ...two, c: { shift: 3, value: 30 } },
        options: { '1 a': 0, '2 a': 0, '2 b': 0, '3 b': 30, '1 c': 0 },
      },
      ['1 a', '2 b'],
      ['1 a', '2 b'],
    ],
    [
      'does not move a person beyond their hours',
      { shifts: { 1: [0, 4], 2: [4, 9] }, places: two, options: { '1 a': 0, '2 a': 0, '1 b': 0 }, hours: 4 },
      ['1 a'],
      ['1 a'],
    ],
  ])

  /** Each of these people has a place; only that of one of them can be filled by somebody else. */
  function fillWithReplacementFor(person: number): string[] {
    const people = Array.from({ length: 18 }, (_, index) => index + 1)
    const problem = problemOf({
      shifts,
      places: { open: { shift: 2 }, ...Object.fromEntries(people.map((id) => [`p${id}`, {}])) },
      options: {
        ...Object.fromEntries(
          people.flatMap((id) => [
            [`${id} p${id}`, 0],
            [`${id} open`, 0],
          ]),
        ),
        [`99 p${person}`]: 0,
      },
    })
    const plan = planOf(
      problem,
      people.map((id) => `${id} p${id}`),
    )
    fillOpenPlaces(plan)
    return describeAssignments(plan.assignments().filter(({ placeId }) => placeId === 'open'))
  }
  test('tries sixteen people for a place', () => {
    assert.deepEqual(fillWithReplacementFor(16), ['16 open'])
    assert.deepEqual(fillWithReplacementFor(17), [])
  })
})

describe('replacing people', () => {
  const places = { a: {} }
  testCases(replacePeople, [
    ['takes the person who is worth most', { places, options: { '1 a': 9, '2 a': 8, '3 a': 7 } }, ['1 a'], ['3 a']],
    ['keeps a person if others are worth as much', { places, options: { '1 a': 9, '2 a': 9 } }, ['2 a'], ['2 a']],
    ['keeps a person if others are worth less', { places, options: { '1 a': 9, '2 a': 99 } }, ['1 a'], ['1 a']],
    ['keeps a person who is worth little', { places, options: { '1 a': 99 } }, ['1 a'], ['1 a']],
    ['removes a person who is worth nothing', { places, options: { '1 a': 100 } }, ['1 a'], []],
    ['removes a person who is worth less than nothing', { places, options: { '1 a': 101 } }, ['1 a'], []],
    [
      'takes a person who is worth little for one who is worth less than nothing',
      { places, options: { '1 a': 101, '2 a': 99 } },
      ['1 a'],
      ['2 a'],
    ],
    ['takes nobody who is worth nothing', { places, options: { '1 a': 120, '2 a': 100 } }, ['1 a'], []],
    [
      'replaces each person of a place',
      { places: { a: { count: 2 } }, options: { '1 a': 9, '2 a': 8, '3 a': 2, '4 a': 1 } },
      ['1 a', '2 a'],
      ['3 a', '4 a'],
    ],
  ])
})

describe('exchanging places', () => {
  const places = { a: {}, b: { shift: 2 } }
  const three = { ...places, c: { shift: 3 } }
  testCases(exchangePlaces, [
    ['lowers the cost', { places, options: { '1 a': 5, '2 a': 3, '1 b': 4, '2 b': 3 } }, ['1 a', '2 b'], ['2 a', '1 b']],
    [
      'does nothing for the same cost',
      { places, options: { '1 a': 5, '2 a': 3, '1 b': 5, '2 b': 3 } },
      ['1 a', '2 b'],
      ['1 a', '2 b'],
    ],
    ['does not raise the cost', { places, options: { '1 a': 5, '2 a': 4, '1 b': 5, '2 b': 3 } }, ['1 a', '2 b'], ['1 a', '2 b']],
    [
      'needs that the first can take the other place',
      { places, options: { '1 a': 5, '2 a': 3, '2 b': 9 } },
      ['1 a', '2 b'],
      ['1 a', '2 b'],
    ],
    [
      'needs that the second can take the other place',
      { places, options: { '1 a': 5, '1 b': 3, '2 b': 9 } },
      ['1 a', '2 b'],
      ['1 a', '2 b'],
    ],
    [
      'keeps to the hours of the first',
      {
        shifts: { 1: [0, 4], 2: [4, 9], 3: [20, 24] },
        places: three,
        options: { '1 a': 5, '1 b': 0, '1 c': 0, '2 a': 0, '2 b': 5 },
        hours: 8,
      },
      ['1 a', '2 b', '1 c'],
      ['1 a', '2 b', '1 c'],
    ],
    [
      'keeps to the hours of the second',
      {
        shifts: { 1: [0, 5], 2: [5, 9], 3: [20, 24] },
        places: three,
        options: { '1 a': 5, '1 b': 0, '2 a': 0, '2 b': 5, '2 c': 0 },
        hours: 8,
      },
      ['1 a', '2 b', '2 c'],
      ['1 a', '2 b', '2 c'],
    ],
    [
      'goes on with the new places',
      {
        places: three,
        options: { '1 a': 9, '1 b': 5, '1 c': 0, '2 a': 0, '2 b': 9, '2 c': 9, '3 a': 9, '3 b': 0, '3 c': 9 },
      },
      ['1 a', '2 b', '3 c'],
      ['2 a', '3 b', '1 c'],
    ],
  ])
})

describe('improving a plan', () => {
  testCases(improve, [
    [
      'repeats the steps, so that after an exchange two moves are enough',
      {
        places: { a: {}, b: { shift: 2 }, c: { shift: 3 }, d: { shift: 4 } },
        options: { '1 a': 0, '1 d': 0, '2 a': 0, '2 b': 5, '2 c': 0, '3 b': 0, '3 c': 5, '4 c': 9 },
      },
      ['1 a', '2 b', '3 c'],
      ['2 a', '3 b', '4 c', '1 d'],
    ],
  ])
})
