import { type RawBuilder, sql } from 'kysely'
import { openTo } from '#features/events/events/access.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Span } from '#platform/time-span.ts'

/** A condition on `participation` as `p`: a confirmed place that has not begun, or a request for a shift that has not ended. */
export const isAhead = (now: Date): RawBuilder<unknown> =>
  sql`(p.state = 1 and p.start_time > ${now} or p.state = 0 and p.end_time > ${now})`

/** `event` undefined: the caller may not see the event. */
type PlaceAhead = Span & { isConfirmed: boolean; shift: string; event: { title: string; href: string } | undefined }

type Row = Span & { state: number; label: string; eventId: number; title: string; isOpen: boolean }

/** Places that a person gives up when their account is closed. */
export async function findPlacesAhead({ db, actor, now }: RequestContext, userId: number): Promise<PlaceAhead[]> {
  const { rows } = await sql<Row>`
    select p.state, p.start_time as start, p.end_time as end, s.label, e.id as "eventId", e.title, ${openTo(actor)} as "isOpen"
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.user_id = ${userId} and ${isAhead(now)} and e.deleted_at is null order by p.start_time, p.id`.execute(db)
  return rows.map(({ state, start, end, label, eventId, title, isOpen }) => ({
    start,
    end,
    isConfirmed: state === 1,
    shift: isOpen ? label : '',
    event: isOpen ? { title, href: eventPath(eventId, title) } : undefined,
  }))
}
