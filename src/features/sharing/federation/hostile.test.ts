import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { addEvent } from '#test/support/fixtures.ts'
import {
  type Behaviour,
  BROKEN,
  forbiddenUrls,
  openHostile,
  redirectTo,
  respond,
  respondJson,
} from '#test/support/hostile-server.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, NORD } from '#test/support/people.ts'
import { joinHost } from './commands/hosts.ts'
import { type SyncOutcome, syncHost } from './commands/sync-host.ts'
import { federationTasks } from './jobs.ts'
import { formatShareString } from './rules/invitations.ts'

const EVENTS = '/api/federation/events/'
const PEOPLE = '/api/federation/participations/'
/** For responses that never end. */
const DEADLINE_MS = 250
/** For all other responses, so that a loaded machine does not cause timeouts. */
const GENEROUS_DEADLINE_MS = 5 * 60_000
const MOST_BYTES = 128 * 1024

describe('a hostile or broken partner', async () => {
  const evil = await openHostile()
  const canary = await openHostile()
  const base = `http://evil.localhost:${evil.port}`
  /** `never.example` is never resolved, `nowhere.example` does not exist. */
  const resolve = async (name: string): Promise<string[]> => {
    if (name === 'never.example') return new Promise(() => {})
    const known: Record<string, string> = { 'metadata.example': '169.254.169.254', 'nowhere.example': '' }
    const address = known[name] ?? '127.0.0.1'
    if (!address) throw new Error('ENOTFOUND')
    return [address]
  }
  const limits = { allow: ['evil.localhost'], resolve, deadlineMs: GENEROUS_DEADLINE_MS, maxBytes: MOST_BYTES }
  const generous = makeOutbound(limits)
  const strict = makeOutbound({ ...limits, deadlineMs: DEADLINE_MS })
  const outbound: Outbound = {
    send: (address, request) => {
      const { hostname, pathname } = new URL(address)
      const isEndless = hostname === 'never.example' || (hostname === 'evil.localhost' && evil.isEndless(pathname))
      return (isEndless ? strict : generous).send(address, request)
    },
  }
  const ours = await openInstance({ host: 'b.localhost', outbound })
  const { write, read } = ours.db
  const contextOf = (): CommandContext => ({ db: write, actor: ANONYMOUS, now: ours.now, site: ours.app.site, requestId: null })
  const contact = { outbound, clock: { now: () => ours.now } }
  const ann = await ours.browserOf(ANN)
  const results: string[] = []
  const note = (where: string, what: string, became: string) => void results.push(`${where} | ${what} | ${became}`)

  const later = (hours: number) => new Date(ours.now.getTime() + hours * 3_600_000).toISOString()
  const shared = (more: object = {}) => ({
    id: 1,
    title: 'As it was',
    description: '',
    location: 'Pier',
    type: { id: 1, title: 'Race' },
    start_time: later(24),
    end_time: later(26),
    signup_url: `${base}/events/shared/1/1/`,
    ...more,
  })
  const list = (...results: unknown[]) => ({ count: results.length, next: null, previous: null, results })
  const person = (more: object = {}) => ({
    event: 1,
    shift: 1,
    shift_label: 'North',
    user: ANN.id,
    state: 1,
    start_time: later(24),
    end_time: later(26),
    ...more,
  })

  await write.deleteFrom('federated_host').execute()
  // Ann has visited the host; Ben has not.
  const visited = await ours.addClient({ name: 'Evil' })
  await write
    .insertInto('oauth_consent')
    .values({ user_id: ANN.id, application_id: visited.id, scopes: ['ME_READ'], granted_at: ours.now })
    .execute()
  const { id: hostId } = await write
    .insertInto('federated_host')
    .values({
      name: 'Evil',
      url: base,
      access_token_sealed: ours.app.site.keyring.seal('t'),
      speaks_turnout: true,
      application_id: visited.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  /** Syncs once with valid responses, so that lost copies are noticed. */
  async function begin(): Promise<void> {
    const fresh = { url: base, etag: null, ended_by_partner_at: null, failures_in_row: 0 }
    await write.updateTable('federated_host').set(fresh).where('id', '=', hostId).execute()
    evil.on(EVENTS, respondJson(list(shared())))
    evil.on(PEOPLE, respondJson(list(person())))
    assert.equal((await syncHost(contextOf(), contact, hostId)).outcome, 'copied')
  }
  async function page(): Promise<string> {
    const answer = await ann.go('/events/external/')
    assert.equal(answer.status, 200)
    return answer.text
  }
  const linksLeft = async () => (await read.selectFrom('federated_host').select('id').execute()).length
  const countExternalParticipations = async () => (await read.selectFrom('participation_abroad').select('id').execute()).length

  type Row = { what: string; behaves?: Behaviour; url?: string; outcome?: SyncOutcome['outcome']; shows?: string; hides?: string }
  const one = (what: string, more: object, rest: Partial<Row> = {}): Row => ({
    what,
    behaves: respondJson(list(shared({ id: 2, title: 'New', ...more }))),
    ...rest,
  })
  const kept = { outcome: 'copied', shows: 'Good' } as const
  const beside = (what: string, more: object): Row => ({
    what,
    hides: 'Wicked',
    ...kept,
    behaves: respondJson(list(shared({ id: 3, title: 'Good' }), shared({ id: 4, title: 'Wicked', ...more }))),
  })
  const next = (what: string, link: unknown): Row => ({ what, behaves: respondJson({ ...list(shared()), next: link }) })

  const rows: Row[] = [
    ...Object.entries(BROKEN).map(([what, behaves]): Row => ({ what, behaves })),
    ...Object.entries(forbiddenUrls(canary.port)).map(
      ([what, url]): Row => ({ what: `redirects to ${what}`, behaves: redirectTo(url) }),
    ),
    ...Object.entries(forbiddenUrls(canary.port)).map(([what, url]) => next(`has a next page at ${what}`, url)),
    ...[301, 303, 307, 308].map((status): Row => {
      const behaves = redirectTo(`http://127.0.0.1:${canary.port}/`, status)
      return { what: `redirects with ${status}`, behaves }
    }),
    { what: 'redirects to itself endlessly', behaves: redirectTo(`${base}${EVENTS}`) },
    next('has endless pages', `${base}${EVENTS}`),
    next('has a relative next page', EVENTS),
    next('has a number as next page', 7),
    { what: 'is at a closed port', url: 'http://evil.localhost:1' },
    { what: 'is at a name without an address', url: 'https://nowhere.example' },
    { what: 'is at a name that is never resolved', url: 'https://never.example' },
    { what: 'resolves to loopback', url: `https://canary.example:${canary.port}` },
    { what: 'does not support TLS', url: `https://evil.localhost:${evil.port}` },
    { what: 'responds with 403', behaves: respondJson({ detail: 'no' }, 403), outcome: 'ended' },
    ...['id', 'title', 'location', 'type', 'signup_url'].flatMap((field) => [
      one(`leaves out ${field}`, { [field]: undefined }),
      one(`has null for ${field}`, { [field]: null }),
      one(`has a list for ${field}`, { [field]: [1] }),
    ]),
    one('has a type without title', { type: {} }),
    one('has an id with a fraction', { id: 1.5 }),
    one('has an id above the safe integers', { id: 2 ** 60 }),
    one('has a day that does not exist', { start_time: '2031-02-30T00:00:00Z' }),
    one('has a time without zone', { start_time: '2031-02-03T00:00:00' }),
    one('has the year 0', { start_time: '0000-01-01T00:00:00Z' }),
    one('has a number as time', { end_time: 12 }),
    one('has the last year', { end_time: '9999-12-31T23:59:59Z' }, { outcome: 'copied', shows: 'New' }),
    one('ends before it begins', { end_time: later(3) }, { outcome: 'copied', shows: 'New' }),
    one('has no times', { start_time: null, end_time: null }, { outcome: 'copied', hides: 'As it was' }),
    one('has NUL characters', { title: 'N\0ew\0', signup_url: `${base}/\0x` }, { outcome: 'copied', shows: 'New' }),
    one('has a lone surrogate', { title: 'New \ud800' }, { outcome: 'copied', shows: 'New' }),
    one('has a very long title', { title: `New ${'x'.repeat(50_000)}` }, { outcome: 'copied', shows: 'New' }),
    one(
      'has a title that is too long by half a character',
      { title: `New ${'x'.repeat(995)}😀😀` },
      { outcome: 'copied', shows: 'x😀<' },
    ),
    one('has an offset of 23 hours', { start_time: '2031-05-04T08:00:00+23:00' }, { outcome: 'copied', hides: 'As it was' }),
    one('has a time in the year 10000 of UTC', { end_time: '9999-12-31T23:59:59-01:00' }),
    one('has markup as title', { title: 'New<script>alert(1)</script>' }, { outcome: 'copied', hides: '<script>alert' }),
    { what: 'lists one event twice', behaves: respondJson(list(shared({ title: 'Good' }), shared({ title: 'Good' }))), ...kept },
    { what: 'has more rows than a page holds', behaves: respondJson(list(...Array.from({ length: 1_001 }, () => 0))) },
    { what: 'shares 100,000 events', behaves: respondJson(list(...Array.from({ length: 100_000 }, (_, id) => shared({ id })))) },
    beside('links to another instance', { signup_url: 'https://elsewhere.example/' }),
    beside('links to another port', { signup_url: 'http://evil.localhost:1/' }),
    beside('links to a script', { signup_url: 'javascript:alert(1)' }),
    beside('links to a data URL', { signup_url: 'data:text/html,hello' }),
    beside('links to its own name as user info', { signup_url: `${base}@elsewhere.example/` }),
    beside('has an empty link', { signup_url: '' }),
    beside('has an overlong link', { signup_url: `${base}/${'x'.repeat(3_000)}` }),
  ]

  for (const { what, behaves, url, outcome, shows = outcome === 'copied' ? undefined : 'As it was', hides } of rows) {
    test(`as host: ${what}`, async () => {
      await begin()
      if (behaves) evil.on(EVENTS, behaves)
      if (url) await write.updateTable('federated_host').set({ url }).execute()
      const before = canary.calls
      const synced = await syncHost(contextOf(), contact, hostId)
      note('host', what, synced.why ?? synced.outcome)
      const expected = outcome ?? (what.includes('304') ? 'unchanged' : 'failed')
      assert.equal(synced.outcome, expected, synced.why)
      const text = await page()
      if (shows) assert.ok(text.includes(shows))
      if (hides) assert.ok(!text.includes(hides))
      assert.equal(await linksLeft(), 1)
      assert.equal(canary.calls, before, 'the canary was called')
    })
  }

  const wrongPeople: [string, Behaviour][] = [
    ...Object.entries(BROKEN),
    ['has an unknown state', respondJson(list(person({ state: 9 })))],
    ['has the year 0', respondJson(list(person({ start_time: '0000-01-01T00:00:00Z' })))],
    ['redirects to loopback', redirectTo(`http://127.0.0.1:${canary.port}/`)],
    ['responds with 403', respondJson({}, 403)],
  ]
  for (const [what, behaves] of wrongPeople) {
    test(`as host, participations: ${what}`, async () => {
      await begin()
      evil.on(PEOPLE, behaves)
      evil.on(EVENTS, respondJson(list(shared({ title: 'Newer' }))))
      assert.equal((await syncHost(contextOf(), contact, hostId)).outcome, 'copied')
      note('participations', what, 'events copied, participations kept')
      assert.ok((await page()).includes('Newer'))
      assert.equal(await countExternalParticipations(), 1)
    })
  }

  test('as host: participations with unusual times and texts are stored', async () => {
    await begin()
    const [start_time, end_time] = [24, 26].map((hours) => later(hours + 23).replace('Z', '+23:00'))
    evil.on(
      PEOPLE,
      respondJson(
        list(
          person({ shift: 1, start_time, end_time }),
          person({ shift: 2, shift_label: 'N\ud800' }),
          person({ shift: 3, shift_label: `${'x'.repeat(254)}😀😀` }),
        ),
      ),
    )
    assert.equal((await syncHost(contextOf(), contact, hostId)).outcome, 'copied')
    const stored = await read.selectFrom('participation_abroad').selectAll().orderBy('remote_shift_id').execute()
    assert.deepEqual(
      stored.map(({ shift_label }) => shift_label),
      ['North', 'N\ufffd', `${'x'.repeat(254)}😀`],
    )
    assert.ok(Math.abs(stored[0]!.start_time.getTime() - Date.parse(later(24))) < 600_000)
  })

  test('as host: four broken partners do not keep an honest one waiting, and are noted', async () => {
    await begin()
    const broken = await write
      .insertInto('federated_host')
      .values(
        Array.from({ length: 12 }, (_, at) => ({
          name: `Broken ${at}`,
          url: `https://b${at}.example`,
          access_token_sealed: 'x',
        })),
      )
      .returning('id')
      .execute()
    const sync = federationTasks({ db: ours.db, clock: contact.clock, site: ours.app.site, outbound })
    await write
      .updateTable('federated_host')
      .set({ next_attempt_at: new Date(0), last_success_at: null })
      .execute()
    await sync.find(({ name }) => name === 'sync_hosts')!.run({} as never)
    const hosts = await read.selectFrom('federated_host').selectAll().orderBy('id').execute()
    for (const { id, failures_in_row, last_error, next_attempt_at, last_success_at } of hosts) {
      const isBroken = id !== hostId
      assert.equal(failures_in_row, isBroken ? 1 : 0)
      assert.equal(last_error !== null, isBroken)
      assert.equal(last_success_at === null, isBroken)
      assert.ok(next_attempt_at > ours.now)
    }
    await write
      .deleteFrom('federated_host')
      .where(
        'id',
        'in',
        broken.map(({ id }) => id),
      )
      .execute()
  })

  test('as host: participations of people who have never been there, of unknown events and at other times are ignored', async () => {
    await begin()
    const mixed = [
      person({ user: 999_999 }),
      person({ user: BEN.id }),
      person({ event: 999 }),
      person({ shift: 2, end_time: later(24 * 365) }),
      person({ shift: 3, start_time: later(26), end_time: later(24) }),
      person({ shift_label: 'N\0' }),
      person(),
    ]
    evil.on(PEOPLE, respondJson(list(...mixed)))
    await syncHost(contextOf(), contact, hostId)
    assert.equal(await countExternalParticipations(), 1)
  })

  const code = formatShareString({ guestUrl: ours.base, code: 'c', hostUrl: `http://evil.localhost:${evil.port}` })
  const noSetup: [string, Behaviour][] = [
    ...Object.entries(BROKEN),
    ['responds with 403', respondJson({}, 403)],
    ['redirects to loopback', redirectTo(`http://127.0.0.1:${canary.port}/`, 307)],
    ['gives no token', respondJson({ host_name: 'Evil' }, 201)],
    ['gives an empty token', respondJson({ host_name: 'Evil', access_token: '' }, 201)],
    ['gives a number as token', respondJson({ host_name: 'Evil', access_token: 1 }, 201)],
    ['gives a token that is no header value', respondJson({ host_name: 'Evil', access_token: 'a\nb' }, 201)],
    ['gives no name', respondJson({ access_token: 'x' }, 201)],
  ]
  for (const [what, behaves] of noSetup) {
    test(`at setup: ${what}`, async () => {
      await write.updateTable('federated_host').set({ url: 'https://other.example' }).execute()
      evil.on('/api/federation/setup/', behaves)
      const before = canary.calls
      const joined = await joinHost(contextOf(), outbound, code)
      note('setup', what, joined.ok ? 'joined' : 'why' in joined ? joined.why : joined.reason)
      assert.ok(!joined.ok && 'why' in joined)
      assert.deepEqual([await linksLeft(), canary.calls], [1, before])
      assert.deepEqual(await read.selectFrom('oauth_application').select('id').execute(), [{ id: visited.id }])
      await page()
    })
  }

  test('at setup: a long name with NUL characters is shortened', async () => {
    evil.on('/api/federation/setup/', respondJson({ host_name: `E\0vil${'x'.repeat(250)}😀😀`, access_token: 'ab' }, 201))
    const joined = await joinHost(contextOf(), outbound, code)
    assert.ok(joined.ok)
    assert.equal(joined.name, `Evil${'x'.repeat(250)}😀`)
    await write.deleteFrom('federated_host').where('id', '=', joined.hostId).execute()
  })

  describe('as home of visitors', async () => {
    await write
      .insertInto('event_type')
      .values({ id: 1, title: 'Race' })
      .onConflict((c) => c.doNothing())
      .execute()
    const { id: event } = await addEvent(
      write,
      { title: 'Ours', type: 1, sharedWith: [NORD], shifts: [{ start: later(24), end: later(26) }] },
      ours.now,
    )
    const sealed = ours.app.site.keyring.seal('secret')
    await write
      .updateTable('federated_guest')
      .set({ url: base, client_secret_sealed: sealed })
      .where('id', '=', NORD.id)
      .execute()
    const token = respondJson({ access_token: 'x', expires_in: 3600 })
    const me = (more: object = {}) => ({
      id: 5,
      email: 'vic@evil.example',
      display_name: 'Vic',
      date_of_birth: null,
      qualifications: [],
      ...more,
    })

    /** Starts a visit and sends the callback, without contacting the home instance. */
    async function visit() {
      const browser = await ours.browserOf()
      const begun = await browser.go(`/events/shared/${event}/${NORD.id}/`)
      const { searchParams, origin } = new URL(begun.headers.location!)
      assert.equal(origin, base)
      return browser.go(`/api/federation/oauth-callback/?code=c&state=${searchParams.get('state')}`)
    }
    const visitors = async () => (await read.selectFrom('visitor').select('id').execute()).length

    test('valid responses start a visit', async () => {
      evil.on('/api/oauth/token/', token)
      evil.on('/api/users/me/', respondJson(me({ display_name: 'V\0ic' })))
      const { status, headers } = await visit()
      assert.deepEqual([status, headers.location], [303, `/events/shared/${event}/${NORD.id}/`])
      assert.equal(await visitors(), 1)
      await write.deleteFrom('visitor').execute()
    })

    const answers: [place: string, what: string, behaves: Behaviour][] = [
      ...Object.entries(BROKEN).map(([what, behaves]) => ['/api/oauth/token/', what, behaves] as [string, string, Behaviour]),
      ...Object.entries(BROKEN).map(([what, behaves]) => ['/api/users/me/', what, behaves] as [string, string, Behaviour]),
      ['/api/oauth/token/', 'gives a token with a negative lifetime', respondJson({ access_token: 'x', expires_in: -1 })],
      ['/api/oauth/token/', 'redirects to loopback', redirectTo(`http://127.0.0.1:${canary.port}/`, 307)],
      ['/api/users/me/', 'redirects to loopback', redirectTo(`http://127.0.0.1:${canary.port}/`)],
      ['/api/users/me/', 'has no address', respondJson(me({ email: undefined }))],
      ['/api/users/me/', 'has a list as name', respondJson(me({ display_name: ['Vic'] }))],
      ['/api/users/me/', 'has an invalid date of birth', respondJson(me({ date_of_birth: '2000-13-01' }))],
      ['/api/users/me/', 'has invalid qualifications', respondJson(me({ qualifications: [{ uuid: 'x', includes: [] }] }))],
      ['/api/users/me/', 'has a text as id', respondJson(me({ id: '5' }))],
      ['/api/users/me/', 'responds with an empty body', respond('', 200)],
    ]
    for (const [place, what, behaves] of answers) {
      test(`as guest, at ${place}: ${what}`, async () => {
        evil.on('/api/oauth/token/', token)
        evil.on('/api/users/me/', respondJson(me()))
        evil.on(place, behaves)
        const before = canary.calls
        const { status, headers, text } = await visit()
        note('guest', `${place} ${what}`, `${status} ${headers.location ?? ''}`)
        assert.ok(
          status === 502 || status === 503 || headers.location?.includes('error=oauth_error'),
          `${status} ${text.slice(0, 200)}`,
        )
        assert.deepEqual([await visitors(), canary.calls], [0, before])
        const guests = await read.selectFrom('federated_guest').select('id').where('id', '=', NORD.id).execute()
        assert.equal(guests.length, 1)
        assert.equal((await ann.go('/events/')).status, 200)
      })
    }
  })

  test('counter-check: without the address check, the canary is called', async () => {
    await begin()
    const open = { ...contact, outbound: makeOutbound({ ...limits, isAllowed: () => true }) }
    const reached = ['by number', 'by name', 'as one number', 'in octal'].map((how) => `loopback ${how}`)
    for (const what of [...reached, 'a name that resolves to loopback']) {
      evil.on(EVENTS, redirectTo(forbiddenUrls(canary.port)[what]!))
      const before = canary.calls
      await syncHost(contextOf(), open, hostId)
      assert.equal(canary.calls, before + 1, what)
    }
  })

  test('all outcomes', (t: TestContext) => {
    assert.ok(results.length >= 70, String(results.length))
    t.diagnostic(`${results.length} cases: no link lost, no page failed, no request to forbidden addresses`)
    for (const line of results) t.diagnostic(line.slice(0, 160))
  })
})
