import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './pool.ts'
import type { DB } from './tables.ts'

/** A statement whose text is composed once instead of with each request. */
type Prepared<Row> = { text: (db: Kysely<DB>) => string; row?: Row }

/** `build` gets a function that returns the placeholder of the value at a position, from 1. */
export function prepare<Row>(build: (value: (position: number) => RawBuilder<unknown>) => RawBuilder<Row>): Prepared<Row> {
  let text: string | undefined
  return {
    text: (db) => {
      text ??= build((position) => sql.raw(`$${position}`)).compile(db).sql
      return text
    },
  }
}

/** Bypasses kysely, for the lookups that precede each request. */
export async function readPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  statement: Prepared<Row>,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await db.readPool.query<Row>(statement.text(db.read), values)
  return rows
}
