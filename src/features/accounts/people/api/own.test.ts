import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const ME = '/api/users/me/'

describe('the own profile over the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const entriesOf = async (id: number) => (await journalOf(world, 'user', id)).map(({ kind, changes }) => ({ kind, changes }))

  test('the language is changed as by the form', async () => {
    const { headers, body: before } = await ann.get(ME)
    const dry = await ann.send('PATCH', ME, { language: 'de' }, { query: 'dry_run=1', headers: { 'if-match': headers.etag! } })
    assert.deepEqual([dry.status, await entriesOf(ANN.id)], [200, []])
    const { status, body } = await ann.patch(ME, { language: 'de' }, headers.etag!)
    assert.deepEqual([status, body], [200, before])
    const ben = await browserOf(world, BEN)
    await ben.post('/settings/profile/', { form: { language: 'de' } })
    const entries = await entriesOf(ANN.id)
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['user.language_changed'],
    )
    assert.deepEqual(await entriesOf(BEN.id), entries)
  })

  test('nothing else can be changed', async () => {
    const { status, body } = await ann.patch(ME, { email: 'a@b.example', language: 'xx' }, '*')
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/language', '/email'],
    )
    assert.equal((await ann.send('PATCH', ME, { language: 'en' })).status, 428)
  })
})
