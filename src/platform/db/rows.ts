import type { QueryExecutorProvider, RawBuilder } from 'kysely'

/** The rows of a statement. */
export const rowsOf = (db: QueryExecutorProvider) => ({
  all: async <Row>(statement: RawBuilder<Row>): Promise<Row[]> => (await statement.execute(db)).rows,
  first: async <Row>(statement: RawBuilder<Row>): Promise<Row | undefined> => (await statement.execute(db)).rows[0],
  /** For statements that always have a row. */
  one: async <Row>(statement: RawBuilder<Row>): Promise<Row> => (await statement.execute(db)).rows[0]!,
  exists: async (statement: RawBuilder<unknown>): Promise<boolean> => (await statement.execute(db)).rows.length > 0,
})
