import type { SeriesPlace } from '#features/events/events/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { seriesSectionView } from '../views/series.ts'

/** On the event page: where the event stands in its series. */
export async function seriesSection(
  { words, actor }: RequestContext,
  { id, series }: { id: number; series: SeriesPlace | null },
): Promise<Html | undefined> {
  if (!series) return undefined
  return seriesSectionView({
    words,
    eventId: id,
    place: series,
    mayDelete: hasPermission(actor, 'delete_event'),
    mayAdd: hasPermission(actor, 'add_event'),
  })
}
