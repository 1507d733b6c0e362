import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pickDay, shiftsOfDay } from '#features/events/events/rules/shift-days.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { type Attendance, applyMark, correctTime, isKnown, isThere, judgeMark, type Mark, NOTHING } from './attendance.ts'
import { isCurrentCode, makeCode } from './codes.ts'
import { judgeRealTimes, ROUNDINGS, roundTime } from './real-times.ts'
import { judgeArrival, judgeLeaving } from './window.ts'

const at = (time: string, day = '2031-05-01') => new Date(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)
const there = (arrived: string, left?: string): Attendance => ({
  arrivedAt: at(arrived),
  leftAt: left ? at(left) : null,
  noShow: false,
})
const ABSENT: Attendance = { arrivedAt: null, leftAt: null, noShow: true }
const arrived = (time: string): Mark => ({ kind: 'arrived', at: at(time) })
const left = (time: string): Mark => ({ kind: 'left', at: at(time) })
const set = (to: Attendance): Mark => ({ kind: 'set', to })

describe('a mark', () => {
  const CASES: [string, Attendance, Mark, Attendance | undefined][] = [
    ['arriving', NOTHING, arrived('08:00'), there('08:00')],
    ['leaving', there('08:00'), left('12:00'), there('08:00', '12:00')],
    ['leaving without having arrived', NOTHING, left('12:00'), { arrivedAt: null, leftAt: at('12:00'), noShow: false }],
    ['leaving before arriving', there('08:00'), left('07:00'), undefined],
    ['coming back keeps the first arrival', there('08:00', '10:00'), arrived('11:00'), there('08:00')],
    ['arriving after a no-show', ABSENT, arrived('09:00'), there('09:00')],
    ['a no-show forgets times', there('08:00'), { kind: 'no_show' }, ABSENT],
    ['undo', there('08:00'), set(NOTHING), NOTHING],
    ['times in the wrong order', NOTHING, set(there('12:00', '08:00')), undefined],
  ]
  for (const [name, before, mark, after] of CASES) test(name, () => assert.deepEqual(applyMark(before, mark), after))
})

describe('two devices', () => {
  const CASES: [string, Attendance, Mark, string, string][] = [
    ['nothing was marked', NOTHING, arrived('08:00'), 'applied', 'applied'],
    ['the same arrival a little later', there('08:00'), arrived('08:05'), 'applied', 'agreed'],
    ['an arrival at another time', there('08:00'), arrived('08:06'), 'applied', 'conflict'],
    ['an arrival of somebody who was marked as absent', ABSENT, arrived('08:00'), 'applied', 'conflict'],
    ['a no-show of somebody who has arrived', there('08:00'), { kind: 'no_show' }, 'applied', 'conflict'],
    ['a no-show twice', ABSENT, { kind: 'no_show' }, 'agreed', 'agreed'],
    ['leaving is added to an arrival', there('08:00'), left('12:00'), 'applied', 'applied'],
    ['leaving twice at about the same time', there('08:00', '12:00'), left('12:04'), 'applied', 'agreed'],
    ['leaving twice at different times', there('08:00', '12:00'), left('12:30'), 'applied', 'conflict'],
    ['leaving before the arrival that somebody else marked', there('08:00'), left('07:00'), 'conflict', 'conflict'],
    ['corrected times of somebody whom nobody marked', NOTHING, set(there('08:00')), 'applied', 'conflict'],
    ['the same corrected times', there('08:00'), set(there('08:00')), 'agreed', 'agreed'],
  ]
  for (const [name, before, mark, fresh, stale] of CASES)
    test(name, () => {
      assert.equal(judgeMark(before, mark, { isFresh: true }), fresh)
      assert.equal(judgeMark(before, mark, { isFresh: false }), stale)
    })
})

describe('the clock of a device', () => {
  const now = at('12:00')
  const hourAgo = at('11:00').getTime()
  const CASES: [string, number, number, Date][] = [
    ['is right', hourAgo, now.getTime(), at('11:00')],
    ['is a second late, which is the way of the request', hourAgo, now.getTime() - 1000, at('11:00')],
    ['is ten minutes fast', at('11:10').getTime(), at('12:10').getTime(), at('11:00')],
    ['is ten minutes slow', at('10:50').getTime(), at('11:50').getTime(), at('11:00')],
    ['was set back since the mark', at('13:00').getTime(), now.getTime(), now],
  ]
  for (const [name, made, sent, expected] of CASES) test(name, () => assert.deepEqual(correctTime(made, sent, now), expected))
})

describe('the time window', () => {
  const shift = { from: at('10:00'), end: at('14:00') }
  const arrival = (now: Date) => judgeArrival(shift, 60, now)
  test('opens 60 minutes before, to the second', () => {
    assert.deepEqual(arrival(at('08:59:59')), { ok: false, reason: 'too_early', from: at('09:00') })
    assert.deepEqual(arrival(at('09:00')), { ok: true })
  })
  test('closes at the end', () => {
    assert.deepEqual(arrival(at('14:00')), { ok: true })
    assert.deepEqual(arrival(at('14:00:01')), { ok: false, reason: 'too_late' })
  })
  test('lets people leave for as long after the end', () => {
    assert.deepEqual(judgeLeaving(shift, 60, at('15:00')), { ok: true })
    assert.deepEqual(judgeLeaving(shift, 60, at('15:00:01')), { ok: false, reason: 'too_late' })
  })
})

describe('a changing code', () => {
  const keyring = makeKeyring('k'.repeat(32))
  const code = makeCode(keyring, 'token', at('10:00'))
  test('is another one after 30 seconds', () => {
    assert.equal(makeCode(keyring, 'token', at('10:00:29')), code)
    assert.notEqual(makeCode(keyring, 'token', at('10:00:30')), code)
  })
  test('is accepted for five minutes', () => {
    assert.ok(isCurrentCode(keyring, 'token', code, at('10:05:29')))
    assert.ok(!isCurrentCode(keyring, 'token', code, at('10:05:30')))
  })
  test('is of one event only, and not known before', () => {
    assert.ok(!isCurrentCode(keyring, 'other', code, at('10:00')))
    assert.ok(!isCurrentCode(keyring, 'token', code, at('09:59')))
    assert.ok(!isCurrentCode(keyring, 'token', '', at('10:00')))
  })
})

describe('real times', () => {
  const shift = { start: at('08:00'), end: at('12:00') }
  const planned = { shift, times: { start: null, end: null }, isAbsent: false }
  const judge = (attendance: Attendance, rounding: 0 | 5 | 15 = 0, more = {}) =>
    judgeRealTimes(attendance, { ...planned, ...more }, rounding)
  test('are rounded to the nearest step', () => {
    assert.deepEqual(roundTime(at('08:07:29'), 15), at('08:00'))
    assert.deepEqual(roundTime(at('08:07:30'), 15), at('08:15'))
    assert.deepEqual(roundTime(at('08:03'), 5), at('08:05'))
    assert.deepEqual(roundTime(at('08:03:59'), 0), at('08:03'))
  })
  test('replace what was planned', () => {
    const real = judge(there('08:30', '12:45'))
    assert.deepEqual(real, {
      kind: 'present',
      span: { start: at('08:30'), end: at('12:45') },
      times: { start: at('08:30'), end: at('12:45') },
      isChange: true,
      minutes: 15,
    })
  })
  test('that equal the shift are no individual times', () => {
    const real = judge(there('08:02', '12:00'), 5)
    assert.ok(real.kind === 'present' && !real.isChange)
    assert.deepEqual(real.times, { start: null, end: null })
  })
  test('that nobody marked stay as planned', () => {
    assert.deepEqual(judge(NOTHING), { kind: 'unknown' })
    const real = judge(there('09:00'))
    assert.ok(real.kind === 'present')
    assert.deepEqual([real.span.end, real.minutes], [at('12:00'), -60])
  })
  test('are never negative', () => {
    const real = judge(there('13:00'))
    assert.ok(real.kind === 'present')
    assert.deepEqual(real.span, { start: at('13:00'), end: at('13:00') })
  })
  test('of a no-show are none, once', () => {
    assert.deepEqual(judge(ABSENT), { kind: 'absent', isChange: true })
    assert.deepEqual(judge(ABSENT, 0, { isAbsent: true }), { kind: 'absent', isChange: false })
  })
  test('come back if a no-show was a mistake', () => {
    const real = judge(NOTHING, 0, { isAbsent: true })
    assert.ok(real.kind === 'present' && real.isChange)
    assert.equal(real.minutes, 240)
  })
})

describe('the day of the list', () => {
  const words = wordsFor('en', 'UTC')
  const shifts = [
    { start: at('08:00'), end: at('12:00') },
    { start: at('22:00'), end: at('02:00', '2031-05-02') },
    { start: at('08:00', '2031-05-04'), end: at('00:00', '2031-05-05') },
  ]
  test('has the shifts that go on from the day before', () => {
    assert.deepEqual(shiftsOfDay(shifts, '2031-05-02', words), [shifts[1]])
    assert.deepEqual(shiftsOfDay(shifts, '2031-05-05', words), [])
  })
  const CASES: [string, string | null, Date, string][] = [
    ['today', null, at('07:00'), '2031-05-01'],
    ['the wanted one', '2031-05-04', at('07:00'), '2031-05-04'],
    ['not one without shifts', '2031-05-03', at('07:00'), '2031-05-01'],
    ['the next one', null, at('07:00', '2031-05-03'), '2031-05-04'],
    ['the last one', null, at('07:00', '2031-06-01'), '2031-05-04'],
  ]
  for (const [name, wanted, now, expected] of CASES)
    test(`is ${name}`, () => assert.equal(pickDay(shifts, wanted, now, words), expected))
})

describe('attendance', () => {
  const at = new Date('2030-01-10T12:00:00Z')
  const later = new Date(at.getTime() + 1)
  const of = (arrivedAt: Date | null, leftAt: Date | null, noShow = false): Attendance => ({ arrivedAt, leftAt, noShow })
  const CASES: [attendance: Attendance, known: boolean, there: boolean][] = [
    [of(null, null), false, false],
    [of(at, null), true, true],
    [of(at, later), true, false],
    [of(null, at), true, false],
    [of(null, null, true), true, false],
  ]
  for (const [attendance, known, there] of CASES) {
    test(`${JSON.stringify(attendance)}: known ${known}, there ${there}`, () =>
      assert.deepEqual([isKnown(attendance), isThere(attendance)], [known, there]))
  }
  test('may end when it begins', () => assert.deepEqual(applyMark(of(at, null), { kind: 'left', at }), of(at, at)))
  test('goes on for a person who comes back at once', () =>
    assert.deepEqual(applyMark(of(at, later), { kind: 'arrived', at: later }), of(at, null)))
  test('is empty for a person who is set as absent', () =>
    assert.deepEqual(applyMark(of(at, null), { kind: 'set', to: of(at, later, true) }), of(null, null, true)))
  test('of an absent person is not changed by a device that does not know it', () =>
    assert.equal(judgeMark(of(null, null, true), { kind: 'left', at }, { isFresh: false }), 'conflict'))
  test('that nobody knows may become absence', () =>
    assert.equal(judgeMark(of(null, null), { kind: 'no_show' }, { isFresh: false }), 'applied'))
})

test('codes have ten characters and work for five minutes', () => {
  const texts: string[] = []
  const keyring = {
    fingerprint: (text: string) => {
      texts.push(text)
      return Buffer.from(`fingerprint of ${text}`.repeat(2))
    },
  }
  const start = new Date('2030-01-10T12:00:00Z')
  const full = Buffer.from('fingerprint of').toString('base64url')
  assert.equal(makeCode(keyring, 't', start), full.slice(0, 10))
  texts.length = 0
  isCurrentCode(keyring, 't', 'other', start)
  assert.equal(texts.length, 11)
})

test('times are rounded to nothing, 5 or 15 minutes', () => assert.deepEqual(ROUNDINGS, [0, 5, 15]))
