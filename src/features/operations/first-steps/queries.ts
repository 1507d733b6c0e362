import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { InstanceState } from './rules.ts'

type StoredState = Omit<InstanceState, 'hasMail' | 'hasBackup'> & { isDismissed: boolean }

/** One statement, because home asks for it whenever an administrator opens it. */
export async function getStoredState(db: Kysely<DB>): Promise<StoredState> {
  return rowsOf(db).one(sql<StoredState>`
    select exists (select from setting where name = 'first_steps_dismissed') as "isDismissed",
      exists (select from setting where name = 'organization_name' and value <> '""') as "hasName",
      exists (select from setting where name = 'time_zone') as "hasTimeZone",
      not exists (select from setting where name = 'modules') or exists (select from setting where name = 'modules_chosen') as "hasModules",
      exists (select from user_group) as "hasGroups",
      exists (select from qualification) as "hasQualifications",
      (select count(*) from (select from user_profile where is_active and is_visible limit 2) p) > 1 as "hasPeople",
      exists (select from event where deleted_at is null) as "hasEvents"`)
}
