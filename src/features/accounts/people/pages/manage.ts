import { managementAreasFor } from '#platform/features/layout.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { MANAGE, manageIndexView } from '#platform/ui/manage.ts'

/** Cards for the areas that the caller may manage. */
export const managePage = viewPage({
  path: MANAGE,
  access: signedIn,
  show: async ({ context: { actor, words, site } }) => {
    const places = managementAreasFor(site.added, actor, words)
    if (!places.length) throw new Problem('permission_denied')
    return { title: words.t('manage.title'), main: manageIndexView({ words, places }) }
  },
})
