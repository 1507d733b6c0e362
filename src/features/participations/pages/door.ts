import type { Html } from '#platform/html/html.ts'
import { type PageAccess, signedIn } from '#platform/http/access.ts'
import type { Redirect, Visit } from '#platform/http/page.ts'
import { type Links, OWN_LINKS } from '../views/links.ts'

/** By which way people come to the pages where they take part: those who are signed in here by one, people from elsewhere by another. */
export type Door = {
  access: PageAccess
  paths: { event: string; signup: string; decline: string }
  /** Asked at every page and action. A redirect: somebody has to go elsewhere first. */
  enter: (visit: Visit) => Promise<Entered | Redirect>
}

export type Entered = {
  links: Links
  /** Above the page: what people from elsewhere must know. */
  banner?: Html
  /** Origins besides ours that a form may lead to. */
  formTargets?: string[]
  head?: Html
}

export const OWN_DOOR: Door = {
  access: signedIn,
  paths: { event: '/events/{event}/', signup: '/shifts/{shift}/signup/', decline: '/shifts/{shift}/decline/' },
  enter: async () => ({ links: OWN_LINKS }),
}
