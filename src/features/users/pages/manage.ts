import type { Actor } from '#platform/auth/actor.ts'
import { signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { MANAGE, type ManagePlace, manageIndexView } from '#platform/ui/manage.ts'

/** What there is to manage for somebody; the plan of the house knows all of it. */
export const manageIndexPage = (placesOf: (actor: Actor, words: Words) => ManagePlace[]): Page =>
  viewPage({
    path: MANAGE,
    access: signedIn,
    show: async ({ context: { actor, words } }) => {
      const places = placesOf(actor, words)
      if (!places.length) throw new Problem('permission_denied')
      return { title: words.t('manage.title'), main: manageIndexView({ words, places }) }
    },
  })
