import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { OLGA, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { grantQualification } from '../commands/grants.ts'

const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])

describe('qualifications of people by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const medic = await world.addQualification('Medic')
  const listOf = ({ id }: { id: number }) => `/api/users/${id}/qualifications/`
  const entriesOf = async (id: number) => (await journalOf(world, 'user', id)).map(({ kind, changes }) => ({ kind, changes }))

  test('a qualification is granted, extended and withdrawn', async () => {
    const person = await world.addPerson({ name: 'Mia' })
    const granted = await olga.post(listOf(person), { qualification_id: medic.id, until: '2031-12-31' })
    assert.equal(granted.status, 201)
    assert.deepEqual([granted.body.user, granted.body.qualification_id, granted.body.is_valid], [person.id, medic.id, true])
    assert.match(granted.body.expires_at, /^2031-12-31T23:59:59/)
    const address = granted.headers.location!
    assert.equal((await olga.get(address)).headers.etag, granted.headers.etag)
    const extended = await olga.patch(address, { until: null }, granted.headers.etag!)
    assert.deepEqual([extended.status, extended.body.id, extended.body.expires_at], [200, granted.body.id, null])
    assert.equal((await olga.delete(address, granted.headers.etag!)).status, 412)
    assert.equal((await olga.delete(address, extended.headers.etag!)).status, 204)
    assert.equal(await olga.status(address), 404)
    assert.deepEqual(
      (await entriesOf(person.id)).map(({ kind }) => kind),
      ['user.qualification_granted', 'user.qualification_changed', 'user.qualification_withdrawn'],
    )
  })

  test('the journal entry is that of the page', async () => {
    const [one, two] = [await world.addPerson({ name: 'One' }), await world.addPerson({ name: 'Two' })]
    await grantQualification(contextOf(world, actorOf(OLGA)), { userId: one.id, qualificationId: medic.id, until: '2032-01-01' })
    await olga.post(listOf(two), { qualification_id: medic.id, until: '2032-01-01' })
    assert.deepEqual(await entriesOf(two.id), await entriesOf(one.id))
  })

  test('a qualification that is unknown or held already is refused', async () => {
    const person = await world.addPerson({ name: 'Mo' })
    const unknown = await olga.post(listOf(person), { qualification_id: 99_999 })
    assert.deepEqual([unknown.status, codesOf(unknown.body)], [409, [['/qualification_id', 'unknown']]])
    await olga.post(listOf(person), { qualification_id: medic.id, until: '2031-06-01' })
    const again = await olga.post(listOf(person), { qualification_id: medic.id })
    assert.deepEqual([again.status, codesOf(again.body)], [409, [['/qualification_id', 'already_held']]])
    const early = await olga.post(listOf(person), { qualification_id: medic.id, until: '0001-01-01' })
    assert.deepEqual(codesOf(early.body), [
      ['/until', 'invalid_format'],
      ['/qualification_id', 'already_held'],
    ])
    const wrong = await olga.post(listOf(person), { qualification_id: 'x', until: 'soon' })
    assert.deepEqual(codesOf(wrong.body), [
      ['/qualification_id', 'invalid_type'],
      ['/until', 'invalid_format'],
    ])
  })

  test('a qualification that another system keeps is refused', async () => {
    const person = await world.addPerson({ name: 'Ext' })
    const { id } = await world.db.write
      .insertInto('qualification_grant')
      .values({ user_id: person.id, qualification_id: medic.id, externally_managed: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const address = `${listOf(person)}${id}/`
    for (const attempt of [
      olga.patch(address, { until: null }, '*'),
      olga.patch(address, { until: '2032-01-01' }, '*'),
      olga.delete(address, '*'),
    ])
      assert.deepEqual(codesOf((await attempt).body), [[undefined, 'external']])
  })

  test('a grant is reached under its own person only, and hidden people are not found', async () => {
    const person = await world.addPerson({ name: 'Owner' })
    const hidden = await world.addPerson({ name: 'Robot', isVisible: false })
    const { body } = await olga.post(listOf(person), { qualification_id: medic.id })
    assert.equal((await olga.delete(`${listOf(VERA)}${body.id}/`, '*')).status, 404)
    assert.equal((await olga.post(listOf(hidden), { qualification_id: medic.id })).status, 404)
  })

  test('of many who grant it at once, one succeeds and the others are told', async () => {
    const person = await world.addPerson({ name: 'Race' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => olga.post(listOf(person), { qualification_id: medic.id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
  })

  test('the permission to change people is needed; a dry run writes nothing', async () => {
    const person = await world.addPerson({ name: 'Dry' })
    const editor = await world.addPerson({ name: 'Editor', permissions: ['change_user'] })
    const body = { qualification_id: medic.id }
    assert.equal((await world.as(VERA, 'CONFIDENTIAL_WRITE').post(listOf(person), body)).status, 403)
    const dry = await world.as(editor, 'CONFIDENTIAL_WRITE').post(listOf(person), body, { query: 'dry_run=true' })
    assert.deepEqual([dry.status, await entriesOf(person.id)], [200, []])
  })
})
