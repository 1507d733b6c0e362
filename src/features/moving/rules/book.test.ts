import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Book, clean, cut, dayIn, instant, numbersIn, objectText, storable, timeOr, uuidOf } from './book.ts'

const secrets = {
  hash: (text: string) => `\\x${Buffer.from(text.padEnd(32)).toString('hex')}`,
  hashClientSecret: String,
  seal: String,
}
const newBook = () => new Book({ secrets, now: '2031-05-01T10:00:00.000Z', language: 'de' })

test('JSON is stored as it is, without null bytes and halves of characters', () => {
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
    assert.equal(storable(given), stored)
    JSON.parse(storable(given))
  }
})

test('only objects are taken for objects', () => {
  const CASES: [given: string | null, isOne: boolean][] = [
    ['{}', true],
    ['{"a":[1]}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['{"a":NaN}', false],
    ['', false],
    [null, false],
  ]
  for (const [given, isOne] of CASES) assert.equal(objectText(given) !== undefined, isOne, String(given))
})

test('texts are cut by characters and lose null bytes only', () => {
  assert.equal(cut('🚒🚒🚒', 2), '🚒🚒')
  assert.equal(cut('abc', 3), 'abc')
  assert.equal(clean('a\0b\n\t'), 'ab\n\t')
  assert.equal(clean(null), '')
})

test('times are read as both databases write them, and others are none', () => {
  const noon = Date.UTC(2031, 4, 4, 12)
  for (const text of [
    '2031-05-04T12:00:00Z',
    '2031-05-04 12:00:00+00',
    '2031-05-04 14:00:00+02:00',
    '2031-05-04T12:00:00.000000+00:00',
  ])
    assert.equal(instant(text), noon, text)
  for (const text of [null, '', 'infinity', '0044-03-15 00:00:00+00 BC', 'soon'])
    assert.equal(instant(text), undefined, String(text))
  assert.equal(timeOr('infinity', null), null)
  assert.equal(timeOr('2031-05-04 12:00:00+00', null), '2031-05-04 12:00:00+00')
})

test('days are those of the calendar', () => {
  for (const day of ['1990-02-28', '2000-02-29', '0099-12-31']) assert.equal(dayIn(day), day)
  for (const day of [null, '', '1990-02-29', '1990-13-01', '90-01-01', '1990-01-01T00:00:00Z', 'BC'])
    assert.equal(dayIn(day), undefined)
})

test('a uuid that is missing, misshapen or taken becomes another one, the same each time', () => {
  const uuid = 'a0000000-0000-4000-8000-000000000011'
  const book = newBook()
  assert.equal(uuidOf(book, 'qualification', { id: 1, uuid: uuid.toUpperCase() }), uuid)
  assert.equal(uuidOf(book, 'qualificationcategory', { id: 1, uuid }), uuid, 'each table counts for itself')
  assert.deepEqual(book.notes, [])
  const made = [
    { id: 2, uuid },
    { id: 3, uuid: null },
    { id: 4, uuid: 'x' },
  ].map((row) => uuidOf(book, 'qualification', row))
  for (const one of made) assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(made).size, 3)
  assert.equal(book.notes.length, 3)
  const again = newBook()
  uuidOf(again, 'qualification', { id: 1, uuid })
  assert.equal(uuidOf(again, 'qualification', { id: 2, uuid }), made[0])
})

test('lists of numbers are read whatever stands between them', () => {
  assert.deepEqual(numbersIn('5, 7,5'), [5, 7])
  assert.deepEqual(numbersIn('[12]'), [12])
  assert.deepEqual(numbersIn(''), [])
})

test('the book knows what came before and gives numbers once', () => {
  const book = newBook()
  book.add('event', 1)
  assert.deepEqual(
    [book.has('event', 1), book.has('event', 2), book.has('shift', 1), book.has('event', '1')],
    [true, false, false, false],
  )
  assert.deepEqual([book.isFirst('a', 'bc'), book.isFirst('ab', 'c'), book.isFirst('a', 'bc')], [true, true, false])
  assert.deepEqual(book.numberOf(1, 2), { number: 1, isNew: true })
  assert.deepEqual(book.numberOf(2, 1), { number: 2, isNew: true })
  assert.deepEqual(book.numberOf(1, 2), { number: 1, isNew: false })
  assert.equal(book.isNew('event', { id: 9 }, 1), true)
  assert.equal(book.isNew('event', { id: 10 }, 1), false)
  assert.deepEqual(book.notes, [{ table: 'event', id: '10', what: 'left out', why: 'comes twice' }])
})
