import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Words } from '#platform/i18n/words.ts'

/** Of a kind in the table. Kinds of former versions have no label. */
export function kindLabel(words: Words, { added }: Pick<Site, 'added'>, name: string): string {
  const kind = added(notificationKind).find((each) => each.name === name)
  return kind ? words.t(`notification.${kind.name}.label`) : name
}
