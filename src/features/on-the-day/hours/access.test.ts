import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, makeActor, type PartnerActor } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { decidesHoursOf, decidesSomeHours, seesHoursOf } from './access.ts'

describe('access to working hours', async () => {
  const records = await openRecords()
  const hidden = await records.addPerson({ name: 'Service', isVisible: false })
  await records.addGroup('Hidden', [hidden])
  await records.db.write
    .insertInto('group_grant')
    .values([
      { group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'decide_working_hours_for_group' },
      { group_id: HELPERS.id, target_group_id: PLANNERS.id, permission: 'publish_event_for_group' },
    ])
    .execute()

  const people = async (condition: RawBuilder<unknown>) =>
    (
      await sql<{ name: string }>`select u.display_name as name from user_profile u where ${condition} order by 1`.execute(
        records.db.write,
      )
    ).rows.map(({ name }) => name)
  const VISIBLE = [ANN, BEN, OLGA, PAUL, VERA].map(({ name }) => name)
  const EVERYONE = [...VISIBLE.slice(0, 4), hidden.name, VERA.name]
  const helpers = [ANN.name, BEN.name]
  const CASES: [who: string, actor: Actor, decides: string[], sees: string[]][] = [
    ['a member of a group with the grant', actorOf(PAUL, { groupIds: [PLANNERS.id] }), helpers, helpers],
    ['a member of a group with another grant', actorOf(ANN, { groupIds: [HELPERS.id] }), [], []],
    ['a person without groups', actorOf(PAUL), [], []],
    [
      'a person with the permission',
      actorOf(PAUL, { permissions: new Set(['decide_working_hours_for_group']) }),
      EVERYONE,
      VISIBLE,
    ],
    ['an administrator', actorOf(PAUL, { isStaff: true }), EVERYONE, VISIBLE],
    ['a superuser', actorOf(OLGA), EVERYONE, VISIBLE],
    ['a person who may view people', actorOf(PAUL, { permissions: new Set(['view_user']) }), [], VISIBLE],
    ['a partner', makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 1 }), [], []],
  ]
  for (const [who, actor, decides, sees] of CASES)
    test(`${who} decides about ${decides.length} people and sees ${sees.length}`, async () => {
      assert.deepEqual(await people(decidesHoursOf(actor, sql`u.id`)), decides)
      assert.deepEqual(await people(seesHoursOf(actor)), sees)
      assert.equal((await people(decidesSomeHours(actor))).length > 0, decides.length > 0)
    })
})
