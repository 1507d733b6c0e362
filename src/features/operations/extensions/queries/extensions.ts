import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type StoredExtension = {
  name: string
  source: string
  version: string | null
  isLoaded: boolean
  problem: string | null
  /** While its module is off because of failures. */
  stoppedBecause: string | null
  stoppedAt: Date | null
}

/** The module was switched off by its failures, and nobody has switched it on since. */
const IS_STOPPED = sql`(x.stopped_at is not null and exists (
  select from setting s where s.name = 'modules' and not s.value ? ('x_' || x.name)))`

/** Those that the servers have loaded or could not load; former ones are left out. */
export const findExtensions = (db: Kysely<DB>): Promise<StoredExtension[]> =>
  rowsOf(db).all(sql<StoredExtension>`
    select x.name, x.source, x.version, x.is_loaded as "isLoaded", x.problem,
      case when ${IS_STOPPED} then x.stopped_because end as "stoppedBecause",
      case when ${IS_STOPPED} then x.stopped_at end as "stoppedAt"
    from extension x where x.is_loaded or x.problem is not null order by x.name`)

/** Names of stopped extensions as a JSON array, for the notice above every page. */
export const stoppedNames = sql`(select coalesce(json_agg(x.name order by x.name), '[]') from extension x
  where (x.is_loaded and ${IS_STOPPED}) or (x.problem is not null and x.stuck_version is not null))`

/** What is known of the personal data of every extension that has tables. */
export const findPersonalData = (db: Kysely<DB>) =>
  db
    .selectFrom('extension')
    .select(['name', 'personal_data'])
    .where(sql<boolean>`to_regnamespace('x_' || name) is not null`)
    .orderBy('name')
    .execute()
