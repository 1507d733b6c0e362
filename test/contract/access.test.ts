import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#app'
import { methodOf } from '#platform/http/endpoint.ts'
import type { Caller } from '#test/support/api-client.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type Asking, DECLARED, refusalOf, SUBSETS, spell } from '../support/access-model.ts'

const AT_ONCE = 16

async function forEachAtOnce<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

test('every endpoint declares the access that the contract requires', () => {
  const declared = ENDPOINTS.map((endpoint) => [`${methodOf(endpoint)} ${endpoint.path}`, spell(endpoint.access)])
  assert.deepEqual(Object.fromEntries(declared), DECLARED)
})

describe('access matrix', async () => {
  const world = await openWorld()
  const hiddenPerson = await world.addPerson({ name: 'Service', isVisible: false, email: 'service@a.example' })
  const inactive = await world.addPerson({ name: 'Ina', isActive: false })
  const roles = [ANN, PAUL, VERA, OLGA]
  const closedType = await world.addType({ title: 'Closed', showParticipantData: 2 })
  const shifts = [{}]
  const seenBy = [HELPERS, PLANNERS, VERA]
  const shown = await world.addEvent({
    title: 'Shown',
    type: closedType,
    seenBy,
    responsible: [PAUL],
    sharedWith: [NORD],
    shifts,
  })
  const others = await world.addEvent({ title: 'Of others', type: closedType, seenBy: [BEN], shifts })
  const draft = await world.addEvent({ title: 'Draft', seenBy, responsible: [PAUL], sharedWith: [NORD], draft: true, shifts })
  const rows = new Map<string, number>()
  for (const person of [...roles, BEN, hiddenPerson])
    for (const [name, event] of Object.entries({ shown, draft }))
      rows.set(`${name} ${person.id}`, await world.addParticipation({ who: person, shift: event.shifts[0]! }))
  rows.set(`others ${BEN.id}`, await world.addParticipation({ who: BEN, shift: others.shifts[0]! }))
  const block = await world.db.write
    .insertInto('building_block')
    .values({ name: 'Ambulance', block_type: 'atomic' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = (event: 'shown' | 'draft' | 'others', person: Person): number => rows.get(`${event} ${person.id}`)!

  /** Expected ids for each person, written out by hand: events, and the participations in them. */
  const events = (person: Person) => (person === OLGA ? [shown, others] : [shown])
  const inShown = [...roles, BEN, hiddenPerson].map((person) => row('shown', person))
  const participations = (person: Person): number[] => {
    if (person === OLGA) return [...inShown, row('others', BEN)]
    if (person === PAUL || person === VERA) return inShown // responsible; may view all profiles
    return [row('shown', person)]
  }
  const visiblePeople = [...roles, BEN, inactive]
  const ofPerson = (caller: Person, person: Person): number[] =>
    [row('shown', person), row('others', person)]
      .filter((id) => participations(caller).includes(id))
      .filter(() => person !== hiddenPerson)

  type Case = { path: string; endpoint: string; expected: (person: Person) => number[] | boolean }
  const has = (ids: number[], id: number) => ids.includes(id)
  const casesOf = (): Case[] => {
    const cases: Case[] = []
    const add = (endpoint: string, path: string, expected: Case['expected']) => cases.push({ endpoint, path, expected })
    add('/api/', '/api/', () => true)
    add('/api/events/', '/api/events/', (p) => events(p).map(({ id }) => id))
    add('/api/shifts/', '/api/shifts/', (p) => events(p).flatMap((event) => event.shifts))
    for (const event of [shown, others, draft]) {
      add('/api/events/{id}/', `/api/events/${event.id}/`, (p) => events(p).includes(event))
      add('/api/shifts/{id}/', `/api/shifts/${event.shifts[0]}/`, (p) => events(p).includes(event))
    }
    for (const list of ['/api/participations/', '/api/participations-userinfo/']) add(list, list, (p) => participations(p))
    add('/api/users/me/participations/', '/api/users/me/participations/', (p) => [row('shown', p)])
    for (const id of [row('shown', ANN), row('shown', BEN), row('others', BEN), row('draft', ANN), 99_999]) {
      add('/api/participations/{id}/', `/api/participations/${id}/`, (p) => has(participations(p), id))
      add('/api/participations-userinfo/{id}/', `/api/participations-userinfo/${id}/`, (p) => has(participations(p), id))
      add('/api/users/me/participations/{id}/', `/api/users/me/participations/${id}/`, (p) => id === row('shown', p))
    }
    for (const person of [ANN, BEN, hiddenPerson]) {
      const base = `/api/users/${person.id}/participations/`
      add('/api/users/{user}/participations/', base, (p) => ofPerson(p, person))
      for (const id of [row('shown', person), row('draft', person), row('others', BEN)])
        add('/api/users/{user}/participations/{id}/', `${base}${id}/`, (p) => has(ofPerson(p, person), id))
      const isThere = visiblePeople.includes(person)
      add('/api/users/{id}/', `/api/users/${person.id}/`, () => isThere)
      add('/api/users/by_email/{email}/', `/api/users/by_email/${person.email}/`, () => isThere)
    }
    add('/api/users/', '/api/users/', () => visiblePeople.map(({ id }) => id))
    add('/api/users/{id}/', '/api/users/99999/', () => false)
    add('/api/users/me/', '/api/users/me/', () => true)
    add('/api/buildingblocks/', '/api/buildingblocks/', () => [block.id])
    add('/api/buildingblocks/{id}/', `/api/buildingblocks/${block.id}/`, () => true)
    add('/api/buildingblocks/{id}/', '/api/buildingblocks/99999/', () => false)
    add('/api/federation/events/', '/api/federation/events/', () => [shown.id])
    add('/api/federation/participations/', '/api/federation/participations/', () => [])
    return cases
  }

  const bearer = (token: string): Caller => world.with({ authorization: `Bearer ${token}` })
  const past = new Date(world.now.getTime() - 1)
  type Asked = { name: string; caller: Caller; asking: Asking }
  const withInvalidToken = async (name: string, token: Promise<string> | string): Promise<Asked> => ({
    name,
    caller: bearer(await token),
    asking: { kind: 'unknown token' },
  })
  const everyScope = SUBSETS.at(-1)!
  const asked: Asked[] = [
    { name: 'nobody', caller: world.nobody, asking: { kind: 'anonymous' } },
    { name: 'a partner', caller: world.partner(NORD), asking: { kind: 'partner' } },
    await withInvalidToken('an expired token', world.makeToken(OLGA, everyScope, { expires: past })),
    await withInvalidToken('a token that expires now', world.makeToken(OLGA, everyScope, { expires: world.now })),
    await withInvalidToken('a revoked token', world.makeToken(OLGA, everyScope, { revoked: true })),
    await withInvalidToken('a token of an inactive user', world.makeToken(inactive, everyScope)),
    await withInvalidToken('an unknown token', `turnout_pat_${'x'.repeat(40)}`),
  ]
  for (const person of roles) {
    const viewsProfiles = person === VERA || person === OLGA
    asked.push({
      name: `${person.name} by session`,
      caller: world.withSession(person),
      asking: { kind: 'person', person, viewsProfiles },
    })
    for (const scopes of SUBSETS) {
      const asking: Asking = { kind: 'person', person, viewsProfiles, scopes }
      asked.push({ name: `${person.name} [${scopes.join(' ')}]`, caller: world.as(person, ...scopes), asking })
    }
  }

  const cases = casesOf()
  let cells = 0
  for (const { path, endpoint, expected } of cases) {
    const value = ENDPOINTS.find((each) => each.path === endpoint && methodOf(each) === 'GET')!
    test(`GET ${path} (${endpoint}) for ${asked.length} callers`, async () => {
      await forEachAtOnce(asked, async ({ name, caller, asking }) => {
        cells++
        const { status, body, headers } = await caller.get(path)
        const refusal = refusalOf(value.access, asking)
        if (refusal) {
          const actual = { status, code: body.code, challenge: headers['www-authenticate'] }
          return assert.deepEqual(actual, refusal, name)
        }
        const found = expected(asking.kind === 'person' ? asking.person : OLGA)
        if (Array.isArray(found)) {
          assert.equal(status, 200, name)
          const ids = body.results.map(({ id }: { id: number }) => id)
          assert.deepEqual(
            [ids.sort((a: number, b: number) => a - b), body.count],
            [[...found].sort((a, b) => a - b), found.length],
            name,
          )
        } else assert.equal(status, found ? 200 : 404, name)
        assert.equal(headers['www-authenticate'], undefined)
      })
    })
  }
  test('the matrix covers every GET endpoint that returns records', () => {
    const covered = new Set(cases.map(({ endpoint }) => endpoint))
    const all = ENDPOINTS.filter(({ kind }) => kind === 'list' || kind === 'record').map(({ path }) => path as string)
    assert.deepEqual(
      all.filter((path) => !covered.has(path)),
      [],
    )
    assert.ok(cells > 12_000, `${cells} cells`)
  })
  test('public documents need no credentials', async () => {
    for (const endpoint of ENDPOINTS.filter(({ kind }) => kind === 'document'))
      await forEachAtOnce(asked.slice(0, 20), async ({ caller, name }) => {
        assert.equal((await caller.get(endpoint.path as string, { unchecked: true })).status, 200, name)
      })
  })
  test('only the partner can end its link', async () => {
    const path = '/api/federation/guest/delete/'
    await forEachAtOnce(
      asked.filter(({ asking }) => asking.kind !== 'partner'),
      async ({ caller, name }) => {
        const { status, body, headers } = await caller.request('DELETE', path)
        assert.deepEqual([status, body.code, headers['www-authenticate']], [403, 'permission_denied', undefined], name)
      },
    )
    const partner = world.partner(NORD)
    assert.deepEqual(await partner.ids('/api/federation/events/'), [shown.id])
    const gone = await partner.request('DELETE', path)
    assert.deepEqual([gone.status, gone.text, gone.headers['content-type']], [204, '', undefined])
    assert.equal((await partner.request('DELETE', path)).status, 403)
    assert.equal(await partner.status('/api/federation/events/'), 403)
  })
})
