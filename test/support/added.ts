import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { ExtensionPoint } from '#platform/features/extension-points.ts'

/** A site on which features add just these values at the point. */
export const siteWith = <Value>(site: Site, point: ExtensionPoint<Value>, values: readonly Value[]): Site => ({
  ...site,
  added: <Other>(asked: ExtensionPoint<Other>) =>
    asked.name === point.name ? (values as unknown as readonly Other[]) : site.added(asked),
})

export const contextWith = <Value>(
  context: CommandContext,
  point: ExtensionPoint<Value>,
  values: readonly Value[],
): CommandContext => ({ ...context, site: siteWith(context.site, point, values) })
