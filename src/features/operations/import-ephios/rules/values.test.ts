import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clean, cut, parseDay, parseIds, parseObject, parseTime, timeOr, toStorableJson } from './values.ts'

test('JSON keeps its text, without null characters and lone surrogates', () => {
  const CASES: [given: string, stored: string][] = [
    ['{"a":1}', '{"a":1}'],
    ['{"big":12345678901234567890.123}', '{"big":12345678901234567890.123}'],
    [String.raw`{"a":"x\u0000y\u0000\u0000"}`, '{"a":"xy"}'],
    [String.raw`{"a":"\\u0000"}`, String.raw`{"a":"\\u0000"}`],
    [String.raw`{"a":"\\\u0000"}`, String.raw`{"a":"\\"}`],
    [String.raw`{"a":"\ud83d\ude92"}`, String.raw`{"a":"\ud83d\ude92"}`],
    [String.raw`{"a":"\ud83d"}`, String.raw`{"a":"\ufffd"}`],
    [String.raw`{"a":"\ude92\ud83d\ude92"}`, String.raw`{"a":"\ufffd\ud83d\ude92"}`],
    [String.raw`{"a":"\"\n\u00e4"}`, String.raw`{"a":"\"\n\u00e4"}`],
  ]
  for (const [given, stored] of CASES) {
    assert.equal(toStorableJson(given), stored)
    JSON.parse(toStorableJson(given))
  }
})

test('only JSON objects are accepted as objects', () => {
  const CASES: [given: string | null, isObject: boolean][] = [
    ['{}', true],
    ['{"a":[1]}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['{"a":NaN}', false],
    ['', false],
    [null, false],
  ]
  for (const [given, isObject] of CASES) assert.equal(parseObject(given) !== undefined, isObject, String(given))
})

test('texts are cut by code points and lose only null characters', () => {
  assert.equal(cut('🚒🚒🚒', 2), '🚒🚒')
  assert.equal(cut('abc', 3), 'abc')
  assert.equal(clean('a\0b\n\t'), 'ab\n\t')
  assert.equal(clean(null), '')
})

test('times are parsed in the formats of both databases', () => {
  const noon = Date.UTC(2031, 4, 4, 12)
  for (const text of [
    '2031-05-04T12:00:00Z',
    '2031-05-04 12:00:00+00',
    '2031-05-04 14:00:00+02:00',
    '2031-05-04T12:00:00.000000+00:00',
  ])
    assert.equal(parseTime(text), noon, text)
  for (const text of [null, '', 'infinity', '0044-03-15 00:00:00+00 BC', 'soon'])
    assert.equal(parseTime(text), undefined, String(text))
  assert.equal(timeOr('infinity', null), null)
  assert.equal(timeOr('2031-05-04 12:00:00+00', null), '2031-05-04 12:00:00+00')
})

test('only days of the calendar are accepted', () => {
  for (const day of ['1990-02-28', '2000-02-29', '0099-12-31']) assert.equal(parseDay(day), day)
  for (const day of [null, '', '1990-02-29', '1990-13-01', '90-01-01', '1990-01-01T00:00:00Z', 'BC'])
    assert.equal(parseDay(day), undefined)
})

test('lists of ids are parsed with any separator', () => {
  assert.deepEqual(parseIds('5, 7,5'), [5, 7])
  assert.deepEqual(parseIds('[12]'), [12])
  assert.deepEqual(parseIds(''), [])
})
