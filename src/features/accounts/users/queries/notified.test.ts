import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '#platform/auth/permissions.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { editorsOfPeople, holdersOf } from './notified.ts'

test('who holds a permission, and so is notified: by themselves, by a group or as administrator, while they are there', async () => {
  const world = await openWorld()
  const permissions: Permission[] = ['change_user']
  const direct = await world.addPerson({ name: 'Direct', permissions })
  const staff = await world.addPerson({ name: 'Staff', isStaff: true })
  const member = await world.addPerson({ name: 'Member' })
  await world.addPerson({ name: 'Viewer', permissions: ['view_user'] })
  await world.addPerson({ name: 'Nobody' })
  const [hidden, former] = [
    await world.addPerson({ name: 'Hidden', permissions, isVisible: false }),
    await world.addPerson({ name: 'Former', permissions, isActive: false }),
  ]
  await world.addGroup('Editors', [member], ['change_user'])
  await world.addGroup('Viewers', [await world.addPerson({ name: 'Guest' })], ['view_user'])
  const idsOf = async (holders: typeof editorsOfPeople) =>
    (await holders.execute(world.db.read)).rows.map(({ user_id }) => Number(user_id)).sort((a, b) => a - b)
  assert.deepEqual(
    await idsOf(editorsOfPeople),
    [direct, staff, member, OLGA].map(({ id }) => id).sort((a, b) => a - b),
  )
  assert.deepEqual(
    (await idsOf(holdersOf('delete_user'))).sort((a, b) => a - b),
    [staff, OLGA].map(({ id }) => id).sort((a, b) => a - b),
  )
  for (const { id } of [hidden, former]) assert.ok(!(await idsOf(editorsOfPeople)).includes(id))
})
