import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, OLGA, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { addMembers } from '../commands/groups.ts'

const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])

describe('groups by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const membersOf = async (id: number) =>
    (
      await world.db.read
        .selectFrom('user_group_member')
        .select('user_id')
        .where('group_id', '=', id)
        .orderBy('user_id')
        .execute()
    ).map(({ user_id }) => user_id)
  const entriesOf = async (id: number) => (await journalOf(world, 'group', id)).map(({ kind, changes }) => ({ kind, changes }))

  test('a group is added, renamed and deleted', async () => {
    const added = await olga.post('/api/groups/', { name: ' Divers ' })
    assert.equal(added.status, 201)
    const { id } = added.body
    assert.deepEqual(added.body, { id, name: 'Divers', member_count: 0, permissions: [], publish_for: [], decide_hours_for: [] })
    assert.deepEqual((await olga.get(added.headers.location!)).headers.etag, added.headers.etag)
    const renamed = await olga.patch(`/api/groups/${id}/`, { name: 'Rescue divers' }, added.headers.etag!)
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Rescue divers'])
    assert.equal((await olga.delete(`/api/groups/${id}/`, added.headers.etag!)).status, 412)
    assert.equal((await olga.delete(`/api/groups/${id}/`, renamed.headers.etag!)).status, 204)
    assert.equal(await olga.status(`/api/groups/${id}/`), 404)
    assert.deepEqual(
      (await entriesOf(id)).map(({ kind }) => kind),
      ['group.created', 'group.changed', 'group.deleted'],
    )
  })

  test('a new name keeps permissions and targets', async () => {
    const other = await world.addGroup('Other', [])
    const { id } = await world.addGroup('Crew', [])
    for (const permission of ['add_event', 'delete_event'] as const)
      await world.db.write.insertInto('group_permission').values({ group_id: id, permission }).execute()
    await world.db.write
      .insertInto('group_grant')
      .values({ group_id: id, target_group_id: other.id, permission: 'publish_event_for_group' })
      .execute()
    const { body } = await olga.patch(`/api/groups/${id}/`, { name: 'Crew 2' }, '*')
    assert.deepEqual([body.name, body.permissions, body.publish_for], ['Crew 2', ['add_event', 'delete_event'], [other.id]])
  })

  test('members are added and removed; repeating it changes nothing', async () => {
    const { id } = await world.addGroup('Team', [])
    const add = () => olga.post(`/api/groups/${id}/members/add/`, { users: [ANN.id, BEN.id] })
    assert.deepEqual([(await add()).body.member_count, (await add()).body.member_count], [2, 2])
    const removed = await olga.post(`/api/groups/${id}/members/remove/`, { users: [ANN.id] })
    assert.deepEqual([removed.status, removed.body.member_count, await membersOf(id)], [200, 1, [BEN.id]])
    assert.deepEqual(await entriesOf(id), [
      { kind: 'group.members_changed', changes: { members: { added: [ANN.id, BEN.id] } } },
      { kind: 'group.members_changed', changes: { members: { removed: [ANN.id] } } },
    ])
  })

  test('the journal entry is that of the page', async () => {
    const [one, two] = [await world.addGroup('One', []), await world.addGroup('Two', [])]
    await addMembers(contextAs(world, OLGA), { groupId: one.id, userIds: [ANN.id] })
    await olga.post(`/api/groups/${two.id}/members/add/`, { users: [ANN.id] })
    assert.deepEqual(await entriesOf(two.id), await entriesOf(one.id))
  })

  test('people who do not exist or are hidden are reported, and nobody is added', async () => {
    const { id } = await world.addGroup('Strict', [])
    const hidden = await world.addPerson({ name: 'Robot', isVisible: false })
    const { status, body } = await olga.post(`/api/groups/${id}/members/add/`, { users: [ANN.id, 99_999, hidden.id] })
    assert.deepEqual(
      [status, codesOf(body)],
      [
        400,
        [
          ['/users/1', 'person_unknown'],
          ['/users/2', 'person_unknown'],
        ],
      ],
    )
    assert.deepEqual(await membersOf(id), [])
  })

  test('a name that is taken, empty or too long is refused', async () => {
    await world.addGroup('Taken', [])
    for (const [name, status, code] of [
      ['Taken', 409, 'name_taken'],
      [' ', 400, 'name_missing'],
      ['x'.repeat(151), 400, 'name_long'],
    ] as const) {
      const answer = await olga.post('/api/groups/', { name })
      assert.deepEqual([answer.status, codesOf(answer.body)], [status, [['/name', code]]])
    }
  })

  describe('each permission is needed', async () => {
    const all = ['view_group', 'add_group', 'change_group', 'delete_group'] as const
    const { id } = await world.addGroup('Guarded', [])
    const attempts = async (person: Person) => {
      const caller = world.as(person, 'CONFIDENTIAL_WRITE')
      return [
        (await caller.post('/api/groups/', { name: `By ${person.name}` }, { query: 'dry_run=true' })).status,
        (await caller.patch(`/api/groups/${id}/`, { name: `By ${person.name}` }, '*', { query: 'dry_run=true' })).status,
        (await caller.post(`/api/groups/${id}/members/add/`, { users: [VERA.id] }, { query: 'dry_run=true' })).status,
        (await caller.post(`/api/groups/${id}/members/remove/`, { users: [VERA.id] }, { query: 'dry_run=true' })).status,
        (await caller.delete(`/api/groups/${id}/`, '*', { query: 'dry_run=true' })).status,
      ]
    }
    for (const [missing, expected] of [
      [undefined, [200, 200, 200, 200, 204]],
      ['view_group', [403, 403, 403, 403, 204]],
      ['add_group', [403, 200, 200, 200, 204]],
      ['change_group', [200, 403, 403, 403, 204]],
      ['delete_group', [200, 200, 200, 200, 403]],
    ] as const)
      test(`without ${missing ?? 'none of them'}: ${expected}`, async () => {
        const permissions = all.filter((permission) => permission !== missing)
        assert.deepEqual(await attempts(await world.addPerson({ name: `No ${missing}`, permissions })), expected)
      })
    test('a dry run changes nothing', async () => {
      assert.deepEqual([await membersOf(id), (await entriesOf(id)).length], [[], 0])
    })
  })
})
