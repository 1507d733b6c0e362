import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'
import { type ApiAccess, checkApiAccess } from '#platform/http/access.ts'
import { methodOf } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addApiRecords, addRemovedShift, addWaitingEntry } from '#test/support/api-records.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, GROUPS, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { IS_EXHAUSTIVE } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'
import { type Asking, DECLARED, decidingSubsets, type Refusal, refusalOf, SUBSETS, spell } from '../support/access-model.ts'

const AT_ONCE = 16
const ROLES = [ANN, PAUL, VERA, OLGA]
/** Over HTTP. The pure check gets every set of scopes below. */
const scopeSetsFor = (access: ApiAccess) => (IS_EXHAUSTIVE ? SUBSETS : decidingSubsets(access))

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

/** Permissions of the person and of their groups, by hand. */
function permissionsOf(person: Person): Permission[] {
  const groups = GROUPS.filter(({ members }) => members.includes(person))
  return [...(person.permissions ?? []), ...groups.flatMap(({ permissions = [] }) => permissions)]
}

const permissionCheckOf = (person: Person) => (permission: Permission) =>
  person === OLGA || permissionsOf(person).includes(permission)

test('every endpoint refuses and admits tokens with every set of scopes as the contract requires', () => {
  let compared = 0
  for (const endpoint of ENDPOINTS)
    for (const person of ROLES)
      for (const scopes of SUBSETS) {
        const via: UserActor['via'] = { kind: 'token', tokenId: 1, scopes: new Set(scopes) }
        const actor = actorOf(person, { permissions: new Set(permissionsOf(person)), via })
        const expected = refusalOf(endpoint.access, { kind: 'person', person, has: permissionCheckOf(person), scopes })
        const name = `${methodOf(endpoint)} ${endpoint.path} for ${person.name} [${scopes.join(' ')}]`
        assert.deepEqual(refusalBy(endpoint.access, actor), expected, name)
        compared++
      }
  assert.equal(compared, ENDPOINTS.length * ROLES.length * 64)
})

test('the sets of scopes that decide about an access admit and refuse', () => {
  for (const { access } of ENDPOINTS.filter((endpoint) => endpoint.access.kind === 'scope')) {
    const isAdmitted = (scopes: readonly Scope[]) =>
      refusalOf(access, { kind: 'person', person: OLGA, has: () => true, scopes }) === undefined
    const [admitted, refused] = [true, false].map((is) => decidingSubsets(access).filter((scopes) => isAdmitted(scopes) === is))
    const fewest = Math.min(...SUBSETS.filter(isAdmitted).map(({ length }) => length))
    assert.deepEqual([...new Set(admitted!.map(({ length }) => length))].sort(), [...new Set([fewest, SCOPES.length])].sort())
    assert.equal(refused!.length, fewest, 'one without each scope that it needs')
  }
})

function refusalBy(access: ApiAccess, actor: UserActor): Refusal | undefined {
  try {
    checkApiAccess(access, actor, 'valid')
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, code: error.code, challenge: error.headers?.['www-authenticate'] }
  }
}

describe('access matrix', async () => {
  const world = await openWorld()
  const hiddenPerson = await world.addPerson({ name: 'Service', isVisible: false, email: 'service@a.example' })
  const inactive = await world.addPerson({ name: 'Ina', isActive: false })
  const roles = ROLES
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
  const stopped = await world.addEvent({ title: 'Stopped', seenBy: [HELPERS], responsible: [PAUL], cancelled: true, shifts })
  const stoppedRow = await world.addParticipation({ who: ANN, shift: stopped.shifts[0]! })
  const removedShift = await addRemovedShift(world, { eventId: shown.id, participant: ANN })
  const waiting = await addWaitingEntry(world, { shift: shown.shifts[0]!, who: ANN })
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
  const records = await addApiRecords(world, [...roles, BEN, hiddenPerson])
  const types = (await world.db.read.selectFrom('event_type').select('id').execute()).map(({ id }) => id)
  const groups = (await world.db.read.selectFrom('user_group').select('id').execute()).map(({ id }) => id)
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

  type Case = { path: string; endpoint: string; expected: (person: Person) => number[] | boolean | 'forbidden' }
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
      add('/api/shifts/{id}/eligibility/', `/api/shifts/${event.shifts[0]}/eligibility/`, (p) => events(p).includes(event))
      add('/api/shifts/{id}/candidates/', `/api/shifts/${event.shifts[0]}/candidates/`, (p) => {
        if (p === OLGA || (p === PAUL && event !== others)) return [...roles, BEN].map(({ id }) => id)
        return events(p).includes(event) ? 'forbidden' : false
      })
    }
    // Paul is responsible for the draft; others may not add events.
    add('/api/events/drafts/', '/api/events/drafts/', () => [draft.id])
    add('/api/events/drafts/{id}/', `/api/events/drafts/${draft.id}/`, () => true)
    add('/api/events/drafts/{id}/', `/api/events/drafts/${shown.id}/`, () => false)
    add('/api/events/bin/', '/api/events/bin/', () => [])
    for (const event of [shown, others, draft]) {
      const plans = (p: Person) => {
        if (p === OLGA || (p === PAUL && event !== others)) return true
        return events(p).includes(event) ? 'forbidden' : false
      }
      add('/api/events/{id}/planning/', `/api/events/${event.id}/planning/`, plans)
      add('/api/shifts/{id}/planning/', `/api/shifts/${event.shifts[0]}/planning/`, plans)
      add('/api/shifts/{id}/waiting-list/', `/api/shifts/${event.shifts[0]}/waiting-list/`, plans)
      add('/api/shifts/{id}/exchanges/', `/api/shifts/${event.shifts[0]}/exchanges/`, plans)
      add('/api/shifts/{id}/inquiries/', `/api/shifts/${event.shifts[0]}/inquiries/`, plans)
      add('/api/shifts/{id}/forecast/', `/api/shifts/${event.shifts[0]}/forecast/`, plans)
      // Drafts have nobody to check in, for those who plan them either.
      const checksIn = (p: Person) => (event === draft && plans(p) === true ? 'forbidden' : plans(p))
      // Without a confirmed place it is empty.
      add('/api/shifts/{id}/swap-places/', `/api/shifts/${event.shifts[0]}/swap-places/`, (p) => plans(p) !== false)
      add('/api/shifts/{id}/companions/', `/api/shifts/${event.shifts[0]}/companions/`, (p) => events(p).includes(event))
      const fills = (p: Person) => event !== draft && plans(p) === true
      add('/api/shifts/{id}/proposal/', `/api/shifts/${event.shifts[0]}/proposal/`, fills)
      add('/api/events/{id}/attendance/', `/api/events/${event.id}/attendance/`, checksIn)
    }
    const ownWaiting = '/api/users/me/waiting-list/'
    add(ownWaiting, ownWaiting, (p) => (p === ANN ? [waiting] : []))
    add(`${ownWaiting}{id}/`, `${ownWaiting}${waiting}/`, (p) => p === ANN)
    add('/api/users/me/availability/', '/api/users/me/availability/', () => true)
    for (const name of ['exchanges', 'inquiries', 'picture']) add(`/api/users/me/${name}/`, `/api/users/me/${name}/`, () => true)
    const ownAttendance = '/api/users/me/participations/{id}/attendance/'
    for (const [event, person] of [
      ['shown', ANN],
      ['shown', BEN],
      ['draft', ANN],
    ] as const)
      add(ownAttendance, ownAttendance.replace('{id}', String(row(event, person))), (p) => event === 'shown' && p === person)
    add('/api/users/me/details/', '/api/users/me/details/', () => true)
    // Both are about the events that the caller plans; tests of the features compare what is in them.
    for (const path of ['/api/shortages/', '/api/reports/']) add(path, path, () => true)
    // Ann is in the group that saw it, Paul is responsible.
    const sawStopped = (p: Person) => [ANN, PAUL, OLGA].includes(p)
    add('/api/events/cancelled/', '/api/events/cancelled/', (p) => (sawStopped(p) ? [stopped.id] : []))
    add('/api/events/cancelled/{id}/', `/api/events/cancelled/${stopped.id}/`, sawStopped)
    add('/api/events/cancelled/{id}/', `/api/events/cancelled/${shown.id}/`, () => false)
    const ownStopped = '/api/users/me/participations/cancelled/'
    add(ownStopped, ownStopped, (p) => (p === ANN ? [stoppedRow] : []))
    add(`${ownStopped}{id}/`, `${ownStopped}${stoppedRow}/`, (p) => p === ANN)
    // Ann was on it.
    add('/api/shifts/removed/', '/api/shifts/removed/', (p) => (sawStopped(p) ? [removedShift] : []))
    add('/api/shifts/removed/{id}/', `/api/shifts/removed/${removedShift}/`, sawStopped)
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
    add('/api/users/me/notification-choices/', '/api/users/me/notification-choices/', () => true)
    add('/api/me/capabilities/', '/api/me/capabilities/', () => true)
    add('/api/buildingblocks/', '/api/buildingblocks/', () => [block.id])
    add('/api/buildingblocks/{id}/', `/api/buildingblocks/${block.id}/`, () => true)
    add('/api/buildingblocks/{id}/', '/api/buildingblocks/99999/', () => false)
    const openLists: [path: string, id: number, all: number[]][] = [
      ['/api/event-types/', records.type, types],
      ['/api/qualifications/', records.qualification, [records.qualification]],
      ['/api/qualification-categories/', records.category, [records.category]],
      ['/api/resources/', records.resource, [records.resource]],
      ['/api/resource-categories/', records.resourceCategory, [records.resourceCategory]],
      ['/api/groups/', HELPERS.id, groups],
    ]
    for (const [path, id, all] of openLists) {
      add(path, path, () => all)
      add(`${path}{id}/`, `${path}${id}/`, () => true)
      add(`${path}{id}/`, `${path}99999/`, () => false)
    }
    const members = '/api/groups/{id}/members/'
    add(members, `/api/groups/${HELPERS.id}/members/`, (p) => (p === OLGA ? HELPERS.members.map(({ id }) => id) : 'forbidden'))
    add(members, '/api/groups/99999/members/', (p) => (p === OLGA ? false : 'forbidden'))
    for (const person of [ANN, BEN, hiddenPerson]) {
      const held = records.held.get(person.id)!
      const base = `/api/users/${person.id}/qualifications/`
      const isThere = visiblePeople.includes(person)
      add('/api/users/{user}/qualifications/', base, () => (isThere ? [held] : []))
      add('/api/users/{user}/qualifications/{id}/', `${base}${held}/`, () => isThere)
      add('/api/users/{user}/qualifications/{id}/', `${base}${records.held.get(PAUL.id)}/`, () => false)
    }
    const own: [name: string, ids: Map<number, number>][] = [
      ['qualifications', records.held],
      ['working-hours', records.hours],
      ['notifications', records.notifications],
      ['working-hours-requests', records.hoursRequests],
    ]
    for (const [name, ids] of own) {
      const list = `/api/users/me/${name}/`
      add(list, list, (p) => [ids.get(p.id)!])
      for (const person of [ANN, BEN]) add(`${list}{id}/`, `${list}${ids.get(person.id)}/`, (p) => p === person)
    }
    /** People with the permission to view people see hours; others those that they decide about: none. */
    const seesHours = (p: Person) => p === OLGA || p === VERA
    const listedHours = [...roles, BEN].map(({ id }) => records.hours.get(id)!)
    add('/api/working-hours/', '/api/working-hours/', (p) => (seesHours(p) ? listedHours : []))
    for (const person of [ANN, BEN, hiddenPerson]) {
      const path = `/api/working-hours/${records.hours.get(person.id)}/`
      add('/api/working-hours/{id}/', path, (p) => seesHours(p) && person !== hiddenPerson)
    }
    add('/api/changes/', '/api/changes/', () => true)
    const decides = (p: Person) => p === OLGA
    add('/api/requests/', '/api/requests/', (p) => (decides(p) ? [...records.hoursRequests.values()] : []))
    for (const id of [records.hoursRequests.get(ANN.id)!, 99_999])
      add('/api/requests/{id}/', `/api/requests/${id}/`, (p) => decides(p) && id !== 99_999)
    add('/api/webhooks/', '/api/webhooks/', (p) => [records.webhooks.get(p.id)!])
    for (const person of [ANN, BEN]) {
      const path = `/api/webhooks/${records.webhooks.get(person.id)}/`
      add('/api/webhooks/{id}/', path, (p) => p === person)
      add('/api/webhooks/{id}/deliveries/', `${path}deliveries/`, (p) => (p === person ? [] : false))
    }
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
    const has = permissionCheckOf(person)
    asked.push({
      name: `${person.name} by session`,
      caller: world.withSession(person),
      asking: { kind: 'person', person, has },
    })
    for (const scopes of SUBSETS) {
      const asking: Asking = { kind: 'person', person, has, scopes }
      asked.push({ name: `${person.name} [${scopes.join(' ')}]`, caller: world.as(person, ...scopes), asking })
    }
  }

  /** Those who ask an endpoint with this access: all but tokens with other scopes. */
  const askersOf = (access: ApiAccess): Asked[] => {
    const sets = scopeSetsFor(access)
    return asked.filter(({ asking }) => asking.kind !== 'person' || !asking.scopes || sets.includes(asking.scopes as Scope[]))
  }

  const cases = casesOf()
  let cells = 0
  let expectedCells = 0
  for (const { path, endpoint, expected } of cases) {
    const value = ENDPOINTS.find((each) => each.path === endpoint && methodOf(each) === 'GET')!
    const askers = askersOf(value.access)
    expectedCells += 7 + ROLES.length * (1 + scopeSetsFor(value.access).length)
    test(`GET ${path} (${endpoint}) for ${askers.length} callers`, async () => {
      await forEachAtOnce(askers, async ({ name, caller, asking }) => {
        cells++
        const { status, body, headers } = await caller.get(path)
        const refusal = refusalOf(value.access, asking)
        if (refusal) {
          const actual = { status, code: body.code, challenge: headers['www-authenticate'] }
          return assert.deepEqual(actual, refusal, name)
        }
        const found = expected(asking.kind === 'person' ? asking.person : OLGA)
        if (found === 'forbidden') return assert.deepEqual([status, body.code], [403, 'permission_denied'], name)
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
    assert.equal(cells, expectedCells)
    assert.equal(asked.length, 7 + ROLES.length * (1 + SUBSETS.length))
  })
  /** Without a body and for ids that do not exist, so that whoever has access gets another refusal than those of the access check. */
  const writes = ENDPOINTS.filter((endpoint) => endpoint.kind === 'write')
  for (const { method, path, access } of writes) {
    const address = path.replaceAll(/\{\w+\}/g, '99999')
    const askers = askersOf(access)
    test(`${method} ${address} for ${askers.length} callers`, async () => {
      await forEachAtOnce(askers, async ({ name, caller, asking }) => {
        const { status, body, headers } = await caller.request(method, address, { query: 'dry_run=true' })
        const actual = { status, code: body?.code, challenge: headers['www-authenticate'] }
        const refusal = refusalOf(access, asking)
        if (refusal) return assert.deepEqual(actual, refusal, name)
        // A request with a session needs the CSRF token, too.
        if (asking.kind === 'person' && !asking.scopes) return assert.equal(actual.code, 'csrf_failed', name)
        assert.ok(![401, 405, 500].includes(status) && actual.code !== 'insufficient_scope', `${name}: ${status} ${actual.code}`)
      })
    })
  }
  test('public documents need no credentials', async () => {
    for (const endpoint of ENDPOINTS.filter(({ kind }) => kind === 'document'))
      await forEachAtOnce(asked.slice(0, 20), async ({ caller, name }) => {
        assert.equal((await caller.get(endpoint.path as string, { unchecked: true })).status, 200, name)
      })
  })
  test('only the partner can end its link', async () => {
    const path = '/api/federation/guest/delete/'
    const { access } = ENDPOINTS.find((endpoint) => endpoint.path === path)!
    await forEachAtOnce(
      askersOf(access).filter(({ asking }) => asking.kind !== 'partner'),
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
