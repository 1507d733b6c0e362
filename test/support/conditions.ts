import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder } from 'kysely'

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The tables that a condition reads, and its values without repetition. */
export type Dependencies = { tables: string[]; values: unknown[] }

/** The text of a condition on one line, without a database. */
export const textOf = (condition: RawBuilder<unknown>): string => condition.compile(db).sql.replaceAll(/\s+/g, ' ').trim()

/** The values of a condition in the order of its text. */
export const valuesOf = (condition: RawBuilder<unknown>): readonly unknown[] => condition.compile(db).parameters

/** What a condition depends on, or its text if it depends on the row alone. What it selects is tested with a database. */
export function dependenciesOf(condition: RawBuilder<unknown>): Dependencies | string {
  const text = textOf(condition)
  const tables = new Set([...text.matchAll(/\b(?:from|join) ([a-z_]+)/g)].map(([, table]) => table!))
  const values = new Map(valuesOf(condition).map((value) => [JSON.stringify(value), value]))
  return tables.size === 0 && values.size === 0 ? text : { tables: [...tables].sort(), values: [...values.values()] }
}
