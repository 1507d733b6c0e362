import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkHeader, pageLinks, parsePage } from './paging.ts'
import { parseRawQuery } from './raw-query.ts'

const read = (query: string) => parsePage(parseRawQuery(`/?${query}`))

const PAGES: [query: string, limit: number, offset: number][] = [
  ['', 100, 0],
  ['limit=1', 1, 0],
  ['limit=1000', 1000, 0],
  ['limit=1001', 1000, 0],
  ['limit=99999999999999999999999', 1000, 0],
  ['limit=0', 100, 0],
  ['limit=-1', 100, 0],
  ['limit=', 100, 0],
  ['limit=2.5', 100, 0],
  ['limit=1e3', 100, 0],
  ['limit=0x10', 100, 0],
  ['limit=many', 100, 0],
  ['limit=%00', 100, 0],
  ['limit=+7+', 7, 0],
  ['limit=007', 7, 0],
  ['limit=5&limit=6', 6, 0],
  ['limit=5&limit=x', 100, 0],
  ['offset=3', 100, 3],
  ['offset=-3', 100, 0],
  ['offset=x', 100, 0],
  ['offset=', 100, 0],
  ['offset=1&offset=2', 100, 2],
  ['page=3&Limit=5', 100, 0],
]
for (const [query, limit, offset] of PAGES)
  test(`?${query} is ${limit} from ${offset}`, () => assert.deepEqual(read(query), { limit, offset }))

test('the maximum offset is a safe integer', () => {
  const { limit, offset } = read('limit=1000&offset=99999999999999999999999999')
  assert.ok(Number.isSafeInteger(offset + limit))
})

const BASE = 'https://a.example/api/events/'
const LINKS: [what: string, query: string, count: number, next: string | null, previous: string | null][] = [
  ['one page', '', 100, null, null],
  ['a full page and one more', '', 101, '?limit=100&offset=100', null],
  ['the first of three', 'limit=1', 3, '?limit=1&offset=1', null],
  ['the second of three', 'limit=1&offset=1', 3, '?limit=1&offset=2', '?limit=1'],
  ['the last of three', 'limit=1&offset=2', 3, null, '?limit=1&offset=1'],
  ['an offset that is smaller than a page', 'limit=5&offset=3', 20, '?limit=5&offset=8', '?limit=5'],
  ['an offset beyond the end', 'limit=10&offset=50', 3, null, '?limit=10&offset=40'],
  ['an offset exactly at the end', 'limit=10&offset=10', 10, null, '?limit=10'],
  ['no rows', '', 0, null, null],
  ['a limit above the maximum', 'limit=5000', 3000, '?limit=1000&offset=1000', null],
  ['garbage for a limit', 'limit=x', 101, '?limit=100&offset=100', null],
  ['repeated limits', 'limit=2&limit=3', 9, '?limit=3&offset=3', null],
  [
    'other parameters, sorted, repeats and blanks kept',
    'type=2&search=&event=9&event=1&limit=1',
    2,
    '?event=9&event=1&limit=1&offset=1&search=&type=2',
    null,
  ],
  [
    'values that need escapes',
    'search=a+b%2Bc&start_time_after=2031-05-04T08:00:00%2B02:00&limit=1',
    2,
    '?limit=1&offset=1&search=a+b%2Bc&start_time_after=2031-05-04T08%3A00%3A00%2B02%3A00',
    null,
  ],
]
for (const [what, text, count, next, previous] of LINKS) {
  test(`links of ${what}`, () => {
    const query = parseRawQuery(`/?${text}`)
    const whole = (tail: string | null) => tail && BASE + tail
    assert.deepEqual(pageLinks(BASE, query, parsePage(query), count), { next: whole(next), previous: whole(previous) })
  })
}

test('following next visits every row once', () => {
  const seen: number[] = []
  let query = parseRawQuery('/?limit=7')
  for (;;) {
    const page = parsePage(query)
    for (let row = page.offset; row < Math.min(page.offset + page.limit, 30); row++) seen.push(row)
    const { next } = pageLinks(BASE, query, page, 30)
    if (!next) break
    query = parseRawQuery(next)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, row) => row),
  )
})

test('the Link header contains the available links', () => {
  assert.equal(linkHeader({ next: null, previous: null }), undefined)
  assert.equal(linkHeader({ next: 'https://a/?n', previous: null }), '<https://a/?n>; rel="next"')
  assert.equal(
    linkHeader({ next: 'https://a/?n', previous: 'https://a/?p' }),
    '<https://a/?n>; rel="next", <https://a/?p>; rel="prev"',
  )
})
