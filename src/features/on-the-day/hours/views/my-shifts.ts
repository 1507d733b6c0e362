import type { ChildShift } from '#features/accounts/families/rules.ts'
import { childShiftRow } from '#features/accounts/families/views.ts'
import type { RequestState } from '#features/accounts/requests/rules.ts'
import { requestStateView } from '#features/accounts/requests/views.ts'
import type { ShiftSummary } from '#features/events/browse/rules/summaries.ts'
import { shiftPath, shiftTitle } from '#features/events/browse/views/list-items.ts'
import { type EventRowData, eventListView } from '#features/events/events/views/event-row.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { HoursRow, TypeColumn, YearOfHours } from '../rules.ts'
import { downloadButtons, filtersView, type HoursQuery, hoursListView, MY_SHIFTS, yearsView } from './hours.ts'

export const REQUEST = `${MY_SHIFTS}request/`
const withdrawPath = (id: number): string => `${MY_SHIFTS}requests/${id}/withdraw/`

type OwnRequest = { id: number; state: RequestState; text: string; comment: string; createdAt: Date }
type MyShiftsData = {
  words: Words
  now: Date
  csrfToken: string
  confirmed: readonly ShiftSummary[]
  requested: readonly ShiftSummary[]
  /** Whom the reader is a guardian of. */
  children: readonly { userId: number; name: string }[]
  childShifts: readonly ChildShift[]
  /** `me`, the id of a child, or else everybody. */
  who: string
  requests: readonly OwnRequest[]
  query: HoursQuery
  types: readonly TypeColumn[]
  rows: readonly HoursRow[]
  years: readonly YearOfHours[]
  hoursThisYear: number
  /** A link to the overview, for people who decide about hours. */
  overview: string | undefined
}

export function myShiftsView(data: MyShiftsData): Html {
  const { words, query, years, types, overview } = data
  return html`${pageHeadView({
    title: words.t('hours.my_shifts'),
    facts: words.t('hours.this_year_sum', { hours: data.hoursThisYear }),
    actions: [
      linkButtonView({ href: REQUEST, label: words.t('hours.request'), icon: 'plus', kind: 'primary' }),
      overview !== undefined && linkButtonView({ href: overview, label: words.t('hours.overview'), icon: 'users' }),
    ],
  })}
<section class="section-block"><header class="section-head"><h2>${words.t('hours.coming')}</h2></header>${comingView(data)}</section>
${data.requests.length > 0 && html`<section class="section-block"><header class="section-head"><h2>${words.t('hours.own_requests')}</h2></header>${requestsView(data)}</section>`}
<section class="section-block" id="past"><header class="section-head"><h2>${words.t('hours.past')}</h2><div class="cluster">${downloadButtons(words, MY_SHIFTS, query)}</div></header>
${filtersView({ words, action: MY_SHIFTS, query, types })}${hoursListView({ words, rows: data.rows, query, isEditable: false })}</section>
${years.length > 0 && html`<section class="section-block"><header class="section-head"><h2>${words.t('hours.by_year')}</h2></header>${yearsView(words, years, types, MY_SHIFTS)}</section>`}`
}

function comingView({ words, now, confirmed, requested, children, childShifts, who }: MyShiftsData): Html {
  const rowOf = (shift: ShiftSummary, isConfirmed: boolean): EventRowData => ({
    href: shiftPath(shift),
    title: shiftTitle(shift),
    start: shift.start,
    end: shift.end,
    location: shift.location,
    type: { name: shift.typeTitle, colour: shift.typeColor },
    notes: [
      shift.cancellationReason !== null
        ? { tone: 'bad', text: words.t('event.cancelled') }
        : { tone: isConfirmed ? 'good' : 'warn', text: words.t(isConfirmed ? 'hours.confirmed' : 'hours.requested') },
    ],
  })
  const own = [...confirmed.map((shift) => rowOf(shift, true)), ...requested.map((shift) => rowOf(shift, false))]
  const choices = [
    { value: '', label: words.t('hours.who_all'), rows: [...own, ...childShifts.map((shift) => childShiftRow(words, shift))] },
    { value: 'me', label: words.t('hours.who_me'), rows: own },
    ...children.map(({ userId, name }) => ({
      value: String(userId),
      label: name,
      rows: childShifts.filter(({ child }) => child.userId === userId).map((shift) => childShiftRow(words, shift)),
    })),
  ]
  const chosen = choices.find(({ value }) => value === who) ?? choices[0]!
  const filter =
    children.length > 0 &&
    tabsView({
      label: words.t('hours.who'),
      tabs: choices.map(({ value, label, rows }) => ({
        href: value ? `${MY_SHIFTS}?who=${value}` : MY_SHIFTS,
        label,
        count: rows.length,
        current: value === chosen.value,
      })),
    })
  const rows = chosen.rows.toSorted((a, b) => a.start.getTime() - b.start.getTime())
  if (rows.length) return html`${filter}${eventListView({ words, now, events: rows })}`
  if (chosen !== choices[0] && chosen.value !== 'me')
    return html`${filter}${emptyView({ icon: 'calendar-check', text: words.t('hours.none_of', { name: chosen.label }) })}`
  return html`${filter}${emptyView({
    icon: 'calendar-check',
    text: words.t('hours.none_coming'),
    action: linkButtonView({ href: '/events/', label: words.t('hours.find_shift') }),
  })}`
}

function requestsView({ words, now, csrfToken, requests }: MyShiftsData): Html {
  return html`<ul class="requests" role="list">${requests.map(
    ({ id, state, text, comment, createdAt }) =>
      html`<li class="request" id="request-${id}" data-row><div class="request-about"><p class="wrap">${text} ${requestStateView(words, state)}</p>${comment && html`<p class="muted wrap">${words.t('requests.comment_is', { comment })}</p>`}<p class="muted">${words.t('requests.asked', { when: words.relative(createdAt, now) })}</p></div>${
        state === 'open' &&
        postButtonView({
          action: withdrawPath(id),
          csrfToken,
          id: `withdraw-${id}`,
          label: words.t('hours.withdraw'),
          kind: 'quiet',
          icon: 'x',
        })
      }</li>`,
  )}</ul>`
}
