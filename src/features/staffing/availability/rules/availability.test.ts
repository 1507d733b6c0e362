import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spanOfDay } from '#platform/i18n/days.ts'
import { type Availability, findCannotTimes, judgeAvailability, NO_AVAILABILITY, readClock, writeClock } from './availability.ts'

const ZONE = 'Europe/Berlin'
/** 7 January 2030 is a Monday; the zone is UTC+1 then. */
const at = (day: number, hour: number): Date => new Date(Date.UTC(2030, 0, day) + (hour - 1) * 3_600_000)
const judge = (availability: Partial<Availability>, from: [number, number], until: [number, number]) =>
  judgeAvailability({ ...NO_AVAILABILITY, ...availability }, { start: at(...from), end: at(...until) }, ZONE)

const MONDAYS = { kind: 'cannot', weekday: 1, from: 8 * 60, until: 16 * 60 } as const
const EVENINGS = { kind: 'can', weekday: 1, from: 18 * 60, until: 1440 } as const
const NIGHTS = { kind: 'can', weekday: 2, from: 0, until: 6 * 60 } as const
const WEEK_OFF = { kind: 'cannot', first: '2030-01-07', last: '2030-01-11' } as const
const FREE_MONDAY = { kind: 'can', first: '2030-01-07', last: '2030-01-07' } as const

/** Of a private calendar. */
const busy = (from: [number, number], until: [number, number]) => ({
  fromMs: at(...from).getTime(),
  untilMs: at(...until).getTime(),
})

describe('availability', () => {
  const cases: [string, string | undefined, string | undefined][] = [
    ['nothing said', judge({}, [7, 8], [7, 12]), undefined],
    ['during a weekly time', judge({ weekly: [MONDAYS] }, [7, 9], [7, 10]), 'cannot'],
    ['overlapping a weekly time by an hour', judge({ weekly: [MONDAYS] }, [7, 15], [7, 20]), 'cannot'],
    ['touching a weekly time', judge({ weekly: [MONDAYS] }, [7, 16], [7, 20]), undefined],
    ['the same hours on another day', judge({ weekly: [MONDAYS] }, [8, 9], [8, 10]), undefined],
    ['a week later', judge({ weekly: [MONDAYS] }, [14, 9], [14, 10]), 'cannot'],
    ['within an absence', judge({ periods: [WEEK_OFF] }, [9, 9], [9, 10]), 'cannot'],
    ['on the last day of an absence', judge({ periods: [WEEK_OFF] }, [11, 23], [12, 3]), 'cannot'],
    ['after an absence', judge({ periods: [WEEK_OFF] }, [12, 0], [12, 3]), undefined],
    ['until the midnight before an absence', judge({ periods: [WEEK_OFF] }, [6, 20], [7, 0]), undefined],
    ['a single day replaces the weekly time', judge({ weekly: [MONDAYS], periods: [FREE_MONDAY] }, [7, 9], [7, 10]), 'can'],
    ['cannot wins on the same day', judge({ periods: [FREE_MONDAY, WEEK_OFF] }, [7, 9], [7, 10]), 'cannot'],
    ['within a time that suits', judge({ weekly: [EVENINGS] }, [7, 19], [7, 22]), 'can'],
    ['partly within a time that suits', judge({ weekly: [EVENINGS] }, [7, 17], [7, 22]), undefined],
    ['over midnight through two times', judge({ weekly: [EVENINGS, NIGHTS] }, [7, 20], [8, 4]), 'can'],
    [
      'through two times of a day in any order',
      judge(
        {
          weekly: [
            { ...EVENINGS, from: 18 * 60, until: 20 * 60 },
            { ...EVENINGS, from: 16 * 60, until: 18 * 60 },
          ],
        },
        [7, 16],
        [7, 20],
      ),
      'can',
    ],
    [
      'through times of which one lies within another',
      judge(
        {
          weekly: [
            { ...EVENINGS, from: 16 * 60, until: 20 * 60 },
            { ...EVENINGS, from: 17 * 60, until: 18 * 60 },
            { ...EVENINGS, from: 20 * 60, until: 22 * 60 },
          ],
        },
        [7, 16],
        [7, 22],
      ),
      'can',
    ],
    [
      'in the first hour of a day that suits, which is the day before in UTC',
      judge({ periods: [FREE_MONDAY] }, [7, 0], [7, 1]),
      'can',
    ],
    ['over midnight with a gap', judge({ weekly: [EVENINGS] }, [7, 20], [8, 4]), undefined],
    ['within a busy time', judge({ busy: [busy([7, 8], [7, 12])] }, [7, 9], [7, 10]), 'cannot'],
    ['overlapping a busy time by an hour', judge({ busy: [busy([7, 8], [7, 12])] }, [7, 11], [7, 14]), 'cannot'],
    ['touching a busy time', judge({ busy: [busy([7, 8], [7, 12])] }, [7, 12], [7, 14]), undefined],
    [
      'a day said as can beats a busy time',
      judge({ busy: [busy([7, 8], [7, 12])], periods: [FREE_MONDAY] }, [7, 9], [7, 10]),
      'can',
    ],
    ['a weekly can beats a busy time', judge({ busy: [busy([7, 19], [7, 20])], weekly: [EVENINGS] }, [7, 18], [7, 22]), 'can'],
    [
      'beside what was said, a busy time counts',
      judge({ busy: [busy([7, 17], [7, 20])], weekly: [EVENINGS] }, [7, 16], [7, 22]),
      'cannot',
    ],
    [
      'a busy time within what was said',
      judge({ busy: [busy([7, 19], [7, 20])], weekly: [EVENINGS] }, [7, 16], [7, 22]),
      undefined,
    ],
    ['cannot stays without a busy time', judge({ busy: [busy([8, 8], [8, 9])], periods: [WEEK_OFF] }, [7, 9], [7, 10]), 'cannot'],
  ]
  for (const [name, found, expected] of cases) test(name, () => assert.equal(found, expected))

  test('weekly times follow the clock on the day of a change', () => {
    // 31 March 2030: 2:00 becomes 3:00.
    const weekly = [{ kind: 'cannot', weekday: 7, from: 8 * 60, until: 9 * 60 }] as const
    const hour = (text: string) => ({ start: new Date(text), end: new Date(new Date(text).getTime() + 60_000) })
    assert.equal(judgeAvailability({ ...NO_AVAILABILITY, weekly }, hour('2030-03-31T08:00:00+02:00'), ZONE), 'cannot')
    assert.equal(judgeAvailability({ ...NO_AVAILABILITY, weekly }, hour('2030-03-31T07:00:00+02:00'), ZONE), undefined)
    assert.equal(judgeAvailability({ ...NO_AVAILABILITY, weekly }, hour('2030-03-31T09:00:00+02:00'), ZONE), undefined)
  })

  test('clock times are read and written', () => {
    for (const [text, minutes] of [
      ['00:00', 0],
      ['8:30', 510],
      ['24:00', 1440],
    ] as const)
      assert.equal(readClock(text), minutes)
    for (const text of ['', '8', '24:01', '12:60', 'noon']) assert.equal(readClock(text), undefined)
    assert.deepEqual([0, 510, 605, 1440].map(writeClock), ['00:00', '08:30', '10:05', '24:00'])
  })
})

describe('the times of a day at which somebody cannot', () => {
  const hoursOf = (availability: Partial<Availability>, day = '2030-01-07') => {
    const span = spanOfDay(day, ZONE)
    const hour = (moment: Date) => (moment.getTime() - span.start.getTime()) / 3_600_000
    return findCannotTimes({ ...NO_AVAILABILITY, ...availability }, span, ZONE).map(({ start, end }) => [hour(start), hour(end)])
  }
  const cases: [string, number[][], number[][]][] = [
    ['nothing said', hoursOf({}), []],
    ['a weekly time', hoursOf({ weekly: [MONDAYS] }), [[8, 16]]],
    ['on another day', hoursOf({ weekly: [MONDAYS] }, '2030-01-08'), []],
    ['a time that suits', hoursOf({ weekly: [EVENINGS] }), []],
    ['an absence', hoursOf({ weekly: [MONDAYS], periods: [WEEK_OFF] }), [[0, 24]]],
    ['a single day replaces the weekly time', hoursOf({ weekly: [MONDAYS], periods: [FREE_MONDAY] }), []],
    ['busy times of a calendar, cut at midnight', hoursOf({ busy: [busy([6, 20], [7, 3])] }), [[0, 3]]],
    ['busy times of another day', hoursOf({ busy: [busy([6, 20], [7, 0])] }), []],
    ['busy times and a time that suits', hoursOf({ weekly: [EVENINGS], busy: [busy([7, 17], [8, 3])] }), [[17, 18]]],
    [
      'times that touch are one',
      hoursOf({ weekly: [MONDAYS], busy: [busy([7, 16], [7, 18]), busy([7, 9], [7, 10])] }),
      [[8, 18]],
    ],
  ]
  for (const [what, found, expected] of cases) test(what, () => assert.deepEqual(found, expected))

  test('are those at which a shift would be judged so', () => {
    const worlds: Partial<Availability>[] = [
      { weekly: [MONDAYS, EVENINGS, NIGHTS] },
      { weekly: [MONDAYS], busy: [busy([7, 15], [7, 17]), busy([8, 1], [8, 7])] },
      { weekly: [EVENINGS, NIGHTS], busy: [busy([7, 17], [8, 9])] },
      { periods: [FREE_MONDAY], busy: [busy([7, 3], [7, 5])] },
      { periods: [WEEK_OFF] },
    ]
    for (const world of worlds)
      for (let from = 0; from < 24; from++)
        for (let until = from + 1; until <= 24; until++) {
          const isCannot = hoursOf(world).some(([start, end]) => start! < until && end! > from)
          assert.equal(judge(world, [7, from], [7, until]) === 'cannot', isCannot, `${JSON.stringify(world)} ${from}–${until}`)
        }
  })
})
