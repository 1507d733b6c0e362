import { type Kysely, sql } from 'kysely'
import type { Choices } from '#features/messaging/notifications/rules/channels.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type MailChoicesRow = Choices & { email: string; email_invalid: boolean; reminder_hours: number | null }

export async function getMailChoices(db: Kysely<DB>, userId: number, lock?: 'for update'): Promise<MailChoicesRow | undefined> {
  return rowsOf(db).first(sql<MailChoicesRow>`
    select disabled_notifications as disabled, enabled_notifications as enabled, email, email_invalid, reminder_hours
    from user_profile where id = ${userId} ${lock ? sql`for no key update` : sql``}`)
}
