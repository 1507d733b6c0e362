import type { Runtime } from '#platform/features/runtime.ts'
import { staff } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { performChecks } from './commands/list.ts'
import { STATUS, statusView } from './views.ts'

export const statusPages = ({ db, config, files, version, site }: Runtime): Page[] => [
  viewPage({
    path: STATUS,
    access: staff,
    show: async ({ context: { words, now }, query }) => {
      const isThorough = query.get('check') === 'all'
      const input = { db, config, files, version, keyring: site.keyring, now, words }
      const areas = await performChecks(input, { isThorough })
      return { title: words.t('status.title'), breadcrumb: manageCrumbs(words), main: statusView({ words, areas, isThorough }) }
    },
  }),
]
