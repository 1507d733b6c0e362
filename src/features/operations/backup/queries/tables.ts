import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { sortByReferences } from '../rules/table-order.ts'

export type StoredTable = {
  name: string
  /** Without generated columns. */
  columns: string[]
  identityColumn: string | null
}

/** Part of the manifest instead. */
const MIGRATION_TABLE = 'migration'

/** Of the schemas of extensions. */
export const EXTENSION_PREFIX = 'x_'

type StoredExtension = { name: string; version: string | null; migrations: string[] }

/** Those that have tables. A database of an older version, backed up before its migration, has none. */
export async function findStoredExtensions(db: Kysely<DB>): Promise<StoredExtension[]> {
  const { rows: known } =
    await sql`select to_regclass('public.extension_migration') as found where to_regclass('public.extension_migration') is not null`.execute(
      db,
    )
  if (!known.length) return []
  const { rows } = await sql<StoredExtension>`
    select x.name, x.version, array_agg(m.name order by m.name) as migrations
    from extension x join extension_migration m on m.extension_name = x.name group by x.name order by x.name`.execute(db)
  return rows
}

/** All tables, sorted so that each comes after those it refers to. Unlogged ones hold nothing that is worth keeping. */
export async function findStoredTables(db: Kysely<DB>): Promise<StoredTable[]> {
  const { rows } = await sql<StoredTable>`
    select case n.nspname when 'public' then c.relname::text else n.nspname || '.' || c.relname end as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      min(a.attname::text) filter (where a.attidentity <> '') as "identityColumn"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where (n.nspname = 'public' or starts_with(n.nspname, ${EXTENSION_PREFIX})) and c.relkind in ('r', 'p') and c.relpersistence = 'p'
      and c.relname <> ${MIGRATION_TABLE}
    group by n.nspname, c.relname`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f'`.execute(db)
  const byName = new Map(rows.map((table) => [table.name, table]))
  return sortByReferences([...byName.keys()], references).map((name) => byName.get(name)!)
}

/** Estimated number of all rows, for showing progress. */
export async function estimateRows(db: Kysely<DB>): Promise<number> {
  const { rows } = await rowsOf(db).one(sql<{ rows: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  return rows
}

/** True if nothing was entered in this instance yet. */
export async function isEmptyInstance(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from user_profile) or exists (select from event) or exists (select from qualification)
      or exists (select from user_group) as used`.execute(db)
  return !rows[0]!.used
}

/** Connections of servers and other commands to the same database. */
export async function countOtherConnections(db: Kysely<DB>, own: number): Promise<number> {
  // unchecked read: only commands execute it, in processes of their own
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'turnout'`.execute(
    db,
  )
  return Math.max(0, rows[0]!.count - own)
}
