import type { Html } from '#platform/html/html.ts'
import { type PageAccess, signedIn } from '#platform/http/access.ts'
import type { PageBody, PageRequest, Redirect } from '#platform/http/page.ts'
import { type Links, MEMBER_LINKS } from './rules/links.ts'

/**
 * The event, sign-up and decline pages are mounted for signed-in members, and under paths of their own for visitors of partner
 * instances and for guests. `authorize` runs before every page and action; it returns a redirect if the person has to identify first,
 * or a page that says why they cannot go on.
 */
export type PageMount = {
  access: PageAccess
  paths: { signup: ShiftPath; decline: ShiftPath; undo: ShiftPath }
  authorize(request: PageRequest): Promise<MountContext | Redirect | PageBody>
}

/** A path with the id of the shift; a mount may have further parameters that its `authorize` reads. */
type ShiftPath = `${string}{shift}${string}`

export type MountContext = {
  links: Links
  /** The event that the person may open; undefined if the path of the page names it. */
  eventId?: number
  /** Shown above the page content. */
  banner?: Html
  /** Further origins for the CSP directive `form-action`. */
  formTargets?: string[]
  head?: Html
  headers?: Record<string, string>
}

export const MEMBER_MOUNT: PageMount = {
  access: signedIn,
  paths: { signup: '/shifts/{shift}/signup/', decline: '/shifts/{shift}/decline/', undo: '/shifts/{shift}/undo/' },
  authorize: async () => ({ links: MEMBER_LINKS }),
}
