import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser } from '#test/support/http-browser.ts'
import { ANN, BEN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const at = (day: number, hour: number) => `2031-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`

describe('participations of our people at partner instances', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { id: hostId } = await write
    .insertInto('federated_host')
    .values({
      name: 'Sued',
      url: 'https://sued.example',
      access_token_sealed: 'x',
      last_success_at: world.now,
      speaks_turnout: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: silentId } = await write
    .insertInto('federated_host')
    .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 'x', last_success_at: world.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  let remote = 0
  async function shares(title: string, start: string, end: string, host = hostId): Promise<number> {
    remote += 1
    const signup_url = `https://${host === silentId ? 'nord' : 'sued'}.example/events/shared/${remote}/1/`
    const values = { host_id: host, remote_id: remote, title, location: 'Quay', type_title: 'Race', signup_url }
    const made = await write
      .insertInto('partner_event')
      .values({ ...values, start_time: new Date(start), end_time: new Date(end), fetched_at: world.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return made.id
  }
  async function addExternalParticipation(
    person: Person,
    event: number,
    state: number,
    start: string,
    end: string,
  ): Promise<void> {
    const values = { partner_event_id: event, user_id: person.id, remote_shift_id: event, shift_label: 'North', state }
    await write
      .insertInto('participation_abroad')
      .values({ ...values, start_time: new Date(start), end_time: new Date(end), fetched_at: world.now })
      .execute()
  }
  const regatta = await shares('Regatta', at(10, 8), at(10, 20))
  await addExternalParticipation(ANN, regatta, 1, at(10, 9), at(10, 12))
  const parade = await shares('Parade', at(12, 8), at(12, 20))
  await addExternalParticipation(ANN, parade, 0, at(12, 9), at(12, 12))
  const event = (title: string, start: string, end: string) =>
    world.addEvent({ title, seenBy: [ANN, BEN], responsible: [PAUL], shifts: [{ start, end }] })

  async function read(person: Person, path: string): Promise<string> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, body.slice(0, 300))
    return body
  }

  test('home shows the next shift also if it is at a partner; My shifts lists it with requested ones', async () => {
    const home = await read(ANN, '/')
    assert.match(home, /href="https:\/\/sued\.example\/events\/shared\/1\/1\/"[^>]*>Regatta, North</)
    assert.match(home, /at Sued/)
    const own = await read(ANN, '/my-shifts/')
    assert.match(own, /Regatta, North/)
    assert.match(own, /Parade, North/)
    for (const path of ['/', '/my-shifts/']) assert.doesNotMatch(await read(BEN, path), /Regatta, North|Parade, North/)
  })

  test('a confirmed shift at a partner conflicts with an overlapping shift here, and is linked', async () => {
    const clash = await event('Clash', at(10, 10), at(10, 12))
    const beside = await event('Beside', at(10, 12), at(10, 14))
    const asked = await event('While asked', at(12, 10), at(12, 11))
    const page = await read(ANN, `/events/${clash.id}-clash/`)
    assert.match(page, /Regatta \(at Sued\)/)
    assert.match(page, /href="https:\/\/sued\.example\/events\/shared\/1\/1\/"/)
    for (const [made, isRefused] of [
      [clash, true],
      [beside, false],
      [asked, false],
    ] as const) {
      const text = await read(ANN, `/shifts/${made.shifts[0]!}/signup/`)
      assert.equal(/Regatta \(at Sued\)/.test(text), isRefused, String(made.id))
    }
    assert.doesNotMatch(await read(BEN, `/events/${clash.id}-clash/`), /Regatta/)
  })

  test('the disposition board shows the conflict', async () => {
    const clash = await event('On the board', at(10, 10), at(10, 11))
    await world.addParticipation({ shift: clash.shifts[0]!, who: ANN, state: 0 })
    assert.match(await read(OLGA, `/shifts/${clash.shifts[0]!}/disposition/`), /Regatta/)
  })

  test('the person sees what partners say, can deny it, and take the denial back', async () => {
    const clash = await event('Denied', at(10, 10), at(10, 12))
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(ANN)).split('=')
    browser.cookies.set(name!, value!)
    const page = await browser.get('/events/external/mine/')
    assert.match(page.body, /Regatta, North[\s\S]*Sued[\s\S]*Confirmed|confirmed/)
    const { id } = await world.db.read
      .selectFrom('participation_abroad')
      .select('id')
      .where('partner_event_id', '=', regatta)
      .executeTakeFirstOrThrow()
    const answer = (right: string) => browser.post('/events/external/mine/', { form: { statement: String(id), right } })
    assert.equal((await answer('no')).statusCode, 303)
    assert.match((await browser.get('/events/external/mine/')).body, /denied/)
    const isConflict = async () => /Regatta \(at Sued\)/.test(await read(ANN, `/shifts/${clash.shifts[0]!}/signup/`))
    assert.equal(await isConflict(), false)
    assert.doesNotMatch(await read(ANN, '/'), /Regatta, North/)
    const denied = await world.db.read.selectFrom('denied_statement').selectAll().execute()
    assert.deepEqual(
      denied.map(({ user_id, host_id, remote_shift_id }) => [user_id, host_id, remote_shift_id]),
      [[ANN.id, hostId, regatta]],
    )
    assert.equal((await answer('yes')).statusCode, 303)
    assert.equal(await isConflict(), true)
    const ben = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [cookie, session] = (await world.sessionCookie(BEN)).split('=')
    ben.cookies.set(cookie!, session!)
    await ben.get('/events/external/mine/')
    const foreign = await ben.post('/events/external/mine/', { form: { statement: String(id), right: 'no' } })
    assert.equal(foreign.statusCode, 404)
    assert.match((await ben.get('/events/external/mine/')).body, /These organisations do not tell us where you stand/)
    await world.db.write.deleteFrom('event').where('id', '=', clash.id).execute()
  })

  test('a host that tells no states: links note when the person opened the event, and pages say so', async () => {
    const fair = await shares('City fair', at(20, 8), at(20, 20), silentId)
    const opening = `/events/external/${fair}/open/`
    const saying = /You opened this event at Nord on [^;]+; whether you are signed up is shown there/
    const lists = ['/events/external/', '/events/', '/events/calendar/?month=2031-05', '/events/calendar/?day=2031-05-20']
    for (const path of lists) {
      const page = await read(ANN, path)
      assert.ok(page.includes(`href="${opening}"`), path)
      assert.doesNotMatch(page, saying, path)
    }
    const open = async (person: Person | undefined, path: string) => {
      const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
      const [name, value] = person ? (await world.sessionCookie(person)).split('=') : []
      if (name) browser.cookies.set(name, value!)
      const { statusCode, headers } = await browser.get(path)
      return [statusCode, headers.location]
    }
    const there = `https://nord.example/events/shared/${remote}/1/`
    assert.deepEqual(await open(ANN, opening), [303, there])
    for (const path of lists) assert.match(await read(ANN, path), saying, path)
    assert.match(await read(ANN, '/events/external/mine/'), /City fair<\/a>[^<]*: you opened it on /)
    assert.doesNotMatch(await read(BEN, '/events/external/'), saying)
    const openings = () => write.selectFrom('partner_event_opening').select(['user_id', 'partner_event_id']).execute()
    assert.deepEqual(await openings(), [{ user_id: ANN.id, partner_event_id: fair }])
    assert.equal((await open(ANN, '/events/external/999999/open/'))[0], 404)
    assert.notEqual((await open(undefined, opening))[1], there, 'strangers sign in first')
    // Sued tells us itself where Ann stands.
    assert.equal((await open(ANN, `/events/external/${regatta}/open/`))[0], 303)
    assert.equal((await openings()).length, 1)
    await write.deleteFrom('partner_event').where('id', '=', fair).execute()
  })

  test('the calendar feed contains confirmed shifts at partners with a stable UID', async () => {
    const token = 'a-calendar-of-ann-in-a-test-000000000000'
    await write
      .updateTable('user_profile')
      .set({ calendar_token_hash: hashSecret(token), calendar_token_sealed: 'x' })
      .where('id', '=', ANN.id)
      .execute()
    const feed = await world.nobody.get(`/calendar/${token}/`, { unchecked: true })
    const text = feed.text.replaceAll('\r\n ', '')
    assert.match(text, /SUMMARY:Regatta\\, North \(at Sued\)/)
    assert.match(text, new RegExp(`UID:abroad-${hostId}-${regatta}@`))
    assert.match(text, /URL;VALUE=URI:https:\/\/sued\.example\/events\/shared\/1\/1\//)
    assert.doesNotMatch(text, /Parade/)
    const more = await world.nobody.get(`/calendar/${token}/?requested=1`, { unchecked: true })
    assert.match(more.text, /Parade/)
  })

  test('the event list sorts and pages own and external events together', async () => {
    await write.deleteFrom('event').execute()
    for (let index = 0; index < 40; index++) {
      const hour = String(index % 24).padStart(2, '0')
      const day = 13 + Math.floor(index / 24)
      await shares(`Theirs ${index}`, `2031-05-${day}T${hour}:10:00Z`, `2031-05-${day}T${hour}:50:00Z`)
      await event(`Ours ${index}`, `2031-05-${day}T${hour}:20:00Z`, `2031-05-${day}T${hour}:50:00Z`)
    }
    const expected = [
      'Regatta',
      'Parade',
      ...Array.from({ length: 40 }, (_, index) => [`Theirs ${index}`, `Ours ${index}`]).flat(),
    ]
    const titles = (page: string) => [...page.matchAll(/class="event-title"[^>]*>([^<]*)</g)].map(([, title]) => title)
    const first = titles(await read(ANN, '/events/'))
    const second = titles(await read(ANN, '/events/?page=2'))
    assert.deepEqual([...first, ...second], expected)
    assert.equal(first.length, 50)
    assert.deepEqual(titles(await read(ANN, '/events/?state=confirmed')), ['Regatta'])
    assert.deepEqual(titles(await read(ANN, '/events/?state=in')), ['Regatta', 'Parade'])
    assert.equal(titles(await read(ANN, '/events/?whose=ours')).length, 40)
    world.now = new Date('2031-05-14T00:00:00Z')
    const past = titles(await read(ANN, '/events/?when=past'))
    world.now = new Date('2031-05-01T10:00:00Z')
    assert.deepEqual(past, expected.slice(0, 2 + 48).reverse())
  })
})
