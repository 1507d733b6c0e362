import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeTrend, meansOfBlocks, trendOf } from './regression.ts'

const line = (slope: number, noise: readonly number[] = [0]) =>
  Array.from({ length: 40 }, (_, at) => ({ at, value: 100 + slope * at + noise[at % noise.length]! }))
const round = (value: number) => Math.round(value * 1000) / 1000

test('a line without noise has its slope, and no interval', () => {
  const { slope, low, high } = trendOf(line(2))
  assert.deepEqual([slope, low, high].map(round), [2, 2, 2])
})

test('the interval agrees with a worked example', () => {
  // Values 2, 4, 5, 4, 5 at 1 to 5: slope 0.6, standard error 0.283, 3 degrees of freedom.
  const { slope, low, high, mean } = trendOf([2, 4, 5, 4, 5].map((value, n) => ({ at: n + 1, value })))
  assert.deepEqual([mean, slope, low, high].map(round), [4, 0.6, -0.302, 1.502])
})

test('noise without a trend is level within wide limits, undecided within narrow ones, and a trend above it grows', () => {
  const noise = [3, -2, 1, -4, 2]
  assert.equal(judgeTrend(trendOf(line(0, noise)), 1), 'level')
  assert.equal(judgeTrend(trendOf(line(0, noise)), 0.01), 'undecided')
  assert.equal(judgeTrend(trendOf(line(1, noise)), 0.1), 'grows')
  assert.equal(judgeTrend(trendOf(line(-1, noise)), 0.1), 'level')
})

test('means of blocks cover all points', () => {
  const blocks = meansOfBlocks(line(1).slice(0, 10), 3)
  assert.deepEqual(blocks, [
    { at: 1.5, value: 101.5 },
    { at: 5.5, value: 105.5 },
    { at: 8.5, value: 108.5 },
  ])
})
