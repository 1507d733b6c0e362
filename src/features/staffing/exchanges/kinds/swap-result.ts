import { listedUsers } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'
import { swapTexts } from './swap-texts.ts'

const WHATS = ['done', 'accepted', 'declined', 'withdrawn', 'refused', 'undone', 'ended'] as const
type What = (typeof WHATS)[number]

const resultEntry =
  (what: What) =>
  ({ changes }: { changes: StoredChanges<'shift.swap_done'> }) => ({
    recipients: listedUsers(changes.users),
    data: { what, swap_id: changes.swap },
  })

/** What became of a proposal to swap, for both people. */
export const swapResult = defineKind({
  name: 'swap_result',
  icon: 'repeat',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.swap_done': resultEntry('done'),
    'shift.swap_accepted': resultEntry('accepted'),
    'shift.swap_declined': resultEntry('declined'),
    'shift.swap_withdrawn': resultEntry('withdrawn'),
    'shift.swap_refused': resultEntry('refused'),
    'shift.swap_undone': resultEntry('undone'),
    'shift.swap_ended': resultEntry('ended'),
  },
  isObsolete: ({ event, swap, data }, now) =>
    !event?.isListed ||
    !swap ||
    (swap.given.end <= now && swap.wanted.end <= now) ||
    ((data.what === 'done' || data.what === 'accepted') && swap.state !== data.what),
  describe: ({ words, details, event, now }) => {
    const what = WHATS.find((one) => one === details.data.what) ?? 'ended'
    return {
      subject: words.t(`notification.swap_result.subject_${what}`, { event }),
      line: words.t(`notification.swap_result.line_${what}`, swapTexts(words, details.swap, now)),
    }
  },
})
