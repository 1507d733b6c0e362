import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf, GUEST } from '#test/support/command-context.ts'
import { dependenciesOf } from '#test/support/conditions.ts'
import { ANN, BEN, HELPERS, OLGA } from '#test/support/people.ts'
import { decidesHoursOf, decidesSomeHours, seesHoursOf } from './access.ts'

const having = (permission: Permission) => actorOf(BEN, { permissions: new Set([permission]) })

type Kind = 'all' | 'none' | readonly number[]
/** Whose hours the caller decides about: by grants to these groups, of all people or of none. Then whose hours they see. */
const CASES: [who: string, actor: Actor, decides: Kind, sees: Kind][] = [
  ['Ann by grants to her groups', actorOf(ANN, { groupIds: [HELPERS.id] }), [HELPERS.id], [HELPERS.id]],
  ['an administrator', actorOf(BEN, { isStaff: true }), 'all', 'all'],
  ['a superuser', actorOf(OLGA), 'all', 'all'],
  ['who decides about all hours', having('decide_working_hours_for_group'), 'all', 'all'],
  ['who views people', having('view_user'), [], 'all'],
  ['who changes people', having('change_user'), [], []],
  ['a guest', GUEST, 'none', 'none'],
  ['a caller without an account', ANONYMOUS, 'none', 'none'],
]
const TEXTS = { all: 'true', none: 'false' }
for (const [who, actor, decides, sees] of CASES)
  test(`hours for ${who}`, () => {
    const byGrants = (tables: string[], groups: readonly number[]) => ({ tables, values: [groups] })
    const MEMBERS = ['group_grant', 'user_group_member']
    assert.deepEqual(
      dependenciesOf(decidesHoursOf(actor, sql`u.id`)),
      typeof decides === 'string' ? TEXTS[decides] : byGrants(MEMBERS, decides),
    )
    assert.deepEqual(
      dependenciesOf(decidesSomeHours(actor)),
      typeof decides === 'string' ? TEXTS[decides] : byGrants(['group_grant'], decides),
    )
    const seen = dependenciesOf(seesHoursOf(actor))
    if (typeof sees !== 'string') assert.deepEqual(seen, byGrants(MEMBERS, sees))
    else if (sees === 'none') assert.equal(seen, 'u.is_visible and false')
    else assert.match(String(seen), /^u\.is_visible( and true)?$/)
  })
