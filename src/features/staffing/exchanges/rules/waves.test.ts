import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstWaveSize, nextWaveAt, orderTakers, type Taker } from './waves.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const HOUR = 3_600_000
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR)

describe('the next people are asked', () => {
  const CASES: [what: string, start: Date, minutes: number][] = [
    ['after two hours', after(100), 120],
    ['after two hours a day before the shift', after(24), 120],
    ['after a twelfth of the time that is left', after(12), 60],
    ['at a full minute', new Date(after(12).getTime() + 30_000), 61],
    ['after five minutes at least', after(1), 5],
    ['after five minutes even shortly before', after(0.1), 5],
  ]
  for (const [what, start, minutes] of CASES)
    test(what, () => assert.equal((nextWaveAt(NOW, { start, timeZone: 'UTC' }).getTime() - NOW.getTime()) / 60_000, minutes))
})

describe('nobody is asked at night', () => {
  const CASES: [what: string, now: string, start: string, expected: string][] = [
    ['but before it', '2030-01-10T19:59:00Z', '2030-01-14T12:00:00Z', '2030-01-10T21:59:00.000Z'],
    ['but after it', '2030-01-10T20:00:00Z', '2030-01-14T12:00:00Z', '2030-01-11T07:00:00.000Z'],
    [
      'and those who were asked at night have time in the morning',
      '2030-01-10T23:00:00Z',
      '2030-01-14T12:00:00Z',
      '2030-01-11T09:00:00.000Z',
    ],
    ['unless the shift begins soon after it', '2030-01-10T23:00:00Z', '2030-01-11T08:59:00Z', '2030-01-10T23:50:00.000Z'],
    ['if two hours are left', '2030-01-10T21:00:00Z', '2030-01-11T09:00:00Z', '2030-01-11T07:00:00.000Z'],
  ]
  for (const [what, now, start, expected] of CASES)
    test(what, () => assert.equal(nextWaveAt(new Date(now), { start: new Date(start), timeZone: 'UTC' }).toISOString(), expected))
})

const taker = (id: number, more: Partial<Taker> = {}): Taker => ({
  id,
  name: `P${id}`,
  line: undefined,
  shared: 0,
  isChosen: false,
  asked: 0,
  ...more,
})

describe('people are asked in the order', () => {
  const CASES: [what: string, takers: Taker[], expected: number[]][] = [
    [
      'of the waiting list before those who were chosen',
      [taker(1, { isChosen: true, shared: 9 }), taker(2, { line: 0 })],
      [2, 1],
    ],
    ['in which they wait', [taker(1, { line: 1, isChosen: true, shared: 3 }), taker(2, { line: 0 })], [2, 1]],
    ['of the choice before shared shifts', [taker(1, { shared: 9 }), taker(2, { shared: 1, isChosen: true })], [2, 1]],
    ['of shared shifts', [taker(1, { shared: 1, asked: 0 }), taker(2, { shared: 2, asked: 5 })], [2, 1]],
    ['in which they were asked least', [taker(1, { asked: 2 }), taker(2, { asked: 1 })], [2, 1]],
    ['of their ids otherwise', [taker(2), taker(1)], [1, 2]],
  ]
  for (const [what, takers, expected] of CASES)
    test(what, () =>
      assert.deepEqual(
        orderTakers(takers).map(({ id }) => id),
        expected,
      ),
    )
})

describe('the first wave has', () => {
  const others = [taker(3), taker(4), taker(5)]
  const line = [taker(1, { line: 0 }), taker(2, { line: 1 })]
  const CASES: [what: string, takers: Taker[], size: number, start: Date, expected: number][] = [
    ['as many people as wanted', others, 2, after(48), 2],
    ['everybody, if they are fewer', others, 5, after(48), 3],
    ['only those who wait', [...line, ...others], 5, after(24), 2],
    ['not more of them than wanted', [...line, ...others], 1, after(24), 1],
    ['those who wait or were chosen', [...line, taker(9, { isChosen: true, shared: 1 }), ...others], 5, after(24), 3],
    ['others too, less than a day before the shift', [...line, ...others], 4, after(23.999), 4],
  ]
  for (const [what, takers, size, start, expected] of CASES)
    test(what, () => assert.equal(firstWaveSize(takers, size, { now: NOW, start }), expected))
})
