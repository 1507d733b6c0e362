import type { NotificationKind as OwnKind } from '#extension'
import type { KindName, NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { kindOf } from '../rules/names.ts'
import { textsOf } from './contexts.ts'
import type { StoredNews } from './notify.ts'

export function adaptKind(name: string, kind: OwnKind): NotificationKind {
  const { subject, text, topic = 'shifts', isOptIn = false, isAboutEvent = false, link } = kind
  return {
    name: kindOf(name, kind.name) as KindName,
    icon: 'puzzle',
    role: 'participant',
    ...(topic === 'shifts' ? {} : { topic }),
    mail: isOptIn ? 'opt-in' : 'default',
    hasNoEvent: !isAboutEvent,
    isObsolete: ({ data }, now) => {
      const { valid_until: until } = data as StoredNews
      return until !== undefined && new Date(until) <= now
    },
    describe: ({ words, details, event }) => {
      const t = textsOf(name, words)
      const values = { ...(details.data as StoredNews).values, event }
      return { subject: t(subject, values), line: t(text, values) }
    },
    ...(link
      ? {
          link: ({ event }) => ({
            path: link.path.replaceAll('{event}', String(event?.id ?? '')),
            label: (words) => textsOf(name, words)(link.label),
          }),
        }
      : {}),
  }
}
