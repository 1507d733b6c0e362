import { commentIdIn } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasLeftState } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { responsibles } from '../queries/notified.ts'
import { stateName } from '../rules/state-names.ts'

/** Somebody signed up and was confirmed at once, or another planner decided. */
export const participationChange = defineKind({
  name: 'participation_change',
  icon: 'users',
  role: 'responsible',
  mail: 'default',
  importedName: 'ephios_participation_responsible_state_changed',
  triggers: {
    'participation.moved': ({ changes: { state } }) =>
      state && { recipients: responsibles, data: { from: state[0], to: state[1], by: 'responsible' } },
    'participation.signed_up': ({ changes }) => {
      const [from, to] = changes.state ?? []
      if (to !== STATE.confirmed) return undefined
      return { recipients: responsibles, data: { from, to, by: 'participant', ...commentIdIn(changes) } }
    },
  },
  isObsolete: hasLeftState,
  describe: ({ words, details, event, shift, participant: name, actor }) => {
    if (details.data.by === 'participant')
      return {
        subject: words.t('notification.participation_change.subject_signed_up', { name, event }),
        line: words.t('notification.participation_change.line_signed_up', { name, shift }),
      }
    const state = stateName(details.data.to)
    return {
      subject: words.t(`notification.participation_change.subject_${state}`, { name, event }),
      line: words.t(`notification.participation_change.line_${state}`, { name, actor, shift }),
    }
  },
})
