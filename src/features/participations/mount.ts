import type { Html } from '#platform/html/html.ts'
import { type PageAccess, signedIn } from '#platform/http/access.ts'
import type { PageRequest, Redirect } from '#platform/http/page.ts'
import { type Links, MEMBER_LINKS } from './rules/links.ts'

/**
 * The event, sign-up and decline pages are mounted twice: for signed-in members, and for visitors of partner instances under paths
 * of their own. `authorize` runs before every page and action; it returns a redirect if the visitor has to identify first.
 */
export type PageMount = {
  access: PageAccess
  paths: { signup: ShiftPath; decline: ShiftPath; undo: ShiftPath }
  authorize(request: PageRequest): Promise<MountContext | Redirect>
}

/** A path with the id of the shift; a mount may have further parameters that its `authorize` reads. */
type ShiftPath = `${string}{shift}${string}`

export type MountContext = {
  links: Links
  /** Shown above the page content. */
  banner?: Html
  /** Further origins for the CSP directive `form-action`. */
  formTargets?: string[]
  head?: Html
}

export const MEMBER_MOUNT: PageMount = {
  access: signedIn,
  paths: { signup: '/shifts/{shift}/signup/', decline: '/shifts/{shift}/decline/', undo: '/shifts/{shift}/undo/' },
  authorize: async () => ({ links: MEMBER_LINKS }),
}
