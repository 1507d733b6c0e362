import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Json } from '#test/support/api-response.ts'
import { ANN, HELPERS, NORD, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const STATS = ['requested_count', 'confirmed_count', 'missing', 'free', 'min_count', 'max_count']
const SHIFT = [
  'id',
  'label',
  'event_id',
  'event_title',
  'meeting_time',
  'start_time',
  'end_time',
  'signup_flow_slug',
  'signup_flow_configuration',
  'structure_slug',
  'structure_configuration',
  'signup_stats',
]
const EVENT = [
  'id',
  'title',
  'description',
  'location',
  'type',
  'frontend_url',
  'start_time',
  'end_time',
  'signup_stats',
  'shifts',
]
const QUALIFICATION = ['uuid', 'title', 'abbreviation', 'category', 'includes']
const USER = ['id', 'display_name', 'date_of_birth', 'email', 'qualifications']
const BEFORE = ['id', 'shift', 'event', 'event_title', 'event_type', 'state']
const AFTER = ['start_time', 'end_time', 'duration', 'structure_data', 'user', 'participant']
const PARTICIPANT = ['display_name', 'is_minor', 'type', 'qualifications']
const BLOCK = ['id', 'uuid', 'name', 'block_type', 'sub_compositions', 'allow_more', 'qualification_requirements', 'positions']
const SHARED = ['id', 'title', 'description', 'location', 'type', 'start_time', 'end_time', 'signup_url']

describe('records', async () => {
  const world = await openWorld()
  const basic = await world.addQualification('First aid')
  const driving = await world.addQualification('Driving', [basic])
  await world.holds(ANN, driving)
  const configuration = { maximum_number_of_participants: 4, nested: { z: 1, a: [null, 'ü', 1.5] } }
  const event = await world.addEvent({
    title: 'Größe & Café',
    description: '',
    location: 'Löschteich',
    seenBy: [HELPERS],
    sharedWith: [NORD],
    shifts: [{ label: 'früh', configuration, start: '2031-05-04T08:00:00.123456+02:00', end: '2031-05-04T12:30:00.5+02:00' }],
  })
  const shift = event.shifts[0]!
  const comments = [{ text: 'brings van', level: 2 as const, at: '2031-04-01T10:00:00.5+02:00' }]
  const data = { preferred_team_uuid: 'x' }
  const participation = await world.addParticipation({ who: ANN, shift, comments, data })
  const olga = world.as(OLGA, ...SCOPES)
  const { write } = world.db
  const atomic = await write
    .insertInto('building_block')
    .values({ name: 'Ambulance', block_type: 'atomic' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const composite = await write
    .insertInto('building_block')
    .values({ name: 'Train', block_type: 'composite', allow_more: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('block_composition')
    .values({ block_id: composite.id, sub_block_id: atomic.id, label: 'first', optional: true })
    .execute()
  const position = await write
    .insertInto('block_position')
    .values({ block_id: atomic.id, label: 'Driver' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('block_position_qualification')
    .values({ position_id: position.id, qualification_id: driving.id })
    .execute()
  const requirement = await write
    .insertInto('block_requirement')
    .values({ block_id: atomic.id, at_least: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('block_requirement_qualification')
    .values({ requirement_id: requirement.id, qualification_id: basic.id })
    .execute()

  const KEYS: [path: string, expected: string[], pick?: (record: Json) => object][] = [
    [`/api/events/${event.id}/`, EVENT],
    [`/api/events/${event.id}/`, ['id', 'title'], ({ type }) => type],
    [`/api/events/${event.id}/`, STATS, ({ signup_stats }) => signup_stats],
    [`/api/events/${event.id}/`, SHIFT, ({ shifts }) => shifts[0]],
    [`/api/shifts/${shift}/`, SHIFT],
    [`/api/shifts/${shift}/`, STATS, ({ signup_stats }) => signup_stats],
    [`/api/users/${ANN.id}/`, USER],
    [`/api/users/${ANN.id}/`, QUALIFICATION, ({ qualifications }) => qualifications[0]],
    [`/api/users/by_email/${ANN.email}/`, USER],
    ['/api/users/me/', USER],
    [`/api/participations/${participation}/`, [...BEFORE, ...AFTER]],
    [`/api/participations/${participation}/`, PARTICIPANT, ({ participant }) => participant],
    [`/api/participations/${participation}/`, ['value', 'label'], ({ state }) => state],
    [`/api/participations/${participation}/`, ['id', 'title'], ({ event_type }) => event_type],
    [`/api/users/${ANN.id}/participations/${participation}/`, [...BEFORE, ...AFTER]],
    [`/api/participations-userinfo/${participation}/`, [...BEFORE, 'comments', ...AFTER]],
    [
      `/api/participations-userinfo/${participation}/`,
      [...PARTICIPANT, 'email', 'date_of_birth', 'age'],
      ({ participant }) => participant,
    ],
    [`/api/participations-userinfo/${participation}/`, ['author', 'text', 'created_at'], (record) => record.comments[0]],
    [`/api/buildingblocks/${atomic.id}/`, BLOCK],
    [
      `/api/buildingblocks/${composite.id}/`,
      ['id', 'label', 'optional', 'sub_block'],
      ({ sub_compositions }) => sub_compositions[0],
    ],
    [`/api/buildingblocks/${atomic.id}/`, ['id', 'label', 'optional', 'qualifications'], ({ positions }) => positions[0]],
    [
      `/api/buildingblocks/${atomic.id}/`,
      ['id', 'qualifications', 'everyone', 'at_least'],
      (record) => record.qualification_requirements[0],
    ],
  ]
  for (const [path, expected, pick = (record: Json) => record] of KEYS)
    test(`${path} has ${expected.join(', ')}, in this order`, async () => {
      const { body } = await olga.get(path)
      assert.deepEqual(Object.keys(pick(body)), expected)
    })
  test('shared events have their keys in order, and a sign-up URL', async () => {
    const { body } = await world.partner(NORD).get('/api/federation/events/')
    assert.deepEqual(Object.keys(body.results[0]), SHARED)
    assert.equal(body.results[0].signup_url, `${SITE_URL}/events/shared/${event.id}/${NORD.id}/`)
  })
  test('a list contains the same records as the detail endpoints', async () => {
    for (const [list, id] of [
      ['/api/events/', event.id],
      ['/api/shifts/', shift],
      ['/api/users/', ANN.id],
      ['/api/participations/', participation],
      ['/api/participations-userinfo/', participation],
      [`/api/users/${ANN.id}/participations/`, participation],
      ['/api/buildingblocks/', atomic.id],
    ] as const) {
      const { body } = await olga.get(list)
      const inList = body.results.find((record: Json) => record.id === id)
      assert.deepEqual((await olga.get(`${list}${id}/`)).body, inList, list)
    }
  })
  test('the shifts inside an event equal those of the shift list', async () => {
    assert.deepEqual((await olga.get(`/api/events/${event.id}/`)).body.shifts, (await olga.get('/api/shifts/')).body.results)
  })
  test('text is sent as UTF-8 without escapes', async () => {
    const { text } = await olga.get(`/api/events/${event.id}/`)
    for (const piece of ['"Größe & Café"', '"Löschteich"', '"früh"', '"ü"']) assert.ok(text.includes(piece), piece)
  })
  test('configurations are returned as they were stored', async () => {
    const { body } = await olga.get(`/api/shifts/${shift}/`)
    assert.deepEqual(body.structure_configuration, configuration)
    assert.deepEqual(body.signup_flow_configuration, {})
  })
  test('durations are floats, and times have microseconds unless they are zero', async () => {
    const { text, body } = await olga.get(`/api/participations-userinfo/${participation}/`)
    assert.equal(body.start_time, '2031-05-04T08:00:00.123456+02:00')
    assert.equal(body.end_time, '2031-05-04T12:30:00.500000+02:00')
    assert.match(text, /"duration":16200\.376544,/)
    assert.equal(body.comments[0].created_at, '2031-04-01T10:00:00.500000+02:00')
    const plain = await world.addParticipation({ who: PAUL, shift, start: '2031-05-04T08:00:00Z', end: '2031-05-04T12:30:00Z' })
    const short = await world.addParticipation({ who: OLGA, shift, start: '2031-05-04T08:00:00Z', end: '2031-05-04T08:00:00Z' })
    assert.match((await olga.get(`/api/participations/${plain}/`)).text, /"duration":16200\.0,/)
    assert.match((await olga.get(`/api/participations/${short}/`)).text, /"duration":0\.0,/)
    assert.equal((await olga.get(`/api/participations/${plain}/`)).body.start_time, '2031-05-04T10:00:00+02:00')
  })
  test('null and empty text are returned unchanged', async () => {
    const bare = await world.addEvent({ description: null, location: '', seenBy: [HELPERS] })
    const { body } = await olga.get(`/api/events/${bare.id}/`)
    assert.deepEqual([body.description, body.location, body.start_time, body.end_time, body.shifts], [null, '', null, null, []])
    assert.equal((await olga.get(`/api/events/${event.id}/`)).body.description, '')
  })
  test('shifts of an event are ordered by meeting time, start and id', async () => {
    const at = (clock: string) => `2031-06-01T${clock}:00Z`
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [
        { meeting: at('09:00'), start: at('10:00') },
        { meeting: at('08:00'), start: at('11:00') },
        { meeting: at('08:00'), start: at('10:00') },
        { meeting: at('08:00'), start: at('10:00') },
      ],
    })
    const { body } = await olga.get(`/api/events/${id}/`)
    const order = [2, 3, 1, 0].map((n) => shifts[n])
    assert.deepEqual(
      body.shifts.map((each: Json) => each.id),
      order,
    )
    assert.deepEqual([body.start_time, body.end_time], ['2031-06-01T12:00:00+02:00', '2031-06-01T14:00:00+02:00'])
  })

  const SLUGS: [title: string, slug: string | null][] = [
    ['Harbour run', 'harbour-run'],
    ['Größe & Café', 'groe-cafe'],
    ['  Übung --  Süd_West! ', 'ubung-sud_west'],
    ['消防', null],
    ['!!!', null],
    ['50% off', '50-off'],
    ['A/B?c=#d', 'abcd'],
    ['-_x_-', 'x'],
  ]
  for (const [title, slug] of SLUGS)
    test(`the slug of ${JSON.stringify(title)} is ${slug ?? 'its id'}`, async () => {
      const { id } = await world.addEvent({ title, seenBy: [HELPERS] })
      assert.equal((await olga.get(`/api/events/${id}/`)).body.frontend_url, `${SITE_URL}/events/${id}-${slug ?? id}/`)
    })
})

describe('deadlines of sign-up', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'PUBLIC_READ')

  test('are date-times that follow the shift, with the rule beside them', async () => {
    const flowConfiguration = { signup_until: 'P2D', signup_from: 'P1W' }
    const { id, shifts } = await world.addEvent({
      shifts: [{ start: '2031-05-04T08:00:00+02:00', end: '2031-05-04T12:00:00+02:00', flowConfiguration }],
    })
    const expected = {
      signup_from: '2031-04-27T08:00:00+02:00',
      signup_from_rule: 'P1W',
      signup_until: '2031-05-02T08:00:00+02:00',
      signup_until_rule: 'P2D',
    }
    assert.deepEqual((await olga.get(`/api/shifts/${shifts[0]}/`)).body.signup_flow_configuration, expected)
    assert.deepEqual((await olga.get(`/api/events/${id}/`)).body.shifts[0].signup_flow_configuration, expected)
    await world.db.write
      .updateTable('shift')
      .set({ start_time: new Date('2031-05-04T07:00:00Z') })
      .where('id', '=', shifts[0]!)
      .execute()
    const moved = (await olga.get(`/api/shifts/${shifts[0]}/`)).body.signup_flow_configuration
    assert.equal(moved.signup_until, '2031-05-02T09:00:00+02:00')
  })
})

describe('times in responses', () => {
  const ZONES: [zone: string, summer: string, winter: string][] = [
    ['Europe/Berlin', '2031-07-01T14:00:00+02:00', '2031-01-01T13:00:00+01:00'],
    ['Asia/Kathmandu', '2031-07-01T17:45:00+05:45', '2031-01-01T17:45:00+05:45'],
    ['America/St_Johns', '2031-07-01T09:30:00-02:30', '2031-01-01T08:30:00-03:30'],
    ['Australia/Lord_Howe', '2031-07-01T22:30:00+10:30', '2031-01-01T23:00:00+11:00'],
    ['Pacific/Chatham', '2031-07-02T00:45:00+12:45', '2031-01-02T01:45:00+13:45'],
    ['UTC', '2031-07-01T12:00:00+00:00', '2031-01-01T12:00:00+00:00'],
    // By the rules of PostgreSQL, this zone would be ahead of UTC.
    ['-03:00', '2031-07-01T09:00:00-03:00', '2031-01-01T09:00:00-03:00'],
  ]
  for (const [timeZone, summer, winter] of ZONES)
    describe(`in ${timeZone}`, async () => {
      const world = await openWorld({ timeZone })
      const olga = world.as(OLGA, ...SCOPES)
      for (const [season, start, expected] of [
        ['summer', '2031-07-01T12:00:00Z', summer],
        ['winter', '2031-01-01T12:00:00Z', winter],
      ] as const) {
        const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], sharedWith: [NORD], shifts: [{ start }] })
        const comments = [{ text: 'x', level: 2 as const, at: start }]
        const participation = await world.addParticipation({ who: OLGA, shift: shifts[0]!, comments })
        test(`all times in ${season} are written as ${expected}`, async () => {
          const event = (await olga.get(`/api/events/${id}/`)).body
          const shift = (await olga.get(`/api/shifts/${shifts[0]}/`)).body
          const own = (await olga.get(`/api/users/me/participations/${participation}/`)).body
          const shared = (await world.partner(NORD).get('/api/federation/events/')).body.results.find(
            (each: Json) => each.id === id,
          )
          const times = [
            event.start_time,
            event.shifts[0].meeting_time,
            shift.start_time,
            own.start_time,
            own.comments[0].created_at,
            shared.start_time,
          ]
          assert.deepEqual(
            times,
            times.map(() => expected),
          )
        })
      }
    })
})
