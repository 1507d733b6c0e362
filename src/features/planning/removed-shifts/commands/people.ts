import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { ShiftRows } from '../points.ts'

/** When a person is erased: a shift that is restored later comes back without them and those whom they brought. */
export async function deleteRemovedOf(tx: Tx, userId: number): Promise<void> {
  await sql`delete from removed_participation where (row ->> 'brought_by_id')::bigint in (
    select id from removed_participation where user_id = ${userId})`.execute(tx)
  await sql`delete from removed_participation where user_id = ${userId}`.execute(tx)
  await sql`delete from removed_row where user_id = ${userId}`.execute(tx)
}

/** Texts of others that name an erased person. */
export async function redactRemoved(tx: Tx, pattern: string, replacement: string): Promise<void> {
  const redacted = sql`regexp_replace(row::text, ${pattern}, ${replacement}, 'g')::jsonb`
  await sql`update removed_participation set row = ${redacted} where row::text ~ ${pattern}`.execute(tx)
  await sql`update removed_row set row = ${redacted} where row::text ~ ${pattern}`.execute(tx)
  await sql`update removed_shift set reason = regexp_replace(reason, ${pattern}, ${replacement}, 'g') where reason ~ ${pattern}`.execute(
    tx,
  )
}

type Pair = { remainingId: number; otherId: number }

/** Two accounts become one: where both were on a removed shift, the better state stays. */
export async function mergeRemoved(tx: Tx, rows: readonly ShiftRows[], { remainingId, otherId }: Pair): Promise<void> {
  const rank = (table: string) => sql`array_position(array[1, 0]::smallint[], ${sql.ref(`${table}.state`)})`
  await sql`
    delete from removed_participation worse using removed_participation better
    where worse.shift_id = better.shift_id and worse.id <> better.id
      and worse.user_id in (${remainingId}, ${otherId}) and better.user_id in (${remainingId}, ${otherId})
      and (coalesce(${rank('worse')}, 3), worse.user_id = ${otherId}) > (coalesce(${rank('better')}, 3), better.user_id = ${otherId})`.execute(
    tx,
  )
  await sql`update removed_participation set user_id = ${remainingId} where user_id = ${otherId}`.execute(tx)
  await sql`update removed_row set user_id = ${remainingId} where user_id = ${otherId}`.execute(tx)
  for (const each of rows) {
    if ('lost' in each) continue
    for (const column of each.people ?? [])
      await sql`update removed_row set row = row || jsonb_build_object(${column}::text, ${remainingId}::bigint)
        where table_name = ${each.table} and row ->> ${column} = ${String(otherId)}`.execute(tx)
  }
}
