import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { ENDPOINTS } from '#endpoints'
import { mergeAccounts } from '#features/operations/privacy/commands/merge.ts'
import { replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { transact } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, NORD, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../src/features.ts'

/** Writes whose answers tell nothing about one person, or only about the caller, whose own keys are deleted with the account. */
const WITHOUT_PERSON = [
  '/api/batch/',
  '/api/buildingblocks/',
  '/api/event-types/',
  '/api/events/',
  '/api/events/{id}/cancel/',
  '/api/events/{id}/duplicate/',
  '/api/events/{id}/publish/',
  '/api/events/{id}/reopen/',
  '/api/events/{id}/restore/',
  '/api/events/{id}/shifts/',
  '/api/groups/',
  '/api/groups/{id}/members/add/',
  '/api/groups/{id}/members/remove/',
  '/api/qualification-categories/',
  '/api/qualifications/',
  '/api/shifts/{id}/cancel/',
  '/api/shifts/{id}/decline/',
  '/api/shifts/{id}/duplicate/',
  '/api/shifts/{id}/restore/',
  '/api/shifts/{id}/signup/',
  '/api/shifts/{id}/undo/',
  '/api/shifts/{id}/waiting-list/join/',
  '/api/shifts/{id}/waiting-list/leave/',
  '/api/users/me/notifications/read/',
  '/api/users/me/notifications/{id}/read/',
  '/api/users/me/waiting-list/{id}/answer/',
  '/api/users/me/working-hours-requests/{id}/withdraw/',
  '/api/users/me/working-hours/',
  '/api/webhooks/',
  '/api/webhooks/{id}/deliveries/{delivery}/resend/',
  '/api/webhooks/{id}/rotate-secret/',
  '/api/webhooks/{id}/test/',
]

/** Writes whose answers tell about several people. They name each as `user`, which is what is noted. */
const WITH_SEVERAL = [
  '/api/shifts/{id}/stand-in/',
  '/api/shifts/{id}/stand-in/cancel/',
  '/api/shifts/{id}/swap/',
  '/api/shifts/{shift}/inquiries/{id}/stop/',
  '/api/shifts/{shift}/stand-ins/{id}/decide/',
  '/api/shifts/{shift}/swaps/{id}/decide/',
  '/api/users/me/inquiries/{id}/answer/',
  '/api/users/me/participations/{id}/attendance/',
  '/api/users/me/stand-ins/{id}/answer/',
  '/api/users/me/swaps/{id}/answer/',
  '/api/users/me/swaps/{id}/withdraw/',
]

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

/** Paths of records that name a person without the id. */
function findNamesAlone({ properties = {}, items, anyOf = [] }: Schema, at = ''): string[] {
  const isAlone = 'display_name' in properties && !('user' in properties)
  const parts: [string, Schema][] = [
    ...Object.entries(properties).map(([name, part]): [string, Schema] => [`${at}/${name}`, part]),
    ...[...(items ? [items] : []), ...anyOf].map((part): [string, Schema] => [at, part]),
  ]
  return [...(isAlone ? [at] : []), ...parts.flatMap(([path, part]) => findNamesAlone(part, path))]
}

describe('stored answers of repeated requests', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  let number = 0
  const post = async (path: string, body: object = {}) => {
    const answer = await olga.post(path, body, { headers: { 'idempotency-key': `key-${++number}` } })
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const stored = async () => (await sql`select from idempotency_key`.execute(world.db.read)).rows.length
  const ask = async (who: Person): Promise<number> => {
    const data = JSON.stringify({ hours: 2, reason: 'Kitchen', date: '2031-04-30' })
    const { rows } = await sql<{ id: number }>`insert into decision_request (user_id, kind, data, state, created_at)
      values (${who.id}, 'working_hours', ${data}, 'open', ${world.now}) returning id`.execute(world.db.write)
    return rows[0]!.id
  }
  const qualification = await world.addQualification('Cook')

  /** Each writes about the person and gives the path of the endpoint that it used. */
  const writes: Record<string, (who: Person) => Promise<unknown>> = {
    '/api/users/{id}/deactivate/': async (who) => {
      await post(`/api/users/${who.id}/deactivate/`)
      await world.setActive(who, true)
    },
    '/api/users/{id}/activate/': (who) => post(`/api/users/${who.id}/activate/`),
    '/api/users/{user}/qualifications/': (who) =>
      post(`/api/users/${who.id}/qualifications/`, { qualification_id: qualification.id }),
    '/api/shifts/{id}/participations/': async (who) => post(`/api/shifts/${await addShift()}/participations/`, { user: who.id }),
    '/api/participations/{id}/comments/': async (who) =>
      post(`/api/participations/${await participate(who)}/comments/`, { text: 'Bad knee' }),
    '/api/participations/{id}/keep/': async (who) => post(`/api/participations/${await participate(who)}/keep/`),
    '/api/requests/{id}/approve/': async (who) => post(`/api/requests/${await ask(who)}/approve/`),
    '/api/requests/{id}/reject/': async (who) => post(`/api/requests/${await ask(who)}/reject/`),
    '/api/working-hours/': (who) =>
      post('/api/working-hours/', { user: who.id, date: '2031-04-30', hours: 2, reason: 'Kitchen' }),
    '/api/events/{id}/attendance/': async (who) => {
      const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [OLGA], shifts: [{}] })
      const participation = await world.addParticipation({ who, shift: shifts[0]!, state: 1 })
      await post(`/api/events/${id}/attendance/`, { marks: [{ participation, mark: 'no_show' }] })
    },
    '/api/shifts/{id}/inquiries/': async (who) => {
      const { shifts } = await world.addEvent({ seenBy: [who], responsible: [OLGA], shifts: [{}] })
      await post(`/api/shifts/${shifts[0]}/inquiries/`, { people: [who.id] })
    },
  }
  const addShift = async () => (await world.addEvent({ seenBy: [HELPERS], responsible: [OLGA], shifts: [{}] })).shifts[0]!
  const participate = async (who: Person) => world.addParticipation({ who, shift: await addShift(), state: 1 })

  const erase = async (who: Person) => {
    // What a search for the name cannot find is found by the note.
    await sql`update user_profile set display_name = 'Other', email = ${`other-${who.id}@a.example`} where id = ${who.id}`.execute(
      world.db.write,
    )
    const browser = await browserOf(world, OLGA)
    assert.equal((await browser.post(`/manage/people/${who.id}/delete/`)).statusCode, 303)
  }

  test('are known for every POST of the API', () => {
    const posts = ENDPOINTS.flatMap((endpoint) =>
      endpoint.kind === 'write' && endpoint.method === 'POST' ? [endpoint.path] : [],
    )
    assert.deepEqual(posts.sort(), ['/api/users/', ...Object.keys(writes), ...WITHOUT_PERSON, ...WITH_SEVERAL].sort())
  })

  test('name people only together with their ids', () => {
    for (const endpoint of ENDPOINTS) {
      if (endpoint.kind !== 'write' || !WITH_SEVERAL.includes(endpoint.path)) continue
      const schemas = Object.values(endpoint.responses).flatMap(({ schema }) => (schema ? [schema] : []))
      assert.ok(schemas.length > 0, endpoint.path)
      const found = schemas.flatMap((schema) => findNamesAlone(z.toJSONSchema(schema, { io: 'output' }) as Schema))
      assert.deepEqual(found, [], endpoint.path)
    }
  })

  for (const [path, write] of Object.entries(writes))
    test(`POST ${path} is deleted with the person, and not with another one`, async () => {
      const [who, other] = [await world.addPerson({ name: 'Kim' }), await world.addPerson({ name: 'Lou' })]
      const before = await stored()
      await write(who)
      await erase(other)
      assert.equal(await stored(), before + 1)
      await erase(who)
      assert.equal(await stored(), before)
    })

  test('POST /api/users/ is deleted with the person who was added', async () => {
    const before = await stored()
    const { body } = await post('/api/users/', { display_name: 'Kim', email: 'kim@a.example' })
    assert.equal(await stored(), before + 1)
    await erase({ ...OLGA, id: body.id })
    assert.equal(await stored(), before)
  })

  test('of a batch are deleted with each person of its operations', async () => {
    const people = [await world.addPerson({ name: 'Kim' }), await world.addPerson({ name: 'Lou' })]
    for (const who of people) {
      const before = await stored()
      const operations = people.map(({ id }) => ({ method: 'POST', path: `/api/users/${id}/activate/` }))
      await post('/api/batch/', { operations })
      assert.equal(await stored(), before + 1)
      await erase(who)
      assert.equal(await stored(), before)
      people.splice(people.indexOf(who), 1)
    }
  })

  for (const [whom, add] of [
    ['a guest', (shift: number, name: string) => world.addParticipation({ who: { guest: { name } }, shift, state: 1 })],
    [
      'a visitor',
      (shift: number, name: string) => world.addParticipation({ who: { visitor: { name }, of: NORD }, shift, state: 1 }),
    ],
  ] as const)
    test(`about ${whom} are deleted with them, and not with another one`, async () => {
      const shift = await addShift()
      const [id, other] = [await add(shift, 'Kim'), await add(shift, 'Lou')]
      const leave = async (participation: number) => {
        const row = await world.db.read
          .selectFrom('participation')
          .select(['guest_id', 'visitor_id'])
          .where('id', '=', participation)
          .executeTakeFirstOrThrow()
        const kind = row.guest_id === null ? 'visitor' : 'guest'
        const ids = [(row.guest_id ?? row.visitor_id)!]
        await transact(world.db.write, (tx) => replaceByPlaceholders(tx, { kind, ids, name: 'Somebody' }))
      }
      const before = await stored()
      await post(`/api/participations/${id}/comments/`, { text: 'Bad knee' })
      await post(`/api/participations/${id}/keep/`)
      const change = { method: 'PATCH', path: `/api/participations/${id}/`, if_match: '*', body: { state: 1 } }
      await post('/api/batch/', { operations: [change] })
      await leave(other)
      assert.equal(await stored(), before + 3)
      await leave(id)
      assert.equal(await stored(), before)
    })

  test('about an account that became part of another one are deleted with the remaining one', async () => {
    const [remaining, other] = [await world.addPerson({ name: 'Kim' }), await world.addPerson({ name: 'Lou' })]
    const before = await stored()
    await post(`/api/users/${other.id}/activate/`)
    const pair = { remainingId: remaining.id, otherId: other.id }
    const merged = await mergeAccounts(contextAs(world, OLGA), pair, { tables: personalDataOf(FEATURES) })
    assert.equal(merged.ok, true)
    await sql`update journal set personal = null`.execute(world.db.write)
    assert.equal(await stored(), before + 1)
    await erase(remaining)
    assert.equal(await stored(), before)
  })
})
