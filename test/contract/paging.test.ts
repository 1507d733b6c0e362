import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { BEN, HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const EVENTS = 7
const BASE = `${SITE_URL}/api/events/`

describe('paging', async () => {
  const world = await openWorld()
  const ids: number[] = []
  for (let n = 0; n < EVENTS; n++) {
    const shifts = [{ start: `2031-05-0${n + 1}T08:00:00+02:00` }]
    const { id, shifts: made } = await world.addEvent({ title: `Event ${n}`, seenBy: [HELPERS], sharedWith: [NORD], shifts })
    await world.addParticipation({ who: OLGA, shift: made[0]! })
    ids.push(id)
  }
  await world.db.write
    .insertInto('building_block')
    .values(ids.map((n) => ({ name: `Block ${n}`, block_type: 'atomic' })))
    .execute()
  for (const name of ['Cem', 'Dora']) await world.addPerson({ name })
  const olga = world.as(OLGA, ...SCOPES)
  const ben = world.as(BEN, 'PUBLIC_READ')

  /** The expected rows of the page, and the queries of the next and previous page. */
  const PAGES: [query: string, rows: [from: number, to: number], next: string | null, previous: string | null][] = [
    ['', [0, 7], null, null],
    ['limit=100', [0, 7], null, null],
    ['limit=7', [0, 7], null, null],
    ['limit=6', [0, 6], 'limit=6&offset=6', null],
    ['limit=3', [0, 3], 'limit=3&offset=3', null],
    ['limit=3&offset=3', [3, 6], 'limit=3&offset=6', 'limit=3'],
    ['limit=3&offset=2', [2, 5], 'limit=3&offset=5', 'limit=3'],
    ['limit=3&offset=4', [4, 7], null, 'limit=3&offset=1'],
    ['limit=3&offset=6', [6, 7], null, 'limit=3&offset=3'],
    ['limit=3&offset=7', [0, 0], null, 'limit=3&offset=4'],
    ['limit=3&offset=99', [0, 0], null, 'limit=3&offset=96'],
    ['offset=2', [2, 7], null, 'limit=100'],
    ['limit=0', [0, 7], null, null],
    ['limit=-3', [0, 7], null, null],
    ['limit=', [0, 7], null, null],
    ['limit=2.5', [0, 7], null, null],
    ['limit=abc', [0, 7], null, null],
    ['limit=0x2', [0, 7], null, null],
    ['limit=2e0', [0, 7], null, null],
    ['limit=abc&offset=6', [6, 7], null, 'limit=100'],
    ['offset=-1', [0, 7], null, null],
    ['offset=x', [0, 7], null, null],
    ['offset=', [0, 7], null, null],
    ['limit=1&limit=3', [0, 3], 'limit=3&offset=3', null],
    ['limit=3&limit=x', [0, 7], null, null],
    ['limit=3&offset=1&offset=6', [6, 7], null, 'limit=3&offset=3'],
    ['limit=%203%20&offset=+3+', [3, 6], 'limit=3&offset=6', 'limit=3'],
    ['limit=003', [0, 3], 'limit=3&offset=3', null],
    ['limit=1000', [0, 7], null, null],
    ['limit=1001&offset=1', [1, 7], null, 'limit=1000'],
    ['limit=99999999999999999999999999&offset=1', [1, 7], null, 'limit=1000'],
    ['limit=5000&offset=2000', [0, 0], null, 'limit=1000&offset=1000'],
    ['page=3&limit=3', [0, 3], 'limit=3&offset=3&page=3', null],
    ['page_size=1', [0, 7], null, null],
    ['z=1&limit=3&a=2&a=1&b=', [0, 3], 'a=2&a=1&b=&limit=3&offset=3&z=1', null],
    ['limit=3&b&a', [0, 3], 'a=&b=&limit=3&offset=3', null],
    ['limit=3&x=a%20b%2Bc%3A%26%3D%C3%A4', [0, 3], 'limit=3&offset=3&x=a+b%2Bc%3A%26%3D%C3%A4', null],
    [
      'limit=3&start_time_after=2031-01-01T00%3A00%3A00%2B01%3A00',
      [0, 3],
      'limit=3&offset=3&start_time_after=2031-01-01T00%3A00%3A00%2B01%3A00',
      null,
    ],
    ['search=event&limit=3&ordering=title', [0, 3], 'limit=3&offset=3&ordering=title&search=event', null],
  ]
  for (const caller of [olga, ben]) {
    for (const [query, [from, to], next, previous] of PAGES)
      test(`?${query} returns ${to - from} rows for ${caller === olga ? 'Olga' : 'Ben'}`, async () => {
        const { body, headers } = await caller.get('/api/events/', { query })
        const link = (text: string | null) => text && `${BASE}?${text}`
        assert.deepEqual(
          [body.results.map(({ id }: { id: number }) => id), body.count, body.next, body.previous],
          [ids.slice(from, to), EVENTS, link(next), link(previous)],
        )
        const links = [next && `<${link(next)}>; rel="next"`, previous && `<${link(previous)}>; rel="prev"`].filter(Boolean)
        assert.equal(headers.link, links.length ? links.join(', ') : undefined)
      })
  }

  const LISTS: [path: string, count: number][] = [
    ['/api/events/', EVENTS],
    ['/api/events/?search=event', EVENTS],
    ['/api/shifts/', EVENTS],
    ['/api/shifts/?ordering=-id', EVENTS],
    ['/api/participations/', EVENTS],
    ['/api/participations/?state=1', EVENTS],
    ['/api/participations-userinfo/', EVENTS],
    [`/api/users/${OLGA.id}/participations/`, EVENTS],
    ['/api/users/me/participations/', EVENTS],
    ['/api/users/', 7],
    ['/api/users/?search=a.example', 7],
    ['/api/buildingblocks/', EVENTS],
    ['/api/federation/events/', EVENTS],
  ]
  for (const [path, count] of LISTS) {
    const caller = path.includes('federation') ? world.partner(NORD) : olga
    const url = (query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

    test(`following next in ${path} returns every row once, and previous returns the same rows`, async () => {
      const whole = await caller.ids(path)
      assert.equal(whole.length, count)
      for (const limit of [1, 2, 3]) {
        const seen: number[] = []
        let last = ''
        for (let next: string | null = url(`limit=${limit}`); next; ) {
          const { body } = await caller.get(next)
          assert.equal(body.count, count)
          seen.push(...body.results.map(({ id }: { id: number }) => id))
          last = next
          next = body.next?.slice(SITE_URL.length) ?? null
        }
        assert.deepEqual(seen, whole)
        let back = 1
        for (let previous = (await caller.get(last)).body.previous; previous; back++)
          previous = (await caller.get(previous.slice(SITE_URL.length))).body.previous
        assert.equal(back, Math.ceil(count / limit))
      }
    })

    test(`an offset beyond the end of ${path} returns no rows and the count`, async () => {
      for (const offset of [count, count + 5, 10 ** 9, 10 ** 15]) {
        const { body } = await caller.get(url(`limit=5&offset=${offset}`))
        assert.deepEqual([body.count, body.results, body.next], [count, [], null])
        assert.equal(new URL(body.previous).searchParams.get('offset'), String(offset - 5))
      }
      assert.equal(await caller.status(url(`offset=${'9'.repeat(40)}`)), 200)
    })
  }
})

describe('a page of more than 1,000 rows', async () => {
  const world = await openWorld()
  const rows = Array.from({ length: 1_100 }, (_, n) => ({ name: `Block ${n}`, block_type: 'atomic' }))
  await world.db.write.insertInto('building_block').values(rows).execute()
  const olga = world.as(OLGA, 'PUBLIC_READ')

  for (const limit of [1_000, 1_001, 5_000, '9'.repeat(30)])
    test(`is truncated for limit=${limit}, and next continues after it`, async () => {
      const first = await olga.get('/api/buildingblocks/', { query: { limit } })
      assert.deepEqual([first.body.count, first.body.results.length], [1_100, 1_000])
      assert.equal(first.body.next, `${SITE_URL}/api/buildingblocks/?limit=1000&offset=1000`)
      const second = await olga.get(first.body.next.slice(SITE_URL.length))
      assert.equal(second.body.results.length, 100)
      assert.equal(second.body.results[0].id, first.body.results[999].id + 1)
    })
  test('has 100 rows by default', async () => {
    assert.equal((await olga.get('/api/buildingblocks/')).body.results.length, 100)
    assert.equal((await olga.get('/api/buildingblocks/?limit=999')).body.results.length, 999)
  })
})
