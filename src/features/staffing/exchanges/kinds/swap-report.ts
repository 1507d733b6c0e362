import { eventResponsibles } from '#features/events/events/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** For the planners of each of the two events: two people want to swap, or have done so. Only the shift of the own event is named. */
export const swapReport = defineKind({
  name: 'swap_report',
  icon: 'repeat',
  role: 'responsible',
  mail: 'default',
  triggers: {
    'shift.swap_accepted': ({ changes }) => ({
      recipients: eventResponsibles,
      data: { what: 'accepted', swap_id: changes.swap },
    }),
    'shift.swap_done': ({ changes }) => ({ recipients: eventResponsibles, data: { what: 'done', swap_id: changes.swap } }),
  },
  isObsolete: ({ event, shift, data, swap }, now) =>
    !event?.isListed || !shift || shift.start <= now || swap?.state !== data.what,
  describe: ({ words, details, event, shift }) => {
    const what = details.data.what === 'accepted' ? 'accepted' : 'done'
    const names = { proposer: details.swap?.proposer ?? '–', other: details.swap?.other ?? '–' }
    return {
      subject: words.t(`notification.swap_report.subject_${what}`, { event }),
      line: words.t(`notification.swap_report.line_${what}`, { ...names, shift }),
    }
  },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? { path: `/shifts/${shift.id}/line/`, label: (words) => words.t('notification.stand_in_report.open') }
      : undefined,
})
