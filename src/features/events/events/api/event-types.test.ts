import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '#test/support/api-response.ts'
import { HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const mistakes = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: { pointer?: string; code: string }) => [pointer, code].filter(Boolean).join(' '))

describe('event types are written by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const kinds = async (id: number) =>
    (
      await world.db.read
        .selectFrom('journal')
        .select('kind')
        .where('subject_kind', '=', 'event_type')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind }) => kind)
  const make = async (body: object = { title: 'Exercise' }) => {
    const answer = await olga.post('/api/event-types/', body)
    assert.equal(answer.status, 201, answer.text)
    return { id: answer.body.id as number, path: `/api/event-types/${answer.body.id}/`, ...answer }
  }

  test('a type is created by its title, or with all settings', async () => {
    const { id, path, body, headers } = await make({ title: ' Exercise ' })
    assert.deepEqual([headers.location, await kinds(id)], [`https://a.example${path}`, ['event_type.created']])
    const read = await olga.get(path)
    assert.deepEqual([read.body, read.headers.etag, body.title], [body, headers.etag, 'Exercise'])
    const { id: qualification } = await world.addQualification('Radio')
    const settings = {
      color: '#00FF00',
      show_participant_data: 2,
      default_description: ' Bring water ',
      required_qualifications: [qualification],
      visible_for_all_groups: false,
      audience_groups: [HELPERS.id],
      responsible_groups: [HELPERS.id],
      responsible_users: [PAUL.id],
    }
    const full = await make({ title: 'Race', ...settings })
    const { id: _id, archived_at: _at, ...stored } = full.body
    assert.deepEqual(stored, { title: 'Race', ...settings, color: '#00ff00', default_description: 'Bring water' })
    assert.deepEqual(await kinds(full.id), ['event_type.created', 'event_type.changed'])
  })

  test('absent keys stay, and a change needs the current version', async () => {
    const { id, path, headers, body } = await make({ title: 'Race', responsible_users: [PAUL.id] })
    const changed = await olga.patch(path, { title: 'Run' }, headers.etag!)
    assert.deepEqual([changed.status, changed.body], [200, { ...body, title: 'Run' }])
    assert.equal((await olga.patch(path, { title: 'A' }, headers.etag!)).status, 412)
    assert.equal((await olga.send('PATCH', path, { title: 'A' })).status, 428)
    assert.equal((await olga.patch(path, { title: 'A' }, '*', { query: 'dry_run=1' })).status, 200)
    const archived = await olga.patch(path, { archived: true }, changed.headers.etag!)
    assert.ok(archived.body.archived_at)
    const restored = await olga.patch(path, { archived: false }, archived.headers.etag!)
    assert.deepEqual([restored.body.archived_at, restored.body.title], [null, 'Run'])
    assert.deepEqual((await kinds(id)).slice(-3), ['event_type.changed', 'event_type.archived', 'event_type.restored'])
  })

  test('mistakes have pointers', async () => {
    const { path } = await make()
    const wrong = { title: '', color: 'red', show_participant_data: 4, audience: [] }
    assert.deepEqual(mistakes(await olga.patch(path, wrong, '*')), [
      '/title too_small',
      '/color invalid_format',
      '/show_participant_data too_big',
      '/audience unrecognized_keys',
    ])
    const unknown = { responsible_users: [PAUL.id, 999], required_qualifications: [999], visible_for_all_groups: false }
    assert.deepEqual(mistakes(await olga.patch(path, unknown, '*')), [
      '/responsible_users/1 unknown_choice',
      '/required_qualifications/0 unknown_choice',
      '/audience_groups audience_missing',
    ])
  })

  for (const key of ['audience_groups', 'responsible_groups', 'responsible_users', 'required_qualifications'] as const)
    test(`every unknown id of ${key} is named, and each is kept once`, async () => {
      const { path } = await make()
      const medic = await world.addQualification('Medic')
      const known = {
        audience_groups: HELPERS.id,
        responsible_groups: HELPERS.id,
        responsible_users: PAUL.id,
        required_qualifications: medic.id,
      }[key]
      const body = (ids: number[]) => (key === 'audience_groups' ? { [key]: ids, visible_for_all_groups: false } : { [key]: ids })
      assert.deepEqual(mistakes(await olga.patch(path, body([999, known, 998]), '*')), [
        `/${key}/0 unknown_choice`,
        `/${key}/2 unknown_choice`,
      ])
      const changed = await olga.patch(path, body([known, known]), '*')
      assert.deepEqual([changed.status, changed.body[key]], [200, [known]])
    })

  test('a type that events use is not deleted', async () => {
    const { id, path, headers } = await make()
    const used = await make({ title: 'Used' })
    await world.addEvent({ type: used.id })
    const refused = await olga.delete(used.path, '*')
    assert.deepEqual([refused.status, mistakes(refused)], [409, ['in_use']])
    assert.equal((await olga.delete(path, headers.etag!)).status, 204)
    assert.deepEqual([await olga.status(path), (await kinds(id)).at(-1)], [404, 'event_type.deleted'])
  })

  test('settings of a new type need the permission to change types', async () => {
    const adder = await world.addPerson({ name: 'Ada', permissions: ['add_event_type'] })
    const ada = world.as(adder, 'PUBLIC_WRITE')
    assert.equal((await ada.post('/api/event-types/', { title: 'A' })).status, 201)
    assert.equal((await ada.post('/api/event-types/', { title: 'A', color: '#000000' })).status, 403)
  })
})
