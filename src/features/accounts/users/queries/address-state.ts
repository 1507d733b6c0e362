import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type ShownFailure = { since: Date | null; reason: string | null }

/** Undefined if the address works, as far as is known. */
export async function getAddressFailure(db: Kysely<DB>, userId: number): Promise<ShownFailure | undefined> {
  return rowsOf(db).first(sql<ShownFailure>`
    select f.failed_at as since, nullif(f.reason, '') as reason
    from user_profile u left join email_failure f on f.user_id = u.id and lower(f.email) = lower(u.email)
    where u.id = ${userId} and u.email_invalid and u.email not like '%@no-address.invalid'`)
}

/** The address of a person whose mails come back, for the layout of every page; null if it works. */
export const failedAddressOf = (userId: number) => sql<string | null>`(
  select u.email from user_profile u where u.id = ${userId} and u.email_invalid and not u.is_service_account
    and u.email not like '%@no-address.invalid')`
