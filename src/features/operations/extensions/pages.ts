import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { extensionSettings } from './points.ts'
import { findExtensions } from './queries/extensions.ts'
import { extensionsView } from './views.ts'

/** Undefined: the operator has named none. */
export async function extensionsSection({ db, words, site }: RequestContext): Promise<Html | undefined> {
  const found = await findExtensions(db)
  return found.length ? extensionsView(words, found, site.added(extensionSettings)) : undefined
}
