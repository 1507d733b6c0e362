import type { RawBuilder } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { NotificationParts } from './rules/details.ts'
import type { NotificationKind } from './rules/kinds.ts'

/** The rank is the order of the settings page. If one journal entry causes two kinds for the same recipient, the first one counts. */
export const notificationKind = extensionPoint<NotificationKind>('notifications.kind')

/** `personId`: whom the notification is about, the recipient or a child of the recipient. */
type PartReader = { actor: Actor; personId: RawBuilder<unknown> }

type DetailPart<Name extends keyof NotificationParts, Stored> = {
  name: Name
  /** A JSON value, or null, for the row `n` of `notification`. */
  read: (reader: PartReader) => RawBuilder<unknown>
  parse: (stored: Stored) => NotificationParts[Name]
  /** Fields with names of people: some chose their name themselves, so mails shorten them. */
  names?: readonly (keyof NonNullable<NotificationParts[Name]> & string)[]
}
// biome-ignore lint/suspicious/noExplicitAny: each part knows the type of its value
export type AnyDetailPart = DetailPart<any, any>

/** What notifications of some kinds are about, besides the event, the shift and the participation. */
export const notificationPart = extensionPoint<AnyDetailPart>('notifications.part', { isAlwaysOn: true })

/** Infers the types of the part. */
export const addPart = <Name extends keyof NotificationParts, Stored>(part: DetailPart<Name, Stored>) =>
  notificationPart.add(part)
