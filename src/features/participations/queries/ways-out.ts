import { sql } from 'kysely'
import type { WaysOut } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Span } from '#platform/time-span.ts'
import type { Candidacy } from '../rules/candidacy.ts'
import { findEligibility } from './eligibility.ts'

const isIn = ({ own }: Candidacy): boolean => own?.state === 0 || own?.state === 1

/** Whether a reason against one of these sign-ups names the next shift or who decides. */
export const needsWaysOut = (candidacies: Iterable<Candidacy>): boolean =>
  [...candidacies].some((candidacy) => !isIn(candidacy) && candidacy.reasons['sign-up'].length > 0)

/** What a person can do who cannot sign up for a shift of the event. `known`: candidacies for its shifts, if they are loaded. */
export async function findWaysOut(
  context: RequestContext,
  eventId: number,
  known?: ReadonlyMap<number, Candidacy>,
): Promise<WaysOut> {
  const { rows: shifts } = await sql<Span & { shiftId: number; label: string }>`
    select s.id as "shiftId", s.label, s.start_time as start, s.end_time as end from shift s
    where s.event_id = ${eventId} and s.end_time > ${context.now} order by s.start_time, s.id limit 50`.execute(context.db)
  const candidacies =
    known ??
    (await findEligibility(
      context,
      shifts.map(({ shiftId }) => shiftId),
    ))
  const { rows: people } = await sql<{ name: string }>`
    select u.display_name as name from user_profile u where u.is_active and u.is_visible and (
      u.id in (select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change')
      or u.id in (select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and g.permission = 'change'))
    order by exists (select from event_user_grant g where g.event_id = ${eventId} and g.user_id = u.id and g.permission = 'change') desc,
      lower(u.display_name), u.id
    limit 4`.execute(context.db)
  return {
    next: shifts.find(({ shiftId }) => candidacies.get(shiftId)?.canSignUp),
    // Anybody can become a guest, so guests do not learn the names of members.
    deciders: context.actor.kind === 'guest' ? [] : people.map(({ name }) => name),
  }
}
