import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireFloat, wireTime, wireTimeOrNull } from './time-format.ts'

const TIMES: [stored: string, wire: string][] = [
  ['2031-05-04 08:00:00+02', '2031-05-04T08:00:00+02:00'],
  ['2031-12-04 08:00:00-03', '2031-12-04T08:00:00-03:00'],
  ['2031-05-04 08:00:00.5+02', '2031-05-04T08:00:00.500000+02:00'],
  ['2031-05-04 08:00:00.123456+02', '2031-05-04T08:00:00.123456+02:00'],
  ['2031-05-04 08:00:00+05:45', '2031-05-04T08:00:00+05:45'],
  ['2031-05-04 08:00:00.25-09:30', '2031-05-04T08:00:00.250000-09:30'],
]
for (const [stored, wire] of TIMES) test(`${stored} is ${wire} on the wire`, () => assert.equal(wireTime(stored), wire))

test('a missing time is null', () => assert.equal(wireTimeOrNull(null), null))

test('seconds are written as a float', () => {
  assert.equal(JSON.stringify([wireFloat(16200), wireFloat(0), wireFloat(0.5)]), '[16200.0,0.0,0.5]')
})
