import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDPOINTS } from '#endpoints'
import { forgetBodies } from '#features/events/events/queries/record-bodies.ts'
import { forgetPages } from '#features/events/events/queries/remembered-pages.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { forgetListBodies } from '#platform/http/list-bodies.ts'
import type { Caller } from '#test/support/api-client.ts'
import { ANN, HELPERS, NORD, OLGA, type Person, PLANNERS } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { watchStatements } from '#test/support/statements.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Without the statements of authentication. */
const MOST = 3
/** What decides whether a person fits a shift is in many tables; the number does not depend on the number of people. */
const MOST_OF: Record<string, number> = { '/api/shifts/{id}/candidates/': 15 }
const ROWS = chooseSize({ usual: 130, full: 1_200 })
/** Rows of a long page; there are more of each kind. */
const LONG = chooseSize({ usual: 100, full: 1_000 })

/** Inserts as many events with a shift and participations, users and blocks with few statements. */
async function fill({ db }: World): Promise<void> {
  for (const statement of [
    sql`insert into event (title, location, type_id, active) select 'Event ' || n, '', 1, true from generate_series(1, ${ROWS}::int) n`,
    sql`insert into event_group_grant (event_id, group_id, permission) select id, ${HELPERS.id}::bigint, 'view' from event`,
    sql`insert into event_share (event_id, federated_guest_id) select id, ${NORD.id}::bigint from event`,
    sql`insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      select id, now(), now(), now() + interval '1 hour', 'manual', 'uniform' from event`,
    sql`insert into participation (shift_id, kind, user_id, state, event_id, start_time, end_time)
      select s.id, 'local', u.id, 1, s.event_id, s.start_time, s.end_time from shift s cross join user_profile u
      where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint)`,
    sql`insert into visitor (federated_guest_id, remote_id, email, display_name) values (${NORD.id}::bigint, 1, 'v@nord.example', 'Vic')`,
    sql`insert into participation (shift_id, kind, visitor_id, state, event_id, start_time, end_time)
      select s.id, 'visitor', v.id, 1, s.event_id, s.start_time, s.end_time from shift s cross join visitor v`,
    sql`insert into participation_comment (participation_id, text, visible_for, author_kind, created_at)
      select id, 'x', 2, 'participant', now() from participation`,
    sql`insert into user_profile (email, display_name) select 'p' || n || '@a.example', 'P' || n from generate_series(1, ${ROWS}::int) n`,
    sql`insert into building_block (name, block_type) select 'Block ' || n, 'atomic' from generate_series(1, ${ROWS}::int) n`,
    sql`insert into block_position (block_id, label) select id, 'x' from building_block`,
    sql`insert into event_type (title) select 'Type ' || n from generate_series(1, ${ROWS}::int) n`,
    sql`insert into qualification_category (title) select 'Category ' || n from generate_series(1, ${ROWS}::int) n`,
    sql`insert into qualification (title, category_id) select title, id from qualification_category`,
    // Expired, so that they do not make the records of participations large.
    sql`insert into qualification_grant (user_id, qualification_id, expires_at) select u.id, q.id, '2020-01-01' from qualification q cross join user_profile u
      where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint) on conflict do nothing`,
    sql`insert into user_group (name) select 'Group ' || n from generate_series(1, ${ROWS}::int) n`,
    sql`insert into user_group_member (group_id, user_id) select ${PLANNERS.id}::bigint, id from user_profile on conflict do nothing`,
    sql`insert into resource_category (name) select 'Category ' || n from generate_series(1, ${ROWS}::int) n`,
    sql`insert into resource (title, category_id) select name, id from resource_category`,
    sql`insert into working_hours (user_id, hours, date, reason) select u.id, 1, now(), 'Reason ' || n
      from generate_series(1, ${ROWS}::int) n cross join user_profile u where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint)`,
    sql`insert into decision_request (user_id, kind, data, created_at) select u.id, 'working_hours', '{}', now()
      from generate_series(1, ${ROWS}::int) n cross join user_profile u where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint)`,
    sql`insert into notification (user_id, kind, source, bundle, event_id, created_at, next_attempt_at)
      select u.id, 'event_published', 'test ' || e.id, 'test', e.id, now(), now() from event e cross join user_profile u
      where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint)`,
    // The first ones are Olga's, with the deliveries.
    sql`insert into webhook (owner_id, name, description, url, kinds, scopes, active, secret_sealed, created_at)
      select u.id, 'Webhook ' || n, '', 'https://a.example/', '{event}', '{PUBLIC_READ}', true, 'x', now()
      from generate_series(1, ${ROWS}::int) n cross join user_profile u where u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint) order by u.id desc, n`,
    sql`insert into webhook_queue (webhook_id, feed_id, position, next_at) select w.id, f.id, f.position, now() from webhook w, change_feed f`,
    sql`insert into webhook_delivery (webhook_id, message_id, kind, record_id, what, body, state, attempts, created_at)
      select ${PLANNERS.id}::bigint, 'message ' || n, 'event', n, 'updated', '{}', 'delivered', 1, now() from generate_series(1, ${ROWS}::int) n`,
    // Drafts, and published events in the bin.
    sql`insert into event (title, location, type_id, active, deleted_at)
      select 'Plan', '', 1, d.at is not null, d.at from generate_series(1, ${ROWS}::int) n cross join (values (null), (now())) d (at)`,
    sql`insert into event_group_grant (event_id, group_id, permission)
      select id, ${PLANNERS.id}::bigint, 'change' from event where title = 'Plan'`,
    sql`insert into event (title, location, type_id, active, cancelled_at, cancellation_reason)
      select 'Stopped', '', 1, true, now(), 'Storm' from generate_series(1, ${ROWS}::int) n`,
    sql`insert into event_group_grant (event_id, group_id, permission)
      select id, ${HELPERS.id}::bigint, 'view' from event where title = 'Stopped'`,
    sql`insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      select id, now(), now(), now() + interval '1 hour', 'manual', 'uniform' from event where title = 'Stopped'`,
    sql`insert into participation (shift_id, kind, user_id, state, event_id, start_time, end_time)
      select s.id, 'local', u.id, 1, s.event_id, s.start_time, s.end_time from shift s join event e on e.id = s.event_id cross join user_profile u
      where e.title = 'Stopped' and u.id in (${ANN.id}::bigint, ${OLGA.id}::bigint)`,
    sql`insert into removed_shift (id, event_id, is_cancelled, reason, removed_at, label, meeting_time, start_time, end_time, row)
      select 900000 + n, 1, true, 'Storm', now(), '', now(), now(), now(), '{}' from generate_series(1, ${ROWS}::int) n`,
    sql`insert into removed_participation (id, removed_shift_id, shift_id, user_id, state, start_time, end_time, row)
      select id, id, id, ${ANN.id}::bigint, 1, now(), now(), '{}' from removed_shift`,
    sql`insert into waiting_entry (shift_id, user_id, since, state) select s.id, p.user_id, now(), 'withdrawn'
      from shift s join participation p on p.shift_id = s.id where p.user_id is not null`,
    sql`analyze`,
  ])
    await statement.execute(db.write)
}

describe('SQL statements of a list', async () => {
  const world = await openWorld()
  const qualification = await world.addQualification('First aid')
  await world.holds(ANN, qualification)
  // Inserting the rows takes longer than the statement timeout of a request.
  await sql`set statement_timeout = 0`.execute(world.db.write)
  await fill(world)

  const statements = watchStatements(world.db.readPool, world.db.writePool)
  /** One statement; one more after a write, and another if the write changed who may do what. */
  const isAuthentication = (statement: string): boolean => statement.includes('pg_current_snapshot')
  const MOST_TO_AUTHENTICATE = 3
  const count = async (caller: Caller, path: string): Promise<{ statements: number; rows: number }> => {
    statements.length = 0
    const { status, body } = await caller.get(path)
    assert.equal(status, 200)
    const telling = statements.filter(isAuthentication).length
    assert.ok(telling >= 1 && telling <= MOST_TO_AUTHENTICATE, statements.join('\n'))
    return { statements: statements.length - telling, rows: body.results.length }
  }

  const lists = ENDPOINTS.filter(({ kind }) => kind === 'list').map(({ path }) => path as string)
  const callersOf = (path: string): [name: string, caller: Caller][] => {
    if (path.includes('federation')) return [['a partner', world.partner(NORD)]]
    const isForProfiles =
      /users\/(\{user\}|$)|userinfo|groups|candidates|requests|deliveries|\/working-hours/.test(path) &&
      !path.includes('users/me')
    const people: Person[] = isForProfiles ? [OLGA] : [OLGA, ANN]
    return people.flatMap((person): [string, Caller][] => [
      [person.name, world.as(person, ...SCOPES)],
      [`${person.name} by session`, world.withSession(person)],
    ])
  }
  for (const path of lists) {
    const most = MOST_OF[path] ?? MOST
    for (const [name, caller] of callersOf(path))
      test(`${path} for ${name}: at most ${most} after authentication, and as many for ${LONG} rows as for one`, async () => {
        const address = path.replace('{user}', String(ANN.id)).replace('{id}', String(PLANNERS.id))
        // Fill the caches shared by all requests, such as the catalogue of qualifications.
        await caller.get(address)
        const counts: number[] = []
        for (const limit of [1, 10, LONG]) {
          forgetBodies(world.db.read)
          forgetPages(world.db.read)
          forgetListBodies(world.db.read)
          const cold = await count(caller, `${address}?limit=${limit}`)
          assert.equal(cold.rows, limit)
          assert.ok(cold.statements > 0 && cold.statements <= most, `${cold.statements} for ${limit}:\n${statements.join('\n')}`)
          counts.push(cold.statements)
        }
        assert.equal(new Set(counts).size, 1, `${counts}`)
      })
  }
  for (const path of lists)
    test(`${path} by cursor: at most ${MOST_OF[path] ?? MOST}, and none of them counts the rows`, async () => {
      const [, caller] = callersOf(path)[0]!
      const address = path.replace('{user}', String(ANN.id)).replace('{id}', String(PLANNERS.id))
      await caller.get(address)
      const { next } = (await caller.get(`${address}?limit=10&cursor=`)).body
      const later = await count(caller, new URL(next).pathname + new URL(next).search)
      assert.ok(later.rows === 10 && later.statements <= (MOST_OF[path] ?? MOST), statements.join('\n'))
      for (const statement of statements.filter((each) => !isAuthentication(each)))
        assert.doesNotMatch(statement, /null::text\[\] as keys|count\(\*\)::int as count|over \(\)/)
    })
  test('included participations need at most two more, for one event as for a hundred', async () => {
    for (const path of ['/api/events/', '/api/shifts/'])
      for (const [, caller] of callersOf(path)) {
        await caller.get(`${path}?include=participations`)
        const counts: number[] = []
        for (const limit of [1, 10, 100]) {
          forgetBodies(world.db.read)
          forgetPages(world.db.read)
          forgetListBodies(world.db.read)
          counts.push((await count(caller, `${path}?include=participations&limit=${limit}`)).statements)
        }
        assert.ok(new Set(counts).size === 1 && counts[0]! <= 4, `${counts}`)
      }
  })
  test('a page of events or shifts with filled caches needs at most one', async () => {
    for (const path of [
      '/api/events/?limit=50',
      '/api/shifts/?limit=50',
      '/api/events/?limit=50&search=event',
      '/api/events/?ordering=-title',
    ])
      for (const [, caller] of callersOf(path)) {
        await caller.get(path)
        const warm = (await count(caller, path)).statements
        assert.ok(warm <= 1, statements.join('\n'))
      }
  })
  test('a 304 response needs no more', async () => {
    const caller = world.as(ANN, ...SCOPES)
    const { headers } = await caller.get('/api/events/')
    statements.length = 0
    assert.equal(await caller.status('/api/events/', { headers: { 'if-none-match': headers.etag! } }), 304)
    assert.ok(statements.filter((each) => !isAuthentication(each)).length <= 1, statements.join('\n'))
  })
  test('a refused request needs only the statements of authentication', async () => {
    for (const [caller, most] of [
      [world.nobody, 0],
      [world.with({ authorization: 'Bearer unknown' }), 1],
      [world.with({ authorization: `Bearer ${'x'.repeat(5_000)}` }), 0],
      [world.as(ANN), MOST_TO_AUTHENTICATE],
      [world.partner(NORD), MOST_TO_AUTHENTICATE],
    ] as const) {
      await caller.get('/api/events/')
      statements.length = 0
      assert.ok((await caller.status('/api/events/')) >= 401)
      assert.ok(statements.length <= most, statements.join('\n'))
    }
  })
})
