import { eventResponsibles } from '#features/events/events/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** The programme that shifts are made from was changed at its address. */
export const programmeChanged = defineKind({
  name: 'programme_changed',
  icon: 'calendar-clock',
  role: 'responsible',
  mail: 'default',
  triggers: {
    'event.programme_differs': ({ changes: { created, changed, removed } }) => ({
      recipients: eventResponsibles,
      data: { created: created[1], changed: changed[1], removed: removed[1] },
    }),
  },
  isObsolete: ({ event }) => !event || event.isDeleted,
  describe: ({ words, event, details: { data } }) => ({
    subject: words.t('notification.programme_changed.subject', { event }),
    line: words.t('notification.programme_changed.line', {
      created: words.number(Number(data.created ?? 0)),
      changed: words.number(Number(data.changed ?? 0)),
      removed: words.number(Number(data.removed ?? 0)),
    }),
  }),
  link: ({ event }) =>
    event?.isResponsible
      ? { path: `/events/${event.id}/programme/`, label: (words) => words.t('notification.programme_changed.open') }
      : undefined,
})
