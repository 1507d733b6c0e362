import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, ANONYMOUS, hasPermission, hasScope, isStaff, makeActor, type PartnerActor, type UserActor } from './actor.ts'
import { BUNDLES, PERMISSIONS } from './permissions.ts'
import { isScope, SCOPES } from './scopes.ts'

const person = (facts: Partial<UserActor> = {}): UserActor =>
  makeActor<UserActor>({
    kind: 'user',
    userId: 7,
    displayName: 'Ann',
    email: 'ann@a.example',
    language: 'en',
    isStaff: false,
    isSuperuser: false,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'session', sessionHash: Buffer.alloc(32) },
    ...facts,
  })
const partner = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 1 })
const withToken = (...scopes: string[]) => person({ via: { kind: 'token', tokenId: 1, scopes: new Set(scopes) } })

const OF_STAFF: readonly string[] = [
  ...BUNDLES.management,
  ...BUNDLES.blocks,
  ...BUNDLES.questions,
  ...BUNDLES.resources,
  ...BUNDLES.files,
  ...BUNDLES.pages,
]

const ALLOWED: [who: string, actor: Actor, permissions: readonly string[]][] = [
  ['nobody', ANONYMOUS, []],
  ['a partner', partner, []],
  ['a person without permissions', person(), []],
  ['a person with one', person({ permissions: new Set(['add_event']) }), ['add_event']],
  ['staff', person({ isStaff: true }), OF_STAFF],
  [
    'staff with one more',
    person({ isStaff: true, permissions: new Set(['decide_working_hours_for_group']) }),
    [...OF_STAFF, 'decide_working_hours_for_group'],
  ],
  ['a superuser', person({ isSuperuser: true }), PERMISSIONS],
]
for (const [who, actor, permissions] of ALLOWED) {
  test(`${who} has exactly the granted permissions`, () => {
    assert.deepEqual(
      PERMISSIONS.filter((permission) => hasPermission(actor, permission)),
      PERMISSIONS.filter((each) => permissions.includes(each)),
    )
  })
}

test('only staff and superusers are staff', () => {
  assert.deepEqual([person({ isStaff: true }), person({ isSuperuser: true }), person(), partner, ANONYMOUS].map(isStaff), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('a token has its own scopes, a session has all scopes', () => {
  for (const scope of SCOPES) {
    assert.ok(hasScope(person(), scope))
    assert.ok(hasScope(withToken(scope), scope))
    assert.ok(!hasScope(withToken(...SCOPES.filter((other) => other !== scope)), scope))
  }
})

test('scopes are matched by their exact names', () => {
  for (const scope of SCOPES) assert.ok(isScope(scope))
  for (const text of ['', 'public_read', 'PUBLIC_READ ', 'openid']) assert.ok(!isScope(text))
})
