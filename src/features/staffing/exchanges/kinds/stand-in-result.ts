import { listedUsers } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'

type What = 'done' | 'refused' | 'undone' | 'ended'
const resultEntry =
  (what: What) =>
  ({ changes }: { changes: StoredChanges<'shift.stand_in_done'> }) => ({
    recipients: listedUsers(changes.users),
    data: { what, stand_in_id: changes.stand_in },
  })

/** What became of a search, for the person who searched and the one who took the place. */
export const standInResult = defineKind({
  name: 'stand_in_result',
  icon: 'users',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.stand_in_done': resultEntry('done'),
    'shift.stand_in_refused': resultEntry('refused'),
    'shift.stand_in_undone': resultEntry('undone'),
    'shift.stand_in_ended': resultEntry('ended'),
  },
  isObsolete: ({ event, shift, data, standIn }, now) =>
    !event?.isListed || !shift || shift.end <= now || (data.what === 'done' && standIn?.state !== 'done'),
  describe: ({ words, details, event, shift }) => {
    const what = (['done', 'refused', 'undone'] as const).find((one) => one === details.data.what) ?? 'ended'
    const names = { seeker: details.standIn?.seeker ?? '–', taker: details.standIn?.taker ?? '–' }
    return {
      subject: words.t(`notification.stand_in_result.subject_${what}`, { event }),
      line: words.t(`notification.stand_in_result.line_${what}`, { ...names, shift }),
    }
  },
})
