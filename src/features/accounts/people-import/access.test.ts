import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS, makeActor, type PartnerActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA } from '#test/support/people.ts'
import { maySeeImport, rightsOf } from './access.ts'

const withPermissions = (...permissions: Permission[]) => actorOf(ANN, { permissions: new Set(permissions) })
const partner = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 2 })
const GROUP = 5

describe('the rights of an import', () => {
  type Right = 'mayChange' | 'mayAssign' | 'mayChangeAddress' | 'mayCreateGroups' | 'mayCreateQualifications'
  /** A person of a group, without further rights. */
  const person = { userId: BEN.id, isStaff: false, isSuperuser: false, groupIds: [GROUP], ownPermissions: [] }
  const namesOf = ({ mayAssign, mayChangeAddress, ...rest }: ReturnType<typeof rightsOf>): Right[] =>
    Object.entries({ ...rest, mayAssign: mayAssign(GROUP), mayChangeAddress: mayChangeAddress(person as never) })
      .filter(([, value]) => value)
      .map(([name]) => name as Right)
      .sort()
  const ALL: Right[] = ['mayAssign', 'mayChange', 'mayChangeAddress', 'mayCreateGroups', 'mayCreateQualifications']

  const CASES: [permissions: Permission[], rights: Right[]][] = [
    [[], []],
    [['change_user'], []],
    [['view_user'], []],
    [['change_user', 'view_user'], ['mayChange']],
    [['add_group'], []],
    [['change_group'], ['mayAssign', 'mayChangeAddress']],
    [
      ['add_group', 'change_group'],
      ['mayAssign', 'mayChangeAddress', 'mayCreateGroups'],
    ],
    [['add_qualification'], ['mayCreateQualifications']],
    [['change_qualification'], []],
  ]
  for (const [permissions, rights] of CASES)
    test(`with ${['add_user', ...permissions].join(', ')}: ${rights.join(', ') || 'only to add people'}`, () => {
      assert.deepEqual(namesOf(rightsOf(withPermissions('add_user', ...permissions))), rights)
    })
  test('of a superuser and of the command line are complete', () => {
    assert.deepEqual(namesOf(rightsOf(actorOf(OLGA))), ALL)
    assert.deepEqual(namesOf(rightsOf(ANONYMOUS)), ALL)
  })
  test('need the permission to add people, and a session', () => {
    for (const actor of [
      withPermissions('change_user', 'view_user', 'change_group'),
      partner,
      actorOf(OLGA, { via: { kind: 'token', tokenId: 1, scopes: new Set(['CONFIDENTIAL_READ']) } }),
    ])
      assert.throws(() => rightsOf(actor), { code: 'permission_denied' })
  })
})

describe('an import', () => {
  test('is seen by its owner and by administrators', () => {
    assert.equal(maySeeImport(actorOf(ANN), { createdById: ANN.id }), true)
    assert.equal(maySeeImport(actorOf(ANN), { createdById: BEN.id }), false)
    assert.equal(maySeeImport(actorOf(BEN, { isStaff: true }), { createdById: ANN.id }), true)
    assert.equal(maySeeImport(actorOf(OLGA), { createdById: null }), true)
  })
  test('of the command line has no owner', () => {
    for (const actor of [actorOf(ANN), ANONYMOUS, partner]) assert.equal(maySeeImport(actor, { createdById: null }), false)
  })
})
