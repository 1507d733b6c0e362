import { type Kysely, sql } from 'kysely'
import { loadStaffing } from '#features/staffing/queries/staffing.ts'
import { type Engagement, STATE } from '#features/staffing/rules/model.ts'
import { type Suggestion, suggest } from '#features/staffing/rules/suggestion.ts'
import { getStructure } from '#features/staffing/structures/registry.ts'
import type { DB } from '#platform/db/tables.ts'

/**
 * Who should sit where on a shift, for those who are responsible for it; the caller has checked that. `previous`: positions of an
 * earlier suggestion by participation, which stay where nothing speaks against it. Undefined: no such shift, or its structure
 * cannot be read.
 */
export async function suggestPlaces(
  db: Kysely<DB>,
  { shiftId, previous }: { shiftId: number; previous?: ReadonlyMap<number, string> | undefined },
): Promise<Suggestion | undefined> {
  const [shift] = await loadStaffing(db, [shiftId])
  const seats = shift && getStructure(shift.structureSlug)?.seats(shift.structureConfiguration, shift)
  if (!shift || !seats) return undefined
  const conflicts = await findConflicts(db, shiftId)
  const people = shift.people.map(({ participationId: id, state, skills }) => {
    const other = conflicts.get(id)
    const isRequested = state === STATE.requested
    return {
      id,
      skills,
      state: isRequested ? ('requested' as const) : ('confirmed' as const),
      blockedBy: isRequested && other ? ({ code: 'conflict', with: other } as const) : undefined,
    }
  })
  return suggest({ people, seats, inclusions: shift.qualifications, previous })
}

/** Requesters who are confirmed elsewhere at that time by now; a shift that follows this one is no reason. */
async function findConflicts(db: Kysely<DB>, shiftId: number): Promise<Map<number, Engagement>> {
  const { rows } = await sql<Engagement & { id: number }>`
    select distinct on (p.id) p.id, o.shift_id as "shiftId", o.event_id as "eventId", e.title as "eventTitle",
      o.start_time as start, o.end_time as end
    from participation p
    join participation o on o.id <> p.id and (o.user_id = p.user_id or o.visitor_id = p.visitor_id or o.guest_id = p.guest_id)
    join event e on e.id = o.event_id join shift s on s.id = o.shift_id
    where p.shift_id = ${shiftId} and p.state = 0 and o.state = 1 and e.listed
      and o.start_time < p.end_time and p.start_time < o.end_time
      and (s.signup_flow_slug <> 'coupled' or s.signup_flow_configuration ->> 'leader_shift_id' is distinct from p.shift_id::text)
    order by p.id, o.start_time, o.id`.execute(db)
  return new Map(rows.map(({ id, ...other }) => [id, other]))
}
