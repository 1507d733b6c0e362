import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { PrivateCalendar, UpcomingTime } from '../rules/calendars.ts'
import { addressForm, calendarForm, fileForm } from '../schema.ts'

type CalendarsData = {
  words: Words
  base: string
  now: Date
  calendars: readonly PrivateCalendar[]
  upcoming: readonly UpcomingTime[]
}

/** The part of the availability page about calendars. */
export function calendarsView({ words, base, now, calendars, upcoming }: CalendarsData): Html {
  const list =
    calendars.length > 0 &&
    html`<ul role="list">${calendars.map(
      (calendar) =>
        html`<li class="cluster"><a href="${base}calendars/${calendar.id}/">${calendar.name}</a> ${stateView(words, calendar)}${
          calendar.failure && html`<span class="muted">${words.t(`availability.failure_${calendar.failure}`)}</span>`
        }</li>`,
    )}</ul>`
  const adding = html`<div class="cluster">${linkButtonView({ href: `${base}calendars/address/`, label: words.t('availability.add_address'), icon: 'link' })}${linkButtonView({ href: `${base}calendars/file/`, label: words.t('availability.add_file'), icon: 'upload' })}</div>`
  return cardView({
    title: words.t('availability.calendars'),
    body: html`<div class="stack"><p>${words.t('availability.calendars_about')}</p>${list || html`<p class="muted">${words.t('availability.no_calendars')}</p>`}${
      calendars.length > 0 && upcomingView(words, now, upcoming, calendars.length > 1)
    }${adding}</div>`,
  })
}

function stateView(words: Words, { isFile, failure }: PrivateCalendar): Html {
  if (isFile) return badgeView({ tone: 'quiet', text: words.t('availability.calendar_state_file') })
  return failure
    ? badgeView({ tone: 'bad', text: words.t('availability.calendar_state_failing') })
    : badgeView({ tone: 'good', text: words.t('availability.calendar_state_good') })
}

/** `isOneOfSeveral`: each time names its calendar. */
function upcomingView(words: Words, now: Date, upcoming: readonly UpcomingTime[], isOneOfSeveral: boolean): Html {
  if (upcoming.length === 0) return html`<p class="muted">${words.t('availability.no_upcoming')}</p>`
  const rows = upcoming.map(
    (time) =>
      html`<li>${timeText(words, now, time)}${isOneOfSeveral && html` <span class="muted">· ${time.calendar}</span>`}</li>`,
  )
  return html`<div><h3>${words.t('availability.upcoming')}</h3><ul role="list">${rows}</ul></div>`
}

/** The end of an all-day entry is the midnight after its last day. */
function timeText(words: Words, now: Date, { start, end, isAllDay }: UpcomingTime): string {
  if (!isAllDay) return words.span(start, end, now)
  const last = new Date(end.getTime() - 1)
  const days = words.sameDay(start, last) ? words.day(start, now) : `${words.day(start, now)} – ${words.day(last, now)}`
  return `${days}, ${words.t('availability.all_day')}`
}

type AddData = { words: Words; csrfToken: string; base: string; state: FormState }

export const addAddressView = ({ words, csrfToken, base, state }: AddData): Html =>
  html`${pageHeadView({ title: words.t('availability.add_address'), facts: words.t('availability.address_about') })}
${cardView({
  body: addressForm.view({
    words,
    csrfToken,
    action: `${base}calendars/address/`,
    state,
    submit: words.t('availability.add'),
    cancel: { href: base },
  }),
})}`

export const addFileView = ({ words, csrfToken, base, state, maxBytes }: AddData & { maxBytes: number }): Html =>
  html`${pageHeadView({ title: words.t('availability.add_file'), facts: words.t('availability.file_about') })}
${cardView({
  body: fileForm.view({
    words,
    csrfToken,
    action: `${base}calendars/file/`,
    state,
    submit: words.t('availability.add'),
    cancel: { href: base },
    attributes: { enctype: 'multipart/form-data' },
    layout: (field) => [
      field('file', { sizeLimit: { maxBytes, message: words.t('availability.failure_too_large') } }),
      field('name'),
      field('counts_all_day'),
    ],
  }),
})}`

export function calendarView({ words, csrfToken, base, state, calendar }: AddData & { calendar: PrivateCalendar }): Html {
  const { id, name, failure, unreadCount } = calendar
  const path = `${base}calendars/${id}/`
  const remove = linkButtonView({ href: `${path}remove/`, label: words.t('availability.remove'), kind: 'quiet', icon: 'trash-2' })
  const refresh =
    !calendar.isFile &&
    postButtonView({
      action: `${path}refresh/`,
      csrfToken,
      label: words.t('availability.refresh'),
      kind: 'secondary',
      icon: 'refresh-cw',
    })
  return html`${pageHeadView({ title: name })}
${cardView({
  body: html`<div class="stack">${factListView([
    { name: words.t('availability.source'), value: sourceText(words, calendar) },
    ...(failure ? [{ name: words.t('availability.problem'), value: words.t(`availability.failure_${failure}`) }] : []),
    { name: words.t('availability.last_read'), value: words.dateTime(calendar.lastSuccessAt) },
    ...(calendar.nextAttemptAt
      ? [{ name: words.t('availability.next_read'), value: words.dateTime(calendar.nextAttemptAt) }]
      : []),
    { name: words.t('availability.covers_until'), value: words.date(calendar.coversUntil) },
  ])}${unreadCount > 0 && html`<p class="muted">${words.t('availability.unread', { count: unreadCount })}</p>`}</div>`,
  footer: html`${refresh}${remove}`,
})}
${cardView({
  body: calendarForm.view({
    words,
    csrfToken,
    action: path,
    state,
    submit: words.t('availability.save'),
    cancel: { href: base },
  }),
})}`
}

function sourceText(words: Words, { isFile, host }: PrivateCalendar): string {
  if (isFile) return words.t('availability.source_file')
  return host === undefined ? words.t('availability.source_unknown') : words.t('availability.source_address', { host })
}

export const removeCalendarView = ({
  words,
  csrfToken,
  base,
  calendar: { id, name },
}: Omit<AddData, 'state'> & { calendar: PrivateCalendar }): Html =>
  confirmView({
    words,
    csrfToken,
    title: words.t('availability.remove_title', { name }),
    consequences: [words.t('availability.remove_times'), words.t('availability.remove_again')],
    action: `${base}calendars/${id}/remove/`,
    submit: words.t('availability.remove'),
    cancel: { href: `${base}calendars/${id}/` },
  })
