import type { Actor } from '#platform/auth/actor.ts'
import { signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { MANAGE, type ManagePlace, manageIndexView } from '#platform/ui/manage.ts'

/** Cards for the areas that the caller may manage. */
export const manageIndexPage = (managementAreasFor: (actor: Actor, words: Words) => ManagePlace[]): Page =>
  viewPage({
    path: MANAGE,
    access: signedIn,
    show: async ({ context: { actor, words } }) => {
      const places = managementAreasFor(actor, words)
      if (!places.length) throw new Problem('permission_denied')
      return { title: words.t('manage.title'), main: manageIndexView({ words, places }) }
    },
  })
