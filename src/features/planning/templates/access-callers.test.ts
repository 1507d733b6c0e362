import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { dependenciesOf } from '#test/support/conditions.ts'
import { ANN, HELPERS } from '#test/support/people.ts'
import { usableBy } from './access.ts'

const ann = (...permissions: Permission[]) => actorOf(ANN, { groupIds: [HELPERS.id], permissions: new Set(permissions) })

const CASES: [who: string, actor: Actor, expected: ReturnType<typeof dependenciesOf>][] = [
  ['a caller without an account', ANONYMOUS, 'false'],
  ['a person without permissions', ann(), 'false'],
  ['who changes all events but adds none', ann('change_event'), 'false'],
  [
    'who adds events, by grants to the groups',
    ann('add_event'),
    { tables: ['group_grant', 'user_group'], values: [[HELPERS.id]] },
  ],
  ['who adds and changes all events', ann('add_event', 'change_event'), 'true'],
]
for (const [who, actor, expected] of CASES)
  test(`templates for ${who}`, () => assert.deepEqual(dependenciesOf(usableBy(actor)), expected))
