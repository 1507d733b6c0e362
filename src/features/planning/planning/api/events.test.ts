import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { watchStatements } from '#test/support/statements.ts'

const times = { start_time: '2031-06-01T08:00:00+02:00', end_time: '2031-06-01T12:00:00+02:00' }
const harbour = { title: 'Harbour run', location: 'Pier 3', type: 1, groups: [HELPERS.id] }
const mistakes = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: { pointer?: string; code: string }) => [pointer, code].filter(Boolean).join(' '))

describe('events are written by the API', async () => {
  const { world, write, kinds, eventRow, lastChanges, shiftsOf } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const make = async (more: object = {}): Promise<{ id: number; etag: string; path: string; shifts: { id: number }[] }> => {
    const { status, body, headers } = await paul.post('/api/events/', { ...harbour, shifts: [times], publish: true, ...more })
    assert.equal(status, 201, JSON.stringify(body))
    return { id: body.id, etag: headers.etag!, path: `/api/events/${body.id}/`, shifts: body.shifts }
  }

  test('an event is created with shifts and published, as by the form', async () => {
    const shifts = [{ ...times, label: 'Marshals' }, times]
    const { status, body, headers } = await paul.post('/api/events/', { ...harbour, shifts, publish: true })
    assert.equal(status, 201)
    assert.equal(headers.location, `https://a.example/api/events/${body.id}/`)
    const read = await paul.get(`/api/events/${body.id}/`)
    assert.deepEqual([read.body, read.headers.etag], [body, headers.etag])
    assert.deepEqual(await kinds(body.id), ['event.created', 'shift.created', 'shift.created', 'event.published'])
    assert.equal((await lastChanges(body.id, 'event.created')).title?.toString(), [null, 'Harbour run'].toString())
    assert.deepEqual(
      body.shifts.map(({ label, meeting_time, signup_flow_slug, structure_slug }: Record<string, string>) => [
        label,
        meeting_time,
        signup_flow_slug,
        structure_slug,
      ]),
      [
        ['Marshals', times.start_time, 'request_confirm', 'uniform'],
        ['', times.start_time, 'request_confirm', 'uniform'],
      ],
    )
  })

  test('without groups, responsibles and description, the event gets those of its type', async () => {
    await write.updateTable('event_type').set({ default_description: 'Bring water' }).where('id', '=', 1).execute()
    await write
      .insertInto('event_type_default_group')
      .values({ event_type_id: 1, group_id: PLANNERS.id, role: 'responsible' })
      .execute()
    const { body } = await paul.post('/api/events/', { title: 'Race', location: 'Pier', type: 1 })
    assert.equal(body.description, 'Bring water')
    const { responsible_users, responsible_groups, groups } = await lastChanges(body.id, 'event.created')
    assert.deepEqual(
      [responsible_users, responsible_groups, groups],
      [
        [null, [PAUL.id]],
        [null, [PLANNERS.id]],
        [null, [HELPERS.id]],
      ],
    )
    await write.deleteFrom('event_type_default_group').execute()
    assert.equal((await paul.post('/api/events/', { ...harbour, description: null })).body.description, null)
    await write.updateTable('event_type').set({ default_description: null }).where('id', '=', 1).execute()
  })

  test('a draft is not in the lists of events, but in that of drafts', async () => {
    const { status, body, headers } = await paul.post('/api/events/', harbour)
    const own = `/api/events/drafts/${body.id}/`
    assert.deepEqual([status, headers.location], [201, `https://a.example${own}`])
    assert.equal(await paul.status(`/api/events/${body.id}/`), 404)
    assert.ok(!(await paul.ids('/api/events/')).includes(body.id))
    const read = await paul.get(own)
    assert.deepEqual([read.status, read.body, read.headers.etag], [200, body, headers.etag])
    assert.equal((await paul.ids('/api/events/drafts/'))[0], body.id)
    const other = await world.addPerson({ name: 'Otto', permissions: ['add_event'] })
    const otto = world.as(other, 'PUBLIC_WRITE', 'PUBLIC_READ')
    assert.deepEqual([await otto.status(own), await otto.ids('/api/events/drafts/')], [404, []])
    assert.equal(await world.as(OLGA, 'PUBLIC_WRITE', 'PUBLIC_READ').status(own), 200)
    const changed = await paul.patch(`/api/events/${body.id}/`, { title: 'Later' }, read.headers.etag!)
    assert.deepEqual([changed.status, changed.body.title], [200, 'Later'])
  })

  test('who loses sight of a draft by writing it gets the record once more', async () => {
    const { status, body } = await paul.post('/api/events/', { ...harbour, responsible_users: [], responsible_groups: [] })
    assert.deepEqual([status, body.title], [201, 'Harbour run'])
    assert.equal(await paul.status(`/api/events/drafts/${body.id}/`), 404)
  })

  test('all mistakes are reported at once, with the codes of the form', async () => {
    const answer = await paul.post('/api/events/', {
      title: ' ',
      location: 'x'.repeat(255),
      type: 999,
      groups: [PLANNERS.id, HELPERS.id, 999],
      responsible_groups: [999],
      responsible_users: [ANN.id, 999],
      publish: true,
      shifts: [
        { start_time: times.end_time, end_time: times.start_time, label: 'x'.repeat(256) },
        { ...times, meeting_time: '2031-06-01T09:00:00+02:00', signup_flow_slug: 'lottery', structure_slug: 'heap' },
        { ...times, signup_flow_slug: 'coupled', questions: [999] },
        {
          ...times,
          signup_flow_configuration: { signup_from: 'soon', signup_until: 5, signup_untill: null },
          structure_configuration: { minimum_number_of_participants: 3, maximum_number_of_participants: 2, minimum_age: 'ten' },
        },
        { ...times, signup_flow_configuration: { signup_from: 'P1D', signup_until: 'P2D' }, structure_slug: 'named_teams' },
        {
          ...times,
          structure_slug: 'qualification_mix',
          structure_configuration: { qualification_requirements: [{ qualification: 999, min_count: 9_999_999, max_cout: 1 }] },
        },
        {
          ...times,
          structure_slug: 'complex',
          structure_configuration: { starting_blocks: [{ uuid: 'a', building_block: 999 }, { uuid: 'a' }] },
        },
      ],
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(mistakes(answer), [
      '/title missing',
      '/location too_long',
      '/type unknown_type',
      '/groups/0 not_publishable',
      '/groups/2 unknown_group',
      '/responsible_groups/0 unknown_group',
      '/responsible_users/1 unknown_person',
      '/shifts/0/end_time end_before_start',
      '/shifts/0/label too_long',
      '/shifts/1/meeting_time meeting_after_start',
      '/shifts/1/signup_flow_slug unknown_flow',
      '/shifts/1/structure_slug unknown_structure',
      '/shifts/2/signup_flow_configuration/leader_shift_id no_leader',
      '/shifts/2/questions/0 unknown_question',
      '/shifts/3/signup_flow_configuration/signup_from unreadable',
      '/shifts/3/structure_configuration/maximum_number_of_participants min_above_max',
      '/shifts/3/signup_flow_configuration/signup_untill unrecognized_keys',
      '/shifts/3/signup_flow_configuration/signup_until invalid_type',
      '/shifts/3/structure_configuration/minimum_age invalid_type',
      '/shifts/4/signup_flow_configuration/signup_from opens_after_closing',
      '/shifts/4/structure_configuration/teams no_team',
      '/shifts/5/structure_configuration/qualification_requirements/0/qualification unknown_qualification',
      '/shifts/5/structure_configuration/qualification_requirements/0/min_count not_a_number',
      '/shifts/5/structure_configuration/qualification_requirements/0/max_cout unrecognized_keys',
      '/shifts/6/structure_configuration/starting_blocks/0/building_block unknown_block',
      '/shifts/6/structure_configuration/starting_blocks/1/uuid duplicate_uuid',
      '/shifts/6/structure_configuration/starting_blocks/1/building_block missing',
    ])
    const german = await paul.post('/api/events/', { ...harbour, publish: true }, { headers: { 'accept-language': 'de' } })
    assert.deepEqual(mistakes(german), ['/shifts no_shift'])
    assert.match(german.body.errors[0].detail, /Schicht/)
  })

  test('only given keys change, and the journal names them', async () => {
    const { id, etag, path } = await make({ description: 'Old', responsible_users: [PAUL.id, BEN.id] })
    const { status, body } = await paul.patch(path, { location: ' Pier 4 ' }, etag)
    assert.deepEqual([status, body.location, body.title, body.description], [200, 'Pier 4', 'Harbour run', 'Old'])
    assert.deepEqual(await lastChanges(id, 'event.changed'), { location: ['Pier 3', 'Pier 4'] })
    const cleared = await paul.patch(path, { description: null, responsible_users: [PAUL.id] }, '*')
    assert.deepEqual([cleared.status, cleared.body.description], [200, null])
    const same = await paul.patch(path, {}, cleared.headers.etag!)
    assert.deepEqual([same.status, same.headers.etag], [200, cleared.headers.etag])
    assert.equal((await kinds(id)).filter((kind) => kind === 'event.changed').length, 2)
    assert.deepEqual(mistakes(await paul.patch(path, { title: '', type: 99, groups: [PLANNERS.id], colour: 1 }, '*')), [
      '/colour unrecognized_keys',
      '/title missing',
      '/type unknown_type',
      '/groups/0 not_publishable',
    ])
  })

  test('groups that the caller may not publish for stay, and can be named', async () => {
    const { id, path } = await make()
    await world.grantsEvent(PLANNERS, id, 'view')
    for (const groups of [[PLANNERS.id, HELPERS.id], [HELPERS.id]]) {
      assert.equal((await paul.patch(path, { groups }, '*')).status, 200)
      assert.equal((await kinds(id)).includes('event.changed'), false)
    }
  })

  test('a change needs the current version', async () => {
    const { etag, path } = await make()
    assert.equal((await paul.send('PATCH', path, { title: 'A' })).status, 428)
    assert.equal((await paul.patch(path, { title: 'A' }, etag)).status, 200)
    for (const answer of [await paul.patch(path, { title: 'B' }, etag), await paul.delete(path, etag)])
      assert.deepEqual([answer.status, answer.body.code], [412, 'precondition_failed'])
    for (const action of ['publish', 'reopen', 'restore'])
      assert.equal((await paul.post(`${path}${action}/`, undefined, { headers: { 'if-match': etag } })).status, 412, action)
  })

  test('a dry run answers as if and writes nothing', async () => {
    const count = async () =>
      Number(
        (
          await write
            .selectFrom('event')
            .select((e) => e.fn.countAll().as('n'))
            .execute()
        )[0]!.n,
      )
    const before = await count()
    const { status, body } = await paul.post('/api/events/', { ...harbour, shifts: [times] }, { query: 'dry_run=true' })
    assert.deepEqual([status, body.title, body.shifts.length], [200, 'Harbour run', 1])
    assert.equal(await count(), before)
    const { id, path } = await make()
    assert.equal((await paul.delete(path, '*', { query: 'dry_run=1' })).status, 204)
    assert.equal((await eventRow(id)).deleted_at, null)
  })

  test('a draft is published once it has shifts', async () => {
    const { body } = await paul.post('/api/events/', harbour)
    const path = `/api/events/${body.id}/`
    const refused = await paul.post(`${path}publish/`)
    assert.deepEqual([refused.status, refused.body.code, mistakes(refused)], [409, 'refused', ['no_shift']])
    const added = await paul.post(`${path}shifts/`, times)
    assert.deepEqual([added.status, added.headers.location], [201, undefined])
    const published = await paul.post(`${path}publish/`)
    assert.deepEqual([published.status, published.body.shifts.length], [200, 1])
    assert.equal(await paul.status(path), 200)
    assert.deepEqual((await kinds(body.id)).slice(-2), ['shift.created', 'event.published'])
  })

  test('an event is cancelled with a reason, and opened again', async () => {
    const { id, path } = await make()
    assert.deepEqual(mistakes(await paul.post(`${path}cancel/`, { reason: ' ' })), ['/reason too_small'])
    const cancelled = await paul.post(`${path}cancel/`, { reason: ' Storm\r\nwarning ' })
    assert.equal(cancelled.status, 200)
    assert.deepEqual([(await eventRow(id)).cancellation_reason, await paul.status(path)], ['Storm\nwarning', 404])
    assert.equal((await paul.post(`${path}reopen/`)).status, 200)
    assert.equal(await paul.status(path), 200)
    assert.deepEqual((await kinds(id)).slice(-2), ['event.cancelled', 'event.reopened'])
  })

  test('a deleted event is in the bin and can be restored with the version from before', async () => {
    const { id, path, etag } = await make()
    assert.equal((await paul.delete(path, etag)).status, 204)
    assert.deepEqual([await paul.status(path), (await paul.delete(path, '*')).status], [404, 404])
    const { body } = await paul.get('/api/events/bin/')
    assert.deepEqual([body.results[0].id, body.results[0].shift_count, body.results[0].participation_count], [id, 1, 0])
    assert.match(body.results[0].removed_at, /^2031-05-31T12:00:00\+02:00$/)
    const restored = await paul.post(`${path}restore/`, undefined, { headers: { 'if-match': etag } })
    assert.deepEqual([restored.status, restored.headers.etag], [200, etag])
    assert.ok(!(await paul.ids('/api/events/bin/')).includes(id))
    assert.deepEqual((await kinds(id)).slice(-2), ['event.deleted', 'event.restored'])
  })

  test('the bin shows when an event was deleted and who was on it, the last deleted first', async () => {
    const { id, path, shifts } = await make()
    for (const [who, state] of [
      [ANN, 0],
      [BEN, 1],
      [VERA, 2],
    ] as const)
      await world.addParticipation({ who, shift: shifts[0]!.id, state })
    const { body: empty } = await paul.post('/api/events/', { ...harbour, title: 'Empty' })
    const before = world.now
    await paul.delete(path, '*')
    world.now = new Date(before.getTime() + 1000)
    await paul.delete(`/api/events/${empty.id}/`, '*')
    world.now = before
    const told = (second: number) => ({
      deleted_at: `2031-05-01T12:00:0${second}+02:00`,
      removed_at: `2031-05-31T12:00:0${second}+02:00`,
    })
    const { body } = await paul.get('/api/events/bin/')
    assert.deepEqual(body.results.slice(0, 2), [
      { id: empty.id, title: 'Empty', start_time: null, shift_count: 0, participation_count: 0, ...told(1) },
      { id, title: 'Harbour run', start_time: times.start_time, shift_count: 1, participation_count: 2, ...told(0) },
    ])
  })

  test('drafts are listed with the newest first, without published and deleted events', async () => {
    const [first, second, third] = [
      (await paul.post('/api/events/', harbour)).body.id,
      (await paul.post('/api/events/', { ...harbour, shifts: [times] })).body.id,
      (await paul.post('/api/events/', harbour)).body.id,
    ]
    const { id: published } = await make()
    await paul.delete(`/api/events/${third}/`, '*')
    const listed = await paul.ids('/api/events/drafts/')
    assert.deepEqual(listed.slice(0, 2), [second, first])
    assert.deepEqual([listed.includes(third), listed.includes(published)], [false, false])
  })

  test('the caller and those who are responsible already can be named, also with an account that others cannot name', async () => {
    const { path } = await make({ responsible_users: [PAUL.id, BEN.id] })
    const { path: other } = await make({ responsible_users: [PAUL.id] })
    await world.setActive(BEN, false)
    await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', PAUL.id).execute()
    const wish = { responsible_users: [BEN.id, PAUL.id] }
    assert.equal((await paul.patch(path, wish, '*')).status, 200)
    assert.deepEqual(mistakes(await paul.patch(other, wish, '*')), ['/responsible_users/0 unknown_person'])
    assert.equal((await paul.post('/api/events/', { ...harbour, responsible_users: [PAUL.id] })).status, 201)
    await world.setActive(BEN, true)
    await write.updateTable('user_profile').set({ is_visible: true }).where('id', '=', PAUL.id).execute()
  })

  test('type, groups and responsible people can all be changed, and mistakes in the new ones are named', async () => {
    const type = await world.addType({ title: 'Race' })
    const { id, path } = await make()
    const wish = { type, groups: [], responsible_groups: [PLANNERS.id], responsible_users: [PAUL.id, BEN.id] }
    assert.equal((await paul.patch(path, wish, '*')).status, 200)
    const { id: _id, state, ...planned } = (await paul.get(`${path}planning/`)).body
    const { type: _type, ...people } = wish
    assert.deepEqual([state, planned, (await eventRow(id)).type_id], ['published', people, type])
    await write.updateTable('event_type').set({ archived_at: world.now }).where('id', '=', type).execute()
    assert.equal((await paul.patch(path, { type, title: 'Run' }, '*')).status, 200, 'the type that it has')
    assert.deepEqual(mistakes(await paul.post('/api/events/', { ...harbour, type })), ['/type unknown_type'])
    const unknown = { groups: [999], responsible_groups: [PLANNERS.id, 999], responsible_users: [999] }
    assert.deepEqual(mistakes(await paul.patch(path, unknown, '*')), [
      '/groups/0 unknown_group',
      '/responsible_groups/1 unknown_group',
      '/responsible_users/0 unknown_person',
    ])
  })

  test('who is not responsible cannot write the event', async () => {
    const { path, shifts } = await make()
    const shift = `/api/shifts/${shifts[0]!.id}/`
    const ann = world.as(ANN, 'PUBLIC_WRITE', 'PUBLIC_READ')
    const vera = world.as(VERA, 'PUBLIC_WRITE', 'PUBLIC_READ')
    const statuses = async (caller: typeof ann) => [
      (await caller.patch(path, { title: 'x' }, '*')).status,
      (await caller.post(`${path}cancel/`, { reason: 'x' })).status,
      (await caller.post(`${path}reopen/`)).status,
      (await caller.post(`${path}shifts/`, times)).status,
      (await caller.patch(shift, { label: 'x' }, '*')).status,
      (await caller.delete(shift, '*')).status,
    ]
    assert.deepEqual(await statuses(ann), Array(6).fill(403))
    assert.deepEqual(await statuses(vera), Array(6).fill(404))
    const deleter = await world.addPerson({ name: 'Dora', permissions: ['delete_event', 'add_event', 'view_event'] })
    const dora = world.as(deleter, 'PUBLIC_WRITE', 'PUBLIC_READ')
    assert.equal((await dora.delete(path, '*')).status, 403)
    assert.equal((await paul.delete(path, '*')).status, 204)
    assert.equal((await dora.post(`${path}restore/`)).status, 404)
    assert.deepEqual(await dora.ids('/api/events/bin/'), [])
  })

  test('an event with 50 shifts is created with as many statements as one with a single shift', async () => {
    const statements = watchStatements(world.db.writePool)
    const countFor = async (count: number): Promise<number> => {
      statements.length = 0
      const { id } = await make({ shifts: Array(count).fill(times) })
      assert.equal((await shiftsOf(id)).length, count)
      return statements.length
    }
    const one = await countFor(1)
    assert.ok(one > 0)
    assert.equal(await countFor(50), one)
  })
})
