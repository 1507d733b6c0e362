import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { responsibles } from '../queries/notified.ts'

/** A participant's account was closed, so their place became free. */
export const participationGivenUp = defineKind({
  name: 'participation_given_up',
  icon: 'user-x',
  role: 'responsible',
  mail: 'default',
  triggers: {
    'participation.given_up': ({ changes }) => {
      const [from, to] = changes.state ?? []
      return { recipients: responsibles, data: { from, to, cause: changes.cause } }
    },
  },
  isObsolete: ({ data, event, participation, shift }, now) =>
    participation?.state !== data.to || !event?.isListed || !shift || shift.end <= now,
  describe: ({ words, details, event, shift, participant }) => {
    // The name of a deleted person is not known any more.
    const name = details.data.cause === 'account_deleted' ? words.t('notification.deleted_person') : participant
    if (details.data.from === STATE.requested)
      return {
        subject: words.t('notification.participation_given_up.subject_requested', { event }),
        line: words.t('notification.participation_given_up.line_requested', { name, shift }),
      }
    const isGuest = details.data.cause === 'guest_deleted'
    const count = details.shift?.missing ?? 0
    const left = count
      ? words.t('notification.participation_given_up.missing', { count })
      : words.t('notification.participation_given_up.enough')
    return {
      subject: words.t('notification.participation_given_up.subject', { name, event }),
      line: `${words.t(`notification.participation_given_up.${isGuest ? 'line_guest' : 'line'}`, { name, shift })} ${left}`,
    }
  },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? {
          path: `/shifts/${shift.id}/disposition/`,
          label: (words) => words.t('notification.participation_given_up.open_board'),
        }
      : undefined,
})
