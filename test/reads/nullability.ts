import pg from 'pg'
import type { Recording, ResultColumn } from './recording.ts'

const OUTER_JOIN = /\b(left|right|full)\s+(outer\s+)?join\b/i

/** Tells which columns of a result can be null, as far as the catalogue and the planner show. */
export type Nullability = (text: string, columns: readonly ResultColumn[]) => ReadonlySet<string>

/**
 * A column can be null if it is taken from a nullable column of a table, or from a table on the nullable side of an outer join.
 * Nothing is said about expressions. The database must be a copy of the template, so that it has the same table ids.
 */
export async function readNullability(url: string, { reads }: Recording): Promise<Nullability> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ key: string }>(
      `select attrelid || '.' || attnum as key from pg_attribute where attnum > 0 and not attnotnull`,
    )
    const nullable = new Set(rows.map(({ key }) => key))
    const outerJoined = new Map<string, ReadonlySet<number>>()
    const texts = [...reads.values()].flatMap((results) => [...results.values()]).flatMap((result) => result.texts)
    for (const text of new Set(texts)) if (OUTER_JOIN.test(text)) outerJoined.set(text, await findOuterJoined(client, text))
    return (text, columns) => {
      const found = columns.filter(
        ({ table, position }, index) =>
          table !== 0 && (nullable.has(`${table}.${position}`) || outerJoined.get(text)?.has(index)),
      )
      return new Set(found.map(({ name }) => name))
    }
  } finally {
    await client.end()
  }
}

type Plan = {
  'Node Type': string
  'Join Type'?: string
  'Parent Relationship'?: string
  Alias?: string
  Output?: string[]
  Plans?: Plan[]
}

/** Positions of the columns that come from a table on the nullable side of an outer join. */
async function findOuterJoined(client: pg.Client, text: string): Promise<ReadonlySet<number>> {
  const plan = await explain(client, text)
  if (!plan) return new Set()
  const aliases = new Set(nullableSides(plan).flatMap(scannedTables))
  const found = new Set<number>()
  for (const [index, output] of (plan.Output ?? []).entries()) {
    const alias = /^\(?(\w+)\.\w+\)?$/.exec(output)?.[1]
    if (alias !== undefined && aliases.has(alias)) found.add(index)
  }
  return found
}

/** Undefined if PostgreSQL cannot plan the statement alone, for example a fetch from a cursor. */
async function explain(client: pg.Client, text: string): Promise<Plan | undefined> {
  try {
    const { rows } = await client.query(`explain (verbose, generic_plan, costs off, format json) ${text}`)
    return rows[0]['QUERY PLAN'][0].Plan as Plan
  } catch {
    return undefined
  }
}

function nullableSides(plan: Plan): Plan[] {
  const children = plan.Plans ?? []
  const sides = { Left: ['Inner'], Right: ['Outer'], Full: ['Inner', 'Outer'] }[plan['Join Type'] ?? ''] ?? []
  const own = children.filter((child) => sides.includes(child['Parent Relationship'] ?? ''))
  return [...own, ...children.flatMap(nullableSides)]
}

/** Aliases of tables only: the columns of a subquery have aliases of their own. */
function scannedTables(plan: Plan): string[] {
  const isTable = /Scan$/.test(plan['Node Type']) && !/^(Subquery|CTE|Function|Values)/.test(plan['Node Type'])
  return [...(isTable && plan.Alias ? [plan.Alias] : []), ...(plan.Plans ?? []).flatMap(scannedTables)]
}
