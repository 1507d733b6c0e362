import { sql } from 'kysely'
import { findBoardShifts } from '#features/staffing/disposition/queries/event-board.ts'
import { ownedBy } from '#features/staffing/participations/access.ts'
import { findCoverage } from '#features/staffing/staffing/queries/coverage.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { TimelineShift } from '../rules/model.ts'

/** In chronological order. The caller checks access to the event. */
export async function findTimelineShifts(context: RequestContext, eventId: number): Promise<TimelineShift[]> {
  const shifts = await findBoardShifts(context, eventId)
  const { rows } = await sql<{ shift_id: number; state: State }>`
    select p.shift_id, p.state from participation p where p.event_id = ${eventId} and ${ownedBy(context.actor)}`.execute(
    context.db,
  )
  const own = new Map(rows.map(({ shift_id, state }) => [shift_id, state]))
  return shifts.map((shift) => ({ ...shift, own: own.get(shift.id) }))
}

/** What is missing in these shifts, by time. */
export async function findGaps({ db }: RequestContext, shiftIds: readonly number[]): Promise<Shortage[]> {
  return [...(await findCoverage(db, shiftIds)).values()].flatMap(({ shortages }) => shortages)
}
