import assert from 'node:assert/strict'
import { after, beforeEach, describe, mock, test } from 'node:test'
import pg from 'pg'
import { buildApp } from '#app'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { stateReader } from '#platform/db/state.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { forgetKeptPages } from '#platform/http/kept-pages.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { demoOptions, freshDemoDatabase, getDemoPerson, NOW } from '#test/support/demo-instance.ts'

/** Ann is a volunteer, Paul a planner. */
const PAGES: [what: string, path: (event: string, shift: number) => string, who: 'ann' | 'paul'][] = [
  ['home', () => '/', 'ann'],
  ['home of a planner', () => '/', 'paul'],
  ['shifts to find', () => '/shifts/', 'ann'],
  ['list', () => '/events/', 'ann'],
  ['calendar', () => '/events/calendar/', 'ann'],
  ['event', (event) => event, 'ann'],
  ['event of a planner', (event) => event, 'paul'],
  ['own shifts', () => '/my-shifts/', 'ann'],
  ['board of an event', (event) => `${event}board/`, 'paul'],
  ['people by days', () => '/planning/people/', 'paul'],
  ['board of a shift', (_, shift) => `/shifts/${shift}/disposition/`, 'paul'],
]

describe('pages that are kept until something is written', async () => {
  const database = await freshDemoDatabase()
  const db = openTestDatabase({ url: database.url })
  const clock = { at: NOW }
  const options = { ...demoOptions(database.url, db, { isUnlimited: true }), clock: { now: () => clock.at } }
  const { app, stop } = await buildApp(options)
  after(async () => {
    await stop({ grace: Promise.resolve() })
    await db.close()
    await database.drop()
  })
  const names = cookieNames(options.config.siteUrl)
  const device = `${names.device}=${'d'.repeat(32)}`
  async function cookieOf(name: 'ann' | 'paul' | 'olga'): Promise<string> {
    const session = randomSecret(43)
    const { id } = await getDemoPerson(db, name)
    const times = { created_at: NOW, last_seen_at: NOW, expires_at: new Date(NOW.getTime() + 86_400_000) }
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(session), user_id: id, ...times })
      .execute()
    return `${names.session}=${session}; ${device}`
  }
  const cookies = { ann: await cookieOf('ann'), paul: await cookieOf('paul') }

  // Other tests write to other databases of the same server at the same time, so the state is what a test says.
  const reader = stateReader(db)
  let written = 0
  const state = () => ({ access: `${written}`, events: `${written}`, anything: `${written}` })
  Object.assign(reader, { read: async () => state(), at: state, isQuiet: () => true })
  const write = () => written++

  const get = (url: string, cookie: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { host: 'localhost', cookie, ...headers } })
  async function counted(url: string, cookie: string, headers?: Record<string, string>) {
    const query = mock.method(pg.Client.prototype, 'query')
    try {
      const answer = await get(url, cookie, headers)
      return { answer, statements: query.mock.callCount() }
    } finally {
      query.mock.restore()
    }
  }
  const nonceOf = ({ headers }: { headers: Record<string, unknown> }): string =>
    /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))![1]!
  const withoutNonce = (answer: { body: string; headers: Record<string, unknown> }): string =>
    answer.body.replaceAll(nonceOf(answer), 'NONCE')

  const { rows } = await db.readPool.query<{ event: number; shift: number }>(
    `select e.id as event, min(s.id) as shift from event e join shift s on s.event_id = e.id join audience a on a.id = e.audience_id
     where e.listed and e.end_time > $1
       and a.group_ids && array(select group_id from user_group_member where user_id = $2)
       and exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
         where g.event_id = e.id and g.permission = 'change' and m.user_id = $3)
     group by e.id order by sum(s.confirmed_count) desc, e.id limit 1`,
    [NOW, (await getDemoPerson(db, 'ann')).id, (await getDemoPerson(db, 'paul')).id],
  )
  const { event, shift } = rows[0]!
  const eventPath = (await get(`/events/${event}/`, cookies.ann)).headers.location as string
  beforeEach(() => {
    clock.at = NOW
    write()
  })

  for (const [what, path, who] of PAGES) {
    const url = path(eventPath, shift)
    test(`${what}: the second request reads nothing, and gets the same with a nonce of its own`, async () => {
      const first = await counted(url, cookies[who])
      assert.equal(first.answer.statusCode, 200, url)
      assert.ok(first.statements > 0)
      const second = await counted(url, cookies[who])
      assert.equal(second.statements, 0)
      assert.equal(second.answer.statusCode, 200)
      assert.equal(withoutNonce(second.answer), withoutNonce(first.answer))
      assert.notEqual(nonceOf(second.answer), nonceOf(first.answer))
      assert.equal(second.answer.body.includes(nonceOf(second.answer)), first.answer.body.includes(nonceOf(first.answer)))
      const without = (headers: object) => ({ ...headers, date: '', 'content-security-policy': '', 'x-request-id': '' })
      assert.deepEqual(without(second.answer.headers), without(first.answer.headers))
    })
    test(`${what}: made twice, it is the same`, async () => {
      const first = await get(url, cookies[who])
      forgetKeptPages(db)
      const second = await counted(url, cookies[who])
      assert.ok(second.statements > 0)
      assert.equal(withoutNonce(second.answer), withoutNonce(first))
    })
  }

  const poll = { 'hx-request': 'true', 'hx-target': 'div#page', 'x-poll': '1' }
  test('an open page that asks again is answered without a statement, with its new content or 304', async () => {
    const etag = String((await get('/', cookies.ann, poll)).headers.etag)
    const same = await counted('/', cookies.ann, { ...poll, 'if-none-match': etag })
    assert.deepEqual([same.answer.statusCode, same.answer.body, same.statements], [304, '', 0])
    const other = await counted('/', cookies.ann, { ...poll, 'if-none-match': '"other"' })
    assert.deepEqual([other.answer.statusCode, other.answer.headers.etag, other.statements], [200, etag, 0])
  })

  const OTHERS: [
    what: string,
    change: () => Promise<unknown> | unknown,
    url: string,
    cookie: () => string,
    headers?: Record<string, string>,
  ][] = [
    ['something was written', write, '/', () => cookies.ann],
    ['another minute begins', () => (clock.at = new Date(NOW.getTime() + 60_000)), '/', () => cookies.ann],
    ['the query is another one', () => {}, '/?a=1', () => cookies.ann],
    ['another person asks', () => {}, '/', () => cookies.paul],
    ['another browser of the same person asks', () => {}, '/', () => cookies.ann.replace('d'.repeat(32), 'e'.repeat(32))],
    ['a cookie is another one', () => {}, '/', () => `${cookies.ann}; theme=dark`],
    ['a program with another name asks', () => {}, '/', () => cookies.ann, { 'user-agent': 'other' }],
    ['the page asks for its changes', () => {}, '/', () => cookies.ann, poll],
    ['a part is asked for', () => {}, '/', () => cookies.ann, { 'hx-request': 'true', 'hx-target': 'main#main' }],
  ]
  for (const [what, change, url, cookie, headers] of OTHERS)
    test(`the page is made anew if ${what}`, async () => {
      await get('/', cookies.ann)
      assert.equal((await counted('/', cookies.ann)).statements, 0)
      await change()
      assert.ok((await counted(url, cookie(), headers)).statements > 0)
    })

  test('shows what was written, and would not if the state stayed the same', async () => {
    const rename = (title: string) => db.write.updateTable('event').set({ title }).where('id', '=', event).execute()
    const { title } = await db.read.selectFrom('event').select('title').where('id', '=', event).executeTakeFirstOrThrow()
    const shows = async (text: string) => (await get('/events/', cookies.ann)).body.includes(text)
    assert.equal(await shows('Renamed meanwhile'), false)
    await rename('Renamed meanwhile')
    assert.equal(await shows('Renamed meanwhile'), false)
    write()
    assert.equal(await shows('Renamed meanwhile'), true)
    await rename(title)
  })

  test('a message is shown once', async () => {
    const flash = `${names.flash}=anything`
    await get('/', cookies.ann)
    assert.ok((await counted('/', `${cookies.ann}; ${flash}`)).statements > 0)
    assert.ok((await counted('/', `${cookies.ann}; ${flash}`)).statements > 0)
  })

  test('what an administrator sees who looks as somebody else is not kept', async () => {
    const olga = await cookieOf('olga')
    const session = hashSecret(olga.split('; ')[0]!.split('=')[1]!)
    const expires_at = new Date(NOW.getTime() + 600_000)
    const { id } = await getDemoPerson(db, 'ann')
    await db.write.insertInto('viewing').values({ session_hash: session, user_id: id, expires_at }).execute()
    for (let n = 0; n < 2; n++) assert.ok((await counted('/', olga)).statements > 0)
  })

  test('a session that ended is refused, whatever was kept', async () => {
    const cookie = await cookieOf('ann')
    await get('/', cookie)
    assert.equal((await counted('/', cookie)).statements, 0)
    clock.at = new Date(NOW.getTime() + 86_400_000)
    assert.equal((await get('/', cookie)).statusCode, 303)
  })
})
