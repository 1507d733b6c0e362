import { shiftPlanPath } from '#features/planning/planning/views/editor.ts'
import { makeFields } from '#features/planning/shift-forms/views/fields.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { type FormError, fieldRowView, formView, inPlace, linkButtonView } from '#platform/ui/form.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Overlap } from '../rules/model.ts'

type TimesData = {
  words: Words
  now: Date
  csrfToken: string
  /** Of the form, with the choice of the grid. */
  action: string
  back: string
  event: { title: string; isInSeries: boolean }
  shift: { id: number; name: string; times: Span & { meeting: Date }; confirmed: number; requested: number }
  /** The wished times; undefined if they cannot be read. */
  to: (Span & { meeting: Date }) | undefined
  notified: number
  overlaps: readonly Overlap[]
  overlapCount: number
  version: string
  values: FormValues
  errors: readonly FormError[]
  /** What somebody else saved meanwhile. */
  stale: string | undefined
}

export function timesView(data: TimesData): Html {
  const { words, event, shift } = data
  return html`${pageHeadView({ title: words.t('timeline.times_title'), facts: html`<span class="fact">${event.title}</span><span class="fact">${shift.name}</span>` })}
${panelView(data)}`
}

/** The script of the grid shows this part beside the grid. */
function panelView(data: TimesData): Html {
  const { words, csrfToken, action, back, shift, values, errors, version, stale } = data
  const fields = makeFields({ words, values, errors })
  return html`<div class="grid-move" data-move>
${stale && html`<div class="notice tone-bad">${iconView('circle-alert')}<p>${stale}</p></div>`}
<div class="grid-move-text">${effectView(data)}</div>
${formView({
  words,
  action,
  csrfToken,
  errors,
  submit: { label: words.t('timeline.save'), icon: 'check' },
  cancel: { href: back },
  extra: html`${linkButtonView({ href: boardPath(shift.id), label: words.t('timeline.board'), icon: 'list-checks', kind: 'quiet' })}${linkButtonView({ href: shiftPlanPath(shift.id, 'edit'), label: words.t('timeline.edit'), icon: 'pencil', kind: 'quiet' })}`,
  attributes: inPlace(action, `times-${shift.id}`),
  fields: html`${hiddenField('seen', version)}${fieldRowView(fields.dateTime('start', words.t('timeline.start'), { required: true }), fields.dateTime('end', words.t('timeline.end'), { required: true }))}`,
})}</div>`
}

function effectView({ words, now, shift, to, notified, overlaps, overlapCount, event }: TimesData): Html {
  const { start, end, meeting } = shift.times
  const before = words.span(start, end, now)
  const after = to && words.span(to.start, to.end, now)
  const isMoved = to !== undefined && (+to.start !== +start || +to.end !== +end)
  const meets = isMoved && meeting < start && to.meeting < to.start && +meeting !== +to.meeting
  return html`<p class="grid-move-times"><b>${shift.name}</b> <span>${isMoved ? words.t('timeline.moved', { before, after: after! }) : before}</span></p>
<p>${words.t('timeline.people', { confirmed: shift.confirmed, requested: shift.requested })} ${notified > 0 ? words.t('timeline.notifies', { count: notified }) : words.t('timeline.notifies_none')}${meets && html` ${words.t('timeline.meeting', { time: words.time(to.meeting) })}`}</p>
${event.isInSeries && html`<p class="muted">${words.t('timeline.series')}</p>`}
${
  overlapCount > 0 &&
  html`<div class="notice tone-warn">${iconView('triangle-alert')}<div><p>${words.t('timeline.overlaps', { count: overlapCount })}</p><ul>${overlaps.map((overlap) => html`<li>${overlapText(words, overlap, now)}</li>`)}${overlapCount > overlaps.length && html`<li>${words.t('timeline.overlaps_more', { count: overlapCount - overlaps.length })}</li>`}</ul></div></div>`
}`
}

function overlapText(words: Words, { name, title, label, start, end }: Overlap, now: Date): string {
  const what = title === null ? words.t('timeline.overlap_hidden') : [title, label].filter(Boolean).join(', ')
  return words.t('timeline.overlap', { name, what, time: words.span(start, end, now) })
}
