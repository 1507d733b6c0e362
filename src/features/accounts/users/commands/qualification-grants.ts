import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/** Before a qualification is deleted: gives its current holders another one with the same expiry, or the later of both expiries. */
export async function moveGrants(tx: Tx, { from, to, now }: { from: number; to: number; now: Date }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into qualification_grant (user_id, qualification_id, expires_at, externally_managed)
    select user_id, ${to}, expires_at, externally_managed from qualification_grant
    where qualification_id = ${from} and (expires_at is null or expires_at >= ${now})
    on conflict (user_id, qualification_id) do update set expires_at =
      case when qualification_grant.expires_at is null or excluded.expires_at is null then null
        else greatest(qualification_grant.expires_at, excluded.expires_at) end`.execute(tx)
  return Number(numAffectedRows)
}
