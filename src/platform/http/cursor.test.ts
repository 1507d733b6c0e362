import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Keyset } from '#platform/db/keyset.ts'
import type { Edges } from '#platform/db/paged.ts'
import { type CursorBinding, cursorLinks, readCursor } from './cursor.ts'
import { parseRawQuery } from './raw-query.ts'

const BINDING: CursorBinding = { keyring: makeKeyring('k'.repeat(32)), list: '/api/events/', filters: [['type', '3']] }
const BASE = 'https://plan.example/api/events/'
const EDGES: Edges = { first: ['a', '1'], last: ['b', null], hasMore: true }

const linksOf = (keyset: Keyset, edges: Edges | undefined, query = '') =>
  cursorLinks(BINDING, { base: BASE, query: parseRawQuery(`/?${query}`), limit: 50, keyset, edges })
const positionIn = (link: string | null) => link && readCursor(BINDING, new URL(link).searchParams.get('cursor') ?? 'none at all')

describe('links by position', () => {
  const AFTER = { after: EDGES.last, backward: false }
  const BEFORE = { after: EDGES.first, backward: true }
  const START: Keyset = { backward: false }
  const LATER: Keyset = { after: ['a', '0'], backward: false }
  const BACK: Keyset = { after: ['c', '9'], backward: true }
  const more = (hasMore: boolean): Edges => ({ ...EDGES, hasMore })
  const CASES: [what: string, keyset: Keyset, edges: Edges | undefined, next: unknown, previous: unknown][] = [
    ['of the first page', START, more(true), AFTER, null],
    ['of the only page', START, more(false), null, null],
    ['of a page in the middle', LATER, more(true), AFTER, BEFORE],
    ['of the last page', LATER, more(false), null, BEFORE],
    ['of a page on the way back', BACK, more(true), AFTER, BEFORE],
    ['of the first page on the way back', BACK, more(false), AFTER, null],
    ['of a page without rows', LATER, undefined, null, null],
  ]
  for (const [what, keyset, edges, next, previous] of CASES)
    test(what, () => {
      const links = linksOf(keyset, edges)
      assert.deepEqual([positionIn(links.next), positionIn(links.previous)], [next, previous])
    })

  test('keep other parameters, sorted by name, with the limit and without former positions', () => {
    const { next } = linksOf({ backward: false }, EDGES, 'type=3&limit=7&cursor=x&offset=4&also=b&also=a')
    const cursor = new URL(next!).searchParams.get('cursor')
    assert.equal(next, `${BASE}?also=b&also=a&cursor=${cursor}&limit=50&type=3`)
    assert.equal(linksOf({ backward: false }, EDGES).next, linksOf({ backward: false }, EDGES).next)
  })
})

describe('a cursor', () => {
  const cursor = new URL(linksOf({ backward: false }, EDGES).next!).searchParams.get('cursor')!
  test('that is empty is the start of the list', () => assert.deepEqual(readCursor(BINDING, ''), { backward: false }))

  const bytes = Buffer.from(cursor, 'base64url')
  const changed = (at: number) => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 1
    return copy.toString('base64url')
  }
  const REFUSED: [what: string, binding: CursorBinding, text: string][] = [
    ['of another list', { ...BINDING, list: '/api/shifts/' }, cursor],
    ['with other filters', { ...BINDING, filters: [['type', '4']] }, cursor],
    ['without its filters', { ...BINDING, filters: [] }, cursor],
    ['of another instance', { ...BINDING, keyring: makeKeyring('x'.repeat(32)) }, cursor],
    ['with another first byte', BINDING, changed(0)],
    ['with another last byte of the signature', BINDING, changed(11)],
    ['with another position', BINDING, changed(12)],
    ['that is cut off within its signature', BINDING, bytes.subarray(0, 11).toString('base64url')],
    ['that is cut off behind its signature', BINDING, bytes.subarray(0, 12).toString('base64url')],
    ['with another character', BINDING, `${cursor}=`],
    ['with a blank', BINDING, `${cursor} `],
  ]
  for (const [what, binding, text] of REFUSED) test(`${what} is none`, () => assert.equal(readCursor(binding, text), undefined))
})
