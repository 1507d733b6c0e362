import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KindName } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { KINDS, requireKind } from '#test/support/notification-kinds.ts'
import { type Channel, canSwitchOff, makeChoices, wants as wantsBy } from './channels.ts'

const WANTS: [what: string, kind: KindName, disabled: unknown, enabled: unknown, wants: boolean][] = [
  ['is off when switched off in ephios', 'reminder', [['ephios_backend_email', 'reminder']], [], false],
  ['is on by default', 'reminder', [], [], true],
  ['is off when switched off', 'reminder', [['mail', 'reminder']], [], false],
  ['is on when another kind is switched off', 'reminder', [['mail', 'shift_moved']], [], true],
  ['is on when switched off for another channel', 'reminder', [['push', 'reminder']], [], true],
  ['is off by default if it is opt-in', 'event_published', [], [], false],
  ['is on after opting in', 'event_published', [], [['mail', 'event_published']], true],
  ['cannot be switched off if it is a message', 'event_message', [['mail', 'event_message']], [], true],
  ['ignores stored values that are not lists', 'reminder', { a: 1 }, null, true],
  ['ignores list items that are not pairs', 'reminder', ['mail', null, [], 7], [], true],
]
for (const [what, kind, disabled, enabled, wants] of WANTS)
  test(`${kind} by mail ${what}`, () => assert.equal(wantsBy('mail', requireKind(kind), { disabled, enabled }), wants))

test('push messages have choices of their own, also under the name of ephios', () => {
  const choices = {
    disabled: [
      ['mail', 'reminder'],
      ['ephios_backend_webpush', 'shift_moved'],
    ],
    enabled: [],
  }
  const wanted = (channel: Channel) =>
    (['reminder', 'shift_moved'] as const).filter((kind) => wantsBy(channel, requireKind(kind), choices))
  assert.deepEqual([wanted('mail'), wanted('push')], [['shift_moved'], ['reminder']])
})

for (const channel of ['mail', 'push'] as const)
  test(`every choice of kinds is stored as it was made: ${channel}`, () => {
    const switchable = KINDS.filter(canSwitchOff)
    // Some thousand choices: all of them would take minutes.
    const step = Math.ceil(2 ** switchable.length / 3000) + 7
    for (let bits = 0; bits < 2 ** switchable.length; bits += step) {
      const wanted = new Set<string>(switchable.filter((_, index) => (bits >> index) & 1).map(({ name }) => name))
      const before = {
        disabled: [
          ['mail', 'reminder'],
          ['push', 'reminder'],
        ],
        enabled: [
          ['mail', 'event_published'],
          ['push', 'event_published'],
        ],
      }
      const stored = makeChoices(channel, KINDS, wanted, before)
      const other = channel === 'mail' ? 'push' : 'mail'
      assert.deepEqual(
        [wantsBy(other, requireKind('reminder'), stored), wantsBy(other, requireKind('event_published'), stored)],
        [false, true],
      )
      assert.deepEqual(
        switchable.filter((kind) => wantsBy(channel, kind, stored)).map(({ name }) => name),
        [...wanted],
      )
    }
  })

test('kinds that cannot be switched off and unknown kinds stay as they are stored', () => {
  const before = { disabled: [['mail', 'event_message'], ['mail', 'of_a_plugin'], 'odd'], enabled: 'nothing' }
  const all = new Set<string>(KINDS.map(({ name }) => name))
  assert.deepEqual(makeChoices('mail', KINDS, all, before).disabled, before.disabled)
  const none = makeChoices('mail', KINDS, new Set(), { disabled: [], enabled: [] })
  assert.deepEqual(none.enabled, [])
  const isStored = ({ name }: { name: string }) => none.disabled.some((pair) => (pair as string[])[1] === name)
  for (const kind of KINDS) assert.equal(isStored(kind), kind.mail === 'default', kind.name)
})
