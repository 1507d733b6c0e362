import { eventResponsibles } from '#features/events/events/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** For planners: somebody wants to take a place of another person, or has taken it. */
export const standInReport = defineKind({
  name: 'stand_in_report',
  icon: 'users',
  role: 'responsible',
  mail: 'default',
  triggers: {
    'shift.stand_in_found': ({ changes }) => ({
      recipients: eventResponsibles,
      data: { what: 'found', stand_in_id: changes.stand_in },
    }),
    'shift.stand_in_done': ({ changes }) => ({
      recipients: eventResponsibles,
      data: { what: 'done', stand_in_id: changes.stand_in },
    }),
  },
  isObsolete: ({ event, shift, data, standIn }, now) =>
    !event?.isListed || !shift || shift.start <= now || standIn?.state !== data.what,
  describe: ({ words, details, event, shift }) => {
    const what = details.data.what === 'found' ? 'found' : 'done'
    const names = { seeker: details.standIn?.seeker ?? '–', taker: details.standIn?.taker ?? '–' }
    return {
      subject: words.t(`notification.stand_in_report.subject_${what}`, { event }),
      line: words.t(`notification.stand_in_report.line_${what}`, { ...names, shift }),
    }
  },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? { path: `/shifts/${shift.id}/line/`, label: (words) => words.t('notification.stand_in_report.open') }
      : undefined,
})
