import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUnambiguous, timeZoneData } from './time-zone-data.ts'

describe('the data of a time zone', () => {
  type Change = [kind: 'STANDARD' | 'DAYLIGHT', start: string, from: string, to: string]
  const CASES: [what: string, zone: string, from: string, until: string, changes: Change[]][] = [
    [
      'begin with the last change before',
      'Europe/Berlin',
      '2031-05-01T00:00Z',
      '2031-12-01T00:00Z',
      [
        ['DAYLIGHT', '20310330T020000', '+0100', '+0200'],
        ['STANDARD', '20311026T030000', '+0200', '+0100'],
      ],
    ],
    [
      'begin with a change at the first instant',
      'Europe/Berlin',
      '2031-03-30T01:00Z',
      '2031-04-01T00:00Z',
      [['DAYLIGHT', '20310330T020000', '+0100', '+0200']],
    ],
    [
      'include a change at the last instant',
      'America/St_Johns',
      '2031-01-01T00:00Z',
      '2031-03-09T05:30Z',
      [
        ['STANDARD', '20301103T020000', '-0230', '-0330'],
        ['DAYLIGHT', '20310309T020000', '-0330', '-0230'],
      ],
    ],
    [
      'have offsets with seconds of former times',
      'Africa/Monrovia',
      '1971-07-01T00:00Z',
      '1973-01-01T00:00Z',
      [
        ['STANDARD', '19190301T000000', '-004308', '-004430'],
        ['DAYLIGHT', '19720107T000000', '-004430', '+0000'],
      ],
    ],
    [
      'are one offset without changes',
      'Etc/UTC',
      '2031-01-01T00:00Z',
      '2032-01-01T00:00Z',
      [['STANDARD', '19700101T000000', '+0000', '+0000']],
    ],
  ]
  for (const [what, zone, from, until, changes] of CASES)
    test(`${what}: ${zone}`, () => {
      const expected = [
        'BEGIN:VTIMEZONE',
        `TZID:${zone}`,
        ...changes.flatMap(([kind, start, before, after]) => [
          `BEGIN:${kind}`,
          `DTSTART:${start}`,
          `TZOFFSETFROM:${before}`,
          `TZOFFSETTO:${after}`,
          `END:${kind}`,
        ]),
        'END:VTIMEZONE',
      ]
      assert.deepEqual(timeZoneData(zone, new Date(from), new Date(until)).split('\r\n'), expected)
    })
})

test('only the second occurrence of a repeated hour is ambiguous', () => {
  for (const [at, is] of [
    ['2031-10-26T00:30Z', true],
    ['2031-10-26T01:30Z', false],
    ['2031-10-26T02:30Z', true],
    ['2031-03-30T01:00Z', true],
  ] as const)
    assert.equal(isUnambiguous(new Date(at), 'Europe/Berlin'), is, at)
})
