import type { ShiftSummary } from '#features/events/browse/rules/summaries.ts'
import { shiftTitle } from '#features/events/browse/views/list-items.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'

const retryView = (words: Words): Html => linkButtonView({ href: '/', label: words.t('web_app.retry'), icon: 'refresh-cw' })

export const offlineView = (words: Words): Html =>
  html`${pageHeadView({ title: words.t('web_app.offline') })}<p>${words.t('web_app.offline_text')}</p><p>${retryView(words)}</p>`

type OwnShiftsData = { words: Words; now: Date; confirmed: readonly ShiftSummary[]; requested: readonly ShiftSummary[] }

/** Without links: other pages are not available without a connection. */
export function ownShiftsView({ words, now, confirmed, requested }: OwnShiftsData): Html {
  const shifts = [
    ...confirmed.map((shift) => ({ shift, isConfirmed: true })),
    ...requested.map((shift) => ({ shift, isConfirmed: false })),
  ].sort((a, b) => a.shift.start.getTime() - b.shift.start.getTime())
  return html`${pageHeadView({ title: words.t('web_app.own_shifts'), facts: words.t('web_app.copied_at', { time: words.dateTime(now) }) })}
<p class="notice tone-warn">${words.t('web_app.copy_note')}</p>
${
  shifts.length
    ? html`<ul class="offline-shifts" role="list">${shifts.map(({ shift, isConfirmed }) => shiftView(words, now, shift, isConfirmed))}</ul>`
    : emptyView({ icon: 'calendar-check', text: words.t('web_app.none') })
}
<p>${retryView(words)}</p>`
}

function shiftView(words: Words, now: Date, shift: ShiftSummary, isConfirmed: boolean): Html {
  const isCancelled = shift.cancellationReason !== null
  const badge = isCancelled
    ? badgeView({ tone: 'bad', text: words.t('event.cancelled') })
    : badgeView({ tone: isConfirmed ? 'good' : 'warn', text: words.t(isConfirmed ? 'web_app.confirmed' : 'web_app.requested') })
  const meeting = shift.meeting < shift.start && words.t('web_app.meet', { time: words.dateTime(shift.meeting) })
  return html`<li><p class="offline-time">${words.span(shift.start, shift.end, now)}</p><p><strong>${shiftTitle(shift)}</strong> ${badge}</p>${shift.location && html`<p>${shift.location}</p>`}${meeting && html`<p>${meeting}</p>`}</li>`
}
