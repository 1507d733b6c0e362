import { eventPath } from '#features/events/events/rules/slug.ts'
import { requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { findSeriesEvents, getSeriesOf, type Series } from '../queries/series.ts'
import type { SeriesEvent } from '../rules/linking.ts'
import { seriesPath, UNDO_STEP } from '../views/series.ts'

export type Linked = { series: Series; members: SeriesEvent[]; source: SeriesEvent }

/** The series of an event that the reader may change: 403 for events that they only see, 404 for events without a series. */
export async function requireLinked({ context, path }: PageRequest<{ event: number }>): Promise<Linked> {
  const { db, actor } = context
  await requirePlannedEvent(context, path.event)
  const series = await getSeriesOf(db, path.event)
  const members = series ? await findSeriesEvents(db, actor, series.id) : []
  const source = members.find(({ event }) => event.id === path.event)
  if (!series || !source) throw new Problem('not_found')
  return { series, members, source }
}

export const breadcrumbOf = ({ words }: RequestContext, { series, source }: Linked) => [
  { href: seriesPath(series.id), label: words.t('series.series') },
  { href: eventPath(source.event.id, source.event.title), label: source.event.title },
]

export const undoOf = (step: number): Flash['undo'] => ({ action: UNDO_STEP, fields: { step: String(step) } })
