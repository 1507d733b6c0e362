import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LEAD_DAYS, type PastShift } from './pickup.ts'
import { isGoodEnough, judgeQuality } from './quality.ts'

const DAY_MS = 24 * 3_600_000
type Options = { needed?: number; everyDays?: number; final?: (nth: number) => number }

/** One shift after the other: half of the people sign up weeks before, the others in the last two days. */
function history(count: number, { needed = 8, everyDays = 7, final = () => 8 }: Options = {}): PastShift[] {
  return Array.from({ length: count }, (_, nth) => ({
    start: new Date(nth * everyDays * DAY_MS),
    weekday: 6,
    needed,
    taken: LEAD_DAYS.map((days) => (days >= 3 ? 4 : final(nth))),
    final: final(nth),
  }))
}

describe('the quality of forecasts', () => {
  test('is the error of each, beside that of “as full as now”', () => {
    const { tries, error, plainError } = judgeQuality(history(30))
    assert.deepEqual([error, plainError], [0, 4])
    assert.equal(tries > 40, true)
    // Every fourth shift ends as it is three days before. The others are forecast right.
    const mixed = judgeQuality(history(40, { final: (nth) => (nth % 4 ? 8 : 4) }))
    assert.deepEqual(
      [mixed.error < 1.2, mixed.error > 0.8, mixed.plainError > 2.8, mixed.plainError < 3.2],
      [true, true, true, true],
    )
  })

  test('is judged by what was known at the time: shifts that had begun', () => {
    // Two weeks, one week and three days before a shift, the shifts of the days between have not begun.
    assert.deepEqual(
      [8, 9, 10, 11].map((count) => judgeQuality(history(count)).tries),
      [0, 1, 3, 6],
    )
    assert.equal(judgeQuality(history(12, { everyDays: 1 })).tries, 1)
    assert.deepEqual(judgeQuality([...history(30)].reverse()), judgeQuality(history(30)), 'whatever their order')
  })

  test('counts only shifts that lacked people at that time', () => {
    assert.equal(judgeQuality(history(30, { needed: 4 })).tries, 0)
    assert.notEqual(judgeQuality(history(30, { needed: 5 })).tries, 0)
  })

  test('is judged by the newest sixty shifts', () => {
    assert.equal(judgeQuality(history(100)).tries, 180)
    // Errors before them do not count.
    assert.equal(judgeQuality(history(100, { final: (nth) => (nth < 30 ? 4 : 8) })).plainError, 4)
  })

  for (const [what, quality, expected] of [
    ['an error a tenth smaller', { tries: 10, error: 1.8, plainError: 2 }, true],
    ['an error that is hardly smaller', { tries: 10, error: 1.81, plainError: 2 }, false],
    ['too few tries', { tries: 9, error: 0, plainError: 2 }, false],
    ['no error of either', { tries: 10, error: 0, plainError: 0 }, false],
    ['no error at all', { tries: 10, error: 0, plainError: 0.1 }, true],
  ] as const)
    test(`${what} is ${expected ? '' : 'not '}good enough`, () => assert.equal(isGoodEnough(quality), expected))
})
