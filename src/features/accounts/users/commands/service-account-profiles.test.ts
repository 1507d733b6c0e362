import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { ANN, HELPERS, PLANNERS } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import {
  addServiceProfile,
  changeServiceProfile,
  closeServiceProfile,
  setServiceProfileActive,
} from './service-account-profiles.ts'

describe('the profile of a service account', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const add = (name: string, groupIds = [HELPERS.id]) =>
    transact(write, (tx) => addServiceProfile(tx, { name, language: 'de', groupIds, now: NOW }))
  const stateOf = async (id: number) => {
    const { display_name, is_active, deleted_at } = await read
      .selectFrom('user_profile')
      .select(['display_name', 'is_active', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const groups = await read
      .selectFrom('user_group_member')
      .select('group_id')
      .where('user_id', '=', id)
      .orderBy('group_id')
      .execute()
    return { name: display_name, isActive: is_active, deletedAt: deleted_at, groups: groups.map(({ group_id }) => group_id) }
  }
  const active = { isActive: true, deletedAt: null }

  test('is hidden, has an address that nobody reads, and the groups that it was given', async () => {
    const id = (await add('Wall'))!
    const row = await read.selectFrom('user_profile').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { is_visible, is_service_account, email_invalid, preferred_language, created_at } = row
    assert.deepEqual(
      [is_visible, is_service_account, email_invalid, preferred_language, created_at],
      [false, true, true, 'de', NOW],
    )
    assert.match(row.email, /^[a-z0-9]{20}@service-account\.invalid$/)
    assert.deepEqual(await stateOf(id), { name: 'Wall', ...active, groups: [HELPERS.id] })
  })

  test('has a name that no other service account has, whatever the case; a person may have it', async () => {
    const id = (await add('Display'))!
    assert.equal(await add('DISPLAY'), undefined)
    const other = (await add(ANN.name))!
    const rename = (profile: number, name: string) =>
      transact(write, (tx) => changeServiceProfile(tx, profile, { name, before: [HELPERS.id], groupIds: [HELPERS.id] }))
    assert.equal(await rename(other, 'dISPLAY'), false)
    assert.deepEqual(await stateOf(other), { name: ANN.name, ...active, groups: [HELPERS.id] })
    assert.equal(await rename(id, 'display'), true, 'its own name in another case')
    await transact(write, (tx) => closeServiceProfile(tx, id, NOW))
    assert.equal(await rename(other, 'Display'), true, 'a deleted one does not keep its name')
  })

  test('is changed, switched off and closed without a change of others', async () => {
    const [id, other] = [(await add('One'))!, (await add('Two'))!]
    const before = [await stateOf(other), await stateOf(ANN.id)]
    await transact(write, (tx) => changeServiceProfile(tx, id, { name: 'Three', before: [HELPERS.id], groupIds: [PLANNERS.id] }))
    assert.deepEqual(await stateOf(id), { name: 'Three', ...active, groups: [PLANNERS.id] })
    await transact(write, async (tx) => {
      await setServiceProfileActive(tx, id, false)
      await setServiceProfileActive(tx, ANN.id, false)
    })
    assert.deepEqual(await stateOf(id), { name: 'Three', isActive: false, deletedAt: null, groups: [PLANNERS.id] })
    await transact(write, (tx) => setServiceProfileActive(tx, id, true))
    await write.insertInto('user_permission').values({ user_id: id, permission: 'view_user' }).execute()
    await transact(write, (tx) => closeServiceProfile(tx, id, NOW))
    assert.deepEqual(await stateOf(id), { name: 'Three', isActive: false, deletedAt: NOW, groups: [] })
    assert.deepEqual(await read.selectFrom('user_permission').selectAll().where('user_id', '=', id).execute(), [])
    assert.deepEqual([await stateOf(other), await stateOf(ANN.id)], before)
  })
})
