import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { dependenciesOf, textOf } from '#test/support/conditions.ts'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { decidesAllQualifications, decidesQualification, QUALIFICATION_REQUEST, seesProof } from './access.ts'

const having = (permission: Permission) => actorOf(BEN, { permissions: new Set([permission]) })
const EVENT = ['event', 'event_group_grant', 'event_user_grant']

test('the name of requests is stored, so it stays the same', () => assert.equal(QUALIFICATION_REQUEST, 'qualification'))

const CASES: [who: string, actor: Actor, decidesAll: boolean, decides: ReturnType<typeof dependenciesOf>][] = [
  ['who changes people', having('change_user'), true, 'true'],
  ['who views people', having('view_user'), false, { tables: EVENT, values: [BEN.id, []] }],
  ['Ann and her groups', actorOf(ANN, { groupIds: [HELPERS.id] }), false, { tables: EVENT, values: [ANN.id, [HELPERS.id]] }],
  ['who changes all events', having('change_event'), false, { tables: ['event'], values: [] }],
  ['a caller without an account', ANONYMOUS, false, { tables: EVENT, values: [0, []] }],
]
for (const [who, actor, decidesAll, decides] of CASES)
  test(`requests are decided by ${who}`, () => {
    assert.equal(decidesAllQualifications(actor), decidesAll)
    assert.deepEqual(dependenciesOf(decidesQualification(actor)), decides)
  })

test('proofs are shown to the person and to those who decide, and to no caller without an account', () => {
  assert.deepEqual(dependenciesOf(seesProof(having('change_user'))), { tables: [], values: [BEN.id] })
  assert.match(textOf(seesProof(having('change_user'))), /^\(r\.user_id = \$1 or true\)$/)
  assert.deepEqual(dependenciesOf(seesProof(actorOf(ANN))), { tables: EVENT, values: [ANN.id, []] })
  assert.equal(textOf(seesProof(ANONYMOUS)), 'false')
})
