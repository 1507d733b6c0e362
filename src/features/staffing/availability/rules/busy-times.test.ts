import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CalendarContent, readBusyTimes } from './busy-times.ts'

const ZONE = 'Europe/Berlin'
const OPTIONS = {
  fromMs: Date.parse('2031-05-01T00:00:00Z'),
  untilMs: Date.parse('2032-05-01T00:00:00Z'),
  timeZone: ZONE,
  host: 'a.example',
}
const calendar = (...lines: string[]): string => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
const read = (text: string): CalendarContent => readBusyTimes(text, OPTIONS)

/** `05-02 08:00/05-02 10:00` in UTC, with `day` for all-day entries. */
function timesOf(...lines: string[]): string[] {
  const content = read(calendar(...lines))
  assert.ok(content.ok)
  const text = (ms: number) => new Date(ms).toISOString().slice(5, 16).replace('T', ' ')
  return content.times.map(({ fromMs, untilMs, isAllDay }) => `${isAllDay ? 'day ' : ''}${text(fromMs)}/${text(untilMs)}`)
}

const BERLIN_BY_OUTLOOK = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
].join('\r\n')

/** Without an IANA name, and with years in which the clocks change on other days. */
const OWN_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Harbour',
  'BEGIN:STANDARD',
  'DTSTART:20301001T000000',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'RDATE:20311001T000000',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:20300401T000000',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'RDATE:20310401T000000',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
].join('\r\n')

const START = 'DTSTART:20310502T080000Z'
const END = 'DTEND:20310502T090000Z'
const FIRST = '05-02 08:00/05-02 09:00'
const DAILY = [START, END, 'UID:1', 'RRULE:FREQ=DAILY;COUNT=3']

describe('busy times of a calendar', () => {
  const cases: [string, string[], string[]][] = [
    ['nothing', [], []],
    ['a time in UTC', [event(START, END)], [FIRST]],
    ['a duration', [event(START, 'DURATION:PT1H30M')], ['05-02 08:00/05-02 09:30']],
    ['a moment without an end', [event(START)], []],
    [
      'a zone by its IANA name',
      [event('DTSTART;TZID=Europe/Berlin:20310502T100000', 'DTEND;TZID=Europe/Berlin:20310502T110000')],
      [FIRST],
    ],
    [
      'a zone whose name ends with an IANA name',
      [event('DTSTART;TZID=/example.org/2031/Europe/Berlin:20310502T100000', 'DURATION:PT1H')],
      [FIRST],
    ],
    [
      'a zone that the calendar defines, in summer and winter',
      [
        BERLIN_BY_OUTLOOK,
        event('DTSTART;TZID=W. Europe Standard Time:20310502T100000', 'DURATION:PT1H'),
        event('DTSTART;TZID="W. Europe Standard Time":20320105T100000', 'DURATION:PT1H'),
      ],
      [FIRST, '01-05 09:00/01-05 10:00'],
    ],
    [
      'a zone that only the calendar knows',
      [
        OWN_ZONE,
        event('DTSTART;TZID=Harbour:20310502T040000', 'DURATION:PT1H'),
        event('DTSTART;TZID=Harbour:20320105T040000', 'DURATION:PT1H'),
      ],
      [FIRST, '01-05 09:00/01-05 10:00'],
    ],
    [
      'a zone whose name ends with the IANA name of another zone than that of the instance',
      [event('DTSTART;TZID=/example.org/2031/America/New_York:20310502T040000', 'DURATION:PT1H')],
      [FIRST],
    ],
    [
      'a zone whose name ends with an IANA name and a slash',
      [event('DTSTART;TZID=/example.org/America/New_York/:20310502T040000', 'DURATION:PT1H')],
      [FIRST],
    ],
    [
      'a zone whose name ends with an IANA name of three parts',
      [event('DTSTART;TZID=/example.org/2031/America/Argentina/Buenos_Aires:20310502T050000', 'DURATION:PT1H')],
      [FIRST],
    ],
    ['an unknown zone: that of the instance', [event('DTSTART;TZID=Nowhere:20310502T100000', 'DURATION:PT1H')], [FIRST]],
    ['a time without a zone: that of the instance', [event('DTSTART:20310502T100000', 'DURATION:PT1H')], [FIRST]],
    ['an all-day entry', [event('DTSTART;VALUE=DATE:20310502')], ['day 05-01 22:00/05-02 22:00']],
    ['several days', [event('DTSTART;VALUE=DATE:20310502', 'DTEND;VALUE=DATE:20310505')], ['day 05-01 22:00/05-04 22:00']],
    [
      'the day of a clock change',
      [event('DTSTART;VALUE=DATE:20311026', 'DTEND;VALUE=DATE:20311027')],
      ['day 10-25 22:00/10-26 23:00'],
    ],
    ['TRANSP:TRANSPARENT', [event(START, END, 'TRANSP:TRANSPARENT')], []],
    ['STATUS:CANCELLED', [event(START, END, 'STATUS:CANCELLED')], []],
    ['STATUS:TENTATIVE', [event(START, END, 'STATUS:TENTATIVE')], [FIRST]],
    ['an own shift', [event(START, END, 'UID:shift-12@a.example')], []],
    ['an own shift at a partner', [event(START, END, 'UID:abroad-3-12@a.example')], []],
    ['a shift of a child', [event(START, END, 'UID:shift-12-for-7@a.example')], []],
    ['a shift of another instance', [event(START, END, 'UID:shift-12@b.example')], [FIRST]],
    ['a UID that only looks similar', [event(START, END, 'UID:shift-12x@a.example')], [FIRST]],
    [
      'two entries that overlap',
      [event(START, END), event('DTSTART:20310502T083000Z', 'DURATION:PT1H')],
      ['05-02 08:00/05-02 09:30'],
    ],
    [
      'two entries that touch',
      [event(START, END), event('DTSTART:20310502T090000Z', 'DURATION:PT1H')],
      ['05-02 08:00/05-02 10:00'],
    ],
    ['an entry that is over', [event('DTSTART:20300502T080000Z', 'DURATION:PT1H')], []],
    ['an entry that is over, with its end', [event('DTSTART:20300502T080000Z', 'DTEND:20300502T090000Z')], []],
    [
      'a long entry that began last year',
      [event('DTSTART:20300502T080000Z', 'DTEND:20310502T090000Z')],
      ['05-01 00:00/05-02 09:00'],
    ],
    ['an entry until this moment', [event('DTSTART:20310430T080000Z', 'DTEND:20310501T000000Z')], []],
    [
      'an entry that ends tomorrow in UTC',
      [event('DTSTART;TZID=Pacific/Honolulu:20310430T100000', 'DTEND;TZID=Pacific/Honolulu:20310430T150000')],
      ['05-01 00:00/05-01 01:00'],
    ],
    ['an entry that has begun', [event('DTSTART:20310430T200000Z', 'DURATION:PT10H')], ['05-01 00:00/05-01 06:00']],
    ['an entry on the last day', [event('DTSTART:20320430T080000Z', 'DTEND:20320430T090000Z')], ['04-30 08:00/04-30 09:00']],
    ['an entry in two years', [event('DTSTART:20330502T080000Z', 'DURATION:PT1H')], []],
    ['a recurring entry', [event(...DAILY)], [FIRST, '05-03 08:00/05-03 09:00', '05-04 08:00/05-04 09:00']],
    ['without EXDATE', [event(...DAILY, 'EXDATE:20310503T080000Z')], [FIRST, '05-04 08:00/05-04 09:00']],
    [
      'without EXDATE in another zone',
      [event(...DAILY, 'EXDATE;TZID=America/New_York:20310503T040000')],
      [FIRST, '05-04 08:00/05-04 09:00'],
    ],
    ['without EXDATE as a day', [event(...DAILY, 'EXDATE;VALUE=DATE:20310503,20310504')], [FIRST]],
    ['with RDATE', [event(START, END, 'RDATE:20310510T080000Z')], [FIRST, '05-10 08:00/05-10 09:00']],
    [
      'with RDATE as a period',
      [event(START, END, 'RDATE;VALUE=PERIOD:20310510T080000Z/PT3H')],
      [FIRST, '05-10 08:00/05-10 11:00'],
    ],
    [
      'with a moved occurrence',
      [event(...DAILY), event('UID:1', 'RECURRENCE-ID:20310503T080000Z', 'DTSTART:20310503T120000Z', 'DURATION:PT2H')],
      [FIRST, '05-03 12:00/05-03 14:00', '05-04 08:00/05-04 09:00'],
    ],
    [
      'with a cancelled occurrence',
      [
        event(...DAILY),
        event('UID:1', 'RECURRENCE-ID:20310503T080000Z', 'DTSTART:20310503T080000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'),
      ],
      [FIRST, '05-04 08:00/05-04 09:00'],
    ],
    [
      'with this and following occurrences moved',
      [
        event(...DAILY),
        event('UID:1', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310503T080000Z', 'DTSTART:20310503T120000Z', 'DURATION:PT2H'),
      ],
      [FIRST, '05-03 12:00/05-03 14:00', '05-04 12:00/05-04 14:00'],
    ],
    [
      'with following occurrences moved twice',
      [
        event(START, END, 'UID:1', 'RRULE:FREQ=DAILY;COUNT=5'),
        event('UID:1', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310503T080000Z', 'DTSTART:20310503T120000Z', 'DURATION:PT2H'),
        event('UID:1', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20310505T080000Z', 'DTSTART:20310505T150000Z', 'DURATION:PT1H'),
      ],
      [FIRST, '05-03 12:00/05-03 14:00', '05-04 12:00/05-04 14:00', '05-05 15:00/05-05 16:00', '05-06 15:00/05-06 16:00'],
    ],
    [
      'with an occurrence of another entry moved',
      [event(...DAILY), event('UID:2', 'RECURRENCE-ID:20310503T080000Z', 'DTSTART:20310601T120000Z', 'DURATION:PT2H')],
      [FIRST, '05-03 08:00/05-03 09:00', '05-04 08:00/05-04 09:00', '06-01 12:00/06-01 14:00'],
    ],
    [
      'until a moment in UTC, which is included',
      [event('DTSTART;TZID=Europe/Berlin:20310502T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310503T080000Z')],
      [FIRST, '05-03 08:00/05-03 09:00'],
    ],
    [
      'until a clock time, which is included',
      [event('DTSTART;TZID=Europe/Berlin:20310502T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310503T100000')],
      [FIRST, '05-03 08:00/05-03 09:00'],
    ],
    [
      'until a clock time before the second occurrence',
      [event('DTSTART;TZID=Europe/Berlin:20310502T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310503T093000')],
      [FIRST],
    ],
    [
      'at midnight until a day',
      [event('DTSTART:20310502T000000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310503')],
      ['05-01 22:00/05-01 23:00', '05-02 22:00/05-02 23:00'],
    ],
    [
      'a long occurrence that began before the first moment of interest',
      [event('DTSTART:20310104T080000Z', 'DURATION:P6D', 'RRULE:FREQ=WEEKLY;UNTIL=20310427T000000Z')],
      ['05-01 00:00/05-02 08:00'],
    ],
    [
      'an occurrence on the local day before the first moment of interest',
      [event('DTSTART;TZID=Pacific/Honolulu:20310101T150000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310501T020000Z')],
      ['05-01 01:00/05-01 02:00'],
    ],
    [
      'an occurrence on the local day after the last moment of interest',
      [event('DTSTART;TZID=Pacific/Kiritimati:20320430T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2')],
      ['04-29 20:00/04-29 21:00', '04-30 20:00/04-30 21:00'],
    ],
    [
      'every day since 2025, counted in seconds',
      [event('DTSTART:20250502T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=SECONDLY;INTERVAL=86400;UNTIL=20310502T235959Z')],
      ['05-01 08:00/05-01 09:00', FIRST],
    ],
    [
      'every day since 1950',
      [event('DTSTART:19500102T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20310502T235959Z')],
      ['05-01 08:00/05-01 09:00', FIRST],
    ],
    [
      'until a day, which is included',
      [event('DTSTART;VALUE=DATE:20310502', 'RRULE:FREQ=WEEKLY;UNTIL=20310509')],
      ['day 05-01 22:00/05-02 22:00', 'day 05-08 22:00/05-09 22:00'],
    ],
    [
      'local times across a clock change',
      [event('DTSTART;TZID=Europe/Berlin:20311025T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3')],
      ['10-25 08:00/10-25 09:00', '10-26 09:00/10-26 10:00', '10-27 09:00/10-27 10:00'],
    ],
    [
      'every second week since 1990',
      [event('DTSTART:19900102T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20310601T000000Z')],
      ['05-13 08:00/05-13 09:00', '05-27 08:00/05-27 09:00'],
    ],
    [
      'the last Friday of a month',
      [event('DTSTART:20300125T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20310701T000000Z')],
      ['05-30 08:00/05-30 09:00', '06-27 08:00/06-27 09:00'],
    ],
    [
      'a number of times that began long ago',
      [event('DTSTART:20310425T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=8')],
      ['05-01 08:00/05-01 09:00', FIRST],
    ],
    [
      'busy times of a server that tells nothing else',
      ['BEGIN:VFREEBUSY', 'FREEBUSY:20310502T080000Z/PT1H', 'FREEBUSY;FBTYPE=FREE:20310503T080000Z/PT1H', 'END:VFREEBUSY'],
      [FIRST],
    ],
    ['a task', ['BEGIN:VTODO', START, 'DUE:20310502T090000Z', 'END:VTODO'], []],
    ['an entry with an alarm', [event(START, END, 'BEGIN:VALARM', 'TRIGGER:-PT1H', 'DURATION:PT9H', 'END:VALARM')], [FIRST]],
    ['folded lines and other texts', [event('SUMMARY:A: ; long', '  text\\n', 'DTST', ' ART:20310502T080000Z', END)], [FIRST]],
  ]
  for (const [name, lines, expected] of cases) test(name, () => assert.deepEqual(timesOf(...lines), expected))

  test('entries that cannot be read are counted, and the others are read', () => {
    const content = read(
      calendar(
        event(START, END),
        event('DTSTART:soon', END),
        event('SUMMARY:No time'),
        event(START, END, 'RRULE:FREQ=MONTHLY;BYDAY=6MO'),
      ),
    )
    assert.deepEqual(content, {
      ok: true,
      times: [{ fromMs: Date.parse('2031-05-02T08:00Z'), untilMs: Date.parse('2031-05-02T09:00Z'), isAllDay: false }],
      unreadCount: 3,
    })
  })

  for (const [name, lines] of [
    ['a duration', [event(START, 'DURATION:PT1H')]],
    [
      'a further period',
      [event('DTSTART:20310601T080000Z', 'EXDATE:20310601T080000Z', 'RDATE;VALUE=PERIOD:20310502T080000Z/PT1H')],
    ],
    ['a busy time of a server', ['BEGIN:VFREEBUSY', 'FREEBUSY:20310502T080000Z/PT1H', 'END:VFREEBUSY']],
  ] as const)
    test(`${name} is exact`, () => {
      const content = read(calendar(...lines))
      assert.ok(content.ok)
      assert.deepEqual(
        content.times.map(({ fromMs, untilMs }) => untilMs - fromMs),
        [3_600_000],
      )
    })

  test('busy times of a server that cannot be read are counted', () => {
    const content = read(calendar('BEGIN:VFREEBUSY', 'FREEBUSY:soon/later', 'END:VFREEBUSY', event(START, END)))
    assert.ok(content.ok)
    assert.deepEqual([content.times.length, content.unreadCount], [1, 1])
  })

  for (const [what, count, rule] of [
    ['20000 occurrences', 20_000, 'MINUTELY'],
    ['3000 times', 3_000, 'HOURLY'],
  ] as const)
    test(`${what} are read, one more is refused`, () => {
      const entry = (times: number) => calendar(event(START, 'DURATION:PT1M', `RRULE:FREQ=${rule};COUNT=${times}`))
      assert.equal(read(entry(count)).ok, true)
      assert.deepEqual(read(entry(count + 1)), { ok: false, reason: 'too_many_times' })
    })

  test('line ends of Unix and a byte order mark are read', () => {
    const content = read(`\uFEFF${calendar(event(START, END)).replaceAll('\r\n', '\n')}`)
    assert.ok(content.ok)
    assert.equal(content.times.length, 1)
  })

  for (const text of ['', '<!doctype html><title>Sign in</title>', 'BEGIN:VCARD\r\nEND:VCARD', '{}'])
    test(`${JSON.stringify(text.slice(0, 20))} is no calendar`, () =>
      assert.deepEqual(read(text), { ok: false, reason: 'not_a_calendar' }))

  for (const [name, lines] of [
    ['too many occurrences', [START, 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY']],
    ['too many times', [START, 'DURATION:PT1M', 'RRULE:FREQ=HOURLY']],
  ] as const)
    test(`${name} are refused`, () => assert.deepEqual(read(calendar(event(...lines))), { ok: false, reason: 'too_many_times' }))
})
