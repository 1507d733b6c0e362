import { sql } from 'kysely'
import { getReachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { takePlace } from '#features/staffing/participations/commands/sign-up.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import type { Actor, GuestActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'

type GuestContext = CommandContext & { actor: GuestActor }

/**
 * For a guest who has proved their address: requests for shifts that need no decision become confirmed, as far as places are free and
 * the organisers have confirmed the qualifications that the shift needs. `decidedBy`: the one who has just done so.
 */
export async function takeWaitingPlaces(context: GuestContext, decidedBy?: Actor): Promise<void> {
  for (const shiftId of await findWaiting(context)) await takePlace(context, shiftId, decidedBy)
}

async function findWaiting({ db, actor }: GuestContext): Promise<number[]> {
  const { rows } = await sql<{ id: number; flow: string }>`
    select s.id, s.signup_flow_slug as flow from participation p join shift s on s.id = p.shift_id
    where p.guest_id = ${actor.guestId} and p.state = 0 order by p.id`.execute(db)
  const instant = rows.filter(({ flow }) => getFlow(flow)?.hasRequestStage === false).map(({ id }) => id)
  const reachable = await Promise.all(instant.map((id) => getReachableEventOf(db, actor, id)))
  return instant.filter((_, index) => reachable[index] !== undefined)
}
