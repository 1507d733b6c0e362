import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Json } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('profiles', async () => {
  const world = await openWorld()
  const hidden = await world.addPerson({ name: 'Service', isVisible: false, email: 'service@a.example' })
  const inactive = await world.addPerson({ name: 'Ina', isActive: false })
  const vera = world.as(VERA, ...SCOPES)

  test('the list contains inactive users but no hidden ones', async () => {
    const ids = await vera.ids('/api/users/')
    assert.deepEqual(ids, [ANN.id, PAUL.id, OLGA.id, BEN.id, VERA.id, inactive.id])
    assert.equal((await vera.get('/api/users/')).body.count, ids.length)
    assert.equal(await vera.status(`/api/users/${inactive.id}/`), 200)
    assert.equal((await vera.get(`/api/users/${inactive.id}/`)).body.email, inactive.email)
    assert.equal(await vera.status(`/api/users/${hidden.id}/`), 404)
    assert.equal(await vera.status(`/api/users/by_email/${hidden.email}/`), 404)
    assert.deepEqual(await vera.ids('/api/users/', 'search=service'), [])
    assert.equal(await world.as(OLGA, ...SCOPES).status(`/api/users/${hidden.id}/`), 404)
  })
  test('hidden users can read their own profile', async () => {
    const { status, body } = await world.as(hidden, 'ME_READ').get('/api/users/me/')
    assert.deepEqual([status, body.id, body.email], [200, hidden.id, hidden.email])
  })
  test('permission for one profile does not give access to the list of profiles', async () => {
    const group = await world.addGroup('Viewing', [ANN])
    await world.grantsProfile(ANN, BEN)
    await world.grantsProfile(group, PAUL)
    const ann = world.as(ANN, ...SCOPES)
    for (const path of [
      '/api/users/',
      `/api/users/${BEN.id}/`,
      `/api/users/${PAUL.id}/`,
      `/api/users/${ANN.id}/`,
      `/api/users/by_email/${ANN.email}/`,
    ])
      assert.equal((await ann.get(path)).body.code, 'permission_denied', path)
    assert.equal((await ann.get('/api/users/me/')).body.email, ANN.email)
  })
  test('group members and staff have the permission', async () => {
    const member = await world.addPerson({ name: 'Mia' })
    await world.addGroup('HR', [member], ['view_user'])
    const staff = await world.addPerson({ name: 'Stefan', isStaff: true })
    for (const person of [member, staff, OLGA])
      assert.equal(await world.as(person, 'CONFIDENTIAL_READ').status('/api/users/'), 200)
    assert.equal(await world.as(PAUL, 'CONFIDENTIAL_READ').status('/api/users/'), 403)
  })

  const ADDRESSES: [address: string, status: number][] = [
    ['ann@a.example', 200],
    ['ANN@A.EXAMPLE', 200],
    ['ann%40a.example', 200],
    ['Ann%40A.example', 200],
    ['ann', 404],
    ['ann@a.exampl', 404],
    ['%25', 404],
    ['nn@a.example', 404],
    ['_nn@a.example', 404],
    ['%00', 404],
    ['ann@a.example%00', 404],
    ['%20ann@a.example', 404],
    ['ann@a.example%2F', 404],
    ['%F0%9F%9A%92@a.example', 404],
  ]
  for (const [address, status] of ADDRESSES)
    test(`the e-mail address ${address} is answered with ${status}`, async () => {
      const answer = await vera.get(`/api/users/by_email/${address}/`)
      assert.equal(answer.status, status)
      if (status === 200) assert.equal(answer.body.id, ANN.id)
    })
  test('a path without an e-mail address is read as an id and answers 404', async () => {
    assert.equal(await vera.status('/api/users/by_email/'), 404)
    assert.equal(await vera.status('/api/users/by_email//'), 404)
  })
  test('finds e-mail addresses with a plus or umlauts', async () => {
    const person = await world.addPerson({ name: 'Plus', email: 'Jörg+x@ä.example' })
    for (const address of ['J%C3%B6rg+x@%C3%A4.example', 'j%C3%96RG%2Bx@%C3%84.EXAMPLE'])
      assert.equal((await vera.get(`/api/users/by_email/${address}/`)).body.id, person.id)
  })

  test('participations of an unknown or hidden user are an empty list', async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS, VERA], shifts: [{}] })
    const own = await world.addParticipation({ who: hidden, shift: shifts[0]! })
    const known = await world.addParticipation({ who: inactive, shift: shifts[0]! })
    assert.deepEqual(await vera.ids(`/api/users/${inactive.id}/participations/`), [known])
    for (const id of [hidden.id, 99_999, 0]) {
      const { status, body } = await vera.get(`/api/users/${id}/participations/`)
      assert.deepEqual([status, body], [200, { count: 0, next: null, previous: null, results: [] }], `user ${id}`)
      assert.equal(await vera.status(`/api/users/${id}/participations/${own}/`), 404)
    }
    assert.deepEqual(await world.as(hidden, 'ME_READ').ids('/api/users/me/participations/'), [own])
  })
})

describe('qualifications', async () => {
  const world = await openWorld()
  const first = await world.addQualification('First aid')
  const second = await world.addQualification('Paramedic', [first])
  const third = await world.addQualification('Doctor', [second])
  const side = await world.addQualification('Driving')
  const both = await world.addQualification('Commander', [third, side])
  await world.holds(ANN, third)
  await world.holds(ANN, side, new Date(world.now.getTime() - 1))
  await world.holds(BEN, both, new Date(world.now.getTime() + 1_000))
  await world.holds(PAUL, first, world.now)
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
  const participation = await world.addParticipation({ who: ANN, shift: shifts[0]! })
  const olga = world.as(OLGA, ...SCOPES)
  const held = async (path: string): Promise<Json[]> => {
    const { body } = await olga.get(path)
    return body.qualifications ?? body.participant.qualifications
  }

  test('include all qualifications below at any depth, but not themselves', async () => {
    const [doctor, ...others] = await held(`/api/users/${ANN.id}/`)
    assert.deepEqual(others, [])
    assert.deepEqual(doctor, {
      uuid: third.uuid,
      title: 'Doctor',
      abbreviation: 'Do',
      category: third.category,
      includes: [first.uuid, second.uuid],
    })
    const [commander] = await held(`/api/users/${BEN.id}/`)
    assert.deepEqual(commander!.includes, [first.uuid, second.uuid, third.uuid, side.uuid])
  })
  test('are the same in a participation', async () => {
    for (const path of [`/api/participations/${participation}/`, `/api/participations-userinfo/${participation}/`])
      assert.deepEqual(await held(path), await held(`/api/users/${ANN.id}/`))
  })
  test('are omitted after they expire', async () => {
    assert.equal((await held(`/api/users/${PAUL.id}/`)).length, 1)
    assert.equal((await held(`/api/users/${BEN.id}/`)).length, 1)
    const before = world.now
    world.now = new Date(before.getTime() + 1_001)
    assert.equal((await held(`/api/users/${PAUL.id}/`)).length, 0)
    assert.equal((await held(`/api/users/${BEN.id}/`)).length, 0)
    world.now = before
  })
  test('change in all records at once when they are renamed or include more', async () => {
    await world.db.write.updateTable('qualification').set({ title: 'Aid' }).where('id', '=', first.id).execute()
    assert.equal((await held(`/api/users/${PAUL.id}/`))[0]!.title, 'Aid')
    await world.db.write
      .insertInto('qualification_inclusion')
      .values({ qualification_id: first.id, included_id: side.id })
      .execute()
    assert.deepEqual((await held(`/api/users/${PAUL.id}/`))[0]!.includes, [side.uuid])
    assert.deepEqual((await held(`/api/participations/${participation}/`))[0]!.includes, [first.uuid, second.uuid, side.uuid])
  })
})
