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
  const bounds: [string | undefined, (value: string) => Condition][] = [
    [query.start_time_after, (value) => sql`${start} >= ${value}::timestamptz`],
    [query.start_gte, (value) => sql`${start} >= ${value}::timestamptz`],
    [query.start_time_before, (value) => sql`${start} <= ${value}::timestamptz`],
    [query.start_lte, (value) => sql`${start} <= ${value}::timestamptz`],
    [query.end_time_after, (value) => sql`${end} >= ${value}::timestamptz`],
    [query.end_gte, (value) => sql`${end} >= ${value}::timestamptz`],
    [query.end_time_before, (value) => sql`${end} <= ${value}::timestamptz`],
    [query.end_lte, (value) => sql`${end} <= ${value}::timestamptz`],
  ]
  return bounds.flatMap(([value, condition]) => (value === undefined ? [] : [condition(value)]))
}

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
