import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { type Dependencies, dependenciesOf, valuesOf } from '#test/support/conditions.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { isProfileDecidedBy, PROFILE_REQUEST, pictureShownTo } from './access.ts'

const ann = (...permissions: Permission[]) => actorOf(ANN, { groupIds: [HELPERS.id], permissions: new Set(permissions) })

test('the name of requests is stored, so it stays the same', () => assert.equal(PROFILE_REQUEST, 'profile'))

const CASES: [who: string, actor: UserActor, decides: boolean, seesAll: boolean][] = [
  ['a person without permissions', ann(), false, false],
  ['who changes people', ann('change_user'), true, false],
  ['who views people', ann('view_user'), false, true],
  ['who changes groups', ann('change_group'), false, false],
  ['a superuser', actorOf(OLGA, { groupIds: [HELPERS.id] }), true, true],
]
for (const [who, actor, decides, seesAll] of CASES)
  test(`proposals and pictures for ${who}`, () => {
    assert.deepEqual(valuesOf(isProfileDecidedBy(actor)), [decides])
    const { values } = dependenciesOf(pictureShownTo(actor)) as Dependencies
    assert.deepEqual(values, [actor.userId, seesAll, [HELPERS.id]])
  })
