import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { textOf, valuesOf } from '#test/support/conditions.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { decidesJoining, isJoiningDecidedBy, JOINING_REQUEST } from './access.ts'

const having = (permission: Permission) => actorOf(ANN, { permissions: new Set([permission]) })

test('the name of requests is stored, so it stays the same', () => assert.equal(JOINING_REQUEST, 'joining'))

const CASES: [who: string, actor: UserActor, account: boolean, group: boolean][] = [
  ['a person without permissions', actorOf(ANN), false, false],
  ['who changes groups', having('change_group'), false, true],
  ['who adds people', having('add_user'), true, false],
  ['who changes people', having('change_user'), false, false],
  ['a superuser', actorOf(OLGA), true, true],
]
for (const [who, actor, account, group] of CASES)
  test(`requests to join for ${who}`, () => {
    const condition = isJoiningDecidedBy(actor)
    assert.match(
      textOf(condition),
      /'group_id' is null then \$1::boolean else \$2::boolean end$/,
      'without a group, then with one',
    )
    assert.deepEqual(valuesOf(condition), [account, group])
    assert.equal(decidesJoining({ actor }), account || group)
  })
