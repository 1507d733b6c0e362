import { dayOf } from '#features/accounts/users/rules.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { csvDownload } from '#platform/http/csv-download.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { hasFaults } from '#platform/i18n/filter-days.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findReport, findReportOptions, findWholeReport } from './queries/report.ts'
import { REPORT_EXPORT, REPORT_TO_PRINT, REPORTS, readReportChoice } from './rules/period.ts'
import { printedReportView, reportsView } from './views/reports.ts'
import { csvRowsOf, TABLES, tablesOf } from './views/tables.ts'

/** People in the list; the file contains more. */
const SHOWN_MEMBERS = 15
const PRINTED_MEMBERS = 50

const stylesheet = html`<link rel="stylesheet" href="${assetUrl('reports.css')}">`

const reportsPage = viewPage({
  path: REPORTS,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, actor, now, site } = context
    const today = dayOf(now, site.timeZone)
    const choice = readReportChoice(query, today)
    const [report, options] = await Promise.all([
      findReport(context, choice, { members: SHOWN_MEMBERS }),
      findReportOptions(context, choice),
    ])
    const plansAll = hasPermission(actor, 'change_event')
    return {
      title: words.t('reports.title'),
      breadcrumb: [{ href: '/planning/', label: words.t('shortages.nav') }],
      main: reportsView({ words, today, choice, report, options, plansAll }),
      head: html`<link rel="stylesheet" href="${assetUrl('find.css')}">${stylesheet}`,
      wide: true,
    }
  },
})

const printPage = viewPage({
  path: REPORT_TO_PRINT,
  access: signedIn,
  show: async ({ context, query }) => {
    const { db, words, actor, now, site } = context
    const today = dayOf(now, site.timeZone)
    const choice = readReportChoice(query, today)
    if (hasFaults(choice.faults)) return { redirect: `${REPORTS}?${query}` }
    const [report, organization] = await Promise.all([
      findReport(context, choice, { members: PRINTED_MEMBERS }),
      getOrganizationName(db),
    ])
    const plansAll = hasPermission(actor, 'change_event')
    return {
      title: words.t('reports.print_year'),
      breadcrumb: [{ href: REPORTS, label: words.t('reports.title') }],
      main: printedReportView({ words, today, now, choice, report, plansAll, organization: organization ?? 'Turnout' }),
      head: html`<link rel="stylesheet" href="${assetUrl('roster.css')}">${stylesheet}`,
      // The print button.
      scripts: [assetUrl('roster.js')],
    }
  },
})

const exportPage = viewPage({
  path: REPORT_EXPORT,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, now, site } = context
    const name = requireFound(TABLES.find((known) => known === (query.get('table') ?? TABLES[0])))
    const choice = readReportChoice(query, dayOf(now, site.timeZone))
    if (hasFaults(choice.faults)) return { redirect: `${REPORTS}?${query}` }
    const table = requireFound(tablesOf(words, await findWholeReport(context, choice)).find((each) => each.name === name))
    return csvDownload(words, csvRowsOf(words, table), words.t('reports.file_name', { name }))
  },
})

export const reportsPages: Page[] = [reportsPage, printPage, exportPage]
