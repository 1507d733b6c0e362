import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { decidedBy } from '#features/accounts/requests/access.ts'
import { ANONYMOUS, type UserActor } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { decidesJoining, isJoiningDecidedBy, JOINING_REQUEST } from './access.ts'

describe('who decides requests to join', async () => {
  const records = await openRecords()
  const kind = { name: JOINING_REQUEST, isDecidedBy: isJoiningDecidedBy } as Parameters<typeof decidedBy>[0][number]
  const never = { ...kind, name: 'other', isDecidedBy: () => sql<boolean>`false` }
  /** For one request of this kind. */
  async function isDecided(actor: UserActor, data: object, name = JOINING_REQUEST): Promise<boolean> {
    const { rows } = await sql`select from (select ${name}::text as kind, ${JSON.stringify(data)}::jsonb as data) r
      where ${decidedBy([never, kind], actor)}`.execute(records.db.write)
    return rows.length === 1
  }

  const CASES: [who: string, actor: UserActor, group: boolean, account: boolean][] = [
    ['a person without permissions', actorOf(ANN), false, false],
    ['who changes groups', actorOf(ANN, { permissions: new Set(['change_group']) }), true, false],
    ['who adds people', actorOf(ANN, { permissions: new Set(['add_user']) }), false, true],
    ['who changes people', actorOf(ANN, { permissions: new Set(['change_user']) }), false, false],
    ['a superuser', actorOf(OLGA), true, true],
  ]
  for (const [who, actor, group, account] of CASES)
    test(`${who}: ${group ? 'groups' : 'no groups'}, ${account ? 'accounts' : 'no accounts'}`, async () => {
      assert.equal(await isDecided(actor, { group_id: 5 }), group)
      assert.equal(await isDecided(actor, {}), account)
      assert.equal(await isDecided(actor, {}, 'other'), false)
      assert.equal(decidesJoining({ actor }), group || account)
    })
  test('nobody else', () => assert.equal(decidesJoining({ actor: ANONYMOUS }), false))
})
