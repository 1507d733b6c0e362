import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import pg from 'pg'
import { buildApp } from '#app'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { forgetKeptPages } from '#platform/http/kept-pages.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { demoOptions, freshDemoDatabase, getDemoPerson, NOW } from '#test/support/demo-instance.ts'

/** More would take longer than people wait, if the database is on another machine. */
const MOST_STATEMENTS = 15

type Name = 'ann' | 'paul' | 'olga'
type Shown = { path: string; event: number; shift: number; person: number }

/** Ann is a volunteer, Paul a planner, Olga an administrator. */
const PAGES: [what: string, path: (shown: Shown) => string, readers: Name[]][] = [
  ['home', () => '/', ['ann', 'paul', 'olga']],
  ['shifts to find', () => '/shifts/', ['ann', 'paul', 'olga']],
  ['all shifts', () => '/shifts/?all=1&needs=1&q=e', ['ann', 'paul']],
  ['list', () => '/events/', ['ann', 'paul', 'olga']],
  ['list of past events', () => '/events/?when=past', ['ann', 'paul']],
  ['list with “fits me”', () => '/events/?fits=1', ['ann', 'paul']],
  ['list with filters', () => '/events/?needs=1&q=e&state=none', ['ann', 'paul']],
  ['calendar', () => '/events/calendar/', ['ann', 'paul', 'olga']],
  ['day of the calendar', () => `/events/calendar/?day=${NOW.toISOString().slice(0, 10)}`, ['ann', 'paul']],
  ['event', ({ path }) => path, ['ann', 'paul', 'olga']],
  ['board of an event', ({ event }) => `/events/${event}/board/`, ['paul', 'olga']],
  ['board of a shift', ({ shift }) => `/shifts/${shift}/disposition/`, ['paul', 'olga']],
  ['people by day', () => '/planning/people/?view=month', ['paul', 'olga']],
  [
    'one person and day',
    ({ person }) => `/planning/people/assign/?at=${person}.${NOW.toISOString().slice(0, 10)}`,
    ['paul', 'olga'],
  ],
  ['timeline', ({ event }) => `/events/${event}/grid/`, ['ann', 'paul', 'olga']],
  ['times of a shift', ({ shift }) => `/shifts/${shift}/times/`, ['paul', 'olga']],
  ['check-in', ({ event }) => `/events/${event}/check-in/`, ['paul', 'olga']],
  ['real times', ({ event }) => `/events/${event}/check-in/hours/`, ['paul']],
  ['programme', ({ event }) => `/events/${event}/programme/`, ['paul', 'olga']],
  ['options of a programme', ({ event }) => `/events/${event}/programme/options/`, ['paul']],
  ['own shifts', () => '/my-shifts/', ['ann', 'paul']],
  ['notifications', () => '/notifications/', ['ann', 'paul']],
  ['people', () => '/manage/people/', ['olga']],
  ['person', ({ person }) => `/manage/people/${person}/`, ['olga']],
  ['groups', () => '/manage/groups/', ['olga']],
]

describe(`a page takes at most ${MOST_STATEMENTS} statements`, async () => {
  const database = await freshDemoDatabase()
  const db = openTestDatabase({ url: database.url })
  const options = demoOptions(database.url, db)
  const { app, stop } = await buildApp(options)
  after(async () => {
    await stop({ grace: Promise.resolve() })
    await db.close()
    await database.drop()
  })

  async function cookieOf(name: Name): Promise<string> {
    const session = randomSecret(43)
    const { id } = await getDemoPerson(db, name)
    const times = { created_at: NOW, last_seen_at: NOW, expires_at: new Date(NOW.getTime() + 86_400_000) }
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(session), user_id: id, ...times })
      .execute()
    return `${cookieNames(options.config.siteUrl).session}=${session}`
  }
  const cookies = { ann: await cookieOf('ann'), paul: await cookieOf('paul'), olga: await cookieOf('olga') }
  const get = (url: string, name: Name) => app.inject({ url, headers: { host: 'localhost', cookie: cookies[name] } })

  /** Statements of the second request, when what a process keeps is loaded. */
  async function statementsOf(url: string, name: Name): Promise<string[]> {
    await get(url, name)
    forgetKeptPages(db)
    const query = mock.method(pg.Client.prototype, 'query')
    try {
      const { statusCode } = await get(url, name)
      assert.equal(statusCode, 200, url)
      const texts = query.mock.calls.map(({ arguments: [first] }) => String((first as { text?: string }).text ?? first).trim())
      // Limits are stored in the background, for many requests at a time, and looks at the state are shared by requests at the same time.
      return texts.filter((text) => !text.includes('rate_count') && !text.startsWith('select pg_current_snapshot()'))
    } finally {
      query.mock.restore()
    }
  }

  /** The coming events that Ann sees and Paul plans, those with most people first. */
  async function findShown(): Promise<Shown[]> {
    const [ann, paul] = [await getDemoPerson(db, 'ann'), await getDemoPerson(db, 'paul')]
    const { rows } = await db.readPool.query<{ event: number; shift: number }>(
      `select e.id as event, (array_agg(s.id order by s.confirmed_count desc, s.id))[1] as shift
       from event e join shift s on s.event_id = e.id join audience a on a.id = e.audience_id
       where e.listed and e.end_time > $1
         and a.group_ids && array(select group_id from user_group_member where user_id = $2)
         and exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
           where g.event_id = e.id and g.permission = 'change' and m.user_id = $3)
       group by e.id order by sum(s.confirmed_count) desc, e.id limit 5`,
      [NOW, ann.id, paul.id],
    )
    const pathOf = async (event: number) => (await get(`/events/${event}/`, 'ann')).headers.location as string
    return Promise.all(rows.map(async (row) => ({ ...row, path: await pathOf(row.event), person: ann.id })))
  }
  // The pages of guardians read more, for each child.
  await db.write.deleteFrom('guardianship').execute()
  const shown = await findShown()
  const session = (key: string) => ({
    key,
    title: key,
    room: 'Hall',
    track: key,
    type: '',
    start: NOW.toISOString(),
    end: '2099-01-01T00:00:00.000Z',
  })
  for (const { event } of shown)
    await db.write
      .insertInto('programme')
      .values({
        event_id: event,
        file_name: 'schedule.xml',
        format: 'schedule_xml',
        content: JSON.stringify({ sessions: [session('a'), session('b')], faults: [] }),
        options: '{}',
        read_at: NOW,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  test('there are events', () => assert.equal(shown.length, 5))

  for (const [what, path, readers] of PAGES)
    for (const name of readers)
      test(`${what}, by ${name}`, async () => {
        for (const url of new Set(shown.map(path))) {
          const statements = await statementsOf(url, name)
          assert.ok(statements.length > 1, `${url}: counted nothing`)
          const list = statements.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 120)).join('\n')
          assert.ok(statements.length <= MOST_STATEMENTS, `${url}: ${statements.length} statements\n${list}`)
        }
      })
})
