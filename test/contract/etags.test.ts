import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { addApiRecords } from '#test/support/api-records.ts'
import { ANN, BEN, HELPERS, OLGA, PLANNERS, VERA } from '#test/support/people.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'
import { openWorld } from '#test/support/world.ts'

/** Not part of the record: a comment is added to those before, records of events do not say what guests see, and the others tell how to write. */
const NO_FIELDS = ['comment', 'comment_is_public', 'comment_is_hidden', 'save_answers', 'confirm_shifts', 'guests_see_names']

const RED = 'red'
const BLUE = 'blue'

describe('the ETag of a record that can be changed', async () => {
  const world = await openWorld()
  const { db } = world
  const records = await addApiRecords(world, [OLGA, ANN])
  const other = await world.addQualification('Boat')
  const question = async (name: string) => {
    const values = { name, text: name, kind: 'text', required: false, use_saved_answers: false }
    return (await db.write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const [asked, another] = [await question('Food'), await question('Size')]
  const event = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [OLGA],
    shifts: [
      {
        structure: 'named_teams',
        configuration: {
          choose_preferred_team: true,
          teams: [
            { uuid: RED, title: 'Red', min_count: 0, max_count: 5 },
            { uuid: BLUE, title: 'Blue', min_count: 0, max_count: 5 },
          ],
        },
        flowConfiguration: { user_can_customize_signup_times: true },
      },
    ],
  })
  const [shift] = event.shifts as [number]
  await db.write.insertInto('shift_question').values({ shift_id: shift, question_id: asked }).execute()
  const own = await world.addParticipation({ who: OLGA, shift, state: 0 })
  const person = await world.addPerson({ name: 'Nora' })
  const olga = world.as(OLGA, ...SCOPES)
  const block = (await olga.post('/api/buildingblocks/', { name: 'Boat', block_type: 'atomic', positions: [{ label: 'Rower' }] }))
    .body.id
  const part = (await olga.post('/api/buildingblocks/', { name: 'Part', block_type: 'atomic', positions: [{ label: 'Rower' }] }))
    .body
  const composite = (
    await olga.post('/api/buildingblocks/', {
      name: 'Fleet',
      block_type: 'composite',
      sub_compositions: [{ label: 'Only', sub_block: part.uuid }],
    })
  ).body.id
  const type = (
    await olga.post('/api/event-types/', { title: 'Talk', visible_for_all_groups: false, audience_groups: [PLANNERS.id] })
  ).body.id
  const group = (await olga.post('/api/groups/', { name: 'Drivers' })).body.id
  const category = (await olga.post('/api/qualification-categories/', { title: 'Other' })).body.id

  const { shifts: bringingShifts } = await world.addEvent({
    seenBy: [HELPERS],
    shifts: [{ start: '2031-05-06T08:00:00Z', end: '2031-05-06T09:00:00Z', flowConfiguration: { user_can_bring: 2 } }],
  })
  const bringing = bringingShifts[0]!
  await world.addParticipation({ who: OLGA, shift: bringing, state: 1 })

  /** For each path of a PATCH the records, with a value for each field that differs from the stored one. */
  const RECORDS: Record<string, [path: string, fields: Record<string, unknown>][]> = {
    '/api/events/{id}/': [
      [
        `/api/events/${event.id}/`,
        {
          title: 'Renamed',
          description: 'New',
          location: 'Elsewhere',
          type,
          groups: [HELPERS.id, PLANNERS.id],
          responsible_groups: [PLANNERS.id],
          responsible_users: [OLGA.id, ANN.id],
        },
      ],
    ],
    '/api/users/me/participations/{id}/': [
      [
        `/api/users/me/participations/${own}/`,
        {
          start_time: '2031-05-04T08:10:00+02:00',
          end_time: '2031-05-04T08:40:00+02:00',
          wish: RED,
          answers: { [asked]: 'Soup' },
        },
      ],
    ],
    '/api/participations/{id}/': [
      [
        `/api/participations/${own}/`,
        { start_time: '2031-05-04T08:15:00+02:00', end_time: '2031-05-04T08:45:00+02:00', place: BLUE, state: 1 },
      ],
    ],
    '/api/shifts/{id}/': [
      [
        `/api/shifts/${shift}/`,
        {
          label: 'Boats',
          end_time: '2031-05-04T09:30:00+02:00',
          meeting_time: '2031-05-04T07:00:00+02:00',
          start_time: '2031-05-04T07:30:00+02:00',
          questions: [asked, another],
          signup_flow_configuration: { signup_until: 'P2D' },
          signup_flow_slug: 'instant_confirmation',
          structure_configuration: { choose_preferred_team: false },
          structure_slug: 'uniform',
        },
      ],
    ],
    '/api/users/me/': [['/api/users/me/', { language: 'de' }]],
    '/api/users/me/picture/': [['/api/users/me/picture/', { data: SMALL_PNG.toString('base64') }]],
    '/api/shifts/{id}/companions/': [[`/api/shifts/${bringing}/companions/`, { companions: [{ name: 'Eva' }] }]],
    '/api/users/me/details/': [
      [
        '/api/users/me/details/',
        {
          display_name: 'Olga O.',
          phone: '+49 40 555111',
          shows_phone: true,
          emergency_name: 'Ada',
          emergency_phone: '+49 40 555112',
        },
      ],
    ],
    '/api/users/{id}/': [
      [
        `/api/users/${person.id}/`,
        {
          display_name: 'Nora B.',
          email: 'nora.b@a.example',
          date_of_birth: '1990-01-02',
          phone: '+49 40 555000',
          language: 'de',
          groups: [HELPERS.id],
        },
      ],
    ],
    '/api/buildingblocks/{id}/': [
      [
        `/api/buildingblocks/${block}/`,
        {
          name: 'Big boat',
          allow_more: true,
          positions: [{ label: 'Skipper' }],
          qualification_requirements: [{ qualifications: [other.id], everyone: true }],
        },
      ],
      [`/api/buildingblocks/${composite}/`, { sub_compositions: [{ label: 'First', sub_block: part.uuid }] }],
    ],
    '/api/event-types/{id}/': [
      [
        `/api/event-types/${type}/`,
        {
          title: 'Lecture',
          color: '#123456',
          show_participant_data: 2,
          default_description: 'Welcome',
          required_qualifications: [other.id],
          audience_groups: [HELPERS.id],
          visible_for_all_groups: true,
          responsible_groups: [PLANNERS.id],
          responsible_users: [ANN.id],
          archived: true,
        },
      ],
    ],
    '/api/qualifications/{id}/': [
      [
        `/api/qualifications/${records.qualification}/`,
        { title: 'Radio operator', abbreviation: 'RO', category_id: category, direct_includes: [other.id], valid_months: 12 },
      ],
    ],
    '/api/qualification-categories/{id}/': [
      [`/api/qualification-categories/${records.category}/`, { title: 'Skills', show_with_user: false, rank: 7 }],
    ],
    '/api/groups/{id}/': [[`/api/groups/${group}/`, { name: 'Motorists' }]],
    '/api/users/{user}/qualifications/{id}/': [
      [`/api/users/${ANN.id}/qualifications/${records.held.get(ANN.id)}/`, { until: '2033-03-03' }],
    ],
    '/api/working-hours/{id}/': [
      [`/api/working-hours/${records.hours.get(ANN.id)}/`, { date: '2031-03-03', hours: 4, reason: 'Painted' }],
    ],
    '/api/users/me/notification-choices/': [
      ['/api/users/me/notification-choices/', { kinds: [{ kind: 'event_published', mail: true }], reminder_hours: 5 }],
    ],
    '/api/users/me/availability/': [
      [
        '/api/users/me/availability/',
        {
          weekly: [{ kind: 'cannot', weekday: 1, from: '08:00', until: '16:00' }],
          days: [{ kind: 'can', first: '2031-06-01', last: '2031-06-02' }],
        },
      ],
    ],
    '/api/webhooks/{id}/': [
      [
        `/api/webhooks/${records.webhooks.get(OLGA.id)}/`,
        {
          name: 'Plan',
          description: 'For the plan',
          url: 'https://plan.example/',
          kinds: ['shift'],
          scopes: ['PUBLIC_READ', 'ME_READ'],
          include_record: true,
          active: false,
        },
      ],
    ],
  }

  const changes = ENDPOINTS.flatMap((each) => (each.kind === 'write' && each.method !== 'POST' ? [each] : []))
  const fieldsOf = ({ body }: (typeof changes)[number]): string[] =>
    body instanceof z.ZodObject ? Object.keys(body.shape).filter((name) => !NO_FIELDS.includes(name)) : []

  test('is checked for every field of every record', () => {
    for (const endpoint of changes) {
      const listed = RECORDS[endpoint.path] ?? []
      assert.ok(listed.length, `no record for ${endpoint.method} ${endpoint.path}`)
      if (endpoint.method === 'PATCH')
        assert.deepEqual(listed.flatMap(([, fields]) => Object.keys(fields)).sort(), fieldsOf(endpoint).sort(), endpoint.path)
    }
  })

  const etagOf = async (path: string) => (await olga.get(path)).headers.etag!

  for (const [path, fields] of Object.values(RECORDS).flat())
    for (const [name, value] of Object.entries(fields))
      test(`${path.replaceAll(/\d+/g, 'n')} changes with ${name}`, async () => {
        const before = await etagOf(path)
        const body = { [name]: value }
        const patched = await olga.patch(path, body, before)
        assert.equal(patched.status, 200, patched.text)
        const after = await etagOf(path)
        assert.notEqual(after, before)
        assert.equal(patched.headers.etag, after, 'the answer has the ETag of the record')
        assert.equal((await olga.patch(path, body, before)).status, 412)
      })

  test('of a profile changes with its qualifications, and for those who may not change people only with what it shows', async () => {
    const path = `/api/users/${person.id}/`
    const vera = world.as(VERA, 'CONFIDENTIAL_READ')
    const [before, hers] = [await etagOf(path), (await vera.get(path)).headers.etag]
    await db.write.updateTable('user_profile').set({ phone: '+49 40 1' }).where('id', '=', person.id).execute()
    const changed = await etagOf(path)
    assert.notEqual(changed, before)
    assert.equal((await vera.get(path)).headers.etag, hers)
    assert.equal((await olga.get(`/api/users/by_email/${(await olga.get(path)).body.email}/`)).headers.etag, changed)
    await world.holds(person, other)
    assert.notEqual(await etagOf(path), changed)
    assert.notEqual((await vera.get(path)).headers.etag, hers)
  })

  test('of an event changes with its groups only for those who may change it', async () => {
    const path = `/api/events/${event.id}/`
    const ann = world.as(BEN, 'PUBLIC_READ')
    const [before, hers] = [await etagOf(path), (await ann.get(path)).headers.etag]
    await db.write
      .deleteFrom('event_group_grant')
      .where('event_id', '=', event.id)
      .where('group_id', '=', PLANNERS.id)
      .where('permission', '=', 'view')
      .execute()
    assert.notEqual(await etagOf(path), before)
    assert.equal((await ann.get(path)).headers.etag, hers)
  })
})
