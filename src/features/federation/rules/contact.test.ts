import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHealth, nextAttempt } from './contact.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const minutes = (failures: number, hasEnded = false, chance = 0.5) =>
  (nextAttempt(NOW, { failures, hasEnded }, chance).getTime() - NOW.getTime()) / 60_000

test('a host that answers is asked every few minutes, one that fails later and later, at least every hour', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 100].map((failures) => minutes(failures)),
    [3, 2, 4, 8, 16, 32, 60, 60, 60],
  )
})

test('a link that the partner ended is looked at a few times a day, in case that it was a mistake', () => {
  assert.equal(minutes(0, true), 360)
})

test('instances do not all ask in the same second', () => {
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
