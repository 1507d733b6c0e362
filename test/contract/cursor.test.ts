import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addRemovedShift, addWaitingEntry } from '#test/support/api-records.ts'
import type { Json } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'

const ROWS = 7
/** Rows of a page; usually the lists take turns. */
const LIMITS = chooseSize({
  usual: [
    [1, 100],
    [2, 3],
  ],
  full: [[1, 2, 3, 100]],
})

/** Several rows in every list. Some events have no times, some have the same. */
async function fill(world: World): Promise<void> {
  for (let n = 0; n < ROWS; n++) {
    const title = `${'CABBAGE'[n]} ${n % 3}`
    const shifts = n % 3 === 2 ? [] : [{ start: `2031-05-0${1 + (n % 3)}T08:00:00+02:00`, label: `L${n % 2}` }]
    const event = await world.addEvent({ title, seenBy: n === 3 ? [BEN] : [HELPERS], sharedWith: [NORD], shifts })
    for (const who of event.shifts.length ? [OLGA, ANN] : []) await world.addParticipation({ who, shift: event.shifts[0]! })
  }
  for (let n = 0; n < 3; n++) {
    await world.addEvent({ title: `Draft ${n}`, draft: true })
    await world.addEvent({ title: `Deleted ${n}`, deleted: true })
    const stopped = await world.addEvent({ title: `Stopped ${n}`, cancelled: true, shifts: [{}] })
    await world.addParticipation({ who: OLGA, shift: stopped.shifts[0]! })
    await addWaitingEntry(world, { shift: stopped.shifts[0]!, who: OLGA })
    await addRemovedShift(world, { eventId: (await world.addEvent({ shifts: [{}] })).id, participant: OLGA })
  }
  const series = sql`generate_series(1, ${ROWS}::int) n`
  for (const statement of [
    sql`insert into visitor (federated_guest_id, remote_id, email, display_name) values (${NORD.id}::bigint, 1, 'v@nord.example', 'Vic')`,
    sql`insert into participation (shift_id, kind, visitor_id, state, event_id, start_time, end_time)
      select s.id, 'visitor', v.id, 1, s.event_id, s.start_time, s.end_time from shift s cross join visitor v`,
    sql`insert into building_block (name, block_type) select 'Block ' || n, 'atomic' from ${series}`,
    sql`insert into event_type (title) select 'Type ' || n from ${series}`,
    sql`insert into qualification_category (title) select 'Category ' || n from ${series}`,
    sql`insert into qualification (title, category_id) select title, id from qualification_category`,
    sql`insert into qualification_grant (user_id, qualification_id) select ${OLGA.id}::bigint, id from qualification`,
    sql`insert into user_group (name) select 'Group ' || n from ${series}`,
    sql`insert into user_group_member (group_id, user_id) select ${HELPERS.id}::bigint, id from user_profile on conflict do nothing`,
    sql`insert into resource_category (name) select 'Category ' || n from ${series}`,
    sql`insert into resource (title, category_id) select name, id from resource_category`,
    sql`insert into working_hours (user_id, hours, date, reason) select ${OLGA.id}::bigint, n, '2031-03-02', 'Reason' from ${series}`,
    sql`insert into decision_request (kind, user_id, data, created_at)
      select 'working_hours', ${OLGA.id}::bigint, jsonb_build_object('date', '2031-03-02', 'hours', n, 'reason', 'Reason'), now() from ${series}`,
    sql`insert into notification (user_id, kind, source, bundle, created_at, next_attempt_at)
      select ${OLGA.id}::bigint, 'profile_changed', 'test ' || n, 'test', now(), now() from ${series}`,
    sql`insert into webhook (owner_id, name, description, url, kinds, scopes, active, secret_sealed, created_at)
      select ${OLGA.id}::bigint, 'Webhook ' || n, '', 'https://a.example/', '{event}', '{PUBLIC_READ}', true, 'x', now() from ${series}`,
    sql`insert into webhook_queue (webhook_id, feed_id, position, next_at) select w.id, f.id, f.position, now() from webhook w, change_feed f`,
    sql`insert into webhook_delivery (webhook_id, message_id, kind, record_id, what, body, state, attempts, created_at)
      select w.id, 'message ' || n, 'event', n, 'updated', '{}', 'delivered', 1, now() from webhook w, ${series}`,
  ])
    await statement.execute(world.db.write)
}

const pathOf = (url: string): string => url.slice(SITE_URL.length)
const joined = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** All pages from the first to the last. */
async function walk(caller: Caller, start: string): Promise<Json[]> {
  const pages: Json[] = []
  for (let next: string | null = start; next; next = pages.at(-1).next && pathOf(pages.at(-1).next)) {
    const { status, body, text } = await caller.get(next)
    assert.equal(status, 200, text)
    pages.push(body)
  }
  return pages
}

describe('paging by cursor', async () => {
  const world = await openWorld()
  await fill(world)
  const olga = world.as(OLGA, ...SCOPES)
  const ben = world.as(BEN, ...SCOPES)
  const callerOf = (path: string) => (path.includes('federation') ? world.partner(NORD) : olga)

  const lists = ENDPOINTS.filter(({ kind }) => kind === 'list').map(({ path }) =>
    (path as string).replace('{user}', String(OLGA.id)).replace('{id}', String(HELPERS.id)),
  )
  const ordered = [
    ...['start_time', '-start_time', 'end_time,-title', 'title', '-title,start_time', '-end_time,-start_time,-title'].map(
      (ordering) => `/api/events/?ordering=${ordering}`,
    ),
    ...[
      'label',
      '-label,id',
      'event__title,-start_time',
      '-id',
      'structure_configuration',
      '-signup_flow_configuration,label',
    ].map((ordering) => `/api/shifts/?ordering=${ordering}`),
    '/api/events/?search=0&start_time_after=2031-01-01',
    '/api/participations/?state=1&event_type=1',
    `/api/users/?search=a.example`,
  ]

  let walked = 0
  async function checkWalk(caller: Caller, path: string): Promise<void> {
    const whole = (await caller.get(path)).body.results
    for (const limit of LIMITS[walked++ % LIMITS.length]!) {
      const pages = await walk(caller, joined(path, `limit=${limit}&cursor=`))
      assert.deepEqual(
        pages.flatMap(({ results }) => results),
        whole,
        `${path} by ${limit}`,
      )
      assert.ok(pages.every(({ count }) => count === null))
      assert.equal(pages[0].previous, null)
      // Back from the last page: the same rows, and no page before the first one.
      const back: Json[] = [...pages.at(-1).results]
      for (let previous = pages.at(-1).previous; previous; ) {
        const { body } = await caller.get(pathOf(previous))
        back.unshift(...body.results)
        previous = body.previous
        if (body.results.length) assert.notEqual(body.next, null)
      }
      assert.deepEqual(back, whole, `${path} back by ${limit}`)
    }
  }
  for (const path of [...lists, ...ordered])
    test(`${path} returns every row once, forwards and backwards`, async () => {
      await checkWalk(callerOf(path), path)
      assert.ok((await callerOf(path).get(path)).body.count >= 3, 'too few rows to page')
    })
  for (const path of ['/api/events/', '/api/shifts/', ...ordered.filter((each) => !each.includes('users'))])
    test(`${path} returns to somebody who sees some events by groups and one personally every row once`, () =>
      checkWalk(ben, path))

  test('rows that come and go while a client pages move nothing; by offset they do', async () => {
    const own = await openWorld()
    const make = (day: number) =>
      own.addEvent({ seenBy: [HELPERS], shifts: [{ start: `2031-06-${String(day).padStart(2, '0')}T08:00:00+02:00` }] })
    const there: number[] = []
    for (let day = 10; day < 20; day++) there.push((await make(day)).id)
    for (const person of [OLGA, BEN]) {
      const caller = own.as(person, 'PUBLIC_READ')
      const walkWhileChanging = async (start: string) => {
        const seen: number[] = []
        const passing: number[] = []
        for (let next: string | null = start; next; ) {
          const { body } = await caller.get(next)
          seen.push(...body.results.map(({ id }: { id: number }) => id))
          // One more before the position and one after it; or one fewer.
          if (passing.length < 4) passing.push((await make(1 + passing.length)).id, (await make(28 - passing.length)).id)
          else await own.db.write.deleteFrom('event').where('id', '=', passing.shift()!).execute()
          next = body.next && pathOf(body.next)
        }
        await own.db.write.deleteFrom('event').where('id', 'in', passing).execute()
        return seen.filter((id) => there.includes(id))
      }
      assert.deepEqual(await walkWhileChanging('/api/events/?limit=3&cursor='), there)
      assert.notDeepEqual(await walkWhileChanging('/api/events/?limit=3'), there)
    }
  })
  test('the row at the position may be deleted', async () => {
    const first = (await olga.get('/api/buildingblocks/?limit=3&cursor=')).body
    await world.db.write.deleteFrom('building_block').where('id', '=', first.results[2].id).execute()
    const ids = await olga.ids('/api/buildingblocks/')
    const second = (await olga.get(pathOf(first.next))).body
    assert.deepEqual(
      second.results.map(({ id }: { id: number }) => id),
      ids.slice(2, 5),
    )
  })

  test('keeps the other parameters in the links and in the header', async () => {
    const { body, headers } = await olga.get('/api/events/?z=1&limit=2&cursor=&search=0&a=')
    const { searchParams } = new URL(body.next)
    assert.deepEqual([...searchParams.keys()], ['a', 'cursor', 'limit', 'search', 'z'])
    assert.equal(headers.link, `<${body.next}>; rel="next"`)
  })
  test('a cursor allows another limit and other fields', async () => {
    const { body } = await olga.get('/api/events/?limit=2&cursor=')
    const cursor = new URL(body.next).searchParams.get('cursor')!
    const next = await olga.get('/api/events/', { query: { cursor, limit: 5, fields: 'id' } })
    assert.deepEqual(
      next.body.results,
      (await olga.ids('/api/events/')).slice(2, 7).map((id) => ({ id })),
    )
  })
  test('refuses what is no cursor of this list with these filters', async () => {
    const cursorOf = async (path: string) =>
      new URL((await olga.get(joined(path, 'limit=2&cursor='))).body.next).searchParams.get('cursor')!
    const cursor = await cursorOf('/api/events/')
    const flipped = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.at(-1)}`
    const bad: [path: string, cursor: string][] = [
      ['/api/events/', 'x'],
      ['/api/events/', 'null'],
      ['/api/events/', cursor.slice(1)],
      ['/api/events/', `${cursor}A`],
      ['/api/events/', flipped],
      ['/api/events/', `${cursor}=`],
      ['/api/events/', 'A'.repeat(200)],
      ['/api/shifts/', cursor],
      ['/api/events/?ordering=title', cursor],
      ['/api/events/?search=0', cursor],
      ['/api/events/', await cursorOf('/api/events/?search=0')],
      [`/api/users/${ANN.id}/participations/`, await cursorOf(`/api/users/${OLGA.id}/participations/`)],
    ]
    for (const [path, text] of bad) {
      const { status, body } = await olga.get(joined(path, `cursor=${encodeURIComponent(text)}`))
      assert.deepEqual([status, body.code, body.errors?.length], [400, 'invalid_input', 1], `${path} ${text}`)
      assert.deepEqual([body.errors[0].parameter, body.errors[0].code], ['cursor', 'invalid_cursor'])
    }
    const german = await olga.get('/api/events/?cursor=x', { headers: { 'accept-language': 'de' } })
    assert.match(german.body.errors[0].detail, /Cursor/)
  })
  test('refuses cursor and offset together, and lists all mistakes', async () => {
    const { status, body } = await olga.get('/api/events/?cursor=&offset=3&type=none&fields=nothing,id,more')
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ parameter, code }: { parameter: string; code: string }) => [parameter, code]),
      [
        ['type', 'invalid_choice'],
        ['cursor', 'cursor_with_offset'],
        ['fields', 'unknown_field'],
        ['fields', 'unknown_field'],
      ],
    )
    assert.equal(await olga.status('/api/events/?cursor=&offset='), 200)
  })
  test('answers 304 while nothing changes, and another ETag when a later page comes', async () => {
    for (const path of ['/api/events/', '/api/shifts/', '/api/users/', '/api/participations/']) {
      const url = joined(path, 'limit=2&cursor=')
      const { etag } = (await olga.get(url)).headers
      assert.equal(await olga.status(url, { headers: { 'if-none-match': etag! } }), 304, path)
      const plain = (await olga.get(`${path}?limit=2`)).headers.etag
      assert.notEqual(etag, plain)
    }
    const url = '/api/events/?limit=100&cursor='
    const { etag } = (await olga.get(url)).headers
    await world.addEvent({ seenBy: [HELPERS] })
    assert.equal(await olga.status(url, { headers: { 'if-none-match': etag! } }), 200)
  })
})
