import { commentIdIn, INDIVIDUAL_TIMES, pickChanges } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasIndividualTimes } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { responsibles } from '../queries/notified.ts'

/** A participant changed their own times, and no new decision is needed. */
export const participationOwnTimes = defineKind({
  name: 'participation_own_times',
  icon: 'clock',
  role: 'responsible',
  mail: 'default',
  importedName: 'ephios_participation_responsible_confirmed_customized',
  triggers: {
    'participation.customized': ({ changes }) => {
      const times = pickChanges(changes, INDIVIDUAL_TIMES)
      if (!times || changes.state?.[1] === STATE.requested) return undefined
      return { recipients: responsibles, data: { ...times, ...commentIdIn(changes) } }
    },
  },
  isObsolete: (details) => !hasIndividualTimes(details),
  describe: ({ words, event, shift, times, participant: name }) => ({
    subject: words.t('notification.participation_own_times.subject', { name, event }),
    line: words.t('notification.participation_own_times.line', { name, times, shift }),
  }),
})
