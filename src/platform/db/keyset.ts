import { type RawBuilder, sql } from 'kysely'

/** Values of the order columns of a row, as PostgreSQL writes them. */
export type Keys = (string | null)[]

/** Pages by position: the rows after `after`, or before it; all rows without `after`. */
export type Keyset = { after?: Keys | undefined; backward: boolean }

export type OrderColumn = {
  column: RawBuilder<unknown>
  /** The type to which a key is cast. */
  type: 'bigint' | 'boolean' | 'date' | 'integer' | 'jsonb' | 'text' | 'timestamptz'
  nullable?: boolean
  descending?: boolean
}

/** As in PostgreSQL, null is greater than every value: last in ascending order, first in descending order. */
export function orderBy(order: readonly OrderColumn[], backward = false): RawBuilder<unknown> {
  return sql.join(order.map(({ column, descending = false }) => (descending !== backward ? sql`${column} desc` : column)))
}

/** The order on rows that carry the keys as `key_0`, `key_1` and so on. */
export const keysOf = (order: readonly OrderColumn[]): OrderColumn[] =>
  order.map((each, index) => ({ ...each, column: sql.ref(`key_${index}`) }))

/**
 * Conditions for the rows beyond the position, disjoint. Each is a range that an index on the order columns gives in order, which one
 * condition with `or` would not be.
 */
export function segmentsAfter(order: readonly OrderColumn[], { after, backward }: Keyset): RawBuilder<unknown>[] {
  if (!after) return [sql`true`]
  const columns = order.map((each, index) => ({
    ...each,
    descending: (each.descending ?? false) !== backward,
    key: after[index] ?? null,
  }))
  const isUniform = columns.every(({ descending, key }) => descending === columns[0]!.descending && key !== null)
  const segments = columns.flatMap((column, index) => {
    const equal = columns.slice(0, index).map(isEqual)
    return (isUniform ? nullsBeyond(column) : valuesBeyond(column)).map((each) => joined([...equal, each]))
  })
  return isUniform ? [rowBeyond(columns), ...segments] : segments
}

/** One condition for all of them, for few rows. */
export const isAfter = (order: readonly OrderColumn[], keyset: Keyset): RawBuilder<unknown> =>
  sql`(${sql.join(segmentsAfter(order, keyset), sql` or `)})`

/** The order columns of a select, as `key_0`, `key_1` and so on. */
export const keyColumns = (order: readonly OrderColumn[]): RawBuilder<unknown> =>
  sql.join(order.map(({ column }, index) => sql`${column} as ${sql.ref(`key_${index}`)}`))

/** The keys of a row that carries them as `key_0`, `key_1` and so on. */
export const keyTexts = (order: readonly OrderColumn[]): RawBuilder<unknown> =>
  sql`array[${sql.join(keysOf(order).map(({ column }) => sql`${column}::text`))}]`

type KeyColumn = OrderColumn & { key: string | null }

const cast = ({ key, type }: KeyColumn): RawBuilder<unknown> => sql`${key}::${sql.raw(type)}`
const joined = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> => sql`(${sql.join(conditions, sql` and `)})`
const isEqual = (each: KeyColumn): RawBuilder<unknown> =>
  each.key === null ? sql`${each.column} is null` : sql`${each.column} = ${cast(each)}`

function rowBeyond(columns: KeyColumn[]): RawBuilder<unknown> {
  const sides = [sql.join(columns.map(({ column }) => column)), sql.join(columns.map(cast))] as const
  return columns[0]!.descending ? sql`(${sides[0]}) < (${sides[1]})` : sql`(${sides[0]}) > (${sides[1]})`
}

function nullsBeyond({ column, nullable, descending, key }: KeyColumn): RawBuilder<unknown>[] {
  return nullable && !descending && key !== null ? [sql`${column} is null`] : []
}

function valuesBeyond(each: KeyColumn): RawBuilder<unknown>[] {
  const { column, descending, key } = each
  if (key === null) return descending ? [sql`${column} is not null`] : []
  return [descending ? sql`${column} < ${cast(each)}` : sql`${column} > ${cast(each)}`, ...nullsBeyond(each)]
}
