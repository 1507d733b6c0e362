import type { RequestState } from '#features/accounts/requests/rules.ts'
import { requestStateView } from '#features/accounts/requests/views.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { PartnerHours } from '../queries.ts'
import type { HoursRow, TypeColumn, YearOfHours } from '../rules.ts'
import { downloadButtons, filtersView, type HoursQuery, hoursListView, MY_SHIFTS, partnerHoursView, yearsView } from './hours.ts'
import { type OwnShiftsData, ownShiftsView } from './own-shifts.ts'

export const REQUEST = `${MY_SHIFTS}request/`
const withdrawPath = (id: number): string => `${MY_SHIFTS}requests/${id}/withdraw/`

type OwnRequest = { id: number; state: RequestState; text: string; comment: string; createdAt: Date }
type MyShiftsData = OwnShiftsData & {
  /** The module of working hours is on. */
  hasHours: boolean
  requests: readonly OwnRequest[]
  query: HoursQuery
  /** The reader has chosen a period or a type. */
  isFiltered: boolean
  types: readonly TypeColumn[]
  rows: readonly HoursRow[]
  years: readonly YearOfHours[]
  hoursThisYear: number
  partnerHours: readonly PartnerHours[]
  partnerHoursThisYear: number
  /** A link to the overview, for people who decide about hours. */
  overview: string | undefined
}

export function myShiftsView(data: MyShiftsData): Html {
  const { words } = data
  return html`${pageHeadView({ title: words.t('hours.my_shifts') })}
${ownShiftsView(data)}
${data.hasHours && hoursView(data)}`
}

/** Below the shifts, and folded until the reader asks for it. */
function hoursView(data: MyShiftsData): Html {
  const { words, query, years, types, overview, requests } = data
  const waiting = requests.filter(({ state }) => state === 'open')
  const decided = requests.filter(({ state }) => state !== 'open')
  const requestsOf = (some: readonly OwnRequest[]) =>
    some.length > 0 && html`<h3>${words.t('hours.own_requests')}</h3>${requestsView(data, some)}`
  return html`<section class="section-block" id="past"><header class="section-head"><h2>${words.t('hours.amount')}</h2></header>
<p>${words.t('hours.this_year_sum', { hours: data.hoursThisYear })}${data.partnerHoursThisYear > 0 && html` ${words.t('hours.partners_this_year', { hours: data.partnerHoursThisYear })}`}</p>
<div class="cluster">${linkButtonView({ href: REQUEST, label: words.t('hours.request'), icon: 'plus', small: true })}${overview !== undefined && linkButtonView({ href: overview, label: words.t('hours.overview'), icon: 'users', small: true })}</div>
${requestsOf(waiting)}
<details class="fold" ${attrs({ open: data.isFiltered })}><summary>${iconView('history', { size: 18 })}${words.t('hours.past')}${iconView('chevron-down', { size: 18 })}</summary><div class="stack"><div class="cluster">${downloadButtons(words, MY_SHIFTS, query)}</div>${filtersView({ words, action: MY_SHIFTS, query, types })}${hoursListView({ words, rows: data.rows, query, isEditable: false })}${partnerHoursView(words, data.partnerHours)}${requestsOf(decided)}${years.length > 0 && html`<h3>${words.t('hours.by_year')}</h3>${yearsView(words, years, types, MY_SHIFTS)}`}</div></details></section>`
}

function requestsView({ words, now, csrfToken }: MyShiftsData, requests: readonly OwnRequest[]): Html {
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
