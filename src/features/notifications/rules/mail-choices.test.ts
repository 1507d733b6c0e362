import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS, type KindName, requireKind } from '../kinds/registry.ts'
import { makeMailChoices, wantsMail } from './mail-choices.ts'

const WANTS: [what: string, kind: KindName, disabled: unknown, enabled: unknown, wants: boolean][] = [
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
  test(`${kind} by mail ${what}`, () => assert.equal(wantsMail(requireKind(kind), { disabled, enabled }), wants))

test('every choice of kinds is stored as it was made', () => {
  const switchable = KINDS.filter(({ name }) => name !== 'event_message')
  for (let bits = 0; bits < 2 ** switchable.length; bits += 7) {
    const wanted = new Set<string>(switchable.filter((_, index) => (bits >> index) & 1).map(({ name }) => name))
    const before = { disabled: [['mail', 'reminder']], enabled: [['mail', 'event_published']] }
    const stored = makeMailChoices(KINDS, wanted, before)
    assert.deepEqual(
      switchable.filter((kind) => wantsMail(kind, stored)).map(({ name }) => name),
      [...wanted],
    )
  }
})
