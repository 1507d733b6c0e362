import { type RawBuilder, sql } from 'kysely'

export type Condition = RawBuilder<unknown>

/**
 * A value that PostgreSQL does not know when it plans: it keeps the plan for the connection. A statement with a value that it knows is
 * planned again with each execution if the kept plan seems to be worse, and planning often takes several times as long as the execution.
 */
export const unplanned = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${value})`

/** With one id a plain comparison, and for several a list whose length PostgreSQL does not know when it plans. */
export const isOneOf = (column: RawBuilder<unknown>, ids: readonly number[]): Condition =>
  ids.length === 1 ? sql`${column} = ${ids[0]}::bigint` : sql`${column} = any (${unplanned(sql`${ids}::bigint[]`)}::bigint[])`

/** Case-insensitive substring match; `%` and `_` are matched literally. */
export function contains(column: RawBuilder<unknown>, term: string): Condition {
  return sql`${column} ilike ${`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

/** One condition per term: the term occurs in at least one of the columns. */
export function searchIn(terms: string[] | undefined, columns: RawBuilder<unknown>[]): Condition[] {
  return (terms ?? []).map(
    (term) =>
      sql`(${sql.join(
        columns.map((column) => contains(column, term)),
        sql` or `,
      )})`,
  )
}

/** Finds names without accents, and with umlauts in both spellings; people have an index for it (`prepare_people_search`). */
export function searchNames(terms: readonly string[], columns: RawBuilder<unknown>[]): Condition[] {
  return terms.map((term) => {
    const pattern = `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`
    return sql`(${sql.join(
      columns.map((column) => sql`search_text(${column}) like search_text(${pattern})`),
      sql` or `,
    )})`
  })
}

/** Names that are similar to what was typed, for typing errors. Needs the extension `pg_trgm`, with its thresholds. */
export const searchSimilar = (typed: string, column: RawBuilder<unknown>): Condition =>
  sql`(search_text(${column}) % search_text(${typed}) or search_text(${column}) %> search_text(${typed}))`

/** ` and a and b`, to be appended to another condition. */
export function andAll(conditions: Condition[]): RawBuilder<unknown> {
  return conditions.length ? sql` and ${sql.join(conditions, sql` and `)}` : sql``
}

/** `ids` selects the ids of what changed since then, by indexes: a condition on each row would read all rows. */
export function modifiedSince(
  { modified_since }: { modified_since?: string | undefined },
  id: Condition,
  ids: (since: Condition) => Condition,
): Condition[] {
  if (modified_since === undefined) return []
  return [sql`${id} = any (array(${ids(sql`${modified_since}::timestamptz`)}))`]
}
