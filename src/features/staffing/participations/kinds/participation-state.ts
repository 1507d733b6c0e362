import { commentIdIn } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasLeftState } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { confirmedParticipants, participant } from '../queries/notified.ts'
import { stateName } from '../rules/state-names.ts'

/** A responsible decided about somebody's participation. */
export const participationState = defineKind({
  name: 'participation_state',
  icon: 'calendar-check',
  role: 'participant',
  mail: 'default',
  importedName: 'ephios_participation_state_changed',
  triggers: {
    'participation.moved': ({ changes }) => {
      if (!changes.state) return undefined
      const [from, to] = changes.state
      return { recipients: participant, data: { from, to, ...commentIdIn(changes) } }
    },
    // Drafts notify nobody, so participants who were confirmed in the draft are notified when it is published.
    'event.published': () => ({
      recipients: confirmedParticipants,
      data: { from: null, to: STATE.confirmed },
      isPerParticipation: true,
    }),
  },
  isObsolete: hasLeftState,
  describe: ({ words, details, event, shift }) => {
    const state = stateName(details.data.to)
    return {
      subject: words.t(`notification.participation_state.subject_${state}`, { event }),
      line: words.t(`notification.participation_state.line_${state}`, { shift }),
    }
  },
  namesActor: true,
  commentAuthor: 'actor',
})
