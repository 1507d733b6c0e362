import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeringEnd, notifyingTime, type QuietHours, readQuietHours, writeQuietHours } from './quiet-hours.ts'

const BERLIN = 'Europe/Berlin'

describe('people are told', () => {
  const CASES: [what: string, at: string, expected: string, more?: { latest?: string; timeZone?: string; hours?: QuietHours }][] =
    [
      ['at once by day', '2030-01-10T12:00+01:00', '2030-01-10T12:00+01:00'],
      ['at once before the night', '2030-01-10T21:59:59.999+01:00', '2030-01-10T21:59:59.999+01:00'],
      ['in the morning from 22:00 on', '2030-01-10T22:00+01:00', '2030-01-11T07:00+01:00'],
      ['in the same morning after midnight', '2030-01-11T04:07+01:00', '2030-01-11T07:00+01:00'],
      ['in the morning just before it', '2030-01-11T06:59:59.999+01:00', '2030-01-11T07:00+01:00'],
      ['at once at 07:00', '2030-01-11T07:00+01:00', '2030-01-11T07:00+01:00'],
      [
        'in the morning if two hours are left',
        '2030-01-11T02:00+01:00',
        '2030-01-11T07:00+01:00',
        { latest: '2030-01-11T09:00+01:00' },
      ],
      [
        'at night if less is left',
        '2030-01-11T02:00+01:00',
        '2030-01-11T02:00+01:00',
        { latest: '2030-01-11T08:59:59.999+01:00' },
      ],
      ['at night about the same night', '2030-01-10T23:00+01:00', '2030-01-10T23:00+01:00', { latest: '2030-01-11T01:00+01:00' }],
      ['by the clock of the site', '2030-01-10T21:30Z', '2030-01-10T21:30Z', { timeZone: 'Europe/London' }],
      ['by that of another site', '2030-01-11T03:00Z', '2030-01-11T12:00Z', { timeZone: 'America/New_York' }],
      ['after a night of eight hours', '2030-03-31T00:30+01:00', '2030-03-31T07:00+02:00'],
      ['after a night of ten hours', '2030-10-26T22:00+02:00', '2030-10-27T07:00+01:00'],
      ['in the hour that comes twice, in the morning', '2030-10-27T02:30+01:00', '2030-10-27T07:00+01:00'],
      ['after own hours', '2030-01-10T23:30+01:00', '2030-01-11T09:00+01:00', { hours: { from: '23:30', to: '09:00' } }],
      ['at once before own hours', '2030-01-10T23:29+01:00', '2030-01-10T23:29+01:00', { hours: { from: '23:30', to: '09:00' } }],
      ['after own hours by day', '2030-01-10T09:00+01:00', '2030-01-10T15:00+01:00', { hours: { from: '08:00', to: '15:00' } }],
      [
        'at night with own hours by day',
        '2030-01-10T02:00+01:00',
        '2030-01-10T02:00+01:00',
        { hours: { from: '08:00', to: '15:00' } },
      ],
      [
        'at once if the hours are empty',
        '2030-01-10T02:00+01:00',
        '2030-01-10T02:00+01:00',
        { hours: { from: '02:00', to: '02:00' } },
      ],
      [
        'after hours that begin at a skipped time',
        '2030-03-31T03:10+02:00',
        '2030-03-31T06:00+02:00',
        { hours: { from: '02:00', to: '06:00' } },
      ],
    ]
  for (const [what, at, expected, { latest, timeZone = BERLIN, hours } = {}] of CASES)
    test(what, () => {
      const limits = { timeZone, latest: latest === undefined ? undefined : new Date(latest), ...(hours ? { hours } : {}) }
      assert.equal(notifyingTime(new Date(at), limits).toISOString(), new Date(expected).toISOString())
    })
})

describe('the time to answer', () => {
  const FAR = '2030-01-20T12:00+01:00'
  const CASES: [what: string, end: string, expected: string, more?: { from?: string; wanted?: string; latest?: string }][] = [
    ['stays as it is by day', '2030-01-11T15:00+01:00', '2030-01-11T15:00+01:00'],
    ['stays just before the night', '2030-01-10T21:59+01:00', '2030-01-10T21:59+01:00'],
    ['goes on until an hour after the night', '2030-01-11T04:07+01:00', '2030-01-11T08:00+01:00'],
    ['stays at the end of the night', '2030-01-11T07:00+01:00', '2030-01-11T07:00+01:00'],
    [
      'goes on until then if others have enough time',
      '2030-01-11T05:00+01:00',
      '2030-01-11T08:00+01:00',
      { wanted: '2030-01-11T08:00+01:00' },
    ],
    [
      'ends in the evening if they have not',
      '2030-01-11T05:00+01:00',
      '2030-01-10T22:00+01:00',
      { wanted: '2030-01-11T07:59+01:00' },
    ],
    [
      'ends in the evening if sign-up closes',
      '2030-01-11T05:00+01:00',
      '2030-01-10T22:00+01:00',
      { latest: '2030-01-11T07:59+01:00' },
    ],
    [
      'ends in the evening after an hour',
      '2030-01-11T05:00+01:00',
      '2030-01-10T22:00+01:00',
      { from: '2030-01-10T21:00+01:00', wanted: '2030-01-11T05:00+01:00' },
    ],
    [
      'goes on until the morning if the evening is shorter',
      '2030-01-11T05:00+01:00',
      '2030-01-11T08:00+01:00',
      { from: '2030-01-10T21:01+01:00', wanted: '2030-01-11T05:00+01:00' },
    ],
    [
      'goes on until it is of no use',
      '2030-01-11T05:00+01:00',
      '2030-01-11T07:00+01:00',
      { from: '2030-01-10T21:01+01:00', wanted: '2030-01-11T05:00+01:00', latest: '2030-01-11T07:00+01:00' },
    ],
    [
      'stays at night if there is no morning',
      '2030-01-11T05:00+01:00',
      '2030-01-11T05:00+01:00',
      { from: '2030-01-10T21:01+01:00', wanted: '2030-01-11T05:00+01:00', latest: '2030-01-11T06:59+01:00' },
    ],
  ]
  for (const [what, end, expected, more = {}] of CASES)
    test(what, () => {
      const { from = '2030-01-10T16:07+01:00', wanted = FAR, latest = FAR } = more
      const limits = { timeZone: BERLIN, from: new Date(from), wanted: new Date(wanted), latest: new Date(latest) }
      assert.equal(answeringEnd(new Date(end), limits).toISOString(), new Date(expected).toISOString())
    })
})

test('quiet hours are stored as a text', () => {
  const hours = { from: '22:30', to: '06:00' }
  assert.equal(writeQuietHours(hours), '22:30-06:00')
  assert.deepEqual(readQuietHours('22:30-06:00'), hours)
})
