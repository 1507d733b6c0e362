import { findShiftsOfChildren } from '#features/accounts/families/queries.ts'
import { withdrawRequest } from '#features/accounts/requests/commands.ts'
import { findRequestsOf } from '#features/accounts/requests/queries.ts'
import { withdrawalFlash } from '#features/accounts/requests/views.ts'
import { findChildActors } from '#features/accounts/users/queries/guardians.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { exchangePath } from '#features/events/browse/queries/exchanges.ts'
import { findOwnShifts, type OwnShifts } from '#features/events/browse/queries/shifts.ts'
import type { ShiftSummary } from '#features/events/browse/rules/summaries.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { type Eligibility, loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findOwnSearches } from '#features/staffing/exchanges/queries/stand-in.ts'
import type { SearchProgress } from '#features/staffing/exchanges/rules/waves.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { offerPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOn } from '#platform/features/modules.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { csvDownload } from '#platform/http/csv-download.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { hasFaults } from '#platform/i18n/filter-days.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { hoursRequest, requestHours } from '../commands.ts'
import { decidesHours, findHours, findHoursAndYears, findPartnerHours, findTypeColumns } from '../queries.ts'
import { sumHours } from '../rules.ts'
import { hoursForm } from '../schema.ts'
import { HOURS, hoursCsvRows, MY_SHIFTS } from '../views/hours.ts'
import { myShiftsView, REQUEST } from '../views/my-shifts.ts'
import type { OwnPlace, OwnShiftsData } from '../views/own-shifts.ts'
import { statementView } from '../views/statement.ts'
import { currentYear, filterOf, readHoursQuery } from './period.ts'

const MOST_COMING = 200
const MOST_REQUESTS = 20

const myShiftsPage = viewPage({
  path: MY_SHIFTS,
  keeps: true,
  isAlwaysOn: true,
  access: signedIn,
  show: async ({ context, query: raw, csrfToken }) => {
    const { words, db, site } = context
    const { userId } = context.actor
    const query = readHoursQuery(context, raw)
    const year = currentYear(context)
    const { from, to, typeId } = filterOf(query)
    const [own, requests, types, { rows, years }, isDecider, atPartners] = await Promise.all([
      findOwnShifts(context, MOST_COMING),
      findRequestsOf(db, userId, hoursRequest, MOST_REQUESTS),
      findTypeColumns(context),
      findHoursAndYears(context, userId, filterOf(query)),
      decidesHours(context),
      findPartnerHours(context, userId, { from: undefined, to: undefined, typeId: undefined }),
    ])
    const children = isOn(site, 'families') ? await findChildActors(context) : []
    const { facts, ...shown } = await presentOwnShifts(context, own)
    const main = myShiftsView({
      ...(await loadReasonContext(context, facts)),
      csrfToken,
      hasHours: isOn(site, 'hours'),
      hasExchanges: isOn(site, 'exchanges'),
      ...shown,
      isAll: raw.get('all') === '1',
      isFiltered: ['from', 'to', 'type'].some((name) => raw.has(name)),
      children: children.map((child) => ({ userId: child.userId, name: child.displayName })),
      childShifts: children.length ? await findShiftsOfChildren(context, children, MOST_COMING) : [],
      who: raw.get('who') ?? '',
      requests: requests.map((request) => ({ ...request, ...hoursRequest.describe(words, request) })),
      query,
      types,
      rows,
      years,
      hoursThisYear: years.find((each) => each.year === year)?.total ?? 0,
      partnerHours: atPartners.filter(({ date }) => typeId === undefined && date >= (from ?? date) && date <= (to ?? date)),
      partnerHoursThisYear: sumHours(atPartners.filter(({ date }) => date.startsWith(year))),
      overview: isDecider ? HOURS : undefined,
    })
    return { title: words.t('hours.my_shifts'), main }
  },
})

/** More shifts have the link to their event only. */
const MOST_JUDGED = 60

async function presentOwnShifts(
  context: RequestContext<UserActor>,
  { confirmed, requested, lines, exchanges }: OwnShifts,
): Promise<Pick<OwnShiftsData, 'confirmed' | 'requested' | 'lines' | 'exchanges'> & Pick<Eligibility, 'facts'>> {
  const { words, now, actor, site } = context
  const here = [...confirmed.rows, ...requested.rows].filter(({ partner }) => !partner).slice(0, MOST_JUDGED)
  const { eligibility: candidacies, facts } = await loadEligibility(
    context,
    here.map(({ id }) => id),
  )
  const withChoices = (shift: ShiftSummary): OwnPlace => {
    const candidacy = shift.partner ? undefined : candidacies.get(shift.id)
    return {
      ...shift,
      canDecline: candidacy?.canDecline ?? false,
      canCustomize: candidacy?.canCustomize ?? false,
      reasons: candidacy?.reasons.decline ?? [],
      companions: candidacy?.own?.companions ?? 0,
    }
  }
  const searches = exchanges.some(({ exchange }) => exchange.what === 'sought')
    ? await findOwnSearches(context.db, actor.userId)
    : new Map<number, SearchProgress>()
  const ownIds = new Set(confirmed.rows.filter(({ partner }) => !partner).map(({ id }) => id))
  return {
    facts,
    confirmed: confirmed.rows.map(withChoices),
    requested: requested.rows.map(withChoices),
    lines: lines.map(({ line: { id, isOffered, until, position }, ...shift }) => {
      const end = isOffered && until !== null ? new Date(until) : undefined
      const token = makeOfferToken(site.keyring, { kind: 'waiting_list', id, userId: actor.userId, shiftId: shift.id })
      return {
        ...shift,
        text: end
          ? words.t('offers.home_offered', { until: `${words.day(end, now)} ${words.time(end)}` })
          : words.t('offers.home_position', { position }),
        offer: end && offerPath(token),
      }
    }),
    exchanges: exchanges.map(({ exchange, ...shift }) => ({
      ...shift,
      text: words.t(`swap.home_${exchange.what}`, { name: exchange.name }),
      path: exchangePath(site.keyring, actor.userId, shift.id, exchange),
      isAsked: exchange.what === 'in' || exchange.what === 'asked',
      isOwnShift: ownIds.has(shift.id),
      search: exchange.what === 'sought' ? searches.get(shift.id) : undefined,
    })),
  }
}

const exportPage = viewPage({
  path: `${MY_SHIFTS}export/`,
  access: signedIn,
  show: async ({ context, query: raw }) => {
    const query = readHoursQuery(context, raw)
    if (hasFaults(query.faults)) return { redirect: `${MY_SHIFTS}?${raw}` }
    const rows = await findHours(context, context.actor.userId, filterOf(query))
    return csvDownload(context.words, hoursCsvRows(context.words, rows), context.words.t('hours.file_name'))
  },
})

const statementPage = viewPage({
  path: `${MY_SHIFTS}statement/`,
  access: signedIn,
  show: async ({ context, query: raw }) => {
    const { words, now, db } = context
    const { userId, displayName } = context.actor
    const query = readHoursQuery(context, raw)
    if (hasFaults(query.faults)) return { redirect: `${MY_SHIFTS}?${raw}` }
    const [rows, organization] = await Promise.all([findHours(context, userId, filterOf(query)), getOrganizationName(db)])
    return {
      title: words.t('hours.statement_title'),
      breadcrumb: [{ href: MY_SHIFTS, label: words.t('hours.my_shifts') }],
      main: statementView({ words, now, organization: organization ?? 'Turnout', person: displayName, rows, query }),
      ...printing,
    }
  },
})

/** The print button and the layout on paper are those of the roster. */
export const printing = {
  head: html`<link rel="stylesheet" href="${assetUrl('roster.css')}">`,
  scripts: [assetUrl('roster.js')],
}

const requestPage = formPage({
  path: REQUEST,
  access: signedIn,
  form: hoursForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { words, now, site } = context
    const title = words.t('hours.request')
    const today = dayOf(now, site.timeZone)
    const form = hoursForm.view({
      words,
      csrfToken,
      action: REQUEST,
      state: refused ?? hoursForm.state({ date: today }),
      submit: words.t('hours.request_submit'),
      cancel: { href: MY_SHIFTS },
      layout: (field) => [field('date', { max: today }), field('hours'), field('reason')],
    })
    return {
      title,
      breadcrumb: [{ href: MY_SHIFTS, label: words.t('hours.my_shifts') }],
      main: html`${pageHeadView({ title, facts: words.t('hours.request_intro') })}${form}`,
    }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await requestHours(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: 'date', text: words.t('hours.date_future') }] }
    return { redirect: MY_SHIFTS, flash: { kind: 'good', text: words.t('hours.request_sent') } }
  },
})

const withdrawPage = actionPage({
  path: `${MY_SHIFTS}requests/{id}/withdraw/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext, path }) => {
    const outcome = await withdrawRequest(commandContext, path.id)
    return { redirect: MY_SHIFTS, flash: withdrawalFlash(words, outcome, words.t('hours.withdrawn')) }
  },
})

export const myShiftsPages: Page[] = [myShiftsPage, exportPage, statementPage, requestPage, withdrawPage]
