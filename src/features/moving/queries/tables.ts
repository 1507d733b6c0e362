import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { inOrder } from '../rules/table-order.ts'

export type StoredTable = {
  name: string
  /** Those that hold something of their own; what the database works out by itself is left to it. */
  columns: string[]
  /** The column that numbers its rows. */
  numbered: string | null
}

/** The history of the schema tells where rows belong; it travels in the manifest. */
const NOT_CARRIED = 'migration'

/** Everything that we store, in the order in which it can be filled. */
export async function findStoredTables(db: Kysely<DB>): Promise<StoredTable[]> {
  const { rows } = await sql<StoredTable>`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      min(a.attname::text) filter (where a.attidentity <> '') as numbered
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> ${NOT_CARRIED}
    group by c.relname`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db)
  const byName = new Map(rows.map((table) => [table.name, table]))
  return inOrder([...byName.keys()], references).map((name) => byName.get(name)!)
}

/** How many rows each table has, roughly, for showing progress. */
export async function estimateRows(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db)
  return rows[0]!.rows
}

/** True when nobody has begun to use this instance. */
export async function isUnused(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from user_profile) or exists (select from event) or exists (select from qualification)
      or exists (select from user_group) as used`.execute(db)
  return !rows[0]!.used
}

/** Connections of a server or another command on the same database. */
export async function countOthers(db: Kysely<DB>, own: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'turnout'`.execute(
    db,
  )
  return Math.max(0, rows[0]!.count - own)
}
