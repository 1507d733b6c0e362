import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import type { NotificationKind, Trigger, TriggerInput } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Site } from '#platform/auth/context.ts'
import type { JournalKind, StoredChanges, StoredPersonal } from '#platform/journal/kinds.ts'

type WithKinds = Pick<Site, 'added'>

/** In the order of the settings page. */
export const kindsOf = ({ added }: WithKinds): readonly NotificationKind[] => added(notificationKind)

/** Kinds of former versions and of absent features are not known. */
export const getKind = (site: WithKinds, name: string): NotificationKind | undefined =>
  kindsOf(site).find((kind) => kind.name === name)

export function requireKind(site: WithKinds, name: string): NotificationKind {
  const kind = getKind(site, name)
  if (!kind) throw new Error(`There is no kind of notification named ${name}`)
  return kind
}

type FindTrigger<Entry extends JournalKind> = (input: TriggerInput<Entry>) => Trigger | undefined

const triggerOf = <Entry extends JournalKind>(kind: NotificationKind, entryKind: Entry): FindTrigger<Entry> | undefined =>
  kind.triggers && Object.hasOwn(kind.triggers, entryKind) ? kind.triggers[entryKind] : undefined

export const isTrigger = (site: WithKinds, entryKind: JournalKind): boolean =>
  kindsOf(site).some((kind) => triggerOf(kind, entryKind) !== undefined)

/** The notifications that a journal entry causes. `state`: current state of the participation that the entry is about. */
export function triggersOf<Entry extends JournalKind>(
  site: WithKinds,
  entry: { kind: Entry; changes: StoredChanges<Entry>; personal?: StoredPersonal<Entry> | null },
  state?: number,
): { kind: NotificationKind; trigger: Trigger }[] {
  return kindsOf(site).flatMap((kind) => {
    const personal: Partial<StoredPersonal<Entry>> = entry.personal ?? {}
    const trigger = triggerOf(kind, entry.kind)?.({ changes: entry.changes, personal, state })
    return trigger ? [{ kind, trigger }] : []
  })
}
