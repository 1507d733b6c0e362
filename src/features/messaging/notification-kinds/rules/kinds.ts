import type { RawBuilder } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { PlainKey, Words } from '#platform/i18n/words.ts'
import type { JournalKind, StoredChanges, StoredPersonal } from '#platform/journal/kinds.ts'
import type { IconName } from '#platform/ui/icon.ts'
import type { NotificationDetails } from './details.ts'

/** Whether notifications of a kind are sent by mail and push: by default, only to those who opt in, or always. */
export type MailPolicy = 'default' | 'opt-in' | 'always'

/** Groups of kinds that people switch on and off together, in the order of the settings page. */
export const TOPICS = ['shifts', 'asked', 'news', 'account', 'planning'] as const
export type Topic = (typeof TOPICS)[number]

export const topicOf = ({ role, topic }: Pick<NotificationKind, 'role' | 'topic'>): Topic =>
  role === 'responsible' ? 'planning' : (topic ?? 'shifts')

/** The names that words files have a label for. */
export type KindName = NameIn<PlainKey>
type NameIn<Key> = Key extends `notification.${infer Name}.label` ? Name : never

/**
 * A kind of notification. A feature declares one in `kinds/`, adds it in `feature.ts`, and has its texts in its words files:
 * `notification.<name>.label` and `notification.<name>.help` for the settings page, and those that `describe` uses.
 */
export type NotificationKind = {
  /** Stored with notifications and settings and part of unsubscribe links, so it never changes. */
  name: KindName
  icon: IconName
  /** Notifications for responsibles are not shown to users who are no longer responsible for the event. */
  role: 'participant' | 'responsible'
  /** Where participants find it in their settings; default: their shifts. Kinds for responsibles are about planning. */
  topic?: 'asked' | 'news' | 'account'
  mail: MailPolicy
  /** Whether the settings page shows the kind to a person, as a condition. Default: to everybody. */
  concerns?: (userId: number) => RawBuilder<boolean>
  /** Does not wait for the end of quiet hours. */
  isUrgent?: boolean
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
  /** Pages on which the recipient answers without signing in, for mails and push messages. Such questions are not sent at night. */
  answer?: (details: NotificationDetails, keyring: Keyring) => { accept: Link; decline?: Link } | undefined
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

export const defineKind = (kind: NotificationKind): NotificationKind => kind

export type Notification = NotificationDetails & { kind: NotificationKind }

export type TriggerInput<Entry extends JournalKind> = {
  changes: StoredChanges<Entry>
  /** Empty after the person was erased. */
  personal: Partial<StoredPersonal<Entry>>
  /** Current state of the participation that the entry is about. */
  state: number | undefined
}

/** A recipient, by one of the first three columns, and their participation if the notification is about one. */
export type RecipientRow = {
  user_id: number | null
  guest_id: number | null
  visitor_id: number | null
  participation_id: number | null
}
export type RecipientContext = {
  eventId: number | null
  subjectId: number | null
  /** When the entry was recorded. */
  at: Date
  /** Former participants that the journal entry lists, because their participations are deleted. */
  listed: { users: readonly number[]; guests: readonly number[]; visitors: readonly number[] }
}
/**
 * Finds recipients for a journal entry; the caller leaves out the actor and inactive users. Guests and visitors are notified by
 * mail alone, placeholders cannot be reached.
 */
export type RecipientQuery = (context: RecipientContext) => RawBuilder<RecipientRow>

export type Trigger = {
  recipients: RecipientQuery
  /** Ids, states and times; texts are made on delivery. `latest`: when it is too late to tell people, if before the shift. */
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
