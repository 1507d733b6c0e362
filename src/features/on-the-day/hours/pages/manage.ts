import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { csvDownload, csvDownloadInTurns } from '#platform/http/csv-download.ts'
import { formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { hasFaults } from '#platform/i18n/filter-days.ts'
import { writeDecimal } from '#platform/i18n/numbers.ts'
import type { Words } from '#platform/i18n/words.ts'
import { readId } from '#platform/ids.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { addHours, changeHours, deleteHours } from '../commands.ts'
import {
  decidesHours,
  type Entry,
  findHours,
  findHoursAndYears,
  findOverview,
  findPartnerHours,
  findTypeColumns,
  findWholeOverview,
  getEntry,
  getWorker,
  type OverviewFilter,
  readOverviewPart,
  type Worker,
} from '../queries.ts'
import { hoursForm } from '../schema.ts'
import {
  amountText,
  dayText,
  entryPath,
  HOURS,
  hoursCsvRows,
  overviewCsvHead,
  overviewCsvRows,
  workerPath,
} from '../views/hours.ts'
import { type OverviewQuery, overviewPath, overviewView, workerView } from '../views/overview.ts'
import { statementView } from '../views/statement.ts'
import { printing } from './my-shifts.ts'
import { filterOf, readHoursQuery } from './period.ts'

const PAGE_SIZE = 50

/** The overview is for people who may view profiles, and for people who decide about the hours of a group. */
async function requireOverview(context: RequestContext): Promise<void> {
  if (hasPermission(context.actor, 'view_user')) return
  if (!(await decidesHours(context))) throw new Problem('permission_denied')
}

async function requireWorker(context: RequestContext, userId: number): Promise<Worker> {
  await requireOverview(context)
  return requireFound(await getWorker(context, userId))
}

async function requireEntry(context: RequestContext, id: number): Promise<Entry> {
  return requireFound(await getEntry(context, id))
}

function readOverviewQuery(context: RequestContext, raw: URLSearchParams): OverviewQuery {
  const page = readId(raw.get('page')) ?? 1
  return {
    ...readHoursQuery(context, raw),
    group: readId(raw.get('group')),
    sort: raw.get('sort') === 'total' ? 'total' : 'name',
    page: Math.min(Math.max(page, 1), 1_000_000),
  }
}

const overviewFilter = (query: OverviewQuery): OverviewFilter => ({
  ...filterOf(query),
  groupId: query.group,
  sort: query.sort,
})

const hoursCrumbs = (words: Words) => manageCrumbs(words, { href: HOURS, label: words.t('hours.overview') })

const overviewPage = viewPage({
  path: HOURS,
  access: signedIn,
  show: async ({ context, query: raw }) => {
    await requireOverview(context)
    const { words, db } = context
    const query = readOverviewQuery(context, raw)
    const [types, groups, { count, sum, rows }] = await Promise.all([
      findTypeColumns(context),
      findGroupChoices(db),
      findOverview(context, overviewFilter(query), { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
    ])
    // The list may have become shorter since the previous page was loaded.
    if (!rows.length && query.page > 1) return { redirect: overviewPath({ ...query, page: 1 }) }
    const main = overviewView({ words, query, types, groups, people: rows, count, sum, pageSize: PAGE_SIZE })
    return { title: words.t('hours.overview'), breadcrumb: manageCrumbs(words), main, wide: true }
  },
})

const overviewExportPage = viewPage({
  path: `${HOURS}export/`,
  access: signedIn,
  show: async ({ context, query: raw }) => {
    await requireOverview(context)
    const { words } = context
    const query = readOverviewQuery(context, raw)
    if (hasFaults(query.faults)) return { redirect: `${HOURS}?${raw}` }
    const [types, parts] = await Promise.all([findTypeColumns(context), findWholeOverview(context, overviewFilter(query))])
    return csvDownloadInTurns(words, parts, {
      head: overviewCsvHead(words, types),
      atOnce: 1,
      rowsOf: (people) => overviewCsvRows(words, people.flatMap(readOverviewPart), types),
      name: words.t('hours.file_name'),
    })
  },
})

const workerPage = viewPage({
  path: `${HOURS}{user}/`,
  access: signedIn,
  show: async ({ context, path, query: raw }) => {
    const { words } = context
    const worker = await requireWorker(context, path.user)
    const query = readHoursQuery(context, raw)
    const [types, { rows, years }, partnerHours] = await Promise.all([
      findTypeColumns(context),
      findHoursAndYears(context, worker.id, filterOf(query)),
      findPartnerHours(context, worker.id, filterOf(query)),
    ])
    const main = workerView({ words, worker, query, types, rows, partnerHours, years })
    return { title: words.t('hours.of', { name: worker.name }), breadcrumb: hoursCrumbs(words), main }
  },
})

const workerExportPage = viewPage({
  path: `${HOURS}{user}/export/`,
  access: signedIn,
  show: async ({ context, path, query: raw }) => {
    const worker = await requireWorker(context, path.user)
    const query = readHoursQuery(context, raw)
    if (hasFaults(query.faults)) return { redirect: `${workerPath(worker.id)}?${raw}` }
    const rows = await findHours(context, worker.id, filterOf(query))
    return csvDownload(context.words, hoursCsvRows(context.words, rows), context.words.t('hours.file_name'))
  },
})

const workerStatementPage = viewPage({
  path: `${HOURS}{user}/statement/`,
  access: signedIn,
  show: async ({ context, path, query: raw }) => {
    const { words, now, db } = context
    const worker = await requireWorker(context, path.user)
    const query = readHoursQuery(context, raw)
    if (hasFaults(query.faults)) return { redirect: `${workerPath(worker.id)}?${raw}` }
    const [rows, organization] = await Promise.all([findHours(context, worker.id, filterOf(query)), getOrganizationName(db)])
    return {
      title: words.t('hours.statement_title'),
      breadcrumb: [...hoursCrumbs(words), { href: workerPath(worker.id), label: worker.name }],
      main: statementView({ words, now, organization: organization ?? 'Turnout', person: worker.name, rows, query }),
      ...printing,
    }
  },
})

const addPage = formPage({
  path: `${HOURS}{user}/add/`,
  access: signedIn,
  form: hoursForm.schema,
  show: async ({ context, csrfToken, path, url }, refused) => {
    const { words, now, site } = context
    const worker = await requireWorker(context, path.user)
    if (!worker.mayDecide) throw new Problem('permission_denied')
    const title = words.t('hours.add_for', { name: worker.name })
    const today = dayOf(now, site.timeZone)
    const form = hoursForm.view({
      words,
      csrfToken,
      action: url,
      state: refused ?? hoursForm.state({ date: today }),
      submit: words.t('hours.add'),
      cancel: { href: workerPath(worker.id) },
      layout: (field) => [field('date', { max: today }), field('hours'), field('reason')],
    })
    return {
      title,
      breadcrumb: [...hoursCrumbs(words), { href: workerPath(worker.id), label: worker.name }],
      main: html`${pageHeadView({ title })}${form}`,
    }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = await addHours(commandContext, path.user, form)
    if (!outcome) throw new Problem('permission_denied')
    if (!outcome.ok) return { refused: [{ field: 'date', text: words.t('hours.date_future') }] }
    return { redirect: workerPath(path.user), flash: { kind: 'good', text: words.t('hours.added') } }
  },
})

const entryState = ({ date, hours, reason, version }: Entry, words: Words) =>
  hoursForm.state({ date, hours: writeDecimal(String(hours), words.language), reason, version })

const entryPage = formPage({
  path: `${HOURS}entries/{id}/`,
  access: signedIn,
  form: hoursForm.schema,
  show: async ({ context, csrfToken, path }, refused) => {
    const { words, now, site } = context
    const entry = await requireEntry(context, path.id)
    const title = words.t('hours.edit_for', { name: entry.name })
    const form = hoursForm.view({
      words,
      csrfToken,
      action: entryPath(entry.id),
      // After a conflict the form keeps the submitted values and gets the new version, so that saving again overwrites on purpose.
      state: refused ? { ...refused, values: { ...refused.values, version: String(entry.version) } } : entryState(entry, words),
      submit: words.t('hours.save'),
      cancel: { href: workerPath(entry.userId) },
      extra: linkButtonView({
        href: `${entryPath(entry.id)}delete/`,
        label: words.t('hours.delete'),
        kind: 'quiet',
        icon: 'trash-2',
      }),
      layout: (field) => [field('date', { max: dayOf(now, site.timeZone) }), field('hours'), field('reason'), field('version')],
    })
    return {
      title,
      breadcrumb: [...hoursCrumbs(words), { href: workerPath(entry.userId), label: entry.name }],
      main: html`${pageHeadView({ title })}${form}`,
    }
  },
  submit: async ({ context, commandContext, path }, form) => {
    const { words } = context
    const before = await requireEntry(context, path.id)
    const outcome = requireFound(await changeHours(commandContext, path.id, form))
    if (!outcome.ok) {
      if (outcome.reason === 'date_future') return { refused: [{ field: 'date', text: words.t('hours.date_future') }] }
      const { date, hours, reason } = outcome.entry
      const text = words.t('hours.outdated', { date: dayText(words, date), hours: amountText(words, hours), reason })
      return { refused: [{ text }], status: 409 }
    }
    const text = words.t(outcome.isChanged ? 'hours.saved' : 'hours.unchanged')
    return { redirect: workerPath(before.userId), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  },
})

const deletePage = formPage({
  path: `${HOURS}entries/{id}/delete/`,
  access: signedIn,
  form: emptyForm,
  show: async ({ context, csrfToken, path }) => {
    const { words } = context
    const entry = await requireEntry(context, path.id)
    const title = words.t('hours.delete_title')
    const main = confirmView({
      words,
      title,
      csrfToken,
      action: `${entryPath(entry.id)}delete/`,
      submit: words.t('hours.delete'),
      cancel: { href: entryPath(entry.id) },
      consequences: [
        words.t('hours.delete_effect', {
          name: entry.name,
          hours: amountText(words, entry.hours),
          date: dayText(words, entry.date),
          reason: entry.reason,
        }),
        words.t('hours.delete_logged'),
      ],
    })
    return { title, breadcrumb: [...hoursCrumbs(words), { href: workerPath(entry.userId), label: entry.name }], main }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const entry = requireFound(await deleteHours(commandContext, path.id))
    return { redirect: workerPath(entry.userId), flash: { kind: 'good', text: words.t('hours.deleted') } }
  },
})

export const manageHoursPages: Page[] = [
  overviewPage,
  overviewExportPage,
  workerPage,
  workerExportPage,
  workerStatementPage,
  addPage,
  entryPage,
  deletePage,
]
