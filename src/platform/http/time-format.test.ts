import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireDate, wireFloat, wireTime, wireTimeOrNull } from './time-format.ts'

const TIMES: [zone: string, stored: string, wire: string][] = [
  ['Europe/Berlin', '2031-05-04 06:00:00+00', '2031-05-04T08:00:00+02:00'],
  ['America/Sao_Paulo', '2031-12-04 11:00:00+00', '2031-12-04T08:00:00-03:00'],
  ['Europe/Berlin', '2031-05-04 06:00:00.5+00', '2031-05-04T08:00:00.500000+02:00'],
  ['Europe/Berlin', '2031-05-04 06:00:00.123456+00', '2031-05-04T08:00:00.123456+02:00'],
  ['Asia/Kathmandu', '2031-05-04 02:15:00+00', '2031-05-04T08:00:00+05:45'],
  ['Pacific/Marquesas', '2031-05-04 17:30:00.25+00', '2031-05-04T08:00:00.250000-09:30'],
  // The hour that the clock shows twice, and the one that it leaves out.
  ['Europe/Berlin', '2031-10-26 00:30:00+00', '2031-10-26T02:30:00+02:00'],
  ['Europe/Berlin', '2031-10-26 01:30:00+00', '2031-10-26T02:30:00+01:00'],
  ['Europe/Berlin', '2031-03-30 00:59:59+00', '2031-03-30T01:59:59+01:00'],
  ['Europe/Berlin', '2031-03-30 01:00:00+00', '2031-03-30T03:00:00+02:00'],
  ['Pacific/Kiritimati', '2031-12-31 10:00:00+00', '2032-01-01T00:00:00+14:00'],
  ['UTC', '2031-05-04 06:00:00+00', '2031-05-04T06:00:00+00:00'],
  // Local mean time has seconds; the year has five digits.
  ['Europe/Berlin', '1880-01-01 12:00:00+00', '1880-01-01T12:53:28+00:53:28'],
  ['UTC', '12031-05-04 06:00:00+00', '12031-05-04T06:00:00+00:00'],
  ['UTC', '0050-03-01 06:00:00+00', '0050-03-01T06:00:00+00:00'],
]
test('an offset can make the year before the year 1 of its first day', () => {
  assert.equal(wireTime('0001-12-31 10:00:00+00 BC', 'UTC'), '0000-12-31T10:00:00+00:00')
})

for (const [zone, stored, wire] of TIMES)
  test(`${stored} is ${wire} on the wire in ${zone}`, () => assert.equal(wireTime(stored, zone), wire))

for (const [zone, stored, wire] of TIMES) {
  const [, year, rest] = /^(\d+)-(.*)\+00$/.exec(stored)!
  const at = new Date(`+${year!.padStart(6, '0')}-${rest!.replace(' ', 'T')}Z`)
  // A date has milliseconds only.
  const expected = wire.replace(/(\.\d{3})\d{3}/, '$1000')
  test(`the date ${at.toISOString()} is ${expected} on the wire in ${zone}`, () => assert.equal(wireDate(at, zone), expected))
}

test('a missing time is null', () => assert.equal(wireTimeOrNull(null, 'UTC'), null))

test('seconds are written as a float', () => {
  assert.equal(JSON.stringify([wireFloat(16200), wireFloat(0), wireFloat(0.5)]), '[16200.0,0.0,0.5]')
})
