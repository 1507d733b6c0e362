import { type Kysely, sql } from 'kysely'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { InstanceState } from './rules.ts'

export type StoredState = Omit<InstanceState, 'hasMail' | 'hasBackup' | 'hasBackupFolder'>

/** `StoredState`, or null after an administrator has hidden the list. */
export const storedState = sql`(
  select case when exists (select from setting where name = 'first_steps_dismissed') then null else json_build_object(
    'hasName', exists (select from setting where name = 'organization_name' and value <> '""'),
    'hasTimeZone', exists (select from setting where name = 'time_zone'),
    'hasLanguage', exists (select from setting where name = 'default_language'),
    'hasModules', not exists (select from setting where name = 'modules') or exists (select from setting where name = 'modules_chosen'),
    'hasSentMail', exists (select from mail_state where sent_at is not null and failed_at is null),
    'hasGroups', exists (select from user_group g where (
      select count(*) from group_permission p where p.group_id = g.id and p.permission = any (${[...BUNDLES.management]}::text[])
    ) < ${BUNDLES.management.length}),
    'hasQualifications', exists (select from qualification),
    'hasEventTypes', exists (select from event_type),
    'hasPeople', (select count(*) from (select from user_profile where is_active and is_visible limit 2) p) > 1,
    'hasEvents', exists (select from event where deleted_at is null)) end)`

/** One statement, because home asks for it whenever an administrator opens it. */
export async function getStoredState(db: Kysely<DB>): Promise<StoredState | null> {
  return (await rowsOf(db).one(sql<{ state: StoredState | null }>`select ${storedState} as state`)).state
}
