import { Readable } from 'node:stream'
import { filterOf, readPeopleQuery } from '#features/accounts/users/queries/people.ts'
import { permission } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { XLSX_TYPE } from '#platform/spreadsheet/xlsx-write.ts'
import { exportCsv, exportXlsx } from '../queries/export.ts'
import { EXPORT } from '../views/start.ts'

const headersOf = (name: string) => ({
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
})

export const exportPage: Page = viewPage({
  path: EXPORT,
  requires: 'recentSignIn',
  access: permission('view_user'),
  show: async ({ context, query }) => {
    const chosen = query.getAll('person').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
    const filter = { ...filterOf(readPeopleQuery(query)), ...(chosen.length ? { userIds: chosen } : {}) }
    if (query.get('format') === 'xlsx')
      return { content: await exportXlsx(context, filter), contentType: XLSX_TYPE, headers: headersOf('people.xlsx') }
    return {
      content: Readable.from(exportCsv(context, filter)),
      contentType: 'text/csv; charset=utf-8',
      headers: headersOf('people.csv'),
    }
  },
})
