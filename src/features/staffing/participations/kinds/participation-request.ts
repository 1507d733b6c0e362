import { commentIdIn } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { defineKind, type Trigger } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasLeftState } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'
import { responsibles } from '../queries/notified.ts'

function becomesRequested({ changes }: { changes: StoredChanges<'participation.signed_up'> }): Trigger | undefined {
  const [from, to] = changes.state ?? []
  if (to !== STATE.requested) return undefined
  return { recipients: responsibles, data: { from, to, ...commentIdIn(changes) } }
}

/** A participation waits for a decision. */
export const participationRequest = defineKind({
  name: 'participation_request',
  icon: 'hand-helping',
  role: 'responsible',
  mail: 'default',
  importedName: 'ephios_participation_awaits_disposition',
  triggers: {
    'participation.signed_up': becomesRequested,
    'participation.companion_added': becomesRequested,
    // A late change of a confirmed participation needs a new decision.
    'participation.customized': becomesRequested,
  },
  isObsolete: hasLeftState,
  describe: ({ words, details, event, shift, times, participant: name }) =>
    details.data.from === STATE.confirmed
      ? {
          subject: words.t('notification.participation_request.subject_again', { name, event }),
          line: words.t('notification.participation_request.line_again', { name, times, shift }),
        }
      : {
          subject: words.t('notification.participation_request.subject', { name, event }),
          line: words.t('notification.participation_request.line', { name, shift }),
        },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? { path: `/shifts/${shift.id}/disposition/`, label: (words) => words.t('notification.participation_request.open_board') }
      : undefined,
})
