import { signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { openAtHost } from '../commands/openings.ts'
import { OPENING } from '../rules/openings.ts'

/** Leads to the page of an event at a host that does not tell us where our people stand. */
export const openingPage: Page = viewPage({
  writes: true,
  path: OPENING,
  access: signedIn,
  show: async ({ commandContext, path }) => {
    const href = await openAtHost(commandContext, path.id)
    if (href === undefined) throw new Problem('not_found')
    return { redirect: href }
  },
})
