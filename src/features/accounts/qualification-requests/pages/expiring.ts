import { findGroupChoices, findQualificationChoices } from '#features/accounts/users/queries/people.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { permission } from '#platform/http/access.ts'
import { csvDownload } from '#platform/http/csv-download.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { DEFAULT_PERIOD, findExpiring, PERIODS } from '../queries.ts'
import { EXPIRING, type ExpiringQuery, expiringCsvRows, expiringView } from '../views/expiring.ts'

const PAGE_SIZE = 50

/** Invalid values count as absent. */
function readQuery(raw: URLSearchParams): ExpiringQuery {
  const number = (name: string) => (/^\d{1,15}$/.test(raw.get(name) ?? '') ? Number(raw.get(name)) : undefined)
  const days = number('days')
  return {
    qualification: number('qualification'),
    group: number('group'),
    days: days === 0 || PERIODS.some((period) => period === days) ? days! : DEFAULT_PERIOD,
    page: Math.min(Math.max(number('page') ?? 1, 1), 10_000),
  }
}

const find = (context: RequestContext, { qualification, group, days, page }: ExpiringQuery, isWhole = false) =>
  findExpiring(
    context,
    { qualificationId: qualification, groupId: group, days },
    isWhole ? undefined : { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
  )

const listPage = viewPage({
  path: EXPIRING,
  access: permission('change_user'),
  show: async ({ context, query: raw }) => {
    const { words, now, db } = context
    const query = readQuery(raw)
    const [{ count, rows }, qualifications, groups] = await Promise.all([
      find(context, query),
      findQualificationChoices(db),
      findGroupChoices(db),
    ])
    const main = expiringView({ words, now, query, rows, count, pageSize: PAGE_SIZE, periods: PERIODS, qualifications, groups })
    return { title: words.t('qualreq.expiring'), breadcrumb: manageCrumbs(words), main }
  },
})

const exportPage = viewPage({
  path: `${EXPIRING}export/`,
  access: permission('change_user'),
  show: async ({ context, query }) => {
    const { words } = context
    const { rows } = await find(context, readQuery(query), true)
    return csvDownload(words, expiringCsvRows(words, rows), 'expiring')
  },
})

export const expiringPages: Page[] = [listPage, exportPage]
