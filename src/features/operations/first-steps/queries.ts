import { type Kysely, sql } from 'kysely'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { InstanceState } from './rules.ts'

type StoredState = Omit<InstanceState, 'hasMail' | 'hasBackup' | 'hasBackupFolder'> & { isDismissed: boolean }

/** One statement, because home asks for it whenever an administrator opens it. */
export async function getStoredState(db: Kysely<DB>): Promise<StoredState> {
  return rowsOf(db).one(sql<StoredState>`
    select exists (select from setting where name = 'first_steps_dismissed') as "isDismissed",
      exists (select from setting where name = 'organization_name' and value <> '""') as "hasName",
      exists (select from setting where name = 'time_zone') as "hasTimeZone",
      exists (select from setting where name = 'default_language') as "hasLanguage",
      not exists (select from setting where name = 'modules') or exists (select from setting where name = 'modules_chosen') as "hasModules",
      exists (select from mail_state where sent_at is not null and failed_at is null) as "hasSentMail",
      exists (select from user_group g where (
        select count(*) from group_permission p where p.group_id = g.id and p.permission = any (${[...BUNDLES.management]}::text[])
      ) < ${BUNDLES.management.length}) as "hasGroups",
      exists (select from qualification) as "hasQualifications",
      exists (select from event_type) as "hasEventTypes",
      (select count(*) from (select from user_profile where is_active and is_visible limit 2) p) > 1 as "hasPeople",
      exists (select from event where deleted_at is null) as "hasEvents"`)
}
