import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { type Endpoint, methodOf } from '#platform/http/endpoint.ts'
import type { Caller } from '#test/support/api-client.ts'
import { HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

/** The endpoints of the specification. */
const T = ['end_time_after', 'end_time_before', 'start_time_after', 'start_time_before', 'start_gte', 'start_lte']
const P = [...T, 'event', 'event_type', 'shift', 'state']
const PAGE = ['limit', 'offset']
const TABLE: [method: 'GET' | 'POST' | 'DELETE', path: string, parameters: string[], returns: string][] = [
  ['GET', '/api/events/', [...T, ...PAGE, 'ordering', 'search', 'type'], 'page of Event'],
  ['GET', '/api/events/{id}/', [], 'Event'],
  ['GET', '/api/shifts/', [...T, ...PAGE, 'ordering', 'search'], 'page of Shift'],
  ['GET', '/api/shifts/{id}/', [], 'Shift'],
  ['GET', '/api/users/', [...PAGE, 'search'], 'page of UserProfile'],
  ['GET', '/api/users/{id}/', [], 'UserProfile'],
  ['GET', '/api/users/by_email/{email}/', [], 'UserProfile'],
  ['GET', '/api/users/me/', [], 'UserProfile'],
  ['GET', '/api/participations/', [...P, ...PAGE], 'page of Participation'],
  ['GET', '/api/participations/{id}/', [], 'Participation'],
  ['GET', '/api/participations-userinfo/', [...P, ...PAGE], 'page of UserinfoParticipation'],
  ['GET', '/api/participations-userinfo/{id}/', [], 'UserinfoParticipation'],
  ['GET', '/api/users/{user}/participations/', [...P, ...PAGE], 'page of Participation'],
  ['GET', '/api/users/{user}/participations/{id}/', [], 'Participation'],
  ['GET', '/api/users/me/participations/', [...P, ...PAGE], 'page of UserinfoParticipation'],
  ['GET', '/api/users/me/participations/{id}/', [], 'UserinfoParticipation'],
  ['GET', '/api/federation/events/', PAGE, 'page of SharedEvent'],
  ['GET', '/api/buildingblocks/', PAGE, 'page of BuildingBlock'],
  ['GET', '/api/buildingblocks/{id}/', [], 'BuildingBlock'],
  ['POST', '/api/federation/setup/', [], ''],
  ['DELETE', '/api/federation/guest/delete/', [], ''],
]
/** Additional parameters of the earlier variant. */
const EARLIER: [path: string, parameters: string[]][] = [
  ['/api/events/{id}/', ['type', 'search', 'ordering']],
  ['/api/users/{id}/', ['search']],
  ['/api/users/{user}/participations/', ['state', 'event_type', 'start_gte', 'start_lte', 'end_gte', 'end_lte']],
]
const DEPRECATED = ['start_gte', 'start_lte', 'end_gte', 'end_lte']
const ID_ARRAYS = ['event', 'event_type', 'shift']
const ARRAYS = [...ID_ARRAYS, 'email']
const INTEGERS = ['type', 'state', 'limit', 'wait', 'group', ...ID_ARRAYS]
/** States with names instead of numbers. */
const NAMED_STATES = ['/api/requests/']
/** Endpoints that the specification does not list. */
const LATER_LISTS = [
  'event-types',
  'groups',
  'qualification-categories',
  'qualifications',
  'requests',
  'resource-categories',
  'resources',
  'users/me/notifications',
  'users/me/qualifications',
  'users/me/working-hours',
  'users/{user}/qualifications',
  'working-hours',
]
const MORE = [
  'GET /api/',
  'GET /api/schema/',
  'GET /api/schema/swagger-ui/',
  'GET /api/federation/participations/',
  'GET /api/me/capabilities/',
  'GET /api/groups/{id}/members/',
  ...LATER_LISTS.flatMap((list) => [`GET /api/${list}/`, `GET /api/${list}/{id}/`]),
]

const find = (method: string, path: string): Endpoint => {
  const endpoint = ENDPOINTS.find((each) => each.path === path && methodOf(each) === method)
  assert.ok(endpoint, `${method} ${path} is missing`)
  return endpoint
}
const parametersOf = (endpoint: Endpoint): string[] => {
  if (endpoint.kind !== 'list' && endpoint.kind !== 'record') return []
  return [...Object.keys(endpoint.parameters), ...(endpoint.kind === 'list' ? PAGE : [])]
}

test('every endpoint of the specification exists', () => {
  const served = new Set(ENDPOINTS.map((endpoint) => `${methodOf(endpoint)} ${endpoint.path}`))
  const expected = [...TABLE.map(([method, path]) => `${method} ${path}`), ...MORE]
  assert.deepEqual(
    expected.filter((each) => !served.has(each)),
    [],
  )
})
for (const [method, path, parameters, returns] of TABLE)
  test(`${method} ${path} takes ${parameters.length} parameters and returns ${returns || 'no records'}`, () => {
    const endpoint = find(method, path)
    const known = parametersOf(endpoint)
    assert.deepEqual(
      parameters.filter((name) => !known.includes(name)),
      [],
    )
    const [, page, record] = /^(page of )?(\w*)$/.exec(returns)!
    assert.equal(endpoint.kind, method === 'GET' ? (page ? 'list' : 'record') : 'action')
    if (endpoint.kind === 'list') assert.equal(endpoint.item.meta()?.id, record)
    if (endpoint.kind === 'record') assert.equal(endpoint.record.meta()?.id, record)
  })
for (const [path, parameters] of EARLIER)
  test(`${path} takes the parameters of the earlier variant`, () => {
    const known = parametersOf(find('GET', path))
    assert.deepEqual(
      parameters.filter((name) => !known.includes(name)),
      [],
    )
  })
for (const endpoint of ENDPOINTS) {
  if (endpoint.kind !== 'list' && endpoint.kind !== 'record') continue
  test(`${endpoint.path} declares which of its parameters are deprecated, lists or numbers`, () => {
    for (const [name, parameter] of Object.entries(
      endpoint.parameters as Record<string, { deprecated?: object; list?: boolean; schema: { type?: string } }>,
    )) {
      assert.equal(Boolean(parameter.deprecated), DEPRECATED.includes(name), name)
      assert.equal(Boolean(parameter.list), ARRAYS.includes(name), name)
      const isNumber: boolean = INTEGERS.includes(name) && !NAMED_STATES.includes(endpoint.path)
      assert.equal(parameter.schema.type, isNumber ? 'integer' : 'string', name)
    }
  })
}

describe('requests of the specification', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS], sharedWith: [NORD], shifts: [{}] })
  const participation = await world.addParticipation({ who: OLGA, shift: event.shifts[0]! })
  const { id: block } = await world.db.write
    .insertInto('building_block')
    .values({ name: 'Ambulance', block_type: 'atomic' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const callerOf = (path: string): Caller => (path.includes('federation') ? world.partner(NORD) : world.as(OLGA, ...SCOPES))
  const idFor = (path: string): number => {
    if (path.includes('participations')) return participation
    return path.includes('users')
      ? OLGA.id
      : path.includes('shifts')
        ? event.shifts[0]!
        : path.includes('blocks')
          ? block
          : event.id
  }
  /** Ids as the later variant writes them, and as the earlier variant writes them (text). */
  const addresses = (path: string): string[] =>
    [String, (id: number) => `%20${id}`, (id: number) => `0${id}`].map((write) =>
      path
        .replace('{id}', write(idFor(path)))
        .replace('{user}', write(OLGA.id))
        .replace('{email}', OLGA.email),
    )
  const GOOD: Record<string, string> = {
    type: '1',
    event_type: '1',
    event: String(event.id),
    shift: String(event.shifts[0]),
    state: '1',
    limit: '1',
    offset: '0',
    ordering: '-start_time',
    search: 'a',
  }
  const timeFor = (name: string) => (/after|gte/.test(name) ? '2000-01-01' : '2100-01-01')

  for (const [method, path, parameters] of TABLE) {
    if (method !== 'GET') continue
    const all = new Set([...parameters, ...EARLIER.filter(([each]) => each === path).flatMap(([, names]) => names)])
    test(`${path} answers 200 with each of its ${all.size} parameters and with all together`, async () => {
      const caller = callerOf(path)
      for (const address of addresses(path)) assert.equal(await caller.status(address), 200, address)
      const address = addresses(path)[0]!
      const everything: Record<string, string> = {}
      for (const name of all) {
        everything[name] = GOOD[name] ?? timeFor(name)
        const { status, body } = await caller.get(address, { query: { [name]: everything[name] } })
        assert.equal(status, 200, name)
        if (body.results) assert.ok(body.count > 0, `${name} finds nothing`)
      }
      assert.equal(await caller.status(address, { query: everything }), 200)
    })
    test(`${path} applies its filters`, async () => {
      const caller = callerOf(path)
      const far: Record<string, string> = { search: 'xyzzy', state: '2' }
      for (const name of all) {
        const value =
          far[name] ?? (/time|gte|lte/.test(name) ? (/after|gte/.test(name) ? '2100-01-01' : '2000-01-01') : undefined)
        if (value === undefined) continue
        const { status, body } = await caller.get(addresses(path)[0]!, { query: { [name]: value } })
        if (path.endsWith('}/')) assert.equal(status, 404, name)
        else assert.equal(body.count, 0, name)
      }
    })
  }
})
