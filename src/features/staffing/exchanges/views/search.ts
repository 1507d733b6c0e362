import type { Origin } from '#features/staffing/participations/rules/links.ts'
import { waitingListPath } from '#features/staffing/waiting-list/rules/links.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { stopSearchPath } from '../rules/links.ts'
import type { SearchProgress } from '../rules/waves.ts'

/** "at 18:00", or "on Sat 14 Nov at 09:00". */
export const whenText = (words: Words, at: Date, now: Date): string =>
  words.sameDay(at, now)
    ? words.t('stand_in.at_time', { time: words.time(at) })
    : words.t('stand_in.at_day', { day: words.day(at, now), time: words.time(at) })

/** "5 of 23 asked, the next 5 at 18:00". */
export function progressText(words: Words, now: Date, { asked, people, next, nextAt }: SearchProgress): string {
  if (nextAt && next > 0) return words.t('stand_in.progress_next', { asked, people, next, when: whenText(words, nextAt, now) })
  return words.t('stand_in.progress', { asked, people })
}

type Stop = { csrfToken: string; shiftId: number; from: Origin; shift?: string }

export function stopSearchView(words: Words, { csrfToken, shiftId, from, shift }: Stop): Html {
  const isSmall = from === 'my-shifts'
  const label = words.t('stand_in.cancel')
  return postButtonView({
    action: stopSearchPath(shiftId),
    csrfToken,
    label: isSmall ? words.t('stand_in.stop') : label,
    kind: 'secondary',
    small: isSmall,
    fields: { from },
    id: `stop-search-${shiftId}`,
    attributes: shift === undefined ? {} : { 'aria-label': words.t('signup.for_shift', { action: label, shift }) },
  })
}

type Running = SearchProgress & { shiftId: number; name: string; shift?: string }

/** On boards: who looks for a stand-in, and how far the search is. */
export function runningSearchesView(words: Words, now: Date, searches: readonly Running[]): Html {
  const text = (search: Running) => (search.state === 'found' ? words.t('stand_in.found_text') : progressText(words, now, search))
  return html`${searches.map(
    (search) =>
      html`<p class="side-note">${iconView('users', { size: 16 })}<span><a href="${waitingListPath(search.shiftId)}">${words.t('stand_in.board', { name: search.name })}</a>${search.shift !== undefined && html` (${search.shift})`}: ${text(search)}</span></p>`,
  )}`
}
