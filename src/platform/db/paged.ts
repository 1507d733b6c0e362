import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Keys, type Keyset, keyColumns, keysOf, keyTexts, type OrderColumn, orderBy, segmentsAfter } from './keyset.ts'
import type { DB } from './tables.ts'

/** A page by offset, or with `keyset` the rows after or before a position. */
export type PageRequest = { limit: number; offset: number; keyset?: Keyset | undefined }

/** Where a page by position starts and ends, and whether rows follow it in the direction of the walk. */
export type Edges = { first: Keys; last: Keys; hasMore: boolean }

/** `count` is null for pages by position, which do not count. `edges` is undefined if there are no rows. */
export type PagedRows<Row> = { count: number | null; rows: Row[]; edges?: Edges | undefined }

export type Listing = {
  /** SQL expressions by the name of the result column. */
  columns: Readonly<Record<string, RawBuilder<unknown>>>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** A total order: the last column is unique. */
  order: readonly OrderColumn[]
}

/** The order of most lists. */
export const byId = (column: RawBuilder<unknown>): OrderColumn[] => [{ column, type: 'bigint' }]

/** `keys` holds the values of the order columns, for pages by position. */
export type Paged<Row> = Row & { count: number | null; keys: Keys | null }

/** The columns of a select, with their names. */
export const selected = (columns: Listing['columns']): RawBuilder<unknown> =>
  sql.join(Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.ref(name)}`))

type Context = { db: Kysely<DB> }
type Read<Row> = (chosen: RawBuilder<unknown>) => RawBuilder<Paged<Row>>

/**
 * A page of an API list. By offset it is read with the count of all rows, in one statement unless the page is beyond the end; by
 * position without counting. `read` declares the row type at the caller, where tests compare it with the result; it may add columns,
 * and must keep the order of the rows, `count` and `keys`.
 */
export async function findPage<Row extends object>(
  { db }: Context,
  listing: Listing,
  page: PageRequest,
  read: Read<Row>,
): Promise<PagedRows<Row>> {
  if (page.keyset) return findAfter({ db }, listing, page, read)
  const { columns, from, where, order } = listing
  const chosen = sql`select ${selected(columns)}, (select count(*)::int ${from} where ${where}) as count, null::text[] as keys
    ${from} where ${where} order by ${orderBy(order)} limit ${page.limit} offset ${page.offset}`
  const { rows } = await read(chosen).execute(db)
  if (rows.length || page.offset === 0) return { count: rows[0]?.count ?? 0, rows }
  const counted = await sql<{ count: number }>`select count(*)::int as count ${from} where ${where}`.execute(db)
  return { count: counted.rows[0]!.count, rows: [] }
}

/** The rows after or before a position. */
export async function findAfter<Row extends object>(
  { db }: Context,
  listing: Listing,
  page: PageRequest,
  read: Read<Row>,
): Promise<PagedRows<Row>> {
  const { rows } = await read(chooseAfter(listing, page.limit, page.keyset ?? { backward: false })).execute(db)
  return edged(page, rows)
}

/** One row more than the page tells whether there are more. It is at the far end in the direction of the walk. */
export function edged<Row extends { keys: Keys | null }>({ limit, keyset }: PageRequest, found: Row[]): PagedRows<Row> {
  const hasMore = found.length > limit
  const rows = hasMore ? (keyset?.backward ? found.slice(1) : found.slice(0, limit)) : found
  if (!rows.length) return { count: null, rows }
  return { count: null, rows, edges: { first: rows[0]!.keys!, last: rows.at(-1)!.keys!, hasMore } }
}

/** Each segment is a range of an index, so a page at the end of the list costs as much as the first one. */
function chooseAfter({ columns, from, where, order }: Listing, limit: number, keyset: Keyset): RawBuilder<unknown> {
  const walked = orderBy(order, keyset.backward)
  const segments = segmentsAfter(order, keyset).map(
    (segment) => sql`(select ${selected(columns)}, ${keyColumns(order)} ${from} where ${where} and ${segment}
      order by ${walked} limit ${limit + 1})`,
  )
  const chosen = keysOf(order)
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  return sql`select ${names}, null::int as count, ${keyTexts(order)} as keys
    from (select * from (${sql.join(segments, sql` union all `)}) found order by ${orderBy(chosen, keyset.backward)}
      limit ${limit + 1}) page
    order by ${orderBy(chosen)}`
}
