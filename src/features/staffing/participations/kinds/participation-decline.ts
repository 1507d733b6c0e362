import { commentIdIn } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { responsibles } from '../queries/notified.ts'

/** Texts depend on the state before: only a confirmed participant leaves a gap. */
function previousState(from: unknown): 'confirmed' | 'requested' | 'new' | 'unknown' {
  // Notifications imported from ephios.
  if (from === undefined) return 'unknown'
  if (from === STATE.confirmed) return 'confirmed'
  return from === STATE.requested ? 'requested' : 'new'
}

export const participationDecline = defineKind({
  name: 'participation_decline',
  icon: 'circle-x',
  role: 'responsible',
  mail: 'default',
  importedName: 'ephios_participation_responsible_confirmed_declined',
  triggers: {
    'participation.declined': ({ changes }) => {
      const from = changes.state?.[0] ?? null
      return { recipients: responsibles, data: { from, ...commentIdIn(changes) } }
    },
  },
  isObsolete: ({ participation }) => participation?.state !== STATE.declinedByUser,
  describe: ({ words, details, event, shift, participant: name }) => {
    const before = previousState(details.data.from)
    return {
      subject: words.t(`notification.participation_decline.subject_${before}`, { name, event }),
      line: words.t(`notification.participation_decline.line_${before}`, { name, shift }),
    }
  },
})
