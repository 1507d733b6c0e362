import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ANN, BEN } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { getAddressFailure } from '../queries/address-state.ts'
import { recordAddressFailure } from './address-state.ts'

const DAY = 24 * 3600_000

describe('what is known about an address that does not work', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const fail = (kind: 'hard' | 'soft', now = NOW, userId = ANN.id, email = ANN.email) => {
    const context = { db: write, now, site: world.app.site, requestId: null }
    return recordAddressFailure(context, { userId, email, kind, reason: `${kind} failure`, at: now })
  }
  const stored = async () => {
    const row = await read.selectFrom('email_failure').selectAll().where('user_id', '=', ANN.id).executeTakeFirst()
    return row && [row.reason, row.failed_at, row.soft_since, row.soft_last_at, row.soft_count]
  }
  beforeEach(async () => {
    await write.deleteFrom('email_failure').execute()
    await write.updateTable('user_profile').set({ email_invalid: false }).where('id', 'in', [ANN.id, BEN.id]).execute()
  })

  test('a final failure counts at once, forgets temporary ones before it, and is shown to the person alone', async () => {
    assert.equal(await fail('soft'), 'counted')
    assert.deepEqual(await stored(), ['soft failure', null, NOW, NOW, 1])
    assert.equal(await getAddressFailure(read, ANN.id), undefined, 'one temporary failure says nothing')
    const then = new Date(NOW.getTime() + DAY)
    assert.equal(await fail('hard', then), 'set')
    assert.deepEqual(await stored(), ['hard failure', then, null, null, 0])
    assert.deepEqual(await getAddressFailure(read, ANN.id), { since: then, reason: 'hard failure' })
    assert.equal(await getAddressFailure(read, BEN.id), undefined)
    assert.equal(await fail('hard', then), 'ignored', 'it is known already')
  })

  test('of accounts that are deleted or belong to a program, nothing is kept', async () => {
    const { id } = await world.addPerson({ name: 'Gone', email: 'gone@a.example' })
    await write
      .updateTable('user_profile')
      .set({ deleted_at: NOW, is_active: false, is_visible: false })
      .where('id', '=', id)
      .execute()
    assert.equal(await fail('hard', NOW, id, 'gone@a.example'), 'ignored')
    assert.deepEqual(await read.selectFrom('email_failure').selectAll().where('user_id', '=', id).execute(), [])
  })

  test('without a report, since when and why are not known; a report about a former address says nothing about this one', async () => {
    const invalid = (email_invalid: boolean) =>
      write.updateTable('user_profile').set({ email_invalid }).where('id', '=', ANN.id).execute()
    await invalid(true)
    assert.deepEqual(await getAddressFailure(read, ANN.id), { since: null, reason: null })
    const row = { user_id: ANN.id, email: 'former@a.example', reason: 'old', failed_at: NOW, soft_count: 0 }
    await write.insertInto('email_failure').values(row).execute()
    assert.deepEqual(await getAddressFailure(read, ANN.id), { since: null, reason: null })
    await write.updateTable('email_failure').set({ email: ANN.email.toUpperCase() }).execute()
    assert.deepEqual(await getAddressFailure(read, ANN.id), { since: NOW, reason: 'old' })
    await invalid(false)
    assert.equal(await getAddressFailure(read, ANN.id), undefined)
  })
})
