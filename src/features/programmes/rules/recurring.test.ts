import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RecurringSession } from '#platform/programme-files/programme-file.ts'
import { contentOf, repeat } from './recurring.ts'

/** Saturday, 25 October 2031, the night before the end of summer time in Berlin. */
const session = (rules: string[], more: Partial<RecurringSession> = {}): RecurringSession => ({
  key: 'k',
  title: 'Daily',
  room: '',
  track: '',
  type: '',
  start: '2031-10-25T08:00:00.000Z',
  end: '2031-10-25T09:00:00.000Z',
  zone: 'Europe/Berlin',
  rules,
  added: [],
  skipped: [],
  line: 4,
  ...more,
})

describe('repeated sessions', () => {
  const RULES: [rule: string, starts: string[] | string][] = [
    ['FREQ=DAILY;COUNT=3', ['10-25T08', '10-26T09', '10-27T09']],
    ['FREQ=DAILY;UNTIL=20311027', ['10-25T08', '10-26T09', '10-27T09']],
    ['FREQ=DAILY;UNTIL=20311027T085959Z', ['10-25T08', '10-26T09']],
    ['FREQ=DAILY;UNTIL=20311027T090000Z', ['10-25T08', '10-26T09', '10-27T09']],
    ['FREQ=DAILY;INTERVAL=2;COUNT=2', ['10-25T08', '10-27T09']],
    ['FREQ=DAILY;BYDAY=SA,SU;COUNT=3', ['10-25T08', '10-26T09', '11-01T09']],
    ['FREQ=WEEKLY;BYDAY=MO,SA;COUNT=3', ['10-25T08', '10-27T09', '11-01T09']],
    ['FREQ=MONTHLY;COUNT=2', ['10-25T08', '11-25T09']],
    ['FREQ=MONTHLY;BYDAY=-1SA;COUNT=2', ['10-25T08', '11-29T09']],
    ['FREQ=MONTHLY;BYDAY=4SA;COUNT=2', ['10-25T08', '11-22T09']],
    ['FREQ=DAILY', 'endless'],
    ['FREQ=HOURLY;COUNT=3', 'rule'],
    ['FREQ=SECONDLY', 'rule'],
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'rule'],
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', 'rule'],
    ['FREQ=DAILY;BYHOUR=1,2;COUNT=3', 'rule'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000', 'rule'],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SA;COUNT=2', 'rule'],
    ['FREQ=DAILY;COUNT=0', 'rule'],
    ['FREQ=DAILY;COUNT=100000', 'too_many_dates'],
    ['FREQ=DAILY;COUNT=401', 'too_many_dates'],
    ['nonsense', 'rule'],
  ]
  for (const [rule, wanted] of RULES)
    test(rule, () => {
      const found = repeat(session([rule]))
      assert.deepEqual(typeof found === 'string' ? found : found.map(({ start }) => start.slice(5, 13)), wanted)
    })

  test('further and skipped times, and lengths across the end of summer time', () => {
    const found = repeat(
      session(['FREQ=DAILY;COUNT=3'], { added: ['2031-11-05T12:00:00.000Z'], skipped: ['2031-10-26T09:00:00.000Z'] }),
    )
    assert.deepEqual(typeof found !== 'string' && found.map(({ key, end }) => [key, end.slice(5, 13)]), [
      ['k 2031-10-25T08:00:00.000Z', '10-25T09'],
      ['k 2031-10-27T09:00:00.000Z', '10-27T10'],
      ['k 2031-11-05T12:00:00.000Z', '11-05T13'],
    ])
  })

  test('a rule that is not supported is a fault with its line', () => {
    const content = contentOf({ format: 'ical', title: '', sessions: [], recurring: [session(['FREQ=DAILY'])], faults: [] })
    assert.deepEqual(content, { sessions: [], faults: [{ code: 'endless', title: 'Daily', at: 4, value: 'FREQ=DAILY' }] })
  })
})
