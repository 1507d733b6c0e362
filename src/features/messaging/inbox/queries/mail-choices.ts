import { type Kysely, sql } from 'kysely'
import type { NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Choices } from '#features/messaging/notifications/rules/channels.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type MailChoicesRow = Choices & {
  email: string
  email_invalid: boolean
  reminder_hours: number | null
  quiet_hours: string | null
}

export async function getMailChoices(db: Kysely<DB>, userId: number, lock?: 'for update'): Promise<MailChoicesRow | undefined> {
  return rowsOf(db).first(sql<MailChoicesRow>`
    select disabled_notifications as disabled, enabled_notifications as enabled, email, email_invalid, reminder_hours,
      quiet_hours
    from user_profile where id = ${userId} ${lock ? sql`for no key update` : sql``}`)
}

/** Names of kinds that do not concern the person: what they choose about these stays as it is. */
export async function findHiddenKinds(db: Kysely<DB>, kinds: readonly NotificationKind[], userId: number): Promise<Set<string>> {
  const limited = kinds.flatMap(({ name, concerns }) =>
    concerns ? [sql`select ${name}::text as name where not ${concerns(userId)}`] : [],
  )
  if (!limited.length) return new Set()
  const rows = await rowsOf(db).all(sql<{ name: string }>`${sql.join(limited, sql` union all `)}`)
  return new Set(rows.map(({ name }) => name))
}

/** How many of the last notifications came by which way; `channel`: by one of an extension; `site`: on this site alone. */
export type LastWays = { push: number; mail: number; both: number; channel: number; site: number }

const LAST = 5

/**
 * Of those that nothing is to be sent of any more. Mails about a child reach the guardian, whose own notification has none. `isMailOff`: the
 * server has written mails to a folder at most.
 */
export async function countLastWays(db: Kysely<DB>, userId: number, { isMailOff = false } = {}): Promise<LastWays> {
  const rows = await rowsOf(db).all(sql<{ isPush: boolean; isMail: boolean; isChannel: boolean }>`
    select n.push = 'sent' as "isPush", n.mail = 'sent' or exists (select from notification c
      where c.user_id = n.about_id and n.source = c.source || ' for ' || n.about_id and c.mail = 'sent') as "isMail",
      exists (select from notification_delivery d where d.notification_id = n.id and d.state = 'sent') as "isChannel"
    from notification n where n.user_id = ${userId} and n.mail <> 'waiting' and n.push <> 'waiting' order by n.id desc limit ${LAST}`)
  const count = (push: boolean, mail: boolean) =>
    rows.filter((row) => !row.isChannel && row.isPush === push && (row.isMail && !isMailOff) === mail).length
  return {
    push: count(true, false),
    mail: count(false, true),
    both: count(true, true),
    channel: rows.filter(({ isChannel }) => isChannel).length,
    site: count(false, false),
  }
}
