import type { RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'

/** What other features show below the list of modules. */
export const modulesPage = {
  section: extensionPoint<(context: RequestContext) => Promise<Html | undefined>>('modules.page.section'),
}
