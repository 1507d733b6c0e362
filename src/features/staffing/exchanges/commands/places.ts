import type { Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Guard } from '#features/staffing/participations/commands/locks.ts'
import { writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { getPlace, type Place } from '../queries/stand-in.ts'

const local = (id: number): Participant => ({ kind: 'local', id })

/** Locks people by id, then events by id: the order of all commands. */
export async function lockPlaces(
  tx: Tx,
  context: CommandContext,
  { users, events }: { users: readonly number[]; events: readonly number[] },
  guard: Guard,
): Promise<void> {
  await guard.lockPeople(tx, users.map(local))
  await guard.checkActing(tx, context)
  for (const eventId of [...new Set(events)].sort((a, b) => a - b)) await guard.lockEvent(tx, eventId)
}

/** `place`: the place that changes hands. */
type Handover = { shift: { id: number; eventId: number }; userId: number; place: Place; cause: 'stand_in' | 'swap' }

/** The person gets the place with its times and team. */
export async function takePlace(tx: Tx, context: CommandContext, { shift, userId, place, cause }: Handover): Promise<void> {
  await writeParticipation(tx, context, {
    kind: 'participation.taken_over',
    shift,
    who: local(userId),
    before: await getPlace(tx, shift.id, userId),
    state: STATE.confirmed,
    times: { start: place.individualStart, end: place.individualEnd },
    structureData: place.structureData,
    cause,
  })
}

export async function leavePlace(tx: Tx, context: CommandContext, { shift, userId, place, cause }: Handover): Promise<void> {
  await writeParticipation(tx, context, {
    kind: 'participation.handed_over',
    shift,
    who: local(userId),
    before: place,
    state: STATE.declinedByUser,
    times: { start: place.individualStart, end: place.individualEnd },
    structureData: place.structureData,
    cause,
  })
}
