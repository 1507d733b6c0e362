import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPerson } from '#features/accounts/users/commands/people.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { contextWith } from '#test/support/added.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { ANN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])
const addressOf = ({ id }: { id: number }) => `/api/users/${id}/`

describe('people by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const rowOf = (id: number) =>
    world.db.read.selectFrom('user_profile').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const groupsOf = async (id: number) =>
    (await world.db.read.selectFrom('user_group_member').select('group_id').where('user_id', '=', id).execute()).map(
      ({ group_id }) => group_id,
    )
  const mailsOf = async () =>
    (await world.db.read.selectFrom('journal').select('id').where('kind', '=', 'user.welcomed').execute()).length
  let count = 0
  const newEmail = () => `new-${++count}@a.example`

  test('a person is added, and is then what the list shows', async () => {
    const email = newEmail()
    const value = {
      display_name: 'Nora',
      email,
      date_of_birth: '1999-01-02',
      phone: '040 / 555 000',
      language: 'de',
      groups: [HELPERS.id],
    }
    const { status, body, headers } = await olga.post('/api/users/', value)
    assert.equal(status, 201)
    assert.deepEqual(body, { id: body.id, display_name: 'Nora', date_of_birth: '1999-01-02', email, qualifications: [] })
    assert.equal(headers.location, `https://a.example${addressOf(body)}`)
    assert.equal((await olga.get(headers.location)).headers.etag, headers.etag)
    const { phone, preferred_language, is_staff, is_visible } = await rowOf(body.id)
    assert.deepEqual([phone, preferred_language, is_staff, is_visible], ['+4940555000', 'de', false, true])
    assert.deepEqual(await groupsOf(body.id), [HELPERS.id])
  })

  test('the journal entry is that of the page, and the hooks of the page run', async () => {
    const form = {
      name: 'Page',
      email: newEmail(),
      date_of_birth: null,
      phone: null,
      language: 'en',
      groups: [],
      is_staff: false,
    } as const
    let welcomed = 0
    const hooks = [{ sendWelcomeMail: async () => void welcomed++ }]
    const byPage = await createPerson(contextWith(contextOf(world, actorOf(OLGA)), accountHooks, hooks), {
      ...form,
      groups: [],
      is_visible: true,
    })
    assert.ok(byPage.ok && welcomed === 1)
    const { body } = await olga.post('/api/users/', { display_name: 'Page', email: newEmail() })
    const shape = async (id: number) => (await journalOf(world, 'user', id)).map(({ kind, changes }) => ({ kind, changes }))
    const [created, mailed] = await shape(body.id)
    assert.deepEqual([created, mailed?.kind], [(await shape(byPage.userId))[0], 'user.welcomed'])
    const queued = (await findJobs(world.db, 'account_mail')).filter(({ payload }) => payload.userId === body.id)
    assert.deepEqual(
      queued.map(({ payload }) => payload.kind),
      ['welcome'],
    )
  })

  test('a change keeps what is not given, and clears what is null', async () => {
    const { body, headers } = await olga.post('/api/users/', {
      display_name: 'Kim',
      email: newEmail(),
      phone: '0171 1234567',
      groups: [HELPERS.id],
    })
    const renamed = await olga.patch(addressOf(body), { display_name: 'Kim K' }, headers.etag!)
    assert.deepEqual([renamed.status, renamed.body.display_name, renamed.body.email], [200, 'Kim K', body.email])
    assert.deepEqual([(await rowOf(body.id)).phone, await groupsOf(body.id)], ['+491711234567', [HELPERS.id]])
    await olga.patch(addressOf(body), { phone: null, groups: [] }, renamed.headers.etag!)
    assert.deepEqual([(await rowOf(body.id)).phone, await groupsOf(body.id)], [null, []])
    assert.equal((await olga.patch(addressOf(body), { phone: '2' }, headers.etag!)).status, 412)
    assert.equal((await olga.send('PATCH', addressOf(body), { phone: '2' })).status, 428)
  })

  test('a phone number that cannot be called is refused at its field, and a stored one stays in any form', async () => {
    const refused = await olga.post('/api/users/', { display_name: 'Kim', email: newEmail(), phone: '12' })
    assert.deepEqual(
      [refused.status, refused.body.errors[0].pointer, refused.body.errors[0].code],
      [409, '/phone', 'phone_invalid'],
    )
    const both = await olga.post('/api/users/', { display_name: 'Kim', email: newEmail(), phone: '12', groups: [99_999] })
    assert.deepEqual(
      both.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/phone', 'phone_invalid'],
        ['/groups', 'groups_unknown'],
      ],
    )
    const { body } = await olga.post('/api/users/', { display_name: 'Kim', email: newEmail() })
    await world.db.write.updateTable('user_profile').set({ phone: '040 12 (office)' }).where('id', '=', body.id).execute()
    const { headers } = await olga.get(addressOf(body))
    const kept = await olga.patch(addressOf(body), { display_name: 'Kim K', phone: '040 12 (office)' }, headers.etag!)
    assert.deepEqual([kept.status, (await rowOf(body.id)).phone], [200, '040 12 (office)'])
  })

  test('numbers without a country code belong to the country of the instance', async () => {
    await world.db.write.insertInto('setting').values({ name: 'phone_country', value: '"AT"' }).execute()
    const { body } = await olga.post('/api/users/', { display_name: 'Kim', email: newEmail(), phone: '01 58858' })
    assert.equal((await rowOf(body.id)).phone, '+43158858')
    await world.db.write.deleteFrom('setting').where('name', '=', 'phone_country').execute()
  })

  test('an administrator who is changed stays an administrator', async () => {
    const admin = await world.addPerson({ name: 'Ada', isStaff: true })
    assert.equal((await olga.patch(addressOf(admin), { phone: '040 555003' }, '*')).status, 200)
    assert.equal((await rowOf(admin.id)).is_staff, true)
  })

  test('accounts are closed, opened and deleted', async () => {
    const person = await world.addPerson({ name: 'Rita' })
    const closed = await olga.post(`${addressOf(person)}deactivate/`)
    assert.deepEqual([closed.status, closed.body.id, (await rowOf(person.id)).is_active], [200, person.id, false])
    assert.equal((await olga.post(`${addressOf(person)}activate/`)).status, 200)
    assert.equal((await rowOf(person.id)).is_active, true)
    const dry = await olga.delete(addressOf(person), '*', { query: 'dry_run=true' })
    assert.deepEqual([dry.status, (await rowOf(person.id)).deleted_at], [204, null])
    assert.equal((await olga.delete(addressOf(person), '*')).status, 204)
    assert.match((await rowOf(person.id)).display_name, /^Former member \d+$/)
    assert.equal(await olga.status(addressOf(person)), 404)
    assert.deepEqual(
      (await journalOf(world, 'user', person.id)).map(({ kind }) => kind),
      ['user.deactivated', 'user.reactivated', 'user.deleted'],
    )
  })

  describe('is refused', () => {
    for (const [what, value, status, errors] of [
      [
        'no name and no address',
        {},
        400,
        [
          ['/display_name', 'invalid_type'],
          ['/email', 'invalid_type'],
        ],
      ],
      [
        'all mistakes at once',
        { display_name: ' ', email: 'nowhere', date_of_birth: '1800-01-01' },
        400,
        [
          ['/display_name', 'name_missing'],
          ['/email', 'email_invalid'],
          ['/date_of_birth', 'day_invalid'],
        ],
      ],
      ['an unknown key', { display_name: 'X', email: 'x@a.example', is_staff: true }, 400, [['/is_staff', 'unrecognized_keys']]],
      ['an address that is taken', { display_name: 'X', email: 'ANN@a.example' }, 409, [['/email', 'email_taken']]],
      [
        'a birth in the future',
        { display_name: 'X', email: 'y@a.example', date_of_birth: '2040-01-01' },
        409,
        [['/date_of_birth', 'date_of_birth_future']],
      ],
      [
        'a group that does not exist',
        { display_name: 'X', email: 'z@a.example', groups: [99_999] },
        409,
        [['/groups', 'groups_unknown']],
      ],
    ] as const)
      test(what, async () => {
        const before = await mailsOf()
        const answer = await olga.post('/api/users/', value)
        assert.deepEqual([answer.status, codesOf(answer.body)], [status, errors])
        assert.equal(await mailsOf(), before)
      })

    test('closing and deleting the own account, and the last administrator', async () => {
      for (const attempt of [olga.post(`${addressOf(OLGA)}deactivate/`), olga.delete(addressOf(OLGA), '*')])
        assert.deepEqual(codesOf((await attempt).body), [[undefined, 'self']])
    })

    test('a person who is hidden from lists is not found', async () => {
      const hidden = await world.addPerson({ name: 'Robot', isVisible: false })
      assert.equal((await olga.patch(addressOf(hidden), { phone: '1' }, '*')).status, 404)
      assert.equal((await olga.post(`${addressOf(hidden)}deactivate/`)).status, 404)
      assert.equal((await olga.delete(addressOf(hidden), '*')).status, 404)
      assert.equal((await rowOf(hidden.id)).is_active, true)
    })
  })

  describe('nobody gets more than the pages allow', async () => {
    const powerful = await world.addGroup('Powerful', [])
    await world.grants(powerful, 'change_group')
    const mine = await world.addGroup('Mine', [])
    const admin = await world.addPerson({ name: 'Adam', isStaff: true })
    const superuser = OLGA
    const volunteer = await world.addPerson({ name: 'Vic' })
    const inPowerful = await world.addPerson({ name: 'Pia' })
    for (const [group, person] of [[powerful, inPowerful]] as const)
      await world.db.write.insertInto('user_group_member').values({ group_id: group.id, user_id: person.id }).execute()

    const personWith = async (...permissions: Permission[]): Promise<Person> => {
      const person = await world.addPerson({ name: `Editor ${++count}`, permissions })
      await world.db.write.insertInto('user_group_member').values({ group_id: mine.id, user_id: person.id }).execute()
      return person
    }
    const hr = await personWith('view_user', 'change_user', 'add_user', 'delete_user')
    const boss = await personWith('view_user', 'change_user', 'change_group', 'view_group')
    const blind = await personWith('change_user')

    type Attempt = [who: Person, target: Person, body: object, status: number, code: string | undefined]
    const attempts: Record<string, Attempt> = {
      'own membership of a powerful group': [hr, hr, { groups: [mine.id, powerful.id] }, 409, 'groups_locked'],
      'membership of a powerful group for a friend': [hr, volunteer, { groups: [powerful.id] }, 409, 'groups_locked'],
      'membership of an own group for a friend': [hr, volunteer, { groups: [mine.id] }, 200, undefined],
      'any group with change_group': [boss, volunteer, { groups: [powerful.id] }, 200, undefined],
      'the address of an administrator': [hr, admin, { email: 'mine@a.example' }, 409, 'email_locked'],
      'the address of a superuser': [boss, superuser, { email: 'mine@a.example' }, 409, 'email_locked'],
      'the address of a member of a powerful group': [hr, inPowerful, { email: 'mine@a.example' }, 409, 'email_locked'],
      'the address of a volunteer': [boss, volunteer, { email: 'vic-2@a.example' }, 200, undefined],
      'administrator by a key': [boss, boss, { is_staff: true }, 400, 'unrecognized_keys'],
      'a change without seeing profiles': [blind, volunteer, { phone: '1' }, 403, undefined],
    }
    for (const [what, [who, target, body, status, code]] of Object.entries(attempts))
      test(`${what}: ${status}`, async () => {
        const stored = async () => [await rowOf(target.id), await groupsOf(target.id)]
        const before = await stored()
        const answer = await world.as(who, 'CONFIDENTIAL_WRITE').patch(addressOf(target), body, '*')
        assert.deepEqual([answer.status, answer.body.errors?.[0].code], [status, code])
        if (status !== 200) assert.deepEqual(await stored(), before)
      })

    test('a group that the caller may not change stays', async () => {
      const answer = await world.as(hr, 'CONFIDENTIAL_WRITE').patch(addressOf(inPowerful), { groups: [] }, '*')
      assert.deepEqual([answer.status, await groupsOf(inPowerful.id)], [200, [powerful.id]])
    })
    test('an account of an administrator is not closed or deleted', async () => {
      const caller = world.as(hr, 'CONFIDENTIAL_WRITE')
      for (const attempt of [caller.post(`${addressOf(admin)}deactivate/`), caller.delete(addressOf(admin), '*')])
        assert.deepEqual(codesOf((await attempt).body), [[undefined, 'administrator']])
      assert.equal((await rowOf(admin.id)).is_active, true)
    })
    for (const scopes of [
      ['CONFIDENTIAL_READ'],
      ['ME_WRITE', 'PUBLIC_WRITE', 'ME_READ', 'PUBLIC_READ', 'CONFIDENTIAL_READ'],
    ] as const)
      test(`not with ${scopes}`, async () => {
        const { status, body } = await world.as(OLGA, ...scopes).patch(addressOf(ANN), { phone: '666' }, '*')
        assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
      })
  })
})
