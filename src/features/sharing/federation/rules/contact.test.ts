import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHealth, nextAttempt } from './contact.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const minutes = (failures: number, hasEnded = false, chance = 0.5) =>
  (nextAttempt(NOW, { failures, hasEnded }, chance).getTime() - NOW.getTime()) / 60_000

test('a host that responds is polled every few minutes; failures back off to one hour', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 5_000].map((failures) => minutes(failures)),
    [3, 2, 4, 8, 16, 32, 60, 60, 60],
  )
})

test('a link that the partner ended is retried every six hours', () => {
  assert.equal(minutes(0, true), 360)
})

test('jitter spreads the requests', () => {
  assert.deepEqual([minutes(0, false, 0), minutes(0, false, 1)], [2.4, 3.6])
})

const WELL = { paused: false, endedByPartnerAt: null, lastSuccessAt: NOW, failuresInRow: 0 }
for (const [facts, health] of [
  [{}, 'well'],
  [{ lastSuccessAt: null }, 'waiting'],
  [{ failuresInRow: 1 }, 'failing'],
  [{ failuresInRow: 1, paused: true }, 'paused'],
  [{ endedByPartnerAt: NOW, failuresInRow: 3 }, 'ended'],
] as const)
  test(`${JSON.stringify(facts)} is ${health}`, () => assert.equal(getHealth({ ...WELL, ...facts }), health))
