import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { makePicture, readPicture } from '#test/support/pictures.ts'
import { openWorld } from '#test/support/world.ts'

const PICTURE = '/api/users/me/picture/'
const NONE = { content_type: null, data: null }

describe('the own picture by the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const photo = (await makePicture({ width: 1600, height: 1200, orientation: 6, hasLocation: true })).toString('base64')
  const idsInStore = async () => {
    const ids: string[] = []
    for await (const { id } of world.files.list()) ids.push(id)
    return ids
  }

  test('is stored as from the page: upright, small, without metadata', async () => {
    const { body: before, headers } = await ann.get(PICTURE)
    assert.deepEqual(before, NONE)
    const { status, body } = await ann.patch(PICTURE, { data: photo }, headers.etag!)
    assert.deepEqual([status, body.content_type], [200, 'image/jpeg'])
    const { width, height, metadata } = await readPicture(Buffer.from(body.data, 'base64'))
    assert.deepEqual([width, height, metadata], [768, 1024, []])
    assert.deepEqual((await ann.get(PICTURE)).body, body)
    assert.deepEqual((await world.as(BEN, 'ME_READ').get(PICTURE)).body, NONE)
    assert.equal((await ann.patch(PICTURE, { data: null }, headers.etag!)).status, 412)
  })

  test('is tried without storing it for the person', async () => {
    const { body: before } = await ann.get(PICTURE)
    const other = (await makePicture({ width: 40, height: 30, format: 'png' })).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const tried = await ann.patch(PICTURE, { data: other }, '*', { query: 'dry_run=1' })
    assert.deepEqual([tried.status, tried.headers['dry-run'], tried.body.content_type], [200, 'true', 'image/png'])
    assert.deepEqual((await ann.get(PICTURE)).body, before)
  })

  for (const [what, data, code] of [
    ['a text', Buffer.from('no picture').toString('base64'), 'picture_type'],
    ['no base64', '%%%', 'picture_missing'],
    ['nothing', '', 'picture_missing'],
    ['a data URL', `data:image/jpeg;base64,${photo}`, 'picture_missing'],
    ['half of a picture', photo.slice(0, 2_000), 'picture_unreadable'],
  ] as const)
    test(`${what} is refused, and nothing of it is kept`, async () => {
      const before = await idsInStore()
      const { status, body } = await ann.patch(PICTURE, { data }, '*')
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [400, '/data', code])
      assert.deepEqual(await idsInStore(), before)
    })

  test('is no part of a batch, and larger bodies are refused', async () => {
    const operations = [{ method: 'PATCH', path: PICTURE, body: { data: null }, if_match: '*' }]
    assert.equal((await ann.post('/api/batch/', { operations })).body.results[0].status, 404)
    assert.equal((await ann.patch(PICTURE, { data: 'x'.repeat(8_100_000) }, '*')).status, 413)
    const { status, body } = await ann.patch(PICTURE, { data: 5, name: 'Ann' }, '*')
    assert.deepEqual([status, body.errors.length], [400, 2])
  })

  test('is removed by null', async () => {
    assert.deepEqual((await ann.patch(PICTURE, { data: null }, '*')).body, NONE)
    const kinds = (await journalOf(world, 'user', ANN.id)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['user.picture_changed', 'user.picture_removed'])
  })
})
