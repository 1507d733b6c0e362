import { sql } from 'kysely'
import { isIn, type WaysOut } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Span } from '#platform/time-span.ts'
import type { Contact } from '#platform/ui/contact.ts'
import type { Candidacy } from '../rules/candidacy.ts'
import { findContacts } from './contacts.ts'
import { findEligibility } from './eligibility.ts'

export const takesPart = ({ own }: Candidacy): boolean => isIn(own?.state)

/** Whether a reason against one of these sign-ups names the next shift or who decides. */
export const needsWaysOut = (candidacies: Iterable<Candidacy>): boolean =>
  [...candidacies].some((candidacy) => !takesPart(candidacy) && candidacy.reasons['sign-up'].length > 0)

type OtherShift = Span & { shiftId: number; label: string }

async function findComingShifts({ db, now }: RequestContext, eventId: number): Promise<OtherShift[]> {
  return rowsOf(db).all(sql<OtherShift>`
    select s.id as "shiftId", s.label, s.start_time as start, s.end_time as end from shift s
    where s.event_id = ${eventId} and s.end_time > ${now} order by s.start_time, s.id limit 50`)
}

/** What a person can do who cannot sign up for a shift of the event. `known`: what is loaded already. */
export async function findWaysOut(
  context: RequestContext,
  eventId: number,
  known: { shifts?: readonly OtherShift[]; candidacies?: ReadonlyMap<number, Candidacy>; contacts?: readonly Contact[] } = {},
): Promise<WaysOut> {
  const shifts = known.shifts ?? (await findComingShifts(context, eventId))
  const unknown = shifts.map(({ shiftId }) => shiftId).filter((id) => !known.candidacies?.has(id))
  const found = unknown.length ? await findEligibility(context, unknown) : undefined
  return {
    next: shifts.find(({ shiftId }) => (known.candidacies?.get(shiftId) ?? found?.get(shiftId))?.canSignUp),
    deciders: known.contacts ?? (await findContacts(context, eventId)),
  }
}
