import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('visibility of events', async () => {
  const world = await openWorld()
  const staff = await world.addPerson({ name: 'Stefan', isStaff: true })
  const viewer = await world.addPerson({ name: 'Gina', permissions: ['view_event'] })
  const member = await world.addPerson({ name: 'Greta' })
  await world.addGroup('Viewers', [member], ['view_event'])
  const changer = await world.addPerson({ name: 'Chris', permissions: ['change_event'] })
  const shifts = [{}]
  const make = async (wish: Parameters<typeof world.addEvent>[0]) => world.addEvent({ shifts, ...wish })
  const byState = async (state: 0 | 1 | 2 | 3 | 4) => {
    const made = await make({ title: `state ${state}` })
    await world.addParticipation({ who: ANN, shift: made.shifts[0]!, state })
    return made
  }
  const all = [OLGA, staff, viewer, member]
  const CASES: [what: string, event: { id: number; shifts: number[] }, seenBy: Person[]][] = [
    ['without an audience', await make({}), all],
    ['shown to one person', await make({ seenBy: [ANN] }), [...all, ANN]],
    ['shown to a group', await make({ seenBy: [HELPERS] }), [...all, ANN, BEN]],
    ['shown to a group and a person', await make({ seenBy: [HELPERS, PAUL, ANN] }), [...all, ANN, BEN, PAUL]],
    ['shown to two groups', await make({ seenBy: [HELPERS, PLANNERS] }), [...all, ANN, BEN, PAUL]],
    ['with a responsible person', await make({ responsible: [PAUL] }), [...all, PAUL]],
    ['with a responsible group', await make({ responsible: [PLANNERS], seenBy: [ANN] }), [...all, PAUL, ANN]],
    ['with a request', await byState(0), [...all, ANN]],
    ['with a confirmed person', await byState(1), [...all, ANN]],
    ['with a declined participation', await byState(2), [...all, ANN]],
    ['with a rejected participation', await byState(3), [...all, ANN]],
    ['with a participation in dispatch', await byState(4), all],
  ]
  const CLOSED: [what: string, event: { id: number; shifts: number[] }][] = []
  for (const [what, wish] of [
    ['draft', { draft: true }],
    ['cancelled', { cancelled: true }],
    ['deleted', { deleted: true }],
    ['cancelled and deleted', { cancelled: true, deleted: true }],
  ] as const) {
    const made = await make({ ...wish, seenBy: [HELPERS, VERA], responsible: [PAUL], sharedWith: [NORD] })
    await world.addParticipation({ who: ANN, shift: made.shifts[0]! })
    CLOSED.push([what, made])
  }
  const people = [ANN, BEN, PAUL, VERA, OLGA, staff, viewer, member, changer]

  for (const person of people)
    test(`${person.name} sees exactly the expected events`, async () => {
      for (const caller of [world.as(person, 'PUBLIC_READ'), world.withSession(person)]) {
        const expected = CASES.filter(([, , seenBy]) => seenBy.includes(person)).map(([, event]) => event)
        const ids = (await caller.ids('/api/events/')).sort((a, b) => a - b)
        assert.deepEqual(
          ids,
          expected.map(({ id }) => id),
        )
        assert.equal((await caller.get('/api/events/')).body.count, ids.length)
        // A filter uses a different query; the result must be the same.
        assert.deepEqual(
          (await caller.ids('/api/events/', 'start_gte=2031-01-01')).sort((a, b) => a - b),
          ids,
        )
        const seen = expected.flatMap((event) => event.shifts)
        assert.deepEqual(
          (await caller.ids('/api/shifts/')).sort((a, b) => a - b),
          seen,
        )
        assert.equal((await caller.get('/api/shifts/')).body.count, seen.length)
        assert.deepEqual(await caller.ids('/api/shifts/', 'ordering=id'), seen)
      }
    })
  for (const [what, { id, shifts: made }, seenBy] of CASES)
    test(`an event ${what} can be read by ${seenBy.length} of the users, and answers 404 for the others`, async () => {
      for (const person of people) {
        const expected = seenBy.includes(person) ? 200 : 404
        const caller = world.as(person, 'PUBLIC_READ')
        assert.equal(await caller.status(`/api/events/${id}/`), expected, person.name)
        assert.equal(await caller.status(`/api/shifts/${made[0]}/`), expected, person.name)
      }
    })
  for (const [what, { id, shifts: made }] of CLOSED)
    test(`a ${what} event is hidden from all users, administrators included`, async () => {
      for (const person of people) {
        const caller = world.as(person, ...SCOPES)
        assert.equal(await caller.status(`/api/events/${id}/`), 404)
        assert.equal(await caller.status(`/api/shifts/${made[0]}/`), 404)
        for (const path of ['/api/participations/', '/api/users/me/participations/']) {
          const { body } = await caller.get(path)
          assert.ok(
            body.results.every((row: { event: number }) => row.event !== id),
            path,
          )
        }
      }
      const userinfo = await world.as(OLGA, ...SCOPES).get('/api/participations-userinfo/')
      assert.ok(userinfo.body.results.every((row: { event: number }) => row.event !== id))
      assert.ok(!(await world.partner(NORD).ids('/api/federation/events/')).includes(id))
    })
  test('an event is listed again when its cancellation is withdrawn', async () => {
    const { id, shifts: made } = await make({ seenBy: [ANN], cancelled: true })
    const ann = world.as(ANN, 'PUBLIC_READ')
    const before = (await ann.get('/api/shifts/')).body.count
    await world.db.write
      .updateTable('event')
      .set({ cancelled_at: null, cancellation_reason: null })
      .where('id', '=', id)
      .execute()
    assert.equal(await ann.status(`/api/events/${id}/`), 200)
    assert.ok((await ann.ids('/api/events/')).includes(id))
    assert.equal((await ann.get('/api/shifts/')).body.count, before + 1)
    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    assert.ok(!(await ann.ids('/api/shifts/')).includes(made[0]!))
    assert.equal((await ann.get('/api/shifts/')).body.count, before)
  })
  test('an event is hidden after leaving the group or losing the grant', async () => {
    const person = await world.addPerson({ name: 'Lea' })
    const group = await world.addGroup('For a while', [person])
    const { id } = await make({ seenBy: [group] })
    const caller = world.as(person, 'PUBLIC_READ')
    assert.deepEqual(await caller.ids('/api/events/'), [id])
    await world.db.write.deleteFrom('user_group_member').where('user_id', '=', person.id).execute()
    assert.deepEqual([await caller.ids('/api/events/'), await caller.status(`/api/events/${id}/`)], [[], 404])
    await world.grantsEvent(person, id, 'view')
    assert.deepEqual(await caller.ids('/api/events/'), [id])
    await world.db.write.deleteFrom('event_user_grant').where('user_id', '=', person.id).execute()
    assert.deepEqual(await caller.ids('/api/events/'), [])
  })

  test('responses for hidden and for absent ids are identical', async () => {
    const hidden = CASES[0]![1]
    const participation = await world.addParticipation({ who: PAUL, shift: hidden.shifts[0]! })
    const secret = await world.addPerson({ name: 'Service', isVisible: false })
    const bytes = ({ text, body, headers }: Answer) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return { text: text.replace(body.request_id, 'R'), rest }
    }
    const ann = world.as(ANN, ...SCOPES)
    const vera = world.as(VERA, ...SCOPES)
    for (const [caller, path, id] of [
      [ann, '/api/events/{}/', hidden.id],
      [ann, '/api/shifts/{}/', hidden.shifts[0]!],
      [ann, '/api/participations/{}/', participation],
      [ann, '/api/users/me/participations/{}/', participation],
      [vera, '/api/participations-userinfo/{}/', participation],
      [vera, `/api/users/${PAUL.id}/participations/{}/`, participation],
      [vera, '/api/users/{}/', secret.id],
      [vera, '/api/users/by_email/{}/', secret.email],
    ] as const) {
      const closed = await caller.get(path.replace('{}', String(id)))
      const absent = await caller.get(path.replace('{}', typeof id === 'number' ? '999999' : 'nobody@a.example'))
      assert.equal(closed.status, 404, path)
      assert.deepEqual(bytes(closed), bytes(absent), path)
    }
  })
})
