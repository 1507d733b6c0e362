import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'

export const CALENDAR = '/settings/calendar/'
export const RESET = '/settings/calendar/reset/'

type CalendarSettings = {
  words: Words
  csrfToken: string
  /** Undefined if there is no feed yet. */
  address: string | 'unreadable' | undefined
}

export function calendarSettingsView({ words, csrfToken, address }: CalendarSettings): Html {
  const title = words.t('calendar.feed')
  if (address === undefined) {
    const make = postButtonView({ action: CALENDAR, csrfToken, label: words.t('calendar.make'), icon: 'calendar-plus' })
    return html`<div class="stack">${cardView({ title, body: html`<p>${words.t('calendar.about')}</p>${emptyView({ icon: 'calendar-days', text: words.t('calendar.none'), action: make })}` })}</div>`
  }
  const reset = linkButtonView({ href: RESET, label: words.t('calendar.reset'), kind: 'quiet', icon: 'refresh-cw' })
  if (address === 'unreadable')
    return html`<div class="stack">${cardView({ title, body: html`<p>${words.t('calendar.unreadable')}</p>`, footer: reset })}</div>`
  // `webcal` URLs open in the calendar app.
  const webcal = address.replace(/^https?:/, 'webcal:')
  const body = html`<p>${words.t('calendar.about')}</p>
${copyView({ words, id: 'calendar-address', label: words.t('calendar.address'), value: address, help: words.t('calendar.address_help') })}
<p>${linkButtonView({ href: webcal, label: words.t('calendar.subscribe'), kind: 'primary', icon: 'calendar-plus' })}</p>`
  const how = (['how_apple', 'how_google', 'how_outlook', 'how_thunderbird'] as const).map(
    (key) => html`<li>${words.t(`calendar.${key}`)}</li>`,
  )
  const more = html`<p>${words.t('calendar.with_help')}</p>
${copyView({ words, id: 'calendar-requested', label: words.t('calendar.with_requested'), value: `${address}?requested=1` })}
${copyView({ words, id: 'calendar-rejected', label: words.t('calendar.with_rejected'), value: `${address}?requested=1&rejected=1` })}`
  return html`<div class="stack">${cardView({ title, body: html`<div class="stack">${body}</div>`, footer: reset })}${cardView({ title: words.t('calendar.how'), body: html`<ul class="prose">${how}</ul>` })}${cardView({ title: words.t('calendar.with'), body: html`<div class="stack">${more}</div>` })}</div>`
}

export const resetCalendarView = ({ words, csrfToken }: { words: Words; csrfToken: string }): Html =>
  confirmView({
    words,
    csrfToken,
    title: words.t('calendar.reset_title'),
    text: words.t('calendar.reset_text'),
    consequences: [words.t('calendar.reset_stops'), words.t('calendar.reset_again')],
    action: RESET,
    submit: words.t('calendar.reset_submit'),
    cancel: { href: CALENDAR },
  })
