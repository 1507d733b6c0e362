import type { JournalKind, StoredChanges, StoredPersonal } from '#platform/journal/kinds.ts'
import { accountSecurity } from './account-security.ts'
import { eventCalledOff } from './event-called-off.ts'
import { eventMessage } from './event-message.ts'
import { eventPublished } from './event-published.ts'
import { guardianshipEnded } from './guardianship-ended.ts'
import { guardianshipEnding } from './guardianship-ending.ts'
import { inquiry } from './inquiry.ts'
import type { Notification, NotificationKind, Trigger, TriggerInput } from './kind.ts'
import { participationChange } from './participation-change.ts'
import { participationDecline } from './participation-decline.ts'
import { participationGivenUp } from './participation-given-up.ts'
import { participationOwnTimes } from './participation-own-times.ts'
import { participationRequest } from './participation-request.ts'
import { participationState } from './participation-state.ts'
import { participationTimes } from './participation-times.ts'
import { placeLapsed } from './place-lapsed.ts'
import { placeOffered } from './place-offered.ts'
import { profileChanged } from './profile-changed.ts'
import { programmeChanged } from './programme-changed.ts'
import { qualificationExpiring } from './qualification-expiring.ts'
import { qualificationReceived } from './qualification-received.ts'
import { reminder } from './reminder.ts'
import { requestCreated } from './request-created.ts'
import { requestDecided } from './request-decided.ts'
import { shiftMoved } from './shift-moved.ts'
import { standInReport } from './stand-in-report.ts'
import { standInResult } from './stand-in-result.ts'
import { standInWanted } from './stand-in-wanted.ts'
import { swapProposed } from './swap-proposed.ts'
import { swapReport } from './swap-report.ts'
import { swapResult } from './swap-result.ts'
import { webhookOff } from './webhook-off.ts'
import { weeklyShortages } from './weekly-shortages.ts'

/** In the order of the settings page. If one journal entry causes two kinds for the same recipient, the first one counts. */
export const KINDS = [
  participationState,
  participationTimes,
  shiftMoved,
  eventCalledOff,
  reminder,
  inquiry,
  placeOffered,
  standInWanted,
  standInResult,
  swapProposed,
  swapResult,
  eventPublished,
  eventMessage,
  profileChanged,
  accountSecurity,
  guardianshipEnding,
  guardianshipEnded,
  requestDecided,
  qualificationReceived,
  qualificationExpiring,
  participationRequest,
  participationChange,
  participationDecline,
  participationGivenUp,
  placeLapsed,
  standInReport,
  swapReport,
  participationOwnTimes,
  programmeChanged,
  requestCreated,
  weeklyShortages,
  webhookOff,
] as const

export type KindName = (typeof KINDS)[number]['name']
export type Kind = NotificationKind<KindName>
export type KnownNotification = Notification<Kind>

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind): [string, Kind] => [kind.name, kind]))

export const getKind = (name: string): Kind | undefined => BY_NAME.get(name)

export function requireKind(name: string): Kind {
  const kind = BY_NAME.get(name)
  if (!kind) throw new Error(`There is no kind of notification named ${name}`)
  return kind
}

type FindTrigger<Entry extends JournalKind> = (input: TriggerInput<Entry>) => Trigger | undefined

const triggerOf = <Entry extends JournalKind>(kind: Kind, entryKind: Entry): FindTrigger<Entry> | undefined =>
  kind.triggers && Object.hasOwn(kind.triggers, entryKind) ? kind.triggers[entryKind] : undefined

export const isTrigger = (entryKind: JournalKind): boolean => KINDS.some((kind) => triggerOf(kind, entryKind) !== undefined)

/** The notifications that a journal entry causes. `state`: current state of the participation that the entry is about. */
export function triggersOf<Entry extends JournalKind>(
  entry: { kind: Entry; changes: StoredChanges<Entry>; personal?: StoredPersonal<Entry> | null },
  state?: number,
): { kind: Kind; trigger: Trigger }[] {
  return KINDS.flatMap((kind) => {
    const personal: Partial<StoredPersonal<Entry>> = entry.personal ?? {}
    const trigger = triggerOf(kind, entry.kind)?.({ changes: entry.changes, personal, state })
    return trigger ? [{ kind, trigger }] : []
  })
}
