import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStoredMoment } from './stored-moments.ts'

for (const [text, at, isDay] of [
  ['2031-05-04', '2031-05-04T12:00:00.000Z', true],
  ['2032-02-29', '2032-02-29T12:00:00.000Z', true],
  ['2031-05-04T08:00:00Z', '2031-05-04T08:00:00.000Z', false],
  ['2031-05-04T08:00:00.123456+00:00', '2031-05-04T08:00:00.123Z', false],
  ['2031-05-04T01:00+02:00', '2031-05-03T23:00:00.000Z', false],
] as const)
  test(`${text} is ${isDay ? 'a day' : 'a time'}`, () => assert.deepEqual(readStoredMoment(text), { at: new Date(at), isDay }))

for (const text of [
  '2031-99-99',
  '2031-02-29',
  '0000-00-00',
  '2031-99-99T99:99:99Z',
  '2031-02-30T08:00:00Z',
  '2031-05-04T24:30:00Z',
  '2031-05-04T08:00:00+99:99',
  '2031-05-04T08:00:00, with boots',
  '2031-05-04T08:00:00',
  ' 2031-05-04',
  '2031-05-04\n',
  '12031-05-04',
  '',
])
  test(`${JSON.stringify(text)} is neither`, () => assert.equal(readStoredMoment(text), undefined))
