import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from './words.ts'

const en = wordsFor('en', 'Europe/Berlin')
const de = wordsFor('de', 'Europe/Berlin')
const at = (text: string) => new Date(text)

describe('day', () => {
  test('formats weekday, day and month', () => {
    assert.equal(en.day(at('2026-11-14T07:00Z')), 'Sat 14 Nov')
    assert.equal(de.day(at('2026-11-14T07:00Z')), 'Sa 14. Nov.')
  })

  test('adds the year when it is not the current one', () => {
    assert.equal(en.day(at('2027-01-02T07:00Z'), at('2026-11-14T07:00Z')), 'Sat 2 Jan 2027')
    assert.equal(en.day(at('2026-01-02T07:00Z'), at('2026-11-14T07:00Z')), 'Fri 2 Jan')
  })

  test('counts years and days in the zone, not in UTC', () => {
    assert.equal(en.day(at('2026-12-31T23:30Z'), at('2026-12-31T12:00Z')), 'Fri 1 Jan 2027')
    assert.equal(wordsFor('en', 'Pacific/Kiritimati').day(at('2026-11-14T12:00Z')), 'Sun 15 Nov')
  })
})

describe('span', () => {
  const cases: [string, string, string, string][] = [
    ['within a day', '2026-11-14T07:00Z', '2026-11-14T15:00Z', 'Sat 14 Nov 08:00–16:00'],
    ['over midnight', '2026-11-14T19:00Z', '2026-11-15T01:00Z', 'Sat 14 Nov 20:00 → Sun 02:00'],
    ['until midnight', '2026-11-14T19:00Z', '2026-11-14T23:00Z', 'Sat 14 Nov 20:00 → Sun 00:00'],
    ['a full day', '2026-11-14T07:00Z', '2026-11-15T07:00Z', 'Sat 14 Nov 08:00 → Sun 15 Nov 08:00'],
    ['several days', '2026-11-13T17:00Z', '2026-11-15T11:00Z', 'Fri 13 Nov 18:00 → Sun 15 Nov 12:00'],
    ['over the clock change in spring', '2026-03-28T21:00Z', '2026-03-29T03:00Z', 'Sat 28 Mar 22:00 → Sun 05:00'],
    ['over the clock change in autumn', '2026-10-24T20:00Z', '2026-10-25T04:00Z', 'Sat 24 Oct 22:00 → Sun 05:00'],
    ['within the repeated hour', '2026-10-25T00:30Z', '2026-10-25T01:30Z', 'Sun 25 Oct 02:30 CEST–02:30 CET'],
    ['right after the repeated hour', '2026-10-25T02:00Z', '2026-10-25T04:00Z', 'Sun 25 Oct 03:00–05:00'],
    ['across the missing hour', '2026-03-29T00:30Z', '2026-03-29T01:30Z', 'Sun 29 Mar 01:30–03:30'],
  ]
  for (const [name, start, end, expected] of cases) test(name, () => assert.equal(en.span(at(start), at(end)), expected))

  test('adds the year of both ends when it is not the current one', () => {
    assert.equal(
      en.span(at('2026-12-30T11:00Z'), at('2027-01-02T11:00Z'), at('2026-11-14T07:00Z')),
      'Wed 30 Dec 12:00 → Sat 2 Jan 2027 12:00',
    )
  })

  test('omits the first day when only hours are requested', () => {
    assert.equal(de.hours(at('2026-11-14T19:00Z'), at('2026-11-15T01:00Z')), '20:00 → So 02:00')
  })

  test('supports zones with unusual offsets', () => {
    assert.equal(wordsFor('en', 'Asia/Kathmandu').time(at('2026-11-14T00:00Z')), '05:45')
    assert.match(wordsFor('en', 'Australia/Lord_Howe').time(at('2026-04-04T15:00Z')), /^01:30 \S/)
  })
})

describe('other formats', () => {
  test('date and dateTime', () => {
    assert.equal(en.date(at('2026-11-14T07:00Z')), '14 November 2026')
    assert.equal(de.date(at('2026-11-14T07:00Z')), '14. November 2026')
    assert.deepEqual(
      [en, de].map(({ month }) => month(at('2026-02-28T23:30Z'))),
      ['March 2026', 'März 2026'],
    )
    assert.equal(en.dateTime(at('2026-11-14T23:00Z')), 'Sun 15 Nov 2026, 00:00')
  })

  const DATES: [first: string, last: string, en: string, de: string][] = [
    ['2026-11-09T12:00Z', '2026-11-15T12:00Z', '9–15 Nov 2026', '9.–15. Nov. 2026'],
    ['2026-11-30T12:00Z', '2026-12-06T12:00Z', '30 Nov – 6 Dec 2026', '30. Nov. – 6. Dez. 2026'],
    ['2026-12-28T12:00Z', '2027-01-03T12:00Z', '28 Dec 2026 – 3 Jan 2027', '28. Dez. 2026 – 3. Jan. 2027'],
  ]
  for (const [first, last, inEnglish, inGerman] of DATES)
    test(`dates: ${inEnglish}`, () =>
      assert.deepEqual(
        [en, de].map(({ dates }) => dates(at(first), at(last))),
        [inEnglish, inGerman],
      ))

  test('relative counts days by the calendar of the zone', () => {
    const now = at('2026-11-14T12:00Z')
    const cases: [string, string, string][] = [
      ['2026-11-14T12:00:20Z', 'now', 'jetzt'],
      ['2026-11-14T12:20Z', 'in 20 minutes', 'in 20 Minuten'],
      ['2026-11-14T09:00Z', '3 hours ago', 'vor 3 Stunden'],
      ['2026-11-15T05:00Z', 'tomorrow', 'morgen'],
      ['2026-11-17T05:00Z', 'in 3 days', 'in 3 Tagen'],
      ['2026-12-12T12:00Z', 'in 4 weeks', 'in 4 Wochen'],
      ['2027-03-14T12:00Z', 'in 4 months', 'in 4 Monaten'],
      ['2024-11-14T12:00Z', '2 years ago', 'vor 2 Jahren'],
    ]
    for (const [instant, english, german] of cases) {
      assert.equal(en.relative(at(instant), now), english)
      assert.equal(de.relative(at(instant), now), german)
    }
    assert.equal(en.relative(at('2026-10-25T23:30Z'), at('2026-10-24T21:30Z')), 'in 2 days')
  })

  test('formats input values in the zone', () => {
    assert.equal(en.inputDateTime(at('2026-07-01T22:30Z')), '2026-07-02T00:30')
    assert.equal(en.inputDate(at('2026-07-01T22:30Z')), '2026-07-02')
    assert.equal(en.inputTime(at('2026-07-01T22:30Z')), '00:30')
  })

  test('returns the parts of a day and compares days', () => {
    assert.deepEqual(de.dayParts(at('2026-11-14T07:00Z')), { weekday: 'Sa', day: '14', month: 'Nov.', year: '2026' })
    assert.ok(en.sameDay(at('2026-11-13T23:30Z'), at('2026-11-14T22:30Z')))
    assert.ok(!en.sameDay(at('2026-11-13T22:30Z'), at('2026-11-13T23:30Z')))
  })
})
