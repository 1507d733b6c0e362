import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const DETAILS = '/api/users/me/details/'

describe('own details by the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const errorsOf = (body: { errors: { pointer: string; code: string }[] }) =>
    body.errors.map(({ pointer, code }) => [pointer, code])

  test('are changed as on the page, and absent keys stay', async () => {
    const { body: before, headers } = await ann.get(DETAILS)
    const changes = { phone: '+49 40 555000', shows_phone: true, emergency_name: 'Ada' }
    const dry = await ann.send('PATCH', DETAILS, changes, { query: 'dry_run=1', headers: { 'if-match': headers.etag! } })
    assert.deepEqual([dry.status, (await ann.get(DETAILS)).body], [200, before])
    const { status, body } = await ann.patch(DETAILS, changes, headers.etag!)
    assert.deepEqual(
      [status, body],
      [200, { ...before, phone: '+4940555000', shows_phone: true, emergency_name: 'Ada', emergency_phone: null }],
    )
    assert.equal((await ann.patch(DETAILS, { phone: null }, headers.etag!)).status, 412)
    const cleared = await ann.patch(DETAILS, { phone: null }, '*')
    assert.deepEqual(cleared.body, { ...body, phone: null })
    assert.deepEqual(
      (await journalOf(world, 'user', ANN.id)).map(({ kind }) => kind),
      ['user.own_details_changed', 'user.own_details_changed'],
    )
  })

  test('are judged by the rules of the page', async () => {
    const wrong = await ann.patch(DETAILS, { display_name: ' ', phone: 'none' }, '*')
    assert.deepEqual([wrong.status, errorsOf(wrong.body)], [400, [['/display_name', 'name_missing']]])
    const number = await ann.patch(DETAILS, { phone: 'none' }, '*')
    assert.deepEqual([number.status, errorsOf(number.body)], [400, [['/phone', 'phone_invalid']]])
    const numbers = await ann.patch(DETAILS, { phone: 'none', emergency_phone: 'none' }, '*')
    assert.deepEqual(errorsOf(numbers.body), [
      ['/phone', 'phone_invalid'],
      ['/emergency_phone', 'phone_invalid'],
    ])
    assert.equal((await ann.patch(DETAILS, { email: 'a@b.example' }, '*')).status, 400)
  })

  test('contain no new name where others manage names', async () => {
    assert.equal((await ann.patch(DETAILS, { display_name: 'Anna' }, '*')).body.display_name, 'Anna')
    await world.db.write.insertInto('setting').values({ name: 'own_name_locked', value: 'true' }).execute()
    const { status, body } = await ann.patch(DETAILS, { display_name: 'Hanna', emergency_name: 'Bo' }, '*')
    assert.deepEqual([status, body.code, errorsOf(body)], [409, 'refused', [['/display_name', 'name_locked']]])
    const { body: stored } = await ann.get(DETAILS)
    assert.deepEqual([stored.display_name, stored.emergency_name], ['Anna', 'Ada'], 'nothing was written')
    assert.equal((await ann.patch(DETAILS, { display_name: 'Anna' }, '*')).status, 200)
  })

  test('are not shown to tokens that only write', async () => {
    const { status, body } = await world.as(BEN, 'ME_WRITE').patch(DETAILS, { emergency_name: 'Cid' }, '*')
    assert.deepEqual([status, Object.keys(body)], [200, ['version']])
  })
})
