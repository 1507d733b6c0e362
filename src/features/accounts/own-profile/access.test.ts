import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { isProfileDecidedBy, pictureShownTo } from './access.ts'

const withPermission = (permission: Permission) => actorOf(BEN, { permissions: new Set([permission]) })

describe('access to profiles', async () => {
  const records = await openRecords()
  const hidden = await records.addPerson({ name: 'Service', isVisible: false })
  const viewer = await records.addPerson({ name: 'Viewer' })
  await records.grantsProfile(viewer, ANN)
  await records.grantsProfile(PLANNERS, VERA)
  for (const [deleted, who] of [
    [false, ANN],
    [true, OLGA],
  ] as const) {
    const { shifts } = await records.addEvent({ responsible: [PAUL], deleted, shifts: [{}] })
    await records.addParticipation({ who, shift: shifts[0]! })
  }

  const picturesFor = async (actor: UserActor) => {
    const { rows } = await sql<{ name: string }>`select u.display_name as name from user_profile u
      where ${pictureShownTo(actor)} order by 1`.execute(records.db.write)
    return rows.map(({ name }) => name)
  }
  const VISIBLE = ['Ann', 'Ben', 'Olga', 'Paul', 'Vera', 'Viewer']
  const CASES: [who: string, actor: UserActor, people: string[]][] = [
    ['oneself', actorOf(BEN, { groupIds: [HELPERS.id] }), ['Ben']],
    ['a hidden person', actorOf(hidden), ['Service']],
    ['who may view the profile', actorOf(viewer), ['Ann', 'Viewer']],
    ['a group that may view the profile', actorOf(BEN, { groupIds: [PLANNERS.id] }), ['Ben', 'Vera']],
    ['who plans with the person', actorOf(PAUL), ['Ann', 'Paul']],
    ['who may view all people', withPermission('view_user'), VISIBLE],
    ['who may change all people', withPermission('change_user'), ['Ben']],
    ['who may change all events', withPermission('change_event'), ['Ann', 'Ben']],
  ]
  for (const [who, actor, people] of CASES)
    test(`pictures for ${who}`, async () => assert.deepEqual(await picturesFor(actor), people))

  const decides = async (actor: UserActor) =>
    (await sql`select where ${isProfileDecidedBy(actor)}`.execute(records.db.write)).rows.length === 1
  test('proposals are decided by those who change people', async () => {
    assert.equal(await decides(withPermission('change_user')), true)
    assert.equal(await decides(withPermission('view_user')), false)
    assert.equal(await decides(actorOf(OLGA)), true)
  })
})
