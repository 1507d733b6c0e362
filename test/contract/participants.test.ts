import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Json } from '#test/support/api-response.ts'
import { ANN, HELPERS, NORD, OLGA, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('visibility of participants', async () => {
  const world = await openWorld()
  const person = (name: string) => world.addPerson({ name })
  const users = {
    stranger: await person('Stranger'),
    confirmed: await person('Confirmed'),
    requested: await person('Requested'),
    declined: await person('Declined'),
    responsible: await person('Responsible'),
    inResponsibleGroup: await person('In a responsible group'),
    changesAll: await world.addPerson({ name: 'Changes all events', permissions: ['change_event'] }),
    self: await person('Self'),
    viewer: await person('Viewer of the profile'),
    inViewingGroup: await person('In a viewing group'),
    viewsAll: VERA,
    superuser: OLGA,
  }
  type Role = keyof typeof users
  const audience = await world.addGroup('Audience', Object.values(users))
  const responsibleGroup = await world.addGroup('Responsible group', [users.inResponsibleGroup])
  const viewingGroup = await world.addGroup('Viewing group', [users.inViewingGroup])
  await world.grantsProfile(users.viewer, users.self)
  await world.grantsProfile(viewingGroup, users.self)

  /** Roles that see the participation of "self"; participations of others have their own tests. */
  const ALL_ROLES = Object.keys(users) as Role[]
  const CLOSED: Role[] = [
    'responsible',
    'inResponsibleGroup',
    'changesAll',
    'self',
    'viewer',
    'inViewingGroup',
    'viewsAll',
    'superuser',
  ]
  const MODES: [mode: number, roles: Role[]][] = [
    [0, ALL_ROLES],
    [1, [...CLOSED, 'confirmed']],
    [2, CLOSED],
    [3, ALL_ROLES],
  ]
  for (const [mode, roles] of MODES) {
    const type = await world.addType({ title: `Mode ${mode}`, showParticipantData: mode })
    const event = await world.addEvent({
      title: `Mode ${mode}`,
      type,
      seenBy: [audience],
      responsible: [users.responsible, responsibleGroup],
      shifts: [{}, {}],
    })
    const own = await world.addParticipation({ who: users.self, shift: event.shifts[0]! })
    // A confirmed participation in another shift of the same event counts.
    await world.addParticipation({ who: users.confirmed, shift: event.shifts[1]!, state: 1 })
    await world.addParticipation({ who: users.requested, shift: event.shifts[0]!, state: 0 })
    await world.addParticipation({ who: users.declined, shift: event.shifts[0]!, state: 2 })
    const placeholder = await world.addParticipation({ who: { placeholder: 'Somebody' }, shift: event.shifts[0]! })
    const visitor = await world.addParticipation({ who: { visitor: { name: 'Nora' }, of: NORD }, shift: event.shifts[0]! })
    for (const role of ALL_ROLES) {
      const sees = roles.includes(role)
      test(`mode ${mode}: ${role} ${sees ? 'sees' : 'does not see'} the participant`, async () => {
        const caller = world.as(users[role], ...SCOPES)
        assert.equal((await caller.ids('/api/participations/', { event: event.id })).includes(own), sees)
        assert.equal((await caller.ids('/api/participations/')).includes(own), sees)
        assert.equal(await caller.status(`/api/participations/${own}/`), sees ? 200 : 404)
        const isOwn = role === 'self'
        assert.equal(await caller.status(`/api/users/me/participations/${own}/`), isOwn ? 200 : 404)
        if (role !== 'viewsAll' && role !== 'superuser') return
        assert.equal(await caller.status(`/api/participations-userinfo/${own}/`), 200)
        assert.deepEqual(await caller.ids(`/api/users/${users.self.id}/participations/`, { event: event.id }), [own])
      })
      test(`mode ${mode}: ${role} and participants without an account`, async () => {
        // Permission to view profiles covers users of this instance only.
        const byRole: Role[] = [
          'responsible',
          'inResponsibleGroup',
          'changesAll',
          'superuser',
          ...(mode === 1 ? (['confirmed', 'self'] as Role[]) : []),
        ]
        const expected = mode === 0 || mode === 3 || byRole.includes(role)
        const seen = await world.as(users[role], ...SCOPES).ids('/api/participations/', { event: event.id })
        assert.deepEqual([seen.includes(placeholder), seen.includes(visitor)], [expected, expected])
      })
    }
    test(`mode ${mode}: participants of an event are hidden from users who cannot see the event`, async () => {
      const ann = world.as(ANN, ...SCOPES)
      assert.equal(await ann.status(`/api/participations/${own}/`), 404)
      assert.ok(!(await ann.ids('/api/participations/')).includes(own))
    })
  }
  test('permission to view a profile does not reveal the event', async () => {
    const { shifts } = await world.addEvent({ title: 'Apart', shifts: [{}] })
    const own = await world.addParticipation({ who: users.self, shift: shifts[0]! })
    for (const role of ['viewer', 'inViewingGroup', 'viewsAll', 'changesAll'] as const)
      assert.equal(await world.as(users[role], ...SCOPES).status(`/api/participations/${own}/`), 404, role)
    assert.equal(await world.as(users.self, ...SCOPES).status(`/api/users/me/participations/${own}/`), 200)
    assert.equal(await world.as(OLGA, ...SCOPES).status(`/api/participations/${own}/`), 200)
  })
  test('public lists contain only requested and confirmed participations', async () => {
    const { id, shifts } = await world.addEvent({ seenBy: [audience], shifts: [{}, {}, {}, {}, {}] })
    const ids: number[] = []
    for (const state of [0, 1, 2, 3, 4] as const)
      ids.push(await world.addParticipation({ who: users.self, shift: shifts[state]!, state }))
    const self = world.as(users.self, ...SCOPES)
    const vera = world.as(VERA, ...SCOPES)
    assert.deepEqual(await self.ids('/api/participations/', { event: id }), ids.slice(0, 2))
    for (const hidden of ids.slice(2)) assert.equal(await vera.status(`/api/participations/${hidden}/`), 404)
    for (const [caller, path] of [
      [self, '/api/users/me/participations/'],
      [vera, '/api/participations-userinfo/'],
      [vera, `/api/users/${users.self.id}/participations/`],
    ] as const) {
      assert.deepEqual(await caller.ids(path, { event: id }), ids)
      for (const each of ids) assert.equal(await caller.status(`${path}${each}/`), 200)
    }
    assert.equal(await vera.status(`/api/users/${ANN.id}/participations/${ids[1]}/`), 404)
  })
})

describe('comments', async () => {
  const world = await openWorld()
  const planner = await world.addPerson({ name: 'Pia', permissions: ['view_user'] })
  const { shifts } = await world.addEvent({ seenBy: [HELPERS, VERA], responsible: [planner], shifts: [{}] })
  const at = (n: number) => `2031-04-01T10:00:0${n}+02:00`
  const id = await world.addParticipation({
    who: ANN,
    shift: shifts[0]!,
    comments: [
      { text: 'newest', level: 2, at: at(9) },
      { text: 'for responsibles', level: 0, by: planner, at: at(1) },
      { text: 'for Ann, too', level: 1, by: planner, at: at(2) },
      { text: 'for all', level: 2, at: at(3) },
      { text: 'of a deleted user', level: 2, by: 'a deleted user', at: at(4) },
      { text: 'by Ann for responsibles', level: 0, at: at(5) },
    ],
  })
  const ALL: [author: string, text: string][] = [
    ['Pia', 'for responsibles'],
    ['Pia', 'for Ann, too'],
    ['Ann', 'for all'],
    ['a former planner', 'of a deleted user'],
    ['Ann', 'by Ann for responsibles'],
    ['Ann', 'newest'],
  ]
  const LEVEL_2 = [ALL[2], ALL[3], ALL[5]]
  const CASES: [who: string, person: Person, path: string, expected: typeof ALL][] = [
    ['a responsible sees all', planner, '/api/participations-userinfo/', ALL],
    ['Olga sees all', OLGA, '/api/participations-userinfo/', ALL],
    ['the participant sees levels 1 and 2', ANN, '/api/users/me/participations/', [ALL[1]!, ...LEVEL_2] as typeof ALL],
    ['others see level 2', VERA, '/api/participations-userinfo/', LEVEL_2 as typeof ALL],
  ]
  for (const [who, person, path, expected] of CASES)
    test(`${who}, oldest first`, async () => {
      const caller = world.as(person, ...SCOPES)
      const list = (await caller.get(path)).body.results.find((row: Json) => row.id === id)
      const one = (await caller.get(`${path}${id}/`)).body
      for (const { comments } of [list, one])
        assert.deepEqual(
          comments.map(({ author, text }: Json) => [author, text]),
          expected,
        )
    })
  test('the public record has no comments', async () => {
    for (const path of [`/api/participations/${id}/`, `/api/users/${ANN.id}/participations/${id}/`]) {
      const { body, text } = await world.as(OLGA, ...SCOPES).get(path)
      assert.ok(!('comments' in body) && !text.includes('for all'))
    }
  })
  test('a responsible who takes part sees comments of all levels on their own participation', async () => {
    const own = await world.addParticipation({
      who: planner,
      shift: shifts[0]!,
      comments: [{ text: 'note', level: 0, by: OLGA }],
    })
    const { body } = await world.as(planner, 'ME_READ').get(`/api/users/me/participations/${own}/`)
    assert.deepEqual(
      body.comments.map(({ author, text }: Json) => [author, text]),
      [['Olga', 'note']],
    )
  })
})

describe('kinds of participants', async () => {
  const world = await openWorld()
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
  const shift = shifts[0]!
  const inactive = await world.addPerson({ name: 'Ina', isActive: false, dateOfBirth: '2000-01-01' })
  const KINDS: [wish: Parameters<typeof world.addParticipation>[0], user: number | null, participant: Record<string, unknown>][] =
    [
      [
        { who: ANN, shift },
        ANN.id,
        {
          display_name: 'Ann',
          type: 'LocalUserParticipant',
          email: ANN.email,
          date_of_birth: '1990-03-14',
          age: 41,
          is_minor: false,
        },
      ],
      [
        { who: inactive, shift },
        inactive.id,
        { display_name: 'Ina', type: 'LocalUserParticipant', email: null, date_of_birth: '2000-01-01', age: 31, is_minor: false },
      ],
      [
        { who: { placeholder: 'Somebody' }, shift },
        null,
        {
          display_name: 'Somebody',
          type: 'PlaceholderParticipant',
          email: null,
          date_of_birth: null,
          age: null,
          is_minor: false,
        },
      ],
      [
        { who: { visitor: { name: 'Nora', dateOfBirth: '2020-01-01' }, of: NORD }, shift },
        null,
        {
          display_name: 'Nora',
          type: 'FederatedParticipant',
          email: 'Nora@nord.example',
          date_of_birth: '2020-01-01',
          age: 11,
          is_minor: true,
        },
      ],
      [
        { who: { visitor: { name: 'Nils' }, of: NORD }, shift },
        null,
        {
          display_name: 'Nils',
          type: 'FederatedParticipant',
          email: 'Nils@nord.example',
          date_of_birth: null,
          age: null,
          is_minor: false,
        },
      ],
      [
        { who: { guest: { name: 'Gesa', dateOfBirth: '2013-05-01' } }, shift },
        null,
        {
          display_name: 'Gesa',
          type: 'GuestParticipant',
          email: 'Gesa@guest.example',
          date_of_birth: '2013-05-01',
          age: 18,
          is_minor: false,
        },
      ],
    ]
  for (const [wish, user, participant] of KINDS) {
    const id = await world.addParticipation(wish)
    test(`${participant.display_name}, ${participant.type}`, async () => {
      const olga = world.as(OLGA, ...SCOPES)
      const { body } = await olga.get(`/api/participations-userinfo/${id}/`)
      assert.equal(body.user, user)
      const { qualifications, ...shown } = body.participant
      assert.deepEqual([shown, qualifications], [{ ...participant }, []])
      const open = (await olga.get(`/api/participations/${id}/`)).body
      const { email: _email, date_of_birth: _birth, age: _age, ...expected } = participant
      assert.deepEqual({ ...open.participant, qualifications: undefined }, { ...expected, qualifications: undefined })
    })
  }
})
