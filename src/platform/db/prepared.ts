import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './pool.ts'
import type { DB } from './tables.ts'

/** The text of a statement whose values come later; the parts in between are put together once, not with every request. */
export type Prepared<Row> = { text: (db: Kysely<DB>) => string; row?: Row }

/** `build` gets a placeholder for each value, in the order in which they are handed over. */
export function prepare<Row>(build: (value: (position: number) => RawBuilder<unknown>) => RawBuilder<Row>): Prepared<Row> {
  let text: string | undefined
  return {
    text: (db) => {
      text ??= build((position) => sql.raw(`$${position}`)).compile(db).sql
      return text
    },
  }
}

/** Straight to the driver: for the one look-up that comes before every answer. */
export async function readPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  statement: Prepared<Row>,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await db.readPool.query<Row>(statement.text(db.read), values)
  return rows
}
