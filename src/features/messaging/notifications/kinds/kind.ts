import type { RawBuilder } from 'kysely'
import type { Words } from '#platform/i18n/words.ts'
import type { JournalKind, StoredChanges, StoredPersonal } from '#platform/journal/kinds.ts'
import type { IconName } from '#platform/ui/icon.ts'
import type { MailPolicy } from '../rules/channels.ts'
import type { NotificationDetails } from '../rules/details.ts'
import type { RecipientQuery, RecipientRow } from './recipients.ts'

/**
 * A kind of notification. To add one, write a file with such a value, list it in `registry.ts`, and add its texts to the word
 * files: `notification.<name>.label` and `notification.<name>.help` for the settings page, and those that `describe` uses.
 */
export type NotificationKind<Name extends string = string> = {
  /** Stored with notifications and settings and part of unsubscribe links, so it never changes. */
  name: Name
  icon: IconName
  /** Notifications for responsibles are not shown to users who are no longer responsible for the event. */
  role: 'participant' | 'responsible'
  mail: MailPolicy
  /** Shown in the mail instead of the link to unsubscribe; for kinds that cannot be switched off. */
  explainMail?: (words: Words) => string
  /** Its name in data imported from ephios. */
  importedName?: string
  /** Journal entries that cause the notification, by the kind of entry. Undefined: not this time. */
  triggers?: { readonly [Entry in JournalKind]?: (entry: TriggerInput<Entry>) => Trigger | undefined }
  /** Notifications that are due by time. Each is created once by `source`. */
  findDue?: (now: Date, timeZone: string) => RawBuilder<DueRow>
  /** The notification is no longer true: it is marked in the list and not sent any more. */
  isObsolete: (details: NotificationDetails, now: Date) => boolean
  describe: (input: DescriptionInput) => Description
  /** A better page than that of the event, for users who can see the event. */
  link?: (details: NotificationDetails) => Link | undefined
  /** About the recipient and no event, so the checks of events do not apply. */
  hasNoEvent?: boolean
  /** Also shown and sent to users who cannot open the event (any more). */
  showsHiddenEvents?: boolean
  /** Also for the person who caused it. */
  includesActor?: boolean
  /** The mail adds who did it, because the line does not say so. */
  namesActor?: boolean
  /** Who wrote the comment in `details`. */
  commentAuthor?: 'actor' | 'participant'
}

export const defineKind = <const Name extends string>(kind: NotificationKind<Name>): NotificationKind<Name> => kind

export type Notification<Kind extends NotificationKind = NotificationKind> = NotificationDetails & { kind: Kind }

export type TriggerInput<Entry extends JournalKind> = {
  changes: StoredChanges<Entry>
  /** Empty after the person was erased. */
  personal: Partial<StoredPersonal<Entry>>
  /** Current state of the participation that the entry is about. */
  state: number | undefined
}
export type Trigger = {
  recipients: RecipientQuery
  /** Ids, states and times; texts are made on delivery. */
  data: Record<string, unknown>
  /** A recipient gets one notification for each of their participations instead of one in all. */
  isPerParticipation?: boolean
}

/** Notifications with the same `bundle` become one mail. */
export type DueRow = RecipientRow & { event_id: number | null; source: string; bundle: string; data?: Record<string, unknown> }

export type DescriptionInput = {
  words: Words
  now: Date
  details: NotificationDetails
  /** Title of the event. */
  event: string
  /** “Sat 14 Nov 08:00–16:00, First aid” */
  shift: string
  /** Time of the participant, or else of the shift. */
  times: string
  participant: string
  actor: string
}
/** Subject of a mail about this notification alone, and a sentence to be read below the title of the event. */
export type Description = { subject: string; line: string }

export type Link = { path: string; label: (words: Words) => string }
