import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { getSeriesPlace } from '../queries/series.ts'
import { seriesSectionView } from '../views/series.ts'

/** On the event page: where the event stands in its series. */
export async function seriesSection(
  context: RequestContext,
  { id, mayChange }: { id: number; mayChange: boolean },
): Promise<Html | undefined> {
  if (!mayChange || context.actor.kind !== 'user') return undefined
  const place = await getSeriesPlace(context, id)
  if (!place) return undefined
  const { words, actor } = context
  return seriesSectionView({
    words,
    eventId: id,
    place,
    mayDelete: hasPermission(actor, 'delete_event'),
    mayAdd: hasPermission(actor, 'add_event'),
  })
}
