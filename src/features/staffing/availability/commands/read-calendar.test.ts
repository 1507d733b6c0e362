import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeReadCalendar } from './read-calendar.ts'

const OPTIONS = {
  fromMs: Date.parse('2031-05-01T00:00:00Z'),
  untilMs: Date.parse('2032-05-01T00:00:00Z'),
  timeZone: 'Europe/Berlin',
  host: 'a.example',
}
const calendar = (...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'DTSTART:20310502T080000Z',
    'DTEND:20310502T090000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\n')
const TIMES = [{ fromMs: Date.parse('2031-05-02T08:00Z'), untilMs: Date.parse('2031-05-02T09:00Z'), isAllDay: false }]

test('a calendar is read in a thread', async () => {
  assert.deepEqual(await makeReadCalendar()(calendar(), OPTIONS), { ok: true, times: TIMES, unreadCount: 0 })
  assert.deepEqual(await makeReadCalendar()('no calendar', OPTIONS), { ok: false, reason: 'not_a_calendar' })
})

/** Each keeps the parser busy for ever: there is no 31 February, and no year 1,900,000. */
for (const rule of ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31', 'FREQ=WEEKLY;INTERVAL=99999999'])
  test(`${rule} does not hold anything up`, async () => {
    const read = makeReadCalendar({ cpuLimitMs: 500 })
    const endless = read(calendar(`RRULE:${rule}`), OPTIONS)
    const next = makeReadCalendar()(calendar(), OPTIONS)
    assert.deepEqual(await endless, { ok: false, reason: 'too_complex' })
    assert.deepEqual(await next, { ok: true, times: TIMES, unreadCount: 0 })
  })
