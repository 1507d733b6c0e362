import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { presentDeadlines, readMoment, readOpening } from './opening.ts'

const BERLIN = 'Europe/Berlin'
const shift = { start: new Date('2031-05-04T08:00:00Z'), end: new Date('2031-05-04T12:00:00Z') }

describe('a stored time', () => {
  const cases: [string, string, string | undefined][] = [
    ['with an offset', '2031-05-01T10:00:00+02:00', '2031-05-01T08:00:00.000Z'],
    ['in UTC', '2031-05-01T10:00:00.250Z', '2031-05-01T10:00:00.250Z'],
    ['without an offset, by the clock of the instance', '2031-05-01T10:00', '2031-05-01T08:00:00.000Z'],
    ['relative to the start in days', 'P3D', '2031-05-01T08:00:00.000Z'],
    ['relative to the start in hours', 'PT36H', '2031-05-02T20:00:00.000Z'],
    ['that is no time', 'soon', undefined],
    ['that is no duration', 'P', undefined],
    ['that is empty', '', undefined],
    ['in the first year', '0001-01-02T00:00:00Z', '0001-01-02T00:00:00.000Z'],
    ['before the first year', '0000-12-30T00:00:00Z', undefined],
    ['in the last year of four digits', '9999-12-30T00:00:00Z', '9999-12-30T00:00:00.000Z'],
    ['after it', '+010000-01-02T00:00:00Z', undefined],
    ['after it, without an offset', '+010000-01-02T00:00', undefined],
    ['relative to the start, before the first year', 'P800000D', undefined],
  ]
  for (const [title, text, expected] of cases)
    test(title, () => assert.equal(readMoment(text, shift.start, BERLIN)?.toISOString(), expected))

  test('keeps the time of day across a change to daylight saving time', () => {
    const start = new Date('2031-03-30T07:00:00Z')
    assert.equal(readMoment('P2D', start, BERLIN)?.toISOString(), '2031-03-28T08:00:00.000Z')
    assert.equal(readMoment('PT48H', start, BERLIN)?.toISOString(), '2031-03-28T07:00:00.000Z')
  })
})

describe('sign-up is open', () => {
  const cases: [string, string | null, string | null, string | null, string][] = [
    ['until the end if nothing is said', null, null, null, '2031-05-04T12:00:00.000Z'],
    ['until the closing time', null, '2031-05-03T00:00:00Z', null, '2031-05-03T00:00:00.000Z'],
    ['at the latest until the end', null, '2031-06-01T00:00:00Z', null, '2031-05-04T12:00:00.000Z'],
    ['from the opening time', 'P1D', 'PT0H', '2031-05-03T08:00:00.000Z', '2031-05-04T08:00:00.000Z'],
  ]
  for (const [title, from, until, opensAt, closesAt] of cases)
    test(title, () => {
      const opening = readOpening({ from, until }, shift, BERLIN)
      assert.deepEqual([opening?.opensAt?.toISOString() ?? null, opening?.closesAt.toISOString()], [opensAt, closesAt])
    })

  test('is undefined if a time is invalid', () => {
    assert.equal(readOpening({ from: 'x', until: null }, shift, BERLIN), undefined)
    assert.equal(readOpening({ from: null, until: 'x' }, shift, BERLIN), undefined)
  })
})

describe('deadlines in the API are date-times or null', () => {
  const cases: [title: string, stored: unknown, expected: unknown][] = [
    ['fixed ones as stored', { signup_until: '2031-05-01T10:00:00Z', x: 1 }, { signup_until: '2031-05-01T10:00:00Z', x: 1 }],
    ['null', { signup_until: null }, { signup_until: null }],
    ['an empty text', { signup_until: '' }, { signup_until: null }],
    ['a text that is no time', { signup_until: 'soon' }, { signup_until: null }],
    ['days before the start', { signup_until: 'P2D' }, { signup_until: '2031-05-02T10:00:00+02:00', signup_until_rule: 'P2D' }],
    ['the opening, too', { signup_from: 'PT36H' }, { signup_from: '2031-05-02T22:00:00+02:00', signup_from_rule: 'PT36H' }],
    ['no deadline', { leader_shift_id: 3 }, { leader_shift_id: 3 }],
    ['a broken configuration', 'P2D', 'P2D'],
    ['a list instead of a configuration', ['P2D'], ['P2D']],
    ['no configuration', null, null],
  ]
  for (const [title, stored, expected] of cases)
    test(title, () =>
      assert.deepEqual(
        presentDeadlines(stored, () => shift.start, BERLIN),
        expected,
      ),
    )
})
