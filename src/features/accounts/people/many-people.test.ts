import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { peopleCondition } from '#features/accounts/users/queries/people.ts'
import { findCandidates } from '#features/messaging/messages/queries.ts'
import { findPersonChoices } from '#features/planning/planning/queries/events.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { type Condition, searchNames } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'
import { contextAs } from '#test/support/command-context.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'
import { findMembers, findNonMembers } from './queries/groups.ts'

type PlanNode = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (/Scan$/.test(node['Node Type']) ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0)

const PEOPLE = chooseSize({ usual: 20_000, full: 100_000 })
/** Of the first name and the first surname below. */
const ANNA = PEOPLE - 2220
const ZOE = ANNA + 2
const LAST_FULL_PAGE = PEOPLE / 50 - 1
/** A page with 50 people has some 60 kB; one with everybody would have more than 1 MB. */
const MOST_BYTES = 250_000

describe(`${PEOPLE} people`, async () => {
  const world = await openWorld()
  await sql`set statement_timeout = 0`.execute(world.db.write)
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  const group = await world.addGroup('Everybody', [])
  const { id: eventId, shifts } = await world.addEvent({ seenBy: [group], shifts: [{}] })
  await sql`
    insert into user_profile (email, display_name)
    select 'p' || n || '@large.example', (array['Anna', 'Jörg', 'Zoë', 'François'])[1 + n % 4] || ' ' || (array['Müller', 'Smith', 'Groß', 'Öztürk', 'Nowak'])[1 + n % 5] || ' ' || n
    from generate_series(1, ${PEOPLE}) n`.execute(world.db.write)
  await sql`insert into user_group_member (group_id, user_id) select ${group.id}, id from user_profile where email like '%@large.example'`.execute(
    world.db.write,
  )
  for (const table of ['user_profile', 'user_group_member']) await sql`vacuum analyze ${sql.table(table)}`.execute(world.db.write)

  for (const [what, q, name] of [
    ['as it is written', `Müller ${ANNA}`, `Anna Müller ${ANNA}`],
    ['without accents', `muller ${ANNA}`, `Anna Müller ${ANNA}`],
    ['with the other spelling of the umlaut', `MUELLER ${ANNA}`, `Anna Müller ${ANNA}`],
    ['of the address', `p${ANNA}@large`, `Anna Müller ${ANNA}`],
    ['with ss', `gross ${ZOE}`, `Zoë Groß ${ZOE}`],
  ] as const)
    test(`a name ${what} is found`, async () => {
      const { body } = await admin.get(`/manage/people/?q=${encodeURIComponent(q)}`)
      assert.match(body, new RegExp(`>${name}<`))
      assert.doesNotMatch(body, /These names are similar/)
      assert.ok(Buffer.byteLength(body) < MOST_BYTES)
    })

  test('a typing error finds similar names, and says so', async () => {
    await world.addPerson({ name: 'Hannelore Wieczorek' })
    const { body } = await admin.get('/manage/people/?q=Hanelore+Wiecorek')
    assert.match(body, /Nobody is called “Hanelore Wiecorek”\. These names are similar\./)
    assert.match(body, />Hannelore Wieczorek</)
  })

  /** Node types and indexes of the plan. */
  const planOf = async (condition: Condition) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select u.id from user_profile u where u.deleted_at is null and ${condition}
      order by lower(u.display_name), u.id limit 50`.execute(world.db.write)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  test('a search reads the index of names and addresses, not all people', async () => {
    for (const condition of [
      peopleCondition({ ...contextAs(world, stella), actor: ANONYMOUS }, { terms: ['wieczorek', 'anna'], state: 'active' }),
      peopleCondition({ ...contextAs(world, stella), actor: ANONYMOUS }, { terms: ['wiecorek'], isSimilar: true, state: 'all' }),
      searchNames(['wieczorek'], [sql`u.display_name`, sql`u.email`])[0]!,
      searchNames(['wieczorek'], [sql`u.display_name`])[0]!,
    ])
      assert.match(await planOf(condition), /Bitmap Index Scan on user_profile_names_idx/)
  })

  /** Rows that the statements of a query read, by EXPLAIN ANALYZE: of scans, with those that a filter removed. */
  const rowsReadBy = async (run: (db: Kysely<DB>) => Promise<unknown>): Promise<number> => {
    const statements: CompiledQuery[] = []
    const executor = world.db.write.getExecutor()
    const recording = world.db.write.withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(executor.compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await run(recording)
    let rows = 0
    for (const { sql: text, parameters } of statements) {
      const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
      const plans = (await world.db.write.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)).rows
      rows += rowsOf(plans[0]!['QUERY PLAN'][0]!.Plan)
    }
    return rows
  }
  const search = { terms: [], limit: 100, showsEmail: true }
  const rare = { ...search, terms: [String(ANNA)] }
  const common = { ...search, terms: ['anna'] }
  const small = await world.addGroup('Few', [stella])
  for (const [what, run] of [
    ['members of a large group', (db) => findMembers(db, group.id, search)],
    ['members of a small group', (db) => findMembers(db, small.id, search)],
    ['people outside of a small group', (db) => findNonMembers(db, small.id, search)],
    ['members of a large group with a rare name', (db) => findMembers(db, group.id, rare)],
    ['members of a large group with a common name', (db) => findMembers(db, group.id, common)],
    ['members of a small group with a rare name', (db) => findMembers(db, small.id, rare)],
    ['people outside of a large group with a rare name', (db) => findNonMembers(db, group.id, rare)],
    ['people outside of a small group with a rare name', (db) => findNonMembers(db, small.id, rare)],
    ['people outside of a small group with a common name', (db) => findNonMembers(db, small.id, common)],
    ['people who can be made responsible', (db) => findPersonChoices({ db }, [stella.id])],
    [
      'people of the form for messages',
      (db) => findCandidates({ ...contextAs(world, stella), db, actor: ANONYMOUS }, eventId, { everybody: false }),
    ],
  ] as const satisfies [string, (db: Kysely<DB>) => Promise<unknown>][])
    test(`the ${what} are found without reading everybody`, async () => {
      const rows = await rowsReadBy(run)
      assert.ok(rows < 5000, `${rows} rows`)
    })

  test('a search of the API and of the log ignores accents, as that of people', async () => {
    const found = await world
      .as(stella, 'CONFIDENTIAL_READ')
      .get('/api/users/', { query: { search: `mueller ${ANNA}` }, unchecked: true })
    assert.match(found.text, new RegExp(`Anna Müller ${ANNA}`))
  })

  for (const path of [
    '/manage/people/',
    `/manage/people/?page=${LAST_FULL_PAGE}`,
    '/manage/people/import/',
    `/manage/people/?group=${group.id}`,
    '/manage/groups/',
    `/manage/groups/${group.id}/`,
    `/manage/groups/${group.id}/members/`,
    `/manage/groups/${group.id}/members/?q=nowak`,
    '/events/new/',
    `/events/${eventId}/edit/`,
    '/manage/event-types/1/',
    `/shifts/${shifts[0]}/disposition/`,
    `/shifts/${shifts[0]}/disposition/?q=nowak`,
    `/events/${eventId}/message/`,
    '/manage/hours/',
    '/manage/log/',
  ])
    test(`${path} does not contain everybody`, async () => {
      const { statusCode, body } = await admin.get(path)
      assert.ok([200, 404].includes(statusCode), String(statusCode))
      assert.equal(statusCode, 200, 'moved?')
      assert.ok(Buffer.byteLength(body) < MOST_BYTES, `${Buffer.byteLength(body)} bytes`)
    })

  test('the list counts up to a limit', async () => {
    assert.match((await admin.get('/manage/people/')).body, /More than 5,000 people.*1–50 of more than 5,000/s)
    const last = (LAST_FULL_PAGE * 50).toLocaleString('en')
    const thousands = PEOPLE / 1000
    assert.match((await admin.get(`/manage/people/?page=${LAST_FULL_PAGE}`)).body, new RegExp(`–${last} of ${thousands},\\d{3}`))
    assert.match((await admin.get(`/manage/people/?q=nowak+${String(ANNA).slice(0, 4)}`)).body, />\d+ people</)
  })

  test('people who can be asked are found among everybody', async () => {
    const { body } = await admin.get(`/shifts/${shifts[0]}/ask/`)
    assert.match(body, /(Anna|Jörg|Zoë|François) \S+ \d+/)
    assert.ok(Buffer.byteLength(body) < MOST_BYTES, `${Buffer.byteLength(body)} bytes`)
  })

  test('a responsible person is chosen by a part of the name, without scripts', async () => {
    const form = { step: 'refresh', title: 'x', add_user: `zoe gross ${ZOE}` }
    const { body } = await admin.post('/events/new/', { form })
    assert.match(body, new RegExp(`name="responsible_users"[^>]*value="\\d+"[^>]*><span>Zoë Groß ${ZOE}`))
  })
})
