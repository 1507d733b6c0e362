import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { open } from '#platform/http/access.ts'
import { actionEndpoint } from '#platform/http/endpoint.ts'
import type { Caller } from '#test/support/api-client.ts'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, HELPERS, NORD, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import { METRICS_TOKEN, openWorld } from '#test/support/world.ts'

const MAILS = ['canary.local@secret.example', 'canary.visitor@secret.example', 'canary.guest@secret.example']
const BIRTHS = ['1911-11-11', '1912-12-12', '1910-10-10']
const PHONES = ['+49 666 7654321', '+49 666 7654322', '+49 666 7654323']
const CANARIES = [...MAILS, ...BIRTHS, ...PHONES]

/** Includes the forms encoded for URLs and for JSON. */
const spellings = (canary: string) => [canary, encodeURIComponent(canary), canary.replaceAll('-', ''), canary.toUpperCase()]
function assertClean(text: string, what: string, canaries = CANARIES): void {
  for (const canary of canaries)
    for (const spelling of spellings(canary))
      assert.ok(!text.includes(spelling), `${what} has ${spelling}: ${text.slice(0, 500)}`)
}
const everythingOf = ({ text, headers }: Answer): string => `${text}\n${JSON.stringify(headers)}`

/** An internal error whose failing statement contains personal data. */
const broken = actionEndpoint({
  path: '/api/broken/',
  method: 'POST',
  access: open('a test'),
  name: 'Broken',
  operationId: 'broken',
  tag: 'test',
  summary: 'Fails with the row in hand',
  responses: { 204: { description: 'never' } },
  perform: async ({ db }) => {
    const row = {
      email: MAILS[0]!,
      display_name: 'x',
      date_of_birth: BIRTHS[0]!,
      phone: PHONES[0]!,
      preferred_language: 'no code',
    }
    await db.insertInto('user_profile').values(row).execute()
    return { status: 204 }
  },
})

describe('personal data', async () => {
  const world = await openWorld({ logLevel: 'trace', extra: { endpoints: [broken] } })
  const person = await world.addPerson({ name: 'Local', email: MAILS[0]!, dateOfBirth: BIRTHS[0]!, phone: PHONES[0]! })
  const event = await world.addEvent({
    seenBy: [HELPERS, VERA, person],
    responsible: [PAUL, person],
    sharedWith: [NORD],
    shifts: [{}],
  })
  const shift = event.shifts[0]!
  const visitor = { name: 'Visitor', email: MAILS[1]!, dateOfBirth: BIRTHS[1]! }
  const guest = { name: 'Guest', email: MAILS[2]!, dateOfBirth: BIRTHS[2]! }
  const comments = [{ text: 'hello', level: 2 as const }]
  const ids = [
    await world.addParticipation({ who: person, shift, comments }),
    await world.addParticipation({ who: { visitor, of: NORD }, shift, comments }),
    await world.addParticipation({ who: { guest }, shift, comments }),
  ]
  await world.db.write.updateTable('visitor').set({ phone: PHONES[1]! }).execute()
  await world.db.write.updateTable('guest').set({ phone: PHONES[2]! }).execute()
  const callers: [name: string, caller: Caller][] = [
    ...[ANN, PAUL, VERA, OLGA, person].map(({ name }, n): [string, Caller] => [
      name,
      world.as([ANN, PAUL, VERA, OLGA, person][n]!, ...SCOPES),
    ]),
    ['a session of Olga', world.withSession(OLGA)],
    ['a partner', world.partner(NORD)],
    ['nobody', world.nobody],
  ]

  const PUBLIC = [
    '/api/',
    '/api/events/',
    `/api/events/${event.id}/`,
    '/api/shifts/',
    `/api/shifts/${shift}/`,
    '/api/buildingblocks/',
    '/api/participations/',
    ...ids.map((id) => `/api/participations/${id}/`),
    `/api/users/${person.id}/participations/`,
    `/api/users/${person.id}/participations/${ids[0]}/`,
    '/api/federation/events/',
    '/api/schema/',
    '/api/schema/?format=json',
  ]
  for (const path of PUBLIC)
    test(`is not in ${path} for any caller`, async () => {
      for (const [name, caller] of callers)
        for (const method of ['GET', 'OPTIONS', 'POST'])
          assertClean(everythingOf(await caller.request(method, path, { unchecked: true })), `${method} ${path} for ${name}`)
    })
  test('is in the endpoints with user information (control)', async () => {
    const { text } = await world.as(OLGA, ...SCOPES).get('/api/participations-userinfo/')
    for (const canary of [...MAILS, ...BIRTHS]) assert.ok(text.includes(canary), canary)
    assert.ok((await world.as(OLGA, ...SCOPES).get('/api/participations/')).text.includes('Visitor'))
  })
  test('phone numbers are in no response', async () => {
    // A stream does not end; its events have the schema of `/api/changes/`.
    // Callers read their own number.
    const withOwn = '/api/users/me/details/'
    let turn = 0
    for (const endpoint of ENDPOINTS.filter(({ kind, path }) => kind !== 'stream' && path !== withOwn)) {
      const path = (endpoint.path as string).replace('{user}', String(person.id)).replace('{email}', MAILS[0]!)
      // Lists are read by all callers; each record by one, as others read the next ones.
      for (const id of path.includes('{id}') ? [...ids, person.id, event.id] : [0])
        for (const [name, caller] of path.includes('{id}') ? chooseVariants(callers, turn++) : callers)
          assertClean(
            everythingOf(await caller.get(path.replace('{id}', String(id)), { unchecked: true })),
            `${path} for ${name}`,
            PHONES,
          )
    }
  })
  test('of others is not in the records of the own account', async () => {
    const ann = world.as(ANN, ...SCOPES)
    for (const path of ['/api/users/me/', '/api/users/me/participations/']) assertClean(everythingOf(await ann.get(path)), path)
  })
  test('is not in error responses', async () => {
    const vera = world.as(VERA, ...SCOPES)
    const ask = async (caller: Caller, path: string, options = {}) => {
      const answer = await caller.get(path, options)
      assert.ok(answer.status >= 400, path)
      assertClean(everythingOf(answer), path)
    }
    for (const mail of MAILS.map(encodeURIComponent)) {
      await ask(world.nobody, `/api/users/by_email/${mail}/`)
      await ask(world.as(ANN, ...SCOPES), `/api/users/by_email/${mail}/`)
      await ask(vera, `/api/users/by_email/x${mail}/`)
      await ask(vera, `/api/users/${mail}/`)
      await ask(vera, `/api/nothing/${mail}/`)
      await ask(vera, `/api/users/?search=${mail}%00`)
      await ask(vera, `/api/events/?type=${mail}`)
      await ask(vera, `/api/events/?start_gte=${mail}&format=json`)
      await ask(vera, `/api/events/?format=${mail}`)
      await ask(vera, `/api/events/?search=${mail}%zz`)
      await ask(vera, '/api/events/', { headers: { accept: mail } })
      await ask(vera, '/api/events/', { headers: { host: `${mail}.example` } })
      await ask(world.with({ authorization: `Bearer ${mail}` }), '/api/events/')
    }
  })
  test('is not in generated links, unless the request contained it', async () => {
    const olga = world.as(OLGA, ...SCOPES)
    for (const path of ['/api/users/', '/api/participations-userinfo/', `/api/users/${person.id}/participations/`]) {
      const { body, headers } = await olga.get(path, { query: { limit: 1, offset: 1 } })
      assertClean(`${body.next} ${body.previous} ${headers.link}`, path)
    }
    assertClean(everythingOf(await olga.get('/api/users')), 'a redirect')
  })
  test('is not in the metrics', async () => {
    const answer = await world.with({ authorization: `Bearer ${METRICS_TOKEN}` }).get('/metrics', { unchecked: true })
    assert.match(answer.text, /route="\/api\/users\/by_email\/:email\/"/)
    assertClean(answer.text, 'metrics')
  })
  test('is neither in the response to an internal error nor in its log line', async () => {
    const before = world.logLines.length
    const answer = await world.nobody.request('POST', '/api/broken/', { unchecked: true })
    assert.equal(answer.status, 500)
    assertClean(everythingOf(answer), 'the answer')
    const lines = world.logLines.slice(before).join('')
    assert.match(lines, /internal_error/)
    assert.ok(lines.includes(answer.body.request_id))
    assertClean(lines, 'the log')
  })
  test('is not in any log line, and neither are credentials', async () => {
    assert.ok(world.logLines.length > 300, `${world.logLines.length} lines`)
    const log = world.logLines.join('')
    assertClean(log, 'the log')
    for (const secret of [
      await world.token(OLGA, SCOPES),
      (await world.sessionCookie(OLGA)).split('=')[1]!,
      await world.partnerToken(NORD),
    ])
      assert.ok(!log.includes(secret))
  })
})
