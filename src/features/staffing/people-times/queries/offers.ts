import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { eventOfShiftColumns, shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventOfShift, Shift } from '#features/events/events/rules/shifts.ts'
import { describePerson, type PersonInfo } from '#features/staffing/disposition/queries/card-drafts.ts'
import { findPlacesOf } from '#features/staffing/disposition/queries/event-board.ts'
import { loadPeopleFacts } from '#features/staffing/disposition/queries/people.ts'
import type { PlaceChoice } from '#features/staffing/disposition/rules/board.ts'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Span } from '#platform/time-span.ts'
import { MAX_OFFERS } from '../rules/offers.ts'

/** A shift that the person can be assigned to. `state`: the person has an answer in it already. */
export type Offer = Shift &
  EventOfShift &
  PersonInfo & {
    state: State | undefined
    version: number | null
    places: readonly PlaceChoice[]
    isPlaceOptional: boolean
  }

/** Shifts of a day that the caller plans, that have not ended and in which the person is not confirmed, judged as on boards. Those that lack people first. */
export async function findOffers(context: RequestContext, userId: number, { start, end }: Span): Promise<Offer[]> {
  const shifts = await rowsOf(context.db).all(sql<Shift & EventOfShift>`
    select ${shiftColumns()}, ${eventOfShiftColumns} from shift s join event e on e.id = s.event_id
    where s.start_time >= ${start} and s.start_time < ${end} and s.end_time > ${context.now} and e.listed
      and ${changeableBy(context.actor)}
      and not exists (select from participation p where p.shift_id = s.id and p.user_id = ${userId} and p.state = ${STATE.confirmed})
    order by s.start_time, s.end_time, s.id limit ${sql.lit(MAX_OFFERS)}`)
  if (shifts.length === 0) return []
  const who = { kind: 'local', id: userId } as const
  const facts = await loadPeopleFacts(
    context,
    [who],
    shifts.map(({ id }) => id),
  )
  const placesOf = findPlacesOf(facts.shared)
  const offers = shifts.map((shift): Offer => {
    const own = facts.own(who, shift.id)
    const info = describePerson(context, who, { shiftId: shift.id, facts, span: own ?? shift })
    return { ...shift, ...info, ...placesOf.get(shift.id)!, state: own?.state, version: own?.version ?? null }
  })
  const isFull = (shift: Shift) => Number(shortfallOf(shift) === 0)
  return offers.toSorted((a, b) => isFull(a) - isFull(b))
}
