import { isDeepStrictEqual } from 'node:util'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** Pairs of channel and notification kind: opted out, and opted in to kinds that are off by default. */
type NotificationChoices = {
  disabled: readonly unknown[]
  enabled: readonly unknown[]
  /** Null: as the organisation chose; undefined: unchanged. */
  reminderHours?: number | null
  /** Null: none; undefined: unchanged. */
  quietHours?: string | null
}

/** The caller must hold the lock of the person. */
export async function storeNotificationChoices(
  tx: Tx,
  context: CommandContext,
  userId: number,
  { disabled, enabled, reminderHours, quietHours }: NotificationChoices,
): Promise<void> {
  const before = await tx
    .selectFrom('user_profile')
    .select(['disabled_notifications', 'enabled_notifications', 'reminder_hours', 'quiet_hours'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const hours = reminderHours === undefined ? before.reminder_hours : reminderHours
  const quiet = quietHours === undefined ? before.quiet_hours : quietHours
  const stored = [before.disabled_notifications, before.enabled_notifications, before.reminder_hours, before.quiet_hours]
  if (isDeepStrictEqual(stored, [disabled, enabled, hours, quiet])) return
  await tx
    .updateTable('user_profile')
    .set({
      disabled_notifications: JSON.stringify(disabled),
      enabled_notifications: JSON.stringify(enabled),
      reminder_hours: hours,
      quiet_hours: quiet,
    })
    .where('id', '=', userId)
    .execute()
  await record(tx, context, {
    kind: 'user.notifications_chosen',
    subject: { kind: 'user', id: userId },
    changes: {
      disabled: [before.disabled_notifications, disabled],
      enabled: [before.enabled_notifications, enabled],
      ...(hours === before.reminder_hours ? {} : { reminder_hours: [before.reminder_hours, hours] }),
      ...(quiet === before.quiet_hours ? {} : { quiet_hours: [before.quiet_hours, quiet] }),
    },
  })
}
