import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCovered, isOffered, isWriting, mergeScopes, OFFERED_SCOPES, splitScopes } from './scopes.ts'

test('applications can request identity and the scopes of the API', () => {
  assert.deepEqual(OFFERED_SCOPES.slice(0, 5), ['openid', 'profile', 'email', 'groups', 'PUBLIC_READ'])
  assert.deepEqual([isOffered('email'), isOffered('ME_WRITE'), isOffered('offline_access')], [true, true, false])
})
test('scopes that end in _WRITE write', () =>
  assert.deepEqual([isWriting('ME_WRITE'), isWriting('ME_READ'), isWriting('_WRITE_READ')], [true, false, false]))
test('a list is split at single blanks, without duplicates', () => {
  assert.deepEqual(splitScopes('openid ME_READ openid'), ['openid', 'ME_READ'])
  assert.deepEqual(splitScopes('a  b'), ['a', '', 'b'])
})
test('a request is covered if every scope was granted', () => {
  assert.equal(isCovered(['a', 'b'], ['b', 'a', 'c']), true)
  assert.equal(isCovered(['a', 'd'], ['a', 'b']), false)
})
test('lists are merged in display order', () =>
  assert.deepEqual(mergeScopes(['ME_READ', 'openid'], ['email', 'openid', 'else']), ['openid', 'email', 'ME_READ']))
