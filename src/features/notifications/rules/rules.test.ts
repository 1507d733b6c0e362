import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure, nextAttempt } from './delivery.ts'
import { ALL_KINDS, choicesFor, type Kind, wantsMail } from './kinds.ts'
import { type Candidate, chooseReaders } from './message.ts'
import { newsOf } from './news.ts'

const NOW = new Date('2031-05-01T10:00:00Z')

const WANTS: [what: string, kind: Kind, disabled: unknown, enabled: unknown, wants: boolean][] = [
  ['is on by default', 'reminder', [], [], true],
  ['is off when switched off', 'reminder', [['mail', 'reminder']], [], false],
  ['is on when another is switched off', 'reminder', [['mail', 'shift_moved']], [], true],
  ['is on when switched off for another channel', 'reminder', [['push', 'reminder']], [], true],
  ['is off by default where people have to want it', 'event_published', [], [], false],
  ['is on when wanted', 'event_published', [], [['mail', 'event_published']], true],
  ['cannot be switched off when somebody writes', 'event_message', [['mail', 'event_message']], [], true],
  ['bears stored nonsense', 'reminder', { a: 1 }, null, true],
  ['bears nonsense among pairs', 'reminder', ['mail', null, [], 7], [], true],
]
for (const [what, kind, disabled, enabled, wants] of WANTS)
  test(`${kind} by mail ${what}`, () => assert.equal(wantsMail(kind, { disabled, enabled }), wants))

test('every choice of kinds is kept as it was chosen', () => {
  const switchable = ALL_KINDS.filter((kind) => kind !== 'event_message')
  for (let bits = 0; bits < 2 ** switchable.length; bits += 7) {
    const wanted = new Set(switchable.filter((_, at) => (bits >> at) & 1))
    const stored = choicesFor(wanted, { disabled: [['mail', 'reminder']], enabled: [['mail', 'event_published']] })
    assert.deepEqual(
      switchable.filter((kind) => wantsMail(kind, stored)),
      [...wanted],
    )
  }
})

test('pauses between attempts grow, and end after about a day', () => {
  const times = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => nextAttempt(attempts, NOW)?.getTime())
  assert.equal(times.at(-1), undefined)
  const pauses = times.slice(0, -1).map((time) => time! - NOW.getTime())
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  )
  assert.ok(pauses.reduce((sum, pause) => sum + pause) > 24 * 3600_000)
})

for (const [said, kept] of [
  ['550 no mailbox <ann@a.example>', '550 no mailbox <…>'],
  ["Can't send to ann.b+c@a.example: refused", "Can't send to … refused"],
  ['ETIMEDOUT', 'ETIMEDOUT'],
] as const)
  test(`of “${said}” operators read “${kept}”`, () => assert.equal(describeFailure(new Error(said)), kept))

test('nothing is told of what is nobody else’s business', () => {
  for (const kind of ['event.created', 'user.notifications_chosen', 'event.message_sent', '__proto__', 'constructor'])
    assert.deepEqual(newsOf({ kind, changes: {} }), [], kind)
  assert.deepEqual(newsOf({ kind: 'participation.moved', changes: { comment_id: 7 } }, 1), [])
  assert.deepEqual(newsOf({ kind: 'participation.moved', changes: { individual_start_time: [null, NOW.toISOString()] } }, 0), [])
  assert.deepEqual(newsOf({ kind: 'participation.customized', changes: { structure_data: [{}, {}] } }, 1), [])
})

test('whoever is meant for several reasons gets one message', () => {
  const takes = [
    { shiftId: 1, state: 1 },
    { shiftId: 2, state: 0 },
  ]
  const ann: Candidate = { key: 'u1', name: 'Ann', noMail: null, isMeant: true, takes }
  const choice = { to: new Set(['confirmed', 'requested', 'unanswered'] as const), shiftId: undefined, people: new Set(['u1']) }
  assert.deepEqual(chooseReaders([ann], choice), { readers: [ann], without: [] })
  const third = { to: new Set(['unanswered'] as const), shiftId: 3, people: new Set<string>() }
  assert.deepEqual(chooseReaders([ann], third).readers, [ann])
})
