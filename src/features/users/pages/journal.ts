import { permission } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { LOG_KINDS, readLog } from '../queries/log.ts'
import { LOG, logView } from '../views/journal.ts'

const logPage = viewPage({
  path: LOG,
  access: permission('view_journal'),
  show: async ({ context, query }) => {
    const { words, now } = context
    const title = words.t('log.title')
    const log = await readLog(context, query)
    const main = logView({ ...log, words, now, title, path: LOG, kinds: LOG_KINDS })
    return { title, breadcrumb: manageCrumbs(words), main }
  },
})

export const journalPages: Page[] = [logPage]
