import type { RequestContext } from '#platform/auth/context.ts'
import { changesOf } from '../rules/linking.ts'
import { findSeriesEvents, getSeriesOf } from './series.ts'

/**
 * After an event or one of its shifts was saved: the page that asks whether other events of its series change, too, if the event now
 * differs from the series there. `shiftId`: only changes of this shift are proposed.
 */
export async function seriesStep(
  { db, actor, site }: Pick<RequestContext, 'db' | 'actor' | 'site'>,
  saved: { eventId: number; shiftId?: number; fields: readonly string[] },
): Promise<string | undefined> {
  const series = await getSeriesOf(db, saved.eventId)
  if (!series) return undefined
  const members = await findSeriesEvents(db, actor, series.id)
  const source = members.find(({ event }) => event.id === saved.eventId)
  if (!source || members.length < 2) return undefined
  const changes = changesOf(source, site.timeZone).filter((change) =>
    change.kind === 'event'
      ? saved.shiftId === undefined && saved.fields.includes(change.part)
      : change.kind !== 'removed' && change.shift.id === saved.shiftId,
  )
  if (!changes.length) return undefined
  return `/events/${saved.eventId}/series/apply/?changes=${changes.map(({ id }) => id).join(',')}`
}
