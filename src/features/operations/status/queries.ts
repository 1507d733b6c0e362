import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'

/** A mail that is left out because its address does not work is no failure. */
const isFailed = sql`attempts >= max_attempts and last_error is not null and not starts_with(last_error, ${sql.lit(ADDRESS_FAILED)})`

export async function countFailedJobs(db: Kysely<DB>): Promise<number> {
  // never null: count (of rows)
  const { count } = await rowsOf(db).one(sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where ${isFailed}`)
  return count
}

type FailedJob = { at: Date; task: string; error: string }

/** The newest first, with the first line of the error. */
export async function findFailedJobs(db: Kysely<DB>, limit: number): Promise<FailedJob[]> {
  // never null: at, task, error (the view of the worker shows columns that are not null, and only jobs with an error)
  return rowsOf(db).all(sql<FailedJob>`
    select updated_at as at, task_identifier as task, left(split_part(last_error, E'\n', 1), 200) as error
    from graphile_worker.jobs where ${isFailed} order by updated_at desc, id desc limit ${limit}`)
}

type DatabaseFacts = { version: string; megabytes: number; isSearchReady: boolean }

export async function getDatabaseFacts(db: Kysely<DB>): Promise<DatabaseFacts> {
  // never null: version, megabytes (functions of the server)
  return rowsOf(db).one(sql<DatabaseFacts>`
    select current_setting('server_version') as version, (pg_database_size(current_database()) / 1000000)::int as megabytes,
      exists (select from pg_extension where extname = 'pg_trgm') and to_regclass('user_profile_names_idx') is not null as "isSearchReady"`)
}

/** One for each key that sealed some. */
export async function findSealedSecrets(db: Kysely<DB>): Promise<string[]> {
  // never null: sealed (the parts leave out rows without a secret)
  const rows = await rowsOf(db).all(sql<{ sealed: string }>`
    select distinct on (split_part(sealed, '.', 1)) sealed
    from (
      select calendar_token_sealed as sealed from user_profile where calendar_token_sealed is not null
      union all select client_secret_sealed from federated_guest
      union all select access_token_sealed from federated_host
      union all select client_secret_sealed from identity_provider where client_secret_sealed is not null
      union all select token_sealed from guest_share
      union all select token_sealed from join_link
      union all select access_token_sealed from guest where access_token_sealed is not null
      union all select code_sealed from invite_code
      union all select secret_sealed from totp_factor
      union all select address_sealed from private_calendar where address_sealed is not null
      union all select value_sealed from extension_setting
      union all select key_sealed from oauth_signing_key
    ) every`)
  return rows.map(({ sealed }) => sealed)
}

export async function hasActiveAdministrator(db: Kysely<DB>): Promise<boolean> {
  return rowsOf(db).exists(sql`select from user_profile where (is_staff or is_superuser) and is_active`)
}

export async function hasDemoAccounts(db: Kysely<DB>): Promise<boolean> {
  return rowsOf(db).exists(sql`select from user_profile where email ilike '%@demo.example'`)
}
