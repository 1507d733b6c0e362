import { storeNotificationChoices } from '#features/accounts/users/commands/notifications.ts'
import { notificationChannel } from '#features/messaging/channels/points.ts'
import type { NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
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
  /** Undefined: unchanged. */
  others: ReadonlyMap<Channel, ReadonlySet<string>>
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
    const { mail, others, ...times } = choose(before, await findHiddenKinds(tx, all, actor.userId))
    let choices = makeChoices('mail', all, mail, before)
    for (const [channel, wanted] of others) choices = makeChoices(channel, all, wanted, choices)
    await storeNotificationChoices(tx, context, actor.userId, { ...choices, ...times })
  })
}

/** The user gets these kinds by mail and, if the form offered them, by push and channels. Unknown names are ignored. */
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
    shown_channels,
    channel_kinds,
  }: NotificationSettings,
): Promise<void> =>
  storeOwnChoices(context, (before, hidden) => {
    const choice = { shown: new Set(shown_topics), former: new Set(former_topics), on: new Set(topics), hidden }
    const wantedBy = (channel: Channel, ticked: readonly string[]) =>
      chooseKinds(kindsOf(context.site), choice, new Set(ticked), (kind) => wants(channel, kind, before))
    const others = new Map<Channel, Set<string>>()
    if (with_push) others.set('push', wantedBy('push', push_kinds))
    for (const { name } of context.site.added(notificationChannel)) {
      if (!shown_channels.includes(name)) continue
      const ticked = channel_kinds.flatMap((value) => (value.startsWith(`${name} `) ? [value.slice(name.length + 1)] : []))
      others.set(name, wantedBy(name, ticked))
    }
    return {
      mail: wantedBy('mail', kinds),
      others,
      reminderHours: reminder_hours,
      quietHours: quiet_from && quiet_from !== quiet_to ? writeQuietHours({ from: quiet_from, to: quiet_to }) : null,
    }
  })

type KindChange = { kind: string; mail?: boolean | undefined; push?: boolean | undefined }

/** Changes some kinds; undefined: unchanged. */
export const changeChannels = (
  context: CommandContext,
  { kinds, reminderHours }: { kinds: readonly KindChange[]; reminderHours: number | null | undefined },
): Promise<void> =>
  storeOwnChoices(context, (before) => {
    const wantedBy = (channel: 'mail' | 'push') => {
      const given = new Map(kinds.map((change) => [change.kind, change[channel]]))
      return new Set<string>(
        kindsOf(context.site)
          .filter((kind) => given.get(kind.name) ?? wants(channel, kind, before))
          .map(({ name }) => name),
      )
    }
    const hours = reminderHours === undefined ? before.reminder_hours : reminderHours
    return { mail: wantedBy('mail'), others: new Map([['push', wantedBy('push')]]), reminderHours: hours }
  })
