import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attendees, laterExpiry, MODES, RECIPIENTS, type Recipients, readAsked, receives, refuseAsking } from './rules.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const day = (text: string) => new Date(`${text}T21:59:59.999Z`)
const held = (expires: string | null, isExternal = false) => ({ expiresAt: expires === null ? null : day(expires), isExternal })

const ASKING: [what: string, held: ReturnType<typeof held> | undefined, until: string | null, refusal: string | undefined][] = [
  ['a new one', undefined, null, undefined],
  ['an expired one', held('2031-04-01'), '2033-01-01', undefined],
  ['an expired one, until a day before that', held('2031-04-01'), '2031-03-01', undefined],
  ['a later end', held('2032-01-01'), '2033-01-01', undefined],
  ['no end instead of one', held('2032-01-01'), null, undefined],
  ['the same end', held('2032-01-01'), '2032-01-01', 'held_longer'],
  ['an earlier end', held('2032-01-01'), '2031-06-01', 'held_longer'],
  ['one that has no end', held(null), '2033-01-01', 'held'],
  ['one that a sign-in service manages', held('2031-04-01', true), null, 'external'],
]
for (const [what, present, until, refusal] of ASKING)
  test(`asking for ${what} is ${refusal ?? 'possible'}`, () =>
    assert.equal(refuseAsking(present, until === null ? null : day(until), NOW), refusal))

const RECEIVING: [recipients: Recipients, held: ReturnType<typeof held> | undefined, until: string | null, isGiven: boolean][] = [
  ['all', undefined, null, true],
  ['all', held('2031-06-01'), '2033-01-01', true],
  ['all', held('2034-01-01'), '2033-01-01', false],
  ['all', held(null), '2033-01-01', false],
  ['lacking', undefined, '2033-01-01', true],
  ['lacking', held('2031-04-01'), '2033-01-01', true],
  ['lacking', held('2031-06-01'), '2033-01-01', false],
  ['holding', undefined, '2033-01-01', false],
  ['holding', held('2031-06-01'), '2033-01-01', true],
  ['holding', held('2031-04-01'), null, true],
  ['all', held('2031-06-01', true), '2033-01-01', false],
]
for (const [recipients, present, until, isGiven] of RECEIVING)
  test(`an event for ${recipients} ${isGiven ? 'gives' : 'does not give'} it until ${until} to a person with ${JSON.stringify(present)}`, () =>
    assert.equal(receives(recipients, present, { expiresAt: until === null ? null : day(until), now: NOW }), isGiven))

test('all recipients that can be chosen: what they give to people without the qualification, and with it', () =>
  assert.deepEqual(
    RECIPIENTS.map((recipients) => {
      const until = { expiresAt: day('2033-01-01'), now: NOW }
      return [recipients, receives(recipients, undefined, until), receives(recipients, held('2031-06-01'), until)]
    }),
    [
      ['all', true, true],
      ['lacking', true, false],
      ['holding', false, true],
    ],
  ))

test('a qualification is valid until its last moment', () => {
  const last = held('2031-06-01')
  const at = (ms: number) => ({ expiresAt: day('2033-01-01'), now: new Date(last.expiresAt!.getTime() + ms) })
  assert.deepEqual([receives('lacking', last, at(0)), receives('lacking', last, at(1))], [false, true])
})

describe('attendance', () => {
  const shifts = [
    { id: 1, end: new Date('2031-05-01T10:00:00Z') },
    { id: 2, end: new Date('2031-05-02T10:00:00Z') },
    { id: 3, end: new Date('2031-05-02T10:00:00Z') },
  ]
  const attendance = [
    { userId: 30, shiftId: 1 },
    { userId: 20, shiftId: 2 },
    { userId: 10, shiftId: 1 },
    { userId: 10, shiftId: 2 },
    { userId: 10, shiftId: 3 },
  ]
  test('of any shift, of every shift, of a shift that ends last', () =>
    assert.deepEqual(
      MODES.map((mode) => [mode, attendees(mode, shifts, attendance)]),
      [
        ['any', [10, 20, 30]],
        ['every', [10]],
        ['last', [10, 20]],
      ],
    ))
})

test('the later expiry counts, and none is the latest', () => {
  assert.equal(laterExpiry(null, day('2032-01-01')), null)
  assert.equal(laterExpiry(day('2032-01-01'), null), null)
  assert.deepEqual(laterExpiry(day('2032-01-01'), day('2033-01-01')), day('2033-01-01'))
})

test('data of requests are read, also imported ones, and unreadable ones are recognised', () => {
  assert.deepEqual(readAsked({ qualification_id: 3, event_id: 4, expires: '2032-01-01T00:00:00+01:00' }), {
    qualificationId: 3,
    eventId: 4,
    expiresAt: new Date('2031-12-31T23:00:00Z'),
    acquiredOn: undefined,
    note: '',
  })
  for (const qualification_id of [undefined, 'x', 0, -1, 1.5]) assert.equal(readAsked({ qualification_id }), undefined)
  assert.equal(readAsked({ qualification_id: 3, expires: 'soon' }), undefined)
})

const ASKED = { qualificationId: 1, eventId: undefined, expiresAt: null, acquiredOn: undefined, note: '' }
for (const [what, data, expected] of [
  ['no end', { expires: null }, {}],
  ['an event', { event_id: 1 }, { eventId: 1 }],
  ['no event', { event_id: 0 }, {}],
  ['an event that is no id', { event_id: 1.5 }, {}],
  ['a day and a note', { acquired: '2031-04-01', note: 'Copy' }, { acquiredOn: '2031-04-01', note: 'Copy' }],
  ['a day and a note that are no texts', { acquired: 5, note: 5 }, {}],
] as const)
  test(`data of a request with ${what} are read`, () =>
    assert.deepEqual(readAsked({ qualification_id: 1, ...data }), { ...ASKED, ...expected }))
