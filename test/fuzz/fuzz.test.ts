import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { loadDemoWorld } from '#demo/world.ts'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { call } from '#test/support/api-client.ts'
import { endpointFor } from '#test/support/api-response.ts'
import { freshDatabaseFrom, openTestDatabase } from '#test/support/database.ts'
import type { Person } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { NOW, openWorld, SITE_URL, type World } from '#test/support/world.ts'
import { anyRequest, anyWrite, type FuzzRequest, type Known } from '../support/fuzz-requests.ts'
import { compile, describeAnswers, faultOf } from '../support/schema-validator.ts'

/** Requests of a run, half of them writes. `npm run check:fuzz` sets both variables. */
const RUNS = Number(process.env.TURNOUT_FUZZ_RUNS ?? chooseSize({ usual: 3000, full: 30_000 }))
const SAME_SEED = 31_765_765
/** Requests of a fixed seed, and some of a random one. A failure with a random seed is repeated with FUZZ_SEED. */
const SEEDS = process.env.FUZZ_SEED
  ? [{ seed: Number(process.env.FUZZ_SEED), runs: RUNS }]
  : [
      { seed: SAME_SEED, runs: RUNS * 0.75 },
      { seed: randomInt(2 ** 31), runs: RUNS * 0.25 },
    ]
const AT_ONCE = 20
const STEP = 50_000

const document = openApiDocument(ENDPOINTS, { siteUrl: SITE_URL, version: '1', sessionCookie: 'session' })

async function fillWithDemo(url: string): Promise<void> {
  const db = openTestDatabase({ url })
  const passwords = { olga: 'not needed here', paul: 'not needed here', ann: 'not needed here' }
  const keyring = makeKeyring('k'.repeat(32))
  await loadDemoWorld({ db, language: 'en', now: NOW, seed: 'fuzz', timeZone: 'Europe/Berlin', keyring, passwords })
  await db.close()
}

async function openDemo(): Promise<{ world: World; known: Known }> {
  const database = await freshDatabaseFrom('turnout_fuzz_template', fillWithDemo)
  const world = await openWorld({ empty: true, logLevel: 'warn', database })
  const rows = await world.db.read
    .selectFrom('user_profile')
    .select(['id', 'display_name', 'email', 'is_staff'])
    .orderBy('id')
    .execute()
  const people = rows.map(
    ({ id, display_name, email }): Person => ({ kind: 'person', id, name: display_name, email, dateOfBirth: null, phone: null }),
  )
  const staff = people[rows.findIndex(({ is_staff }) => is_staff)]!
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const credentials: Record<string, string>[] = [{}, { cookie: await world.sessionCookie(staff) }]
  for (const person of [staff, staff, ...people.slice(0, 4)]) credentials.push(bearer(await world.token(person, SCOPES)))
  credentials.push(
    bearer(await world.token(people[1]!, ['ME_READ'])),
    bearer(await world.makeToken(staff, SCOPES, { revoked: true })),
  )
  const guest = await world.db.read.selectFrom('federated_guest').select(['id', 'name', 'url']).executeTakeFirstOrThrow()
  const partner = bearer(await world.partnerToken({ kind: 'partner', ...guest }))
  const callers = [staff, ...people.slice(0, 4)].map(({ id }) => id)
  const { read } = world.db
  const ofCallers = async (
    table: 'participation' | 'notification' | 'working_hours' | 'decision_request' | 'qualification_grant',
  ) =>
    (await read.selectFrom(table).select(['user_id', 'id']).where('user_id', 'in', callers).execute()).map((row) => ({
      user: row.user_id!,
      id: row.id,
    }))
  /** Own records of the administrator, who has most credentials, if there are some. */
  const own = async (table: Parameters<typeof ofCallers>[0]) => {
    const rows = await ofCallers(table)
    const ofStaff = rows.filter(({ user }) => user === staff.id)
    return ofStaff.length ? ofStaff : rows
  }
  const some = async (table: 'event_type' | 'resource_category' | 'building_block' | 'qualification_category') =>
    (await read.selectFrom(table).select('id').execute()).map(({ id }) => ({ user: 0, id }))
  const coming = read.selectFrom('shift').select('id').where('start_time', '>', world.now).limit(40)
  const records: Known['records'] = [
    ['shifts/{id}/', (await coming.execute()).map(({ id }) => ({ user: 0, id }))],
    ['participations', await ofCallers('participation')],
    ['notifications', await own('notification')],
    ['working-hours-requests', await own('decision_request')],
    ['working-hours', await own('working_hours')],
    ['users/{user}/qualifications', await ofCallers('qualification_grant')],
    ['users/me/qualifications', await own('qualification_grant')],
    ['event-types', await some('event_type')],
    ['resource-categories', await some('resource_category')],
    ['buildingblocks', await some('building_block')],
    ['qualification-categories', await some('qualification_category')],
  ]
  const tokens = new Map<number, Record<string, string>>()
  for (const person of [staff, ...people.slice(0, 4)]) tokens.set(person.id, bearer(await world.token(person, SCOPES)))
  tokens.set(0, tokens.get(staff.id)!)
  const known: Known = {
    ids: Array.from({ length: 40 }, (_, n) => n + 1),
    emails: people.slice(0, 5).map(({ email }) => email),
    records,
    credentials,
    partner,
    tokens,
  }
  return { world, known }
}

let bodies = 0

for (const { seed, runs } of SEEDS) describeRun(seed, runs)

test('about half of the requests have a body', () => assert.ok(bodies > 0.4 * RUNS && bodies < 0.8 * RUNS, `${bodies} bodies`))

/** On an instance of its own, so that a run can be repeated alone. */
function describeRun(seed: number, runs: number): void {
  describe(`fuzzed requests with seed ${seed}`, async () => {
    const { world, known } = await openDemo()
    const description = describeAnswers(document)
    const statuses = new Map<number, number>()
    const reached = new Set<string>()
    /** Answers to writes, by method and path. */
    const written = new Map<string, Map<number, number>>()
    let sent = 0

    async function check({ method, url, headers, body }: FuzzRequest): Promise<void> {
      const answer = await call(world.line, method, url, headers, body)
      sent++
      if (body) bodies++
      if (sent % STEP === 0) process.stderr.write(`${sent} of ${runs} requests\n`)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const endpoint = endpointFor(method, url)
      if (endpoint && answer.status === 200) reached.add(endpoint.path)
      if (endpoint?.kind === 'write') {
        const counts = written.get(`${method} ${endpoint.path}`) ?? new Map<number, number>()
        written.set(`${method} ${endpoint.path}`, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
      }
      const operation = endpoint && description.operationOf(method, endpoint.path)
      const fault = faultOf(method, operation, answer, description, { partial: /[?&]fields=/.test(url) })
      assert.equal(
        fault,
        undefined,
        `${method} ${url}\n${JSON.stringify(headers)}\n${body ?? ''}\n→ ${answer.status} ${answer.text.slice(0, 500)}`,
      )
    }

    test(`${runs} requests get responses that match the OpenAPI document`, async (t) => {
      const again = `FUZZ_SEED=${seed} TURNOUT_FUZZ_RUNS=${runs}`
      t.diagnostic(`repeat with ${again}`)
      // A stream does not end.
      const ending = ENDPOINTS.filter(({ kind }) => kind !== 'stream')
      const any = fc.oneof(anyRequest(ending, known), anyWrite(ending, known))
      const batch = fc.array(any, { minLength: AT_ONCE, maxLength: AT_ONCE })
      const property = fc.asyncProperty(batch, async (requests) => {
        await Promise.all(requests.map(check))
      })
      try {
        await fc.assert(property, { numRuns: Math.ceil(runs / AT_ONCE), seed })
      } catch (error) {
        if (error instanceof Error) error.message = `${error.message}\nRepeat it with ${again}`
        throw error
      }
      const listed = (counts: Map<number, number>) =>
        [...counts]
          .sort()
          .map(([status, count]) => `${status} × ${count}`)
          .join(', ')
      t.diagnostic(`${sent} requests: ${listed(statuses)}`)
      for (const [operation, counts] of [...written].sort()) t.diagnostic(`${operation}: ${listed(counts)}`)
      assert.ok(sent >= runs)
    })
    test('cause no warning in the log', () => assert.deepEqual(world.logLines, []))
    // A short run does not reach everything.
    if (runs < 4000) return
    const isLong = runs >= 10_000
    test('reach nearly every GET endpoint and cause every kind of refusal', () => {
      const readable = ENDPOINTS.filter(({ kind }) => kind === 'list' || kind === 'record').map(({ path }) => path as string)
      // The demo data has no webhooks, and writes delete some records before a read finds them.
      const missed = readable.filter((path) => !reached.has(path))
      assert.ok(missed.length < readable.length / (isLong ? 10 : 4), missed.join(', '))
      for (const status of [200, 301, 304, 400, 401, 403, 404, 405, 406]) assert.ok(statuses.has(status), `no ${status}`)
      assert.ok(statuses.get(200)! > sent / 20, 'too few requests succeed')
    })
    test('carry out most kinds of writes, and cause every refusal of writes', () => {
      const operations = ENDPOINTS.filter(({ kind }) => kind === 'write').length
      const succeeded = [...written.values()].filter((counts) => [200, 201, 204].some((status) => counts.has(status)))
      assert.ok(
        succeeded.length > operations / (isLong ? 2 : 4),
        `${succeeded.length} of ${operations} kinds of writes succeeded`,
      )
      for (const status of [201, 204, 409, 412, 415, 428]) assert.ok(statuses.has(status), `no ${status}`)
    })
  })
}

test('the check finds responses that do not match the document', () => {
  const check = compile({ $ref: '#/components/schemas/SignupStats' }, document)
  const sound = { requested_count: 0, confirmed_count: 0, missing: 0, free: null, min_count: null, max_count: 1 }
  assert.equal(check(sound, 'stats'), undefined)
  for (const broken of [
    { ...sound, missing: '0' },
    { ...sound, missing: 0.5 },
    { ...sound, extra: 1 },
    { ...sound, missing: undefined },
    [],
    null,
  ])
    assert.match(check(broken && JSON.parse(JSON.stringify(broken)), 'stats') ?? '', /stats/)
  const description = describeAnswers(document)
  const operation = description.operationOf('GET', '/api/events/')
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, text: '{}', body: {} }
  assert.match(faultOf('GET', operation, answer, description) ?? '', /required/)
  assert.match(faultOf('GET', operation, { ...answer, status: 500 }, description) ?? '', /500/)
  assert.match(faultOf('GET', operation, { ...answer, status: 418 }, description) ?? '', /problem/)
  assert.match(
    faultOf('GET', operation, { ...answer, headers: { 'content-type': 'text/html' } }, description) ?? '',
    /text\/html/,
  )
})
