import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReasonNotToInvite, findUndoEnd } from './rules.ts'

const NEW = { isActive: true, hasPassword: false, lastSeenAt: null, canSignIn: true, isUnreachable: false }
const NOW = new Date('2031-05-04T08:00:00Z')

for (const [what, change, reason] of [
  ['a new account', {}, undefined],
  ['an inactive account', { isActive: false }, 'inactive'],
  ['an account with a password', { hasPassword: true }, 'signed_in_before'],
  ['an account that another system signs in', { lastSeenAt: NOW }, 'signed_in_before'],
  ['an account without any name to sign in with', { canSignIn: false }, 'no_sign_in'],
  ['an account without an address', { isUnreachable: true }, 'no_address'],
] as const)
  test(`${what} is ${reason ? `not invited: ${reason}` : 'invited'}`, () =>
    assert.equal(findReasonNotToInvite({ ...NEW, ...change }), reason))

test('what was done can be undone for a day, except for mails', () => {
  const at = (hours: number) => new Date(NOW.getTime() - hours * 3600_000)
  const action = { kind: 'grant', state: 'done', finishedAt: at(23) } as const
  assert.deepEqual(findUndoEnd(action, NOW), new Date(NOW.getTime() + 3600_000))
  assert.equal(findUndoEnd({ ...action, finishedAt: at(24) }, NOW), undefined)
  assert.equal(findUndoEnd({ ...action, kind: 'invite' }, NOW), undefined)
  assert.equal(findUndoEnd({ ...action, state: 'undone' }, NOW), undefined)
})
