import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LANGUAGES } from './languages.ts'
import { readFieldDay, readFieldMoment, readTypedDay, readTypedSpan, readTypedTime } from './typed-dates.ts'

describe('dates as people type them', () => {
  const FROM = '2026-10-18'
  const CASES: [text: string, day: string][] = [
    ['14.11.2026', '2026-11-14'],
    ['14. 11. 2026', '2026-11-14'],
    ['14.11.26', '2026-11-14'],
    ['14.11.', '2026-11-14'],
    ['14.11', '2026-11-14'],
    ['Sa 14.11.', '2026-11-14'],
    ['Sa., 14.11.2026', '2026-11-14'],
    ['Samstag, den 14. November 2026', '2026-11-14'],
    ['Sat 14 Nov', '2026-11-14'],
    ['Saturday 14th of November', '2026-11-14'],
    ['14 Nov', '2026-11-14'],
    ['14. Nov.', '2026-11-14'],
    ['14 Nov 2026', '2026-11-14'],
    ['Nov 14', '2026-11-14'],
    ['Nov 14, 2026', '2026-11-14'],
    ['2026-11-14', '2026-11-14'],
    ['14/11/2026', '2026-11-14'],
    ['11/14/2026', '2026-11-14'],
    ['14/11', '2026-11-14'],
    ['11/14', '2026-11-14'],
    ['3.4.2027', '2027-04-03'],
    ['3/4/2027', '2027-04-03'],
    // Without a year the first one from the given day on.
    ['18.10.', '2026-10-18'],
    ['17.10.', '2027-10-17'],
    ['29.2.', '2028-02-29'],
    ['1. März', '2027-03-01'],
    ['1er mars', '2027-03-01'],
    ['sam. 14 nov.', '2026-11-14'],
    ['samedi 14 novembre 2026', '2026-11-14'],
    ['Mar 14', '2027-03-14'],
    ['2 août', '2027-08-02'],
    ['sobota, 14 listopada 2026 r.', '2026-11-14'],
    ['14 lis', '2026-11-14'],
    ['субота, 14 листопада 2026 р.', '2026-11-14'],
    ["п'ятниця 13 листоп.", '2026-11-13'],
    ['sabato 14 novembre 2026', '2026-11-14'],
    ['1º gennaio', '2027-01-01'],
    ['sábado, 14 de noviembre de 2026', '2026-11-14'],
    ['sáb, el 14 nov', '2026-11-14'],
    ['zaterdag 14 november 2026', '2026-11-14'],
    ['ma 1 mrt', '2027-03-01'],
    // In front of a date a weekday, in front of a number a month.
    ['mar 17/11/2026', '2026-11-17'],
    ['mar. 17 nov. 2026', '2026-11-17'],
    ['Mar 14, 2027', '2027-03-14'],
  ]
  for (const [text, day] of CASES) test(text, () => assert.deepEqual(readTypedDay(text, { from: FROM }), { ok: true, day }))

  const PAST: [text: string, day: string][] = [
    ['18.10.', '2026-10-18'],
    ['19.10.', '2025-10-19'],
    ['31/12', '2025-12-31'],
    ['29.2.', '2024-02-29'],
    ['Sun 18 Oct', '2026-10-18'],
  ]
  for (const [text, day] of PAST)
    test(`${text} up to a day`, () => assert.deepEqual(readTypedDay(text, { until: FROM }), { ok: true, day }))

  const everyName = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((index) => {
        const date = new Date(Date.UTC(2027, index, 9))
        return {
          language,
          date,
          text: date.toLocaleDateString(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
        }
      }),
    ),
  )
  test('as each language of the pages writes its months', () => {
    for (const { language, date, text } of everyName)
      assert.deepEqual(
        readTypedDay(text, { from: FROM }),
        { ok: true, day: date.toISOString().slice(0, 10) },
        `${language}: ${text}`,
      )
  })

  test('as each language of the pages writes its weekdays', () => {
    for (const language of LANGUAGES)
      for (const weekday of ['long', 'short'] as const)
        for (let day = 16; day <= 22; day++) {
          const name = new Date(Date.UTC(2026, 10, day)).toLocaleDateString(language, { weekday, timeZone: 'UTC' })
          const text = `${name} ${day}.11.2026`
          assert.deepEqual(readTypedDay(text, { from: FROM }), { ok: true, day: `2026-11-${day}` }, `${language}: ${text}`)
          const next = `${name} ${day + 1}.11.2026`
          assert.deepEqual(readTypedDay(next, { from: FROM }), { ok: false, code: 'wrong_weekday' }, `${language}: ${next}`)
        }
  })

  /** From the day before yesterday to the day after tomorrow. */
  const NEAR_DAYS: Record<string, string[]> = {
    en: ['the day before yesterday', 'yesterday', 'Today', 'tomorrow', 'day after  tomorrow'],
    de: ['Vorgestern', 'gestern', 'heute', 'Morgen', 'übermorgen'],
    fr: ['avant-hier', 'hier', "aujourd'hui", 'demain', 'après-demain'],
    it: ["l'altro ieri", 'ieri', 'oggi', 'domani', 'dopodomani'],
    es: ['anteayer', 'ayer', 'hoy', 'mañana', 'pasado mañana'],
    nl: ['eergisteren', 'gisteren', 'vandaag', 'morgen', 'overmorgen'],
    pl: ['przedwczoraj', 'wczoraj', 'dziś', 'jutro', 'pojutrze'],
    uk: ['позавчора', 'вчора', 'сьогодні', 'завтра', 'післязавтра'],
  }
  for (const language of LANGUAGES)
    test(`by their distance from today in ${language}`, () => {
      const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
      const [today, days] = ['2026-12-31', ['2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']]
      for (const [index, day] of days.entries()) {
        const written = near.format(index - 2, 'day')
        for (const text of [NEAR_DAYS[language]![index]!, ...(/\d/.test(written) ? [] : [written])])
          assert.deepEqual(readTypedDay(text, { today, until: '2026-01-01' }), { ok: true, day }, text)
      }
      assert.deepEqual(readTypedDay(NEAR_DAYS[language]![3]!, { from: FROM }), { ok: false, code: 'unreadable' })
    })

  test('with slashes follow the order of their column', () => {
    assert.deepEqual(readTypedDay('3/4/2027', { from: FROM, order: 'mdy' }), { ok: true, day: '2027-03-04' })
    assert.deepEqual(readTypedDay('3/4', { from: FROM, order: 'mdy' }), { ok: true, day: '2027-03-04' })
    assert.deepEqual(readTypedDay('14/4', { from: FROM, order: 'mdy' }), { ok: true, day: '2027-04-14' })
  })

  for (const text of [
    '',
    '31.2.2026',
    '32.1.',
    '14.13.2026',
    'tomorrow',
    'Sa',
    '1',
    '14 Foo',
    'Foo 14',
    '14.11.0026',
    '14.11.2026 08:00',
  ])
    test(`${text || 'an empty text'} is no date`, () =>
      assert.deepEqual(readTypedDay(text, { from: FROM }), { ok: false, code: 'unreadable' }))

  test('with a weekday that it is not', () => {
    assert.deepEqual(readTypedDay('So 14.11.2026', { from: FROM }), { ok: false, code: 'wrong_weekday' })
    assert.deepEqual(readTypedDay('Fri 14 Nov', { from: FROM }), { ok: false, code: 'wrong_weekday' })
    assert.deepEqual(readTypedDay('mar 14/11/2026', { from: FROM }), { ok: false, code: 'wrong_weekday' })
  })
})

describe('times as people type them', () => {
  const CASES: [text: string, time: string | undefined][] = [
    ['8', '08:00'],
    ['8:00', '08:00'],
    ['08.00', '08:00'],
    ['08:00:00', '08:00'],
    ['8 Uhr', '08:00'],
    ['8 Uhr 30', '08:30'],
    ['8.30 Uhr', '08:30'],
    ['8h', '08:00'],
    ['8h30', '08:30'],
    ['0830', '08:30'],
    ['830', '08:30'],
    ['1830', '18:30'],
    ['18.30', '18:30'],
    ['8 h 30', '08:30'],
    ['8 am', '08:00'],
    ['8:30 pm', '20:30'],
    ['8 PM', '20:00'],
    ['880', undefined],
    ['12345', undefined],
    ['8am', '08:00'],
    ['8:30 p.m.', '20:30'],
    ['12am', '00:00'],
    ['12pm', '12:00'],
    ['0', '00:00'],
    ['23:59', '23:59'],
    ['24:00', '24:00'],
    ['24', '24:00'],
    ['24:01', undefined],
    ['25', undefined],
    ['8:60', undefined],
    ['13pm', undefined],
    ['0am', undefined],
    ['8:5', undefined],
    ['', undefined],
    ['early', undefined],
  ]
  for (const [text, time] of CASES) test(`“${text}” is ${time}`, () => assert.equal(readTypedTime(text), time))

  const SPANS: [text: string, span: { start: string; end: string } | undefined][] = [
    ['8–12', { start: '08:00', end: '12:00' }],
    ['08:00 - 16:30 Uhr', { start: '08:00', end: '16:30' }],
    ['8 bis 12 Uhr', { start: '08:00', end: '12:00' }],
    ['8am to 4pm', { start: '08:00', end: '16:00' }],
    ['20:00–02:00', { start: '20:00', end: '02:00' }],
    ['8 uur tot 12 uur', { start: '08:00', end: '12:00' }],
    ['8:00 a 12:30', { start: '08:00', end: '12:30' }],
    ['8 до 12', { start: '08:00', end: '12:00' }],
    ['8', undefined],
    ['8–x', undefined],
    ['2026-11-14', undefined],
  ]
  for (const [text, span] of SPANS) test(`“${text}” from start to end`, () => assert.deepEqual(readTypedSpan(text), span))
})

describe('fields for dates', () => {
  for (const text of [
    '2026-11-14',
    '14.11.2026',
    ' 14.11.26 ',
    'Sa 14.11.2026',
    '14/11/2026',
    'Nov 14, 2026',
    '14. November 2026',
  ])
    test(`${text} is a day`, () => assert.equal(readFieldDay(text), '2026-11-14'))

  test('need a year, and know years of birth', () => {
    assert.equal(readFieldDay('14.11.'), undefined)
    assert.equal(readFieldDay('14 Nov'), undefined)
    assert.equal(readFieldDay('1.2.85'), '1985-02-01')
    assert.equal(readFieldDay(null), undefined)
  })

  for (const text of [
    '2026-11-14 08:00',
    '14.11.2026 8:00',
    '14.11.2026, 08.00 Uhr',
    'Sa 14.11.2026 um 8 Uhr',
    'Nov 14, 2026 at 8am',
    '14 de noviembre de 2026 a las 8:00',
    '14 listopada 2026 r. o 8:00',
    '14 november 2026 om 8 uur',
  ])
    test(`${text} is a moment`, () => assert.equal(readFieldMoment(text), '2026-11-14T08:00'))

  for (const text of ['', '14.11.2026', '8:00', '14.11. 8:00', '14.11.2026 25:00', '14.11.2026 24:00'])
    test(`${text || 'an empty text'} is no moment`, () => assert.equal(readFieldMoment(text), undefined))
})
