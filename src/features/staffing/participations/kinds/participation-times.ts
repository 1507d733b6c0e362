import { commentIdIn, INDIVIDUAL_TIMES, pickChanges } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasIndividualTimes } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { comingParticipant } from '../queries/notified.ts'

/** A responsible changed the times of a confirmed participant before the shift was over. */
export const participationTimes = defineKind({
  name: 'participation_times',
  icon: 'clock',
  role: 'participant',
  mail: 'default',
  importedName: 'ephios_participation_customized',
  triggers: {
    'participation.moved': ({ changes, state }) => {
      const times = pickChanges(changes, INDIVIDUAL_TIMES)
      if (changes.state || !times || state !== STATE.confirmed) return undefined
      return { recipients: comingParticipant, data: { ...times, ...commentIdIn(changes) } }
    },
  },
  isObsolete: (details) => details.participation?.state !== STATE.confirmed || !hasIndividualTimes(details),
  describe: ({ words, event, times, shift }) => ({
    subject: words.t('notification.participation_times.subject', { event }),
    line: words.t('notification.participation_times.line', { times, shift }),
  }),
  namesActor: true,
  commentAuthor: 'actor',
})
