import { permission } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { findLogPage } from './queries.ts'
import { LOG_KINDS } from './rules.ts'
import { LOG, logView } from './views.ts'

const logPage = viewPage({
  path: LOG,
  access: permission('view_journal'),
  show: async ({ context, query }) => {
    const { words, now } = context
    const title = words.t('log.title')
    const log = await findLogPage(context, query)
    const main = logView({ ...log, words, now, title, path: LOG, kinds: LOG_KINDS })
    return { title, breadcrumb: manageCrumbs(words), main }
  },
})

export const auditLogPages: Page[] = [logPage]
