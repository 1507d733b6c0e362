import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import type { Keyset, OrderColumn } from './keyset.ts'
import { findAfter, findPage, type Listing, type Paged, type PageRequest } from './paged.ts'

type Row = { id: number; name: string }

describe('pages of a list', async () => {
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
  })
  await sql`create table thing (id bigint primary key, name text not null, place int, hidden boolean not null)`.execute(db.write)
  // Names repeat, so that the id decides.
  await sql`insert into thing select n, chr(96 + (n + 1) / 2), (array[10, null, 20, 5, 0, null, 30])[n], n = 4 from generate_series(1, 7) n`.execute(
    db.write,
  )
  const listing: Listing = {
    columns: { id: sql`t.id`, name: sql`t.name` },
    from: sql`from thing t`,
    where: sql`not t.hidden`,
    order: [
      { column: sql`t.name`, type: 'text', descending: true },
      { column: sql`t.id`, type: 'bigint' },
    ],
  }
  // By name from the last to the first, then by id.
  const ALL = [7, 5, 6, 3, 1, 2]
  const find = (page: PageRequest, more: Partial<Listing> = {}) =>
    findPage<Row>({ db: db.read }, { ...listing, ...more }, page, (chosen) => sql<Paged<Row>>`${chosen}`)
  const idsOf = ({ rows }: { rows: Row[] }) => rows.map(({ id }) => id)

  const BY_OFFSET: [limit: number, offset: number, ids: number[]][] = [
    [10, 0, ALL],
    [2, 0, [7, 5]],
    [2, 2, [6, 3]],
    [4, 4, [1, 2]],
    [2, 6, []],
    [2, 600, []],
  ]
  for (const [limit, offset, ids] of BY_OFFSET)
    test(`${limit} rows from ${offset} on, with the number of all`, async () => {
      const found = await find({ limit, offset })
      assert.deepEqual([idsOf(found), found.count, found.edges], [ids, 6, undefined])
    })

  test('of an empty list count nothing', async () => {
    for (const offset of [0, 5]) {
      const found = await find({ limit: 2, offset }, { where: sql`false` })
      assert.deepEqual([found.rows, found.count], [[], 0])
    }
  })

  const id = { column: sql`t.id`, type: 'bigint' } as const
  const name = { column: sql`t.name`, type: 'text' } as const
  const place = { column: sql`t.place`, type: 'integer', nullable: true } as const
  const ORDERS: [what: string, order: OrderColumn[], ids: number[]][] = [
    ['by id', [id], [1, 2, 3, 5, 6, 7]],
    ['by id, the last first', [{ ...id, descending: true }], [7, 6, 5, 3, 2, 1]],
    ['by name', [name, id], ALL.toSorted((a, b) => a - b)],
    ['by name, the last first', [{ ...name, descending: true }, id], ALL],
    ['by place, none at the end', [place, id], [5, 1, 3, 7, 2, 6]],
    ['by place, none first', [{ ...place, descending: true }, id], [2, 6, 7, 3, 1, 5]],
    [
      'by place, none first, and by id backwards',
      [
        { ...place, descending: true },
        { ...id, descending: true },
      ],
      [6, 2, 7, 3, 1, 5],
    ],
  ]
  for (const [what, order, ids] of ORDERS)
    test(`by position lead through all rows and back: ${what}`, async () => {
      const walk = async (keyset: Keyset, limit: number): Promise<number[][]> => {
        const found = await find({ limit, offset: 0, keyset }, { order })
        assert.equal(found.count, null)
        if (!found.edges) return []
        const { first, last, hasMore } = found.edges
        const rest = await walk({ backward: keyset.backward, after: keyset.backward ? first : last }, limit)
        assert.equal(hasMore, rest.length > 0)
        return [idsOf(found), ...rest]
      }
      for (const limit of [1, 4, 6, 9]) {
        const size = Math.min(limit, ids.length)
        const pages = await walk({ backward: false }, limit)
        assert.deepEqual([pages.flat(), pages[0]!.length], [ids, size])
        const back = await walk({ backward: true }, limit)
        assert.deepEqual([back.toReversed().flat(), back[0]], [ids, ids.slice(-size)])
      }
    })

  test('without a position begin at the first row', async () => {
    const found = await findAfter<Row>({ db: db.read }, listing, { limit: 2, offset: 0 }, (chosen) => sql<Paged<Row>>`${chosen}`)
    assert.deepEqual([idsOf(found), found.edges?.hasMore], [[7, 5], true])
  })
})
