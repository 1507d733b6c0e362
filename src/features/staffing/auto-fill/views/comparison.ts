import { type CardPerson, cardKey } from '#features/staffing/disposition/rules/cards.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Comparison, ShiftDifference, Totals } from '../rules/former.ts'
import { type ScopedShift, shiftTitle } from '../rules/proposal.ts'

/** More shifts are folded. */
const MAX_SHOWN = 6

type ComparisonData = {
  words: Words
  now: Date
  comparison: Comparison
  shifts: readonly ScopedShift[]
  /** By `cardKey`. */
  names: ReadonlyMap<string, string>
  /** Address of the former proposal. */
  back: string
}

/** What is different from the proposal before. */
export function comparisonView(data: ComparisonData): Html {
  const { words, comparison, back } = data
  const { before, now, differences } = comparison
  const isSame = differences.length === 0
  const title = isSame ? words.t('fill.compare_same') : words.t('fill.compare', { count: differences.length })
  const totals = ({ people, open }: Totals) =>
    `${words.t('fill.found', { count: people })} · ${words.t('fill.missing', { count: open })}`
  const isOpen = !isSame && differences.length <= MAX_SHOWN
  return html`<section class="notice tone-info fill-compare">${iconView('list-checks')}<div><details ${attrs({ open: isOpen })}><summary>${title}</summary>
<dl><div><dt>${words.t('fill.compare_before')}</dt><dd>${totals(before)}</dd></div><div><dt>${words.t('fill.compare_now')}</dt><dd>${totals(now)}</dd></div></dl>
${!isSame && html`<ul>${differences.map((difference) => differenceView(data, difference))}</ul>`}</details>${!isSame && linkButtonView({ href: back, label: words.t('fill.compare_back'), icon: 'undo-2', small: true })}</div></section>`
}

function differenceView({ words, now, shifts, names }: ComparisonData, difference: ShiftDifference): Html {
  const { shiftId, added, gone, moved, openBefore, openNow } = difference
  const shift = shifts.find(({ id }) => id === shiftId)!
  const namesOf = (people: readonly CardPerson[]) =>
    words.list(people.map((who) => names.get(cardKey(who)) || words.t('fill.compare_unnamed')))
  const parts = [
    added.length > 0 && words.t('fill.compare_new', { names: namesOf(added) }),
    gone.length > 0 && words.t('fill.compare_gone', { names: namesOf(gone) }),
    moved.length > 0 && words.t('fill.compare_moved', { names: namesOf(moved) }),
    openBefore !== openNow && words.t('fill.compare_open_here', { before: openBefore, now: openNow }),
  ]
  return html`<li>${shiftTitle(shift)}, ${words.span(shift.start, shift.end, now)}<br>${parts.filter(Boolean).join(' · ')}</li>`
}
