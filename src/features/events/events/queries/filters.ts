import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Condition } from '#platform/db/conditions.ts'
import type { Edges } from '#platform/db/paged.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import type { timeParameters } from '../schema/events.ts'

type TimeQuery = QueryOf<typeof timeParameters>

/** Bounds are inclusive; rows without times never match. Old and new parameter names apply together. */
export function timeConditions(query: TimeQuery, start: RawBuilder<unknown>, end: RawBuilder<unknown>): Condition[] {
  return BOUNDS.flatMap(([name, edge, operator]) => {
    const value = query[name]
    return value === undefined ? [] : [sql`${edge === 'start' ? start : end} ${operator} ${value}::timestamptz`]
  })
}

const FROM = sql.raw('>=')
const UNTIL = sql.raw('<=')
const BOUNDS: [keyof TimeQuery, 'start' | 'end', RawBuilder<unknown>][] = [
  ['start_time_after', 'start', FROM],
  ['start_gte', 'start', FROM],
  ['start_time_before', 'start', UNTIL],
  ['start_lte', 'start', UNTIL],
  ['end_time_after', 'end', FROM],
  ['end_gte', 'end', FROM],
  ['end_time_before', 'end', UNTIL],
  ['end_lte', 'end', UNTIL],
]

/** Cache key of a record body: the version changes whenever the body changes. */
export type Key = { id: number; version: string }
/** The fingerprint changes whenever one of the bodies changes. */
export type Keyed = { count: number | null; keys: Key[]; fingerprint: string; edges?: Edges | undefined }

export function keyed(count: number | null, keys: Key[], edges?: Edges): Keyed {
  return { count, keys, edges, fingerprint: hash('sha1', keys.map(({ id, version }) => `${id}:${version}`).join(' ')) }
}

export type Listing = { columns: RawBuilder<unknown>; from: RawBuilder<unknown>; order: RawBuilder<unknown> }

export type Counted<Row> = Row & { count: number }

/**
 * A page with the count of all rows, in one query; only a page beyond the end needs a second one. `read` declares the row type at
 * the caller, where tests compare it with the result, and may add columns.
 */
export async function findCounted<Row extends object>(
  context: RequestContext,
  { columns, from, order }: Listing,
  page: Pagination,
  read: (chosen: RawBuilder<unknown>) => RawBuilder<Counted<Row>>,
): Promise<{ count: number; rows: Row[] }> {
  const chosen = sql`select ${columns}, (count(*) over ())::int as count ${from} order by ${order} limit ${page.limit} offset ${page.offset}`
  const { rows } = await read(chosen).execute(context.db)
  if (rows.length || page.offset === 0) return { count: rows[0]?.count ?? 0, rows }
  const counted = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(context.db)
  return { count: counted.rows[0]!.count, rows: [] }
}
