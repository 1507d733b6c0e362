import { type RawBuilder, sql } from 'kysely'

/** Columns by the fields of a row that they fill. */
export type Columns<Row> = { [Field in keyof Row]: RawBuilder<unknown> }

/**
 * A row as JSON, its values in the order of the columns. A page of records has thousands of values, which the driver
 * reads one by one; many rows in one value are parsed at once, in half of the time.
 */
export const jsonRow = <Row>(columns: Columns<Row>): RawBuilder<unknown> =>
  sql`json_build_array(${sql.join(Object.values<RawBuilder<unknown>>(columns))})`

/** What the database gathered of such rows; null when there was none. */
export type JsonRows = unknown[][] | null

export function readJsonRows<Row>(columns: Columns<Row>, rows: JsonRows): Row[] {
  const fields = Object.keys(columns)
  return (rows ?? []).map((values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i++) row[fields[i]!] = values[i]
    return row as Row
  })
}
