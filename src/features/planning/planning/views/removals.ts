import { restorableUntil } from '#features/planning/removed-shifts/rules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { NotifiedPerson, RemovedShift } from '../queries/removed-shifts.ts'
import { cancelShiftForm } from '../schema.ts'
import { shiftPlanPath } from './editor.ts'

type CancelShiftData = {
  words: Words
  csrfToken: string
  action: string
  name: string
  /** The page of the event. */
  back: string
  notified: readonly NotifiedPerson[]
  followers: number
  state: FormState
}

export function cancelShiftView({ words, csrfToken, action, name, back, notified, followers, state }: CancelShiftData): Html {
  const consequences = [
    words.t('plan.cancel_shift_first'),
    words.t('plan.cancel_shift_visible'),
    words.t('plan.cancel_shift_ends'),
    ...(followers ? [words.t('plan.delete_followers', { count: followers })] : []),
    words.t('plan.cancel_shift_undo'),
  ]
  return html`${pageHeadView({ title: words.t('plan.cancel_shift_title'), facts: name })}
<div class="confirm"><ul>${consequences.map((text) => html`<li>${text}</li>`)}</ul>
${notifiedView(words, 'cancelled', notified)}
${cancelShiftForm.view({
  words,
  csrfToken,
  state,
  action,
  cancel: { href: back, label: words.t('plan.keep_shift') },
  submit: { label: words.t('plan.cancel_shift_submit'), kind: 'danger' },
})}</div>`
}

const MAX_NAMES = 8

/** Who gets a message; more than a few names are folded. */
export function notifiedView(
  words: Words,
  what: 'cancelled' | 'deleted' | 'restored',
  notified: readonly NotifiedPerson[],
): Html {
  if (!notified.length) return html`<p>${words.t('plan.notified_nobody')}</p>`
  const namesOf = (people: readonly NotifiedPerson[]) =>
    people.map(({ name, isConfirmed }) => (isConfirmed ? name : words.t('plan.notified_requested', { name })))
  const first = namesOf(notified.slice(0, MAX_NAMES))
  const more = notified.slice(MAX_NAMES)
  return html`<p>${words.t(`plan.notified_${what}`, { count: notified.length })} <b>${more.length ? first.join(', ') : words.list(first)}</b></p>
${more.length > 0 && html`<details class="fold"><summary>${iconView('users', { size: 18 })}<span>${words.t('plan.notified_more', { count: more.length })}</span>${iconView('chevron-down', { size: 18 })}</summary><p>${words.list(namesOf(more))}</p></details>`}`
}

export const removedName = (words: Words, { label, start, end }: Pick<RemovedShift, 'label' | 'start' | 'end'>): string =>
  label ? `${label}, ${words.span(start, end)}` : words.span(start, end)

/** Above the shifts of an event, for people who were on one that is cancelled. */
export const ownCancelledView = (words: Words, shifts: readonly RemovedShift[]): Html[] =>
  shifts.map(
    (shift) =>
      html`<div class="notice tone-bad" id="shift-${shift.id}">${iconView('calendar-x')}<div><p class="notice-title">${words.t('plan.own_cancelled', { shift: removedName(words, shift) })}</p><p class="wrap">${shift.reason}</p></div></div>`,
  )

/** Below the shifts of an event, for planners. */
export function removedShiftsView(words: Words, now: Date, shifts: readonly RemovedShift[]): Html | false {
  if (!shifts.length) return false
  return html`<details class="fold" open><summary>${iconView('calendar-x', { size: 18 })}<span>${words.t('plan.removed', { count: shifts.length })}</span>${iconView('chevron-down', { size: 18 })}</summary><ul class="plan-lines" role="list">${shifts.map((shift) => removedView(words, now, shift))}</ul></details>`
}

function removedView(words: Words, now: Date, shift: RemovedShift): Html {
  const name = removedName(words, shift)
  const until = restorableUntil(shift)
  const note = shift.isCancelled
    ? shift.reason
    : words.t('plan.removed_until', { until: `${words.day(until, now)} ${words.time(until)}` })
  const badge = shift.isCancelled
    ? badgeView({ tone: 'bad', text: words.t('event.cancelled') })
    : badgeView({ tone: 'quiet', text: words.t('plan.removed_deleted') })
  return html`<li><div><p class="plan-line-when">${name} ${badge}</p><p class="plan-line-what wrap">${note}</p></div>${linkButtonView(
    {
      href: shiftPlanPath(shift.id, 'restore'),
      label: words.t('plan.restore_shift'),
      small: true,
      icon: 'undo-2',
      attributes: { 'aria-label': words.t('plan.do_named', { action: words.t('plan.restore_shift'), what: name }) },
    },
  )}</li>`
}
