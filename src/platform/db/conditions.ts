import { type RawBuilder, sql } from 'kysely'

export type Condition = RawBuilder<unknown>

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

/** ` and a and b`, to be appended to another condition. */
export function andAll(conditions: Condition[]): RawBuilder<unknown> {
  return conditions.length ? sql` and ${sql.join(conditions, sql` and `)}` : sql``
}

/** At least one of the times is at or after the given one. */
export function modifiedSince({ modified_since }: { modified_since?: string | undefined }, times: Condition[]): Condition[] {
  if (modified_since === undefined) return []
  const conditions = times.map((time) => sql`${time} >= ${modified_since}::timestamptz`)
  return [sql`(${sql.join(conditions, sql` or `)})`]
}
