import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEWEST_SHIFTS, forecastShift, LEAD_DAYS, type PastShift, takenAt } from './pickup.ts'

const SATURDAY = 6
const TUESDAY = 2
const DAY_MS = 24 * 3_600_000

/** `half`: how many had signed up until a week before; the others came evenly in that week. */
function shift(half: number, final: number, { needed = 8, weekday = SATURDAY, nth = 0 } = {}): PastShift {
  const taken = LEAD_DAYS.map((days) => (days >= 7 ? half : Math.round(final - ((final - half) * days) / 7)))
  return { start: new Date(nth * DAY_MS), weekday, needed, taken, final }
}
const times = (count: number, make: (nth: number) => PastShift): PastShift[] =>
  Array.from({ length: count }, (_, nth) => make(nth))
const coming = { weekday: SATURDAY, needed: 8, taken: 4, daysLeft: 7 }

describe('the places of a past shift that were taken', () => {
  const taken = { taken: LEAD_DAYS.map((days) => 100 - days) }
  for (const [days, expected] of [
    [0, 100],
    [1, 99],
    [1.5, 98.5],
    [8.5, 91.5],
    [10, 90],
    [41, 59],
    [42, 58],
    [50, 58],
  ] as const)
    test(`${days} days before`, () => assert.equal(takenAt(taken, days), expected))
})

describe('a forecast', () => {
  test('says how full such shifts were by now, how many people come in the end, and with how many shifts it was compared', () => {
    const past = times(10, (nth) => shift(4, 8, { nth }))
    assert.deepEqual(forecastShift(past, coming), {
      usualPercent: 50,
      low: 8,
      middle: 8,
      high: 8,
      staysShort: false,
      comparedWith: 10,
    })
    const slow = forecastShift(past, { ...coming, taken: 2 })
    assert.deepEqual([slow?.usualPercent, slow?.middle, slow?.staysShort], [50, 6, true])
  })

  test('gives a range: one of five ends below it, one of five above', () => {
    const past = [4, 5, 5, 6, 6, 6, 6, 7, 7, 8, 8].map((final, nth) => shift(4, final, { nth }))
    const { low, middle, high, staysShort } = forecastShift(past, coming)!
    assert.deepEqual([low, middle, high, staysShort], [5, 6, 7, true])
  })

  test('follows the shifts that were about as full at this time', () => {
    const past = [...times(8, (nth) => shift(4, 5, { nth })), ...times(8, (nth) => shift(8, 16, { nth }))]
    assert.equal(forecastShift(past, coming)?.middle, 5)
    assert.equal(forecastShift(past, { ...coming, taken: 7 })?.middle, 15)
  })

  test('scales with the number of needed people, and is never below nobody', () => {
    const past = times(10, (nth) => shift(4, 6, { nth }))
    assert.equal(forecastShift(past, { ...coming, needed: 16, taken: 8 })?.middle, 12)
    assert.deepEqual(
      [
        forecastShift(
          times(10, () => shift(4, 0)),
          { ...coming, taken: 1 },
        )?.low,
      ],
      [0],
    )
  })

  for (const [what, ends, staysShort] of [
    ['7 of 10 such shifts stayed short', [8, 8, 8, 7, 7, 7, 7, 7, 7, 7], true],
    ['6 of 10 such shifts stayed short', [8, 8, 8, 8, 7, 7, 7, 7, 7, 7], false],
  ] as const)
    test(`says that it will${staysShort ? '' : ' not'} stay short if ${what}`, () => {
      // As many again that were much fuller, so that the ten are those that are looked at.
      const past = [...ends.map((final, nth) => shift(4, final, { nth })), ...times(10, () => shift(8, 8))]
      assert.equal(forecastShift(past, coming)?.staysShort, staysShort)
    })

  for (const [what, daysLeft, isMade] of [
    ['a day before', 1, true],
    ['less than a day before', 0.99, false],
    ['six weeks before', 42, true],
    ['more than six weeks before', 42.01, false],
  ] as const)
    test(`is ${isMade ? '' : 'not '}made ${what}`, () => {
      const made = forecastShift(
        times(10, () => shift(4, 8)),
        { ...coming, daysLeft },
      )
      assert.equal(made !== undefined, isMade)
    })

  test('needs enough past shifts', () => {
    assert.equal(
      forecastShift(
        times(FEWEST_SHIFTS - 1, () => shift(4, 8)),
        coming,
      ),
      undefined,
    )
    assert.equal(
      forecastShift(
        times(FEWEST_SHIFTS, () => shift(4, 8)),
        coming,
      )?.comparedWith,
      FEWEST_SHIFTS,
    )
    assert.equal(forecastShift([], coming), undefined)
  })

  test('compares with the same part of the week and size, if there are enough of these', () => {
    const weekend = times(FEWEST_SHIFTS, () => shift(4, 5, { weekday: 7 }))
    const week = times(20, () => shift(4, 8, { weekday: TUESDAY }))
    assert.equal(forecastShift([...weekend, ...week], coming)?.middle, 5)
    assert.equal(forecastShift([...weekend, ...week], { ...coming, weekday: 5 })?.middle, 8)
    assert.equal(forecastShift([...weekend.slice(1), ...week], coming)?.comparedWith, FEWEST_SHIFTS - 1 + 20)
    const [half, double] = [shift(2, 2, { needed: 4 }), shift(8, 8, { needed: 16 })]
    const [smaller, larger] = [shift(1, 1, { needed: 3 }), shift(9, 9, { needed: 17 })]
    const others = [...times(10, () => smaller), ...times(10, () => larger)]
    assert.equal(forecastShift([...times(4, () => half), ...times(4, () => double), ...others], coming)?.comparedWith, 8)
    assert.equal(forecastShift([...times(3, () => half), ...times(4, () => double), ...others], coming)?.comparedWith, 27)
  })
})
