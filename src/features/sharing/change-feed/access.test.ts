import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERMISSIONS, type Permission } from '#platform/auth/permissions.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { readerOf } from './access.ts'

const trueFacts = (reader: ReturnType<typeof readerOf>): string[] =>
  Object.entries(reader)
    .filter(([, value]) => value === true)
    .map(([name]) => name)
const ALL = ['seesAllEvents', 'changesAllEvents', 'viewsUsers', 'viewsGroups', 'decidesAllHours']

describe('a reader of changes', () => {
  const BY_PERMISSION: Partial<Record<Permission, string>> = {
    view_event: 'seesAllEvents',
    change_event: 'changesAllEvents',
    view_user: 'viewsUsers',
    view_group: 'viewsGroups',
    decide_working_hours_for_group: 'decidesAllHours',
  }
  for (const permission of PERMISSIONS) {
    const expected = BY_PERMISSION[permission]
    test(`with the permission ${permission} reads ${expected ?? 'nothing'} in addition`, () => {
      const reader = readerOf(actorOf(ANN, { permissions: new Set([permission]) }))
      assert.deepEqual(trueFacts(reader), expected ? [expected] : [])
    })
  }
  test('who is an administrator or a superuser reads everything', () => {
    assert.deepEqual(trueFacts(readerOf(actorOf(ANN, { isStaff: true }))), ALL)
    assert.deepEqual(trueFacts(readerOf(actorOf(OLGA))), ALL)
  })
  test('is the person with their groups', () => {
    const { userId, groupIds } = readerOf(actorOf(ANN, { groupIds: [7, 9] }))
    assert.deepEqual([userId, [...groupIds]], [ANN.id, [7, 9]])
  })

  const BY_SCOPE = { PUBLIC_READ: 'public', ME_READ: 'me', CONFIDENTIAL_READ: 'confidential' } as Partial<Record<string, string>>
  for (const scope of SCOPES)
    test(`by a token with the scope ${scope} reads ${BY_SCOPE[scope] ?? 'no'} data`, () => {
      const { scopes } = readerOf(actorOf(OLGA, { via: { kind: 'token', tokenId: 1, scopes: new Set([scope]) } }))
      for (const [area, isRead] of Object.entries(scopes)) assert.equal(isRead, area === BY_SCOPE[scope], area)
    })
  test('in a session reads the data of all scopes', () => {
    assert.deepEqual(readerOf(actorOf(ANN)).scopes, { public: true, me: true, confidential: true })
  })
})
