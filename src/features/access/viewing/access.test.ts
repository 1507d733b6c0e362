import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserActor } from '#platform/auth/actor.ts'
import { BUNDLES, type Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { mayViewAs } from './access.ts'

const via: UserActor['via'] = { kind: 'session', sessionHash: Buffer.alloc(0) }
const someone = (person: Person, rest: Partial<UserActor> = {}) => actorOf(person, { via, ...rest }) as UserActor
const with_ = (...permissions: Permission[]) => ({ permissions: new Set<string>(permissions) })

const superuser = someone(OLGA)
const staff = someone(PAUL, { isStaff: true, permissions: new Set() })
const CASES: [text: string, viewer: UserActor, person: UserActor, may: boolean][] = [
  ['a superuser, a volunteer', superuser, someone(ANN), true],
  ['staff, a volunteer', staff, someone(ANN), true],
  ['staff, somebody with every bundle', staff, someone(ANN, with_(...BUNDLES.management, ...BUNDLES.files)), true],
  ['staff, other staff', staff, someone(ANN, { isStaff: true }), true],
  ['a superuser, another superuser', superuser, someone(ANN, { isSuperuser: true }), true],
  [
    'a superuser, somebody with a permission that no bundle has',
    superuser,
    someone(ANN, with_('decide_working_hours_for_group')),
    true,
  ],
  ['staff, a superuser', staff, someone(ANN, { isSuperuser: true }), false],
  ['staff, somebody with a permission that no bundle has', staff, someone(ANN, with_('decide_working_hours_for_group')), false],
  [
    'staff with that permission, too',
    someone(PAUL, { isStaff: true, ...with_('decide_working_hours_for_group') }),
    someone(ANN, with_('decide_working_hours_for_group')),
    true,
  ],
  ['staff, themselves', staff, staff, false],
  ['somebody with every bundle, a volunteer', someone(BEN, with_(...BUNDLES.management)), someone(ANN), false],
  ['a volunteer, a volunteer', someone(BEN), someone(ANN), false],
  [
    'who looks as somebody already',
    someone(OLGA, { viewedBy: { userId: 9, displayName: 'x', until: new Date(0) } }),
    someone(ANN),
    false,
  ],
  ['who acts for a child', someone(OLGA, { by: { userId: 9, displayName: 'x' } }), someone(ANN), false],
  ['a token', actorOf(OLGA, { via: { kind: 'token', tokenId: 1, scopes: new Set() } }) as UserActor, someone(ANN), false],
]

describe('who may look at pages as whom', () => {
  for (const [text, viewer, person, may] of CASES)
    test(`${text}: ${may ? 'yes' : 'no'}`, () => assert.equal(mayViewAs(viewer, person), may))
})
