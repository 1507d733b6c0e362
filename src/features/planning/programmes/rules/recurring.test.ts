import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RecurringSession } from '../formats/programme-file.ts'
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

  const STARTS: [first: string, rule: string, days: string[] | 'rule'][] = [
    [
      '2031-10-28',
      'FREQ=WEEKLY;BYDAY=TU,WE,TH,FR;COUNT=5',
      ['2031-10-28', '2031-10-29', '2031-10-30', '2031-10-31', '2031-11-04'],
    ],
    ['2031-10-25', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=2', ['2031-10-25', '2031-11-08']],
    ['2031-10-25', 'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SA;COUNT=2', ['2031-10-25', '2031-11-08']],
    ['2031-10-25', 'FREQ=WEEKLY;WKST=SU;BYDAY=SA;COUNT=2', ['2031-10-25', '2031-11-01']],
    ['2031-10-25', 'FREQ=DAILY;INTERVAL=2;BYDAY=SA;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;BYMONTH=10;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;BYMONTHDAY=25;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;INTERVAL=1000;COUNT=2', ['2031-10-25', '2034-07-21']],
    ['2031-10-25', 'FREQ=DAILY;INTERVAL=1001;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;INTERVAL=0;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;INTERVAL=1.5;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;COUNT=1', ['2031-10-25']],
    ['2031-10-25', 'FREQ=DAILY;COUNT=1.5', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;UNTIL=tomorrow', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;UNTIL=20311301', 'rule'],
    ['2031-10-25', 'FREQ=DAILY;UNTIL=20311026T100000', ['2031-10-25', '2031-10-26']],
    ['2031-10-25', 'FREQ=DAILY;UNTIL=20311026T095959', ['2031-10-25']],
    ['2031-10-25', 'FREQ=YEARLY;COUNT=2', ['2031-10-25', '2032-10-25']],
    ['2031-10-25', 'FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=25;COUNT=2', ['2031-10-25', '2032-10-25']],
    ['2031-10-25', 'FREQ=YEARLY;BYMONTH=11;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=YEARLY;BYMONTH=10;BYDAY=4SA;COUNT=2', ['2031-10-25', '2032-10-23']],
    ['2031-10-25', 'FREQ=YEARLY;BYDAY=4SA;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=MONTHLY;BYMONTH=10;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=MONTHLY;BYMONTHDAY=25;BYDAY=4SA;COUNT=2', 'rule'],
    ['2031-10-25', 'FREQ=MONTHLY;BYDAY=+4SA;COUNT=2', ['2031-10-25', '2031-11-22']],
    ['2031-10-25', 'FREQ=MONTHLY;BYDAY=3SA;COUNT=2', 'rule'],
    ['2031-10-28', 'FREQ=MONTHLY;COUNT=2', ['2031-10-28', '2031-11-28']],
    ['2031-10-29', 'FREQ=MONTHLY;COUNT=2', 'rule'],
    ['2031-10-24', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', 'rule'],
    ['2031-10-31', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', ['2031-10-31', '2031-11-28']],
  ]
  for (const [first, rule, wanted] of STARTS)
    test(`${rule} from ${first}`, () => {
      const found = repeat(session([rule], { start: `${first}T08:00:00.000Z`, end: `${first}T09:00:00.000Z` }))
      assert.deepEqual(typeof found === 'string' ? found : found.map(({ start }) => start.slice(0, 10)), wanted)
    })

  test('as often as a series allows', () => assert.equal(repeat(session(['FREQ=DAILY;COUNT=400'])).length, 400))
  test('two rules are not supported', () => assert.equal(repeat(session(['FREQ=DAILY;COUNT=2', 'FREQ=WEEKLY;COUNT=2'])), 'rule'))
  test('single times without a rule', () => {
    const found = repeat(session([], { added: ['2031-10-24T12:00:00.000Z'] }))
    assert.deepEqual(typeof found !== 'string' && found.map(({ start }) => start), [
      '2031-10-24T12:00:00.000Z',
      '2031-10-25T08:00:00.000Z',
    ])
  })

  test('a programme has up to 5000 sessions; repeated ones beyond that are a fault', () => {
    const { zone: _zone, rules: _rules, added: _added, skipped: _skipped, line: _line, ...single } = session([])
    const content = (count: number, rules: string[]) =>
      contentOf({
        format: 'ical',
        title: '',
        sessions: Array.from({ length: count }, (_, index) => ({ ...single, key: `s${index}` })),
        recurring: [session(rules)],
        faults: [],
      })
    assert.equal(content(4998, ['FREQ=DAILY;COUNT=2']).sessions.length, 5000)
    const { sessions, faults } = content(4999, ['FREQ=DAILY;COUNT=2'])
    assert.equal(sessions.length, 4999)
    assert.deepEqual(faults, [{ code: 'too_many_dates', title: 'Daily', at: 4, value: 'FREQ=DAILY;COUNT=2' }])
    assert.equal(content(5000, []).faults[0]?.value, '')
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
