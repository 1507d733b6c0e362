import { restoreRows } from '#features/planning/removed-shifts/commands/restore.ts'
import { storeShift } from '#features/planning/removed-shifts/commands/store.ts'
import { canRestore } from '#features/planning/removed-shifts/rules.ts'
import { copiesOf, findFollowers, removeFromFollowers } from '#features/staffing/participations/commands/coupling.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findRemovedParticipants, getRemovedShift, type RemovedShift } from '../queries/removed-shifts.ts'
import { findParticipantIds, findParticipantsToLock, findStoredShifts, type PlannedShift } from '../queries/shifts.ts'
import type { ShiftSnapshot, ValueChanges } from '../rules/changes.ts'
import { lockPlannedEvent } from './events.ts'
import { refreshShifts, requireShift } from './shifts.ts'
import { removeShift, shiftSnapshot } from './store-shifts.ts'

/** The last shift of an event is neither deleted nor cancelled: an event without shifts is in no list. */
type RemovalOutcome = { ok: true } | { ok: false; reason: 'last_shift' }

/** Deletes the shift with its participations. It can be restored for a day. */
export const deleteShift = (
  context: CommandContext,
  { shiftId }: { shiftId: number },
  guard: Guard = GUARD,
): Promise<RemovalOutcome> => removeLocked(context, { shiftId, reason: undefined }, guard)

/** The shift leaves every list and count, and stays visible to its people with the reason. It can be restored. */
export const cancelShift = (
  context: CommandContext,
  { shiftId, reason }: { shiftId: number; reason: string },
  guard: Guard = GUARD,
): Promise<RemovalOutcome> => removeLocked(context, { shiftId, reason }, guard)

type Removal = { shiftId: number; reason: string | undefined }

/** Takes the locks of sign-ups, so that everybody who signs up before is stored with the shift, and nobody signs up after it. */
function removeLocked(context: CommandContext, { shiftId, reason }: Removal, guard: Guard): Promise<RemovalOutcome> {
  return transact(context.db, async (tx) => {
    const { eventId } = await requireShift(tx, context, shiftId)
    await guard.lockPeople(tx, await findParticipantsToLock(tx, shiftId))
    await lockPlannedEvent(tx, context, eventId, guard.lockEvent)
    return removeIn(tx, context, { eventId, shiftId, reason }, guard)
  })
}

/** In the transaction of a caller that holds the locks of the participants and the event. */
export const deleteShiftIn = (
  tx: Tx,
  context: CommandContext,
  { eventId, shiftId }: { eventId: number; shiftId: number },
): Promise<RemovalOutcome> => removeIn(tx, context, { eventId, shiftId, reason: undefined })

async function removeIn(
  tx: Tx,
  context: CommandContext,
  { eventId, shiftId, reason }: Removal & { eventId: number },
  guard: Guard = GUARD,
): Promise<RemovalOutcome> {
  const shift = await requireShift(tx, context, shiftId)
  if ((await findStoredShifts(tx, eventId)).length < 2) return { ok: false, reason: 'last_shift' }
  // Notifications and the log need the ids, because the participations are deleted.
  const people = await findParticipantIds(tx, shiftId)
  await storeShift(tx, context, { shiftId, reason, copies: copiesOf(shiftId) })
  await guard.checked()
  await removeFromFollowers(tx, shiftId)
  await removeShift(tx, shiftId)
  const subject = { kind: 'shift' as const, id: shiftId }
  const listed = {
    confirmed_user_ids: [people.confirmed, []] as const,
    requested_user_ids: [people.requested, []] as const,
    ...(people.guests.length ? { guest_ids: [people.guests, []] as const } : {}),
    ...(people.visitors.length ? { visitor_ids: [people.visitors, []] as const } : {}),
  }
  if (reason === undefined)
    await record(tx, context, { kind: 'shift.deleted', subject, eventId, changes: { ...valuesBefore(shift), ...listed } })
  else {
    const { label, start_time, end_time } = shiftSnapshot(shift)
    const kept = {
      label: [label, label] as const,
      start_time: [start_time, start_time] as const,
      end_time: [end_time, end_time] as const,
    }
    const changes = { ...kept, cancellation_reason: [null, reason] as const, ...listed }
    await record(tx, context, { kind: 'shift.cancelled', subject, eventId, changes })
  }
  return { ok: true }
}

function valuesBefore(shift: PlannedShift): ValueChanges<ShiftSnapshot> {
  const values = Object.entries(shiftSnapshot(shift)).filter(([, value]) => value !== null)
  return Object.fromEntries(values.map(([name, value]) => [name, [value, null]]))
}

type RestoreOutcome =
  /** `isRestored`: false if it was restored before, such as by a second tap. */
  { ok: true; isRestored: boolean } | { ok: false; reason: 'too_late' }

/** Brings the shift back with its participations as they were. */
export function restoreShift(
  context: CommandContext,
  { shiftId }: { shiftId: number },
  guard: Guard = GUARD,
): Promise<RestoreOutcome> {
  return transact(context.db, async (tx): Promise<RestoreOutcome> => {
    const found = await getRemovedShift(tx, context.actor, shiftId)
    if (!found) {
      await requireShift(tx, context, shiftId)
      return { ok: true, isRestored: false }
    }
    await guard.lockPeople(tx, await findRemovedParticipants(tx, shiftId))
    await lockPlannedEvent(tx, context, found.eventId, guard.lockEvent)
    const stored = await getRemovedShift(tx, context.actor, shiftId)
    if (!stored) {
      await requireShift(tx, context, shiftId)
      return { ok: true, isRestored: false }
    }
    await guard.checked()
    if (!canRestore(stored, context.now)) return { ok: false, reason: 'too_late' }
    await restoreStored(tx, context, stored)
    return { ok: true, isRestored: true }
  })
}

/** For steps that take back a deletion. False if the shift is not stored any more. The caller holds the locks of the participants and the event. */
export async function restoreShiftIn(tx: Tx, context: CommandContext, shiftId: number): Promise<boolean> {
  const stored = await getRemovedShift(tx, context.actor, shiftId)
  if (!stored || !canRestore(stored, context.now)) return false
  await restoreStored(tx, context, stored)
  return true
}

async function restoreStored(tx: Tx, context: CommandContext, { id, eventId, reason, isCancelled }: RemovedShift): Promise<void> {
  await restoreRows(tx, context, id)
  await refreshShifts(tx, context, [id])
  await refreshStatistics(tx, await findFollowers(tx, id))
  const subject = { kind: 'shift' as const, id }
  if (isCancelled)
    await record(tx, context, { kind: 'shift.reopened', subject, eventId, changes: { cancellation_reason: [reason, null] } })
  else await record(tx, context, { kind: 'shift.restored', subject, eventId })
}
