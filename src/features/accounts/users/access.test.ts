import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, ANONYMOUS, makeActor, type PartnerActor } from '#platform/auth/actor.ts'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { mayManageHidden, requireEditor, requirePermission, requireStaff } from './access.ts'

const denied = { code: 'permission_denied' }
const byToken = (...scopes: Scope[]) => ({ via: { kind: 'token' as const, tokenId: 1, scopes: new Set(scopes) } })
const partner = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 2 })
const staff = { isStaff: true }
const withoutScope = SCOPES.filter((scope) => scope !== 'CONFIDENTIAL_WRITE')

describe('managing people', () => {
  const EDITORS: [who: string, actor: Actor, isEditor: boolean, isStaff: boolean][] = [
    ['a person in a session', actorOf(ANN), true, false],
    ['a person with a token for it', actorOf(ANN, byToken('CONFIDENTIAL_WRITE')), true, false],
    ['a superuser with a token without the scope', actorOf(OLGA, byToken(...withoutScope)), false, false],
    ['an administrator in a session', actorOf(ANN, staff), true, true],
    ['an administrator with a token for it', actorOf(ANN, { ...staff, ...byToken(...SCOPES) }), true, false],
    ['a superuser in a session', actorOf(OLGA), true, true],
    ['nobody', ANONYMOUS, false, false],
    ['a partner', partner, false, false],
  ]
  for (const [who, actor, isEditor, isStaff] of EDITORS)
    test(`${who} is ${isEditor ? '' : 'not '}an editor, settings are ${isStaff ? '' : 'not '}open`, () => {
      if (isEditor) assert.doesNotThrow(() => requireEditor(actor))
      else assert.throws(() => requireEditor(actor), denied)
      if (isStaff) assert.doesNotThrow(() => requireStaff(actor))
      else assert.throws(() => requireStaff(actor), denied)
    })

  test('needs the permission of the command', () => {
    const ben = actorOf(ANN, { permissions: new Set(['add_user']) })
    assert.equal(requirePermission(ben, 'add_user').userId, ANN.id)
    assert.throws(() => requirePermission(ben, 'change_user'), denied)
    assert.throws(() => requirePermission(actorOf(OLGA, byToken(...withoutScope)), 'add_user'), denied)
  })

  test('an editor has the facts of the actor', () => {
    const editor = requireEditor(actorOf(ANN, { groupIds: [3], permissions: new Set(['change_group', 'add_user']) }))
    assert.deepEqual(
      { ...editor, permissions: [...editor.permissions].sort() },
      {
        userId: ANN.id,
        isStaff: false,
        isSuperuser: false,
        groupIds: [3],
        mayChangeGroups: true,
        permissions: ['add_user', 'change_group'],
      },
    )
    assert.equal(requireEditor(actorOf(ANN, { permissions: new Set(['add_user']) })).mayChangeGroups, false)
    const { isStaff, isSuperuser } = requireEditor(actorOf(OLGA))
    assert.deepEqual([isStaff, isSuperuser], [true, true])
  })

  test('hidden people are listed for administrators only', () => {
    assert.deepEqual([actorOf(ANN), actorOf(ANN, staff), actorOf(OLGA), partner].map(mayManageHidden), [false, true, true, false])
  })
})
