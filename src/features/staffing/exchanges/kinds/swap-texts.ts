import type { NotificationDetails } from '#features/messaging/notification-kinds/rules/details.ts'
import type { Words } from '#platform/i18n/words.ts'

type SwapTexts = { proposer: string; other: string; given: string; wanted: string }

/** Names and shifts of a proposal. */
export function swapTexts(words: Words, swap: NotificationDetails['swap'], now: Date): SwapTexts {
  if (!swap) return { proposer: '–', other: '–', given: '–', wanted: '–' }
  const text = ({ title, label, start, end }: typeof swap.given) =>
    [words.span(start, end, now), title, ...(label ? [label] : [])].join(', ')
  return { proposer: swap.proposer, other: swap.other, given: text(swap.given), wanted: text(swap.wanted) }
}
