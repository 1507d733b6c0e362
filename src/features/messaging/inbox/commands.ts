import { storeNotificationChoices } from '#features/accounts/users/commands/notifications.ts'
import type { KindName, NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { writeQuietHours } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { kindsOf } from '#features/messaging/notifications/queries/kinds.ts'
import { type Channel, makeChoices, wants } from '#features/messaging/notifications/rules/channels.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { findHiddenKinds, getMailChoices } from './queries/mail-choices.ts'
import { chooseKinds } from './rules.ts'
import type { NotificationSettings } from './schema.ts'

/** Stops mails of these kinds. Repeating it changes nothing. */
export async function unsubscribe(
  context: CommandContext,
  { userId, kinds }: { userId: number; kinds: readonly NotificationKind[] },
): Promise<void> {
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, userId, 'for update')
    if (!before || !kinds.some((kind) => wants('mail', kind, before))) return
    const all = kindsOf(context.site)
    const wanted = all.filter((each) => wants('mail', each, before) && !kinds.some(({ name }) => name === each.name))
    const names = new Set<string>(wanted.map(({ name }) => name))
    await storeNotificationChoices(tx, context, userId, makeChoices('mail', all, names, before))
  })
}

type Wanted = {
  mail: ReadonlySet<string>
  push?: ReadonlySet<string> | undefined
  reminderHours: number | null
  quietHours?: string | null
}
type MailChoices = NonNullable<Awaited<ReturnType<typeof getMailChoices>>>

async function storeOwnChoices(
  context: CommandContext,
  choose: (before: MailChoices, hidden: ReadonlySet<string>) => Wanted,
): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user') return
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, actor.userId, 'for update')
    if (!before) return
    const all = kindsOf(context.site)
    const { mail, push, ...times } = choose(before, await findHiddenKinds(tx, all, actor.userId))
    const byMail = makeChoices('mail', all, mail, before)
    const choices = push ? makeChoices('push', all, push, byMail) : byMail
    await storeNotificationChoices(tx, context, actor.userId, { ...choices, ...times })
  })
}

/** The user gets these kinds by mail and, if the form offered them, by push. Unknown names are ignored. */
export const chooseChannels = (
  context: CommandContext,
  {
    kinds,
    push_kinds,
    with_push,
    reminder_hours,
    quiet_from,
    quiet_to,
    shown_topics,
    former_topics,
    topics,
  }: NotificationSettings,
): Promise<void> =>
  storeOwnChoices(context, (before, hidden) => {
    const choice = { shown: new Set(shown_topics), former: new Set(former_topics), on: new Set(topics), hidden }
    const wantedBy = (channel: Channel, ticked: readonly string[]) =>
      chooseKinds(kindsOf(context.site), choice, new Set(ticked), (kind) => wants(channel, kind, before))
    return {
      mail: wantedBy('mail', kinds),
      push: with_push ? wantedBy('push', push_kinds) : undefined,
      reminderHours: reminder_hours,
      quietHours: quiet_from && quiet_from !== quiet_to ? writeQuietHours({ from: quiet_from, to: quiet_to }) : null,
    }
  })

type KindChange = { kind: KindName; mail?: boolean | undefined; push?: boolean | undefined }

/** Changes some kinds; undefined: unchanged. */
export const changeChannels = (
  context: CommandContext,
  { kinds, reminderHours }: { kinds: readonly KindChange[]; reminderHours: number | null | undefined },
): Promise<void> =>
  storeOwnChoices(context, (before) => {
    const wantedBy = (channel: Channel) => {
      const given = new Map(kinds.map((change) => [change.kind as string, change[channel]]))
      return new Set<string>(
        kindsOf(context.site)
          .filter((kind) => given.get(kind.name) ?? wants(channel, kind, before))
          .map(({ name }) => name),
      )
    }
    const hours = reminderHours === undefined ? before.reminder_hours : reminderHours
    return { mail: wantedBy('mail'), push: wantedBy('push'), reminderHours: hours }
  })
