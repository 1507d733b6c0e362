import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import type { JournalKind, StoredChanges } from '#platform/journal/kinds.ts'
import { KINDS } from '#test/support/notification-kinds.ts'
import { ADDED } from '../../../../features.ts'
import { isTrigger, triggersOf } from './kinds.ts'

const SITE = { added: ADDED }

const NOW = '2031-05-01T10:00:00.000Z'

test('journal entries that concern nobody else cause no notification', () => {
  for (const kind of [
    'event.created',
    'user.notifications_chosen',
    'event.message_sent',
    '__proto__',
    'constructor',
  ] as JournalKind[]) {
    assert.deepEqual(triggersOf(SITE, { kind, changes: {} } as Parameters<typeof triggersOf>[1]), [], kind)
    assert.equal(isTrigger(SITE, kind), false, kind)
  }
})

type Kind = 'participation.moved' | 'participation.customized'
const NO_NOTIFICATION: [what: string, kind: Kind, changes: StoredChanges<Kind>, state: number][] = [
  ['a comment alone', 'participation.moved', { comment_id: 7 }, STATE.confirmed],
  ['new times of a request', 'participation.moved', { individual_start_time: [null, NOW] }, STATE.requested],
  ['a choice in the structure', 'participation.customized', { structure_data: [{}, {}] }, STATE.confirmed],
]
for (const [what, kind, changes, state] of NO_NOTIFICATION)
  test(`${what} causes no notification`, () => assert.deepEqual(triggersOf(SITE, { kind, changes }, state), []))

test('names of kinds are unique and fit the column and the unsubscribe link', () => {
  const names = KINDS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
})

test('every label belongs to a kind', () => {
  // Tests of extensions may run in the same process.
  const labels = [...messagesIn('en').keys()].filter((key) => /^notification\.(?!x_)\w+\.label$/.test(key))
  assert.deepEqual(labels.sort(), KINDS.map(({ name }) => `notification.${name}.label`).sort())
})

test('a kind that cannot be switched off explains its mails', () => {
  for (const kind of KINDS) assert.equal(kind.explainMail !== undefined, kind.mail === 'always', kind.name)
})
