import { sql } from 'kysely'
import type { Tx } from './transaction.ts'

type Definition = { table: string; name: string; definition: string }

/**
 * Drops the indexes and foreign keys of tables before a bulk load, and returns a function that creates them again. Creating them
 * once costs a fraction of maintaining them row by row. Primary keys stay, because other tables refer to them.
 */
export async function dropIndexes(tx: Tx, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<Definition>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any (${tables}::text[]::regclass[]) order by 1, 2`.execute(tx)
  const { rows: indexes } = await sql<Definition>`
    select indrelid::regclass::text as table, relname as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = any (${tables}::text[]::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid) order by 1, 2`.execute(tx)
  for (const { table, name } of keys) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  for (const { name } of indexes) await sql`drop index ${sql.table(name)}`.execute(tx)
  return async () => {
    await sql`set local maintenance_work_mem = '128MB'`.execute(tx)
    for (const { definition } of indexes) await sql.raw(definition).execute(tx)
    for (const { table, name, definition } of keys) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    }
  }
}
