import { type RawBuilder, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { storedRows } from './store.ts'

type ForeignKey = { column: string; target: string; key: string; isOptional: boolean }
type Columns = { table: string; columns: string[]; foreignKeys: ForeignKey[] }

/**
 * Writes the shift and everything that belonged to it again, with the same ids, and deletes the copy. Columns that did not exist when the
 * copy was made get their default. What refers to records that were deleted meanwhile is left out. The caller holds the locks of the
 * participants and the event.
 */
export async function restoreRows(tx: Tx, context: CommandContext, shiftId: number): Promise<void> {
  const rows = storedRows(context)
  const columns = await findColumns(tx, ['shift', 'participation', ...rows.map(({ table }) => table)])
  const write = (table: string, source: RawBuilder<unknown>) => insertRows(tx, columns.get(table)!, shiftId, source)
  await write('shift', sql`select row from removed_shift where id = ${shiftId}`)
  // People whose account was deactivated have given up their places.
  await write(
    'participation',
    sql`select p.row || jsonb_build_object('user_id', p.user_id, 'guest_id', p.guest_id, 'visitor_id', p.visitor_id,
        'state', case when p.state in (0, 1) and not u.is_active then 2 else p.state end,
        'version', (p.row ->> 'version')::int + 1, 'modified_at', clock_timestamp()) as row
      from removed_participation p left join user_profile u on u.id = p.user_id where p.removed_shift_id = ${shiftId} order by p.id`,
  )
  for (const { table, column, person, isLink } of rows) {
    const stored = sql`from removed_row r where r.removed_shift_id = ${shiftId} and r.table_name = ${table}`
    if (isLink)
      await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${shiftId}
        where ${sql.ref(`t.${column}`)} is null and t.id in (select (r.row ->> 'id')::bigint ${stored})`.execute(tx)
    else
      await write(
        table,
        person === undefined
          ? sql`select r.row ${stored} order by r.id`
          : sql`select r.row || jsonb_build_object(${person}::text, r.user_id) as row ${stored} order by r.id`,
      )
  }
  await sql`delete from removed_shift where id = ${shiftId}`.execute(tx)
}

async function insertRows(
  tx: Tx,
  { table, columns, foreignKeys }: Columns,
  shiftId: number,
  source: RawBuilder<unknown>,
): Promise<void> {
  const { names } = await rowsOf(tx).one(sql<{ names: string[] }>`
    select array(select distinct jsonb_object_keys(s.row) from (${source}) s) as names`)
  const known = columns.filter((name) => names.includes(name))
  if (!known.length) return
  const existsFor = ({ column, target, key }: ForeignKey) => {
    const stored = sql`exists (select from ${sql.table(target)} f where ${sql.ref(`f.${key}`)} = ${sql.ref(`x.${column}`)})`
    // Rows of the same statement, such as a participation and those whom it brings.
    return target === 'participation' && table === 'participation'
      ? sql`(${stored} or ${sql.ref(`x.${column}`)} in (select id from removed_participation where removed_shift_id = ${shiftId}))`
      : stored
  }
  const restoredValue = (name: string) => {
    const optional = foreignKeys.find(({ column, isOptional }) => column === name && isOptional)
    return optional ? sql`case when ${existsFor(optional)} then ${sql.ref(`x.${name}`)} end` : sql.ref(`x.${name}`)
  }
  const required = foreignKeys.filter(({ column, isOptional }) => !isOptional && known.includes(column))
  await sql`
    insert into ${sql.table(table)} (${sql.join(known.map((name) => sql.ref(name)))}) overriding system value
    select ${sql.join(known.map(restoredValue))}
    from (${source}) s cross join lateral jsonb_populate_record(null::${sql.table(table)}, s.row) x
    where ${required.length ? sql.join(required.map(existsFor), sql` and `) : sql`true`}
    on conflict do nothing`.execute(tx)
}

/** Columns that can be written, and foreign keys with one column. */
async function findColumns(tx: Tx, tables: readonly string[]): Promise<Map<string, Columns>> {
  // never null: table (equal to one of those searched for)
  const found = await rowsOf(tx).all(sql<Columns>`
    select c.relname as table,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      coalesce((
        select json_agg(json_build_object('column', a.attname, 'target', f.relname, 'key', b.attname, 'isOptional', not a.attnotnull))
        from pg_constraint k join pg_class f on f.oid = k.confrelid
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
          join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
        where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1), '[]') as "foreignKeys"
    from pg_class c where c.oid = any (${tables}::regclass[])`)
  return new Map(found.map((each) => [each.table, each]))
}
