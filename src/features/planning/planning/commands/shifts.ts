import { type Kysely, sql } from 'kysely'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { moveTimes, type ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { NOBODY } from '#features/staffing/eligibility/queries/engagements.ts'
import { isOutsideShift } from '#features/staffing/eligibility/rules/individual-times.ts'
import { fixIndividualTimes } from '#features/staffing/participations/commands/cascades.ts'
import { copyFromLeaders } from '#features/staffing/participations/commands/coupling.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Span } from '#platform/time-span.ts'
import { countNotified } from '../queries/events.ts'
import { findFollowers, findParticipantsToLock, getPlannedShift, type PlannedShift } from '../queries/shifts.ts'
import { changesBetween } from '../rules/changes.ts'
import { changedSince, type FormVersion } from '../rules/form-version.ts'
import { lockPlannedEvent, markPublished } from './events.ts'
import { type Attach, noAttachment, recordShift } from './plan-event.ts'
import { insertShift, shiftSnapshot, updateShift } from './store-shifts.ts'

/** Adds a shift and, with `publish`, publishes the draft. */
export function addShift(
  context: CommandContext,
  { eventId, input, publish, attach = noAttachment }: { eventId: number; input: ShiftInput; publish: boolean; attach?: Attach },
): Promise<{ shiftId: number }> {
  return transact(context.db, async (tx) => {
    const event = await lockPlannedEvent(tx, context, eventId)
    const shiftId = await insertShift(tx, eventId, input)
    await refreshShifts(tx, context, [shiftId])
    await recordShift(tx, context, { eventId, id: shiftId, shift: input })
    await attach(tx, shiftId)
    if (publish && !event.active && hasPermission(context.actor, 'add_event')) await markPublished(tx, context, eventId)
    return { shiftId }
  })
}

export type ShiftOutcome =
  /**
   * `outside`: number of people whose individual times are now outside the shift. `confirmed`: count before the change.
   * `notified`: number of people who are notified of the change.
   */
  | { ok: true; hasChanged: boolean; outside: number; confirmed: number; notified: number }
  | { ok: false; reason: 'stale'; changed: string[]; current: PlannedShift }
  | { ok: false; reason: 'leads_others' }

/** Takes the locks of sign-ups, so that each sign-up is checked against either the old or the new shift. */
export async function changeShift(
  context: CommandContext,
  {
    shiftId,
    input,
    version,
    attach = noAttachment,
  }: { shiftId: number; input: ShiftInput; version: FormVersion; attach?: Attach },
  guard: Guard = GUARD,
): Promise<ShiftOutcome> {
  return transact(context.db, async (tx) => {
    const found = await requireShift(tx, context, shiftId)
    if (isMoved(found.times, input.times)) await guard.lockPeople(tx, await findParticipantsToLock(tx, shiftId))
    await lockPlannedEvent(tx, context, found.eventId, guard.lockEvent)
    const outcome = await changeShiftIn(tx, context, { shiftId, input, version }, guard)
    if (outcome.ok) await attach(tx, shiftId)
    return outcome
  })
}

/** `version`: of the times that the caller has seen; other changes of the shift are kept. The people meet as long before it as they did. */
export async function moveShift(
  context: CommandContext,
  { shiftId, to, version }: { shiftId: number; to: Span; version: FormVersion },
  guard: Guard = GUARD,
): Promise<ShiftOutcome> {
  return transact(context.db, async (tx) => {
    const { eventId } = await requireShift(tx, context, shiftId)
    await guard.lockPeople(tx, await findParticipantsToLock(tx, shiftId))
    await lockPlannedEvent(tx, context, eventId, guard.lockEvent)
    const current = await requireShift(tx, context, shiftId)
    const input = { ...current, times: moveTimes(current.times, to) }
    return changeShiftIn(tx, context, { shiftId, input, version }, guard)
  })
}

/** In the transaction of a caller that holds the locks of the event and, if the times change, of the participants. */
export async function changeShiftIn(
  tx: Tx,
  context: CommandContext,
  { shiftId, input, version }: { shiftId: number; input: ShiftInput; version: FormVersion },
  guard: Guard = GUARD,
): Promise<ShiftOutcome> {
  const before = await requireShift(tx, context, shiftId)
  if (input.flowSlug === 'coupled' && (await findFollowers(tx, shiftId)).length) return { ok: false, reason: 'leads_others' }
  const changed = changedSince(version, shiftSnapshot(before), shiftSnapshot(input))
  if (changed.length) return { ok: false, reason: 'stale', changed, current: before }
  const changes = changesBetween(shiftSnapshot(before), shiftSnapshot(input))
  await guard.checked()
  const { confirmed } = before
  if (!Object.keys(changes).length) return { ok: true, hasChanged: false, outside: 0, confirmed, notified: 0 }
  if (isMoved(before.times, input.times)) await fixIndividualTimes(tx, shiftId, input.times)
  await updateShift(tx, shiftId, input)
  await refreshShifts(tx, context, [shiftId])
  await record(tx, context, {
    kind: 'shift.changed',
    subject: { kind: 'shift', id: shiftId },
    eventId: before.eventId,
    changes,
  })
  const notified = isMoved(before.times, input.times) ? await countNotified(tx, context.actor, { shiftId }) : 0
  return { ok: true, hasChanged: true, outside: await countOutside(tx, context, shiftId), confirmed, notified }
}

export async function requireShift(db: Kysely<DB>, { actor }: CommandContext, shiftId: number): Promise<PlannedShift> {
  const shift = await getPlannedShift(db, actor, shiftId)
  if (!shift) throw await refuseShift(db, actor, shiftId)
  return shift
}

const isMoved = (a: ShiftTimes, b: ShiftTimes): boolean =>
  a.start.getTime() !== b.start.getTime() || a.end.getTime() !== b.end.getTime() || a.meeting.getTime() !== b.meeting.getTime()

async function countOutside(tx: Tx, context: CommandContext, shiftId: number): Promise<number> {
  const { shifts, settings } = await loadSignupFacts(tx, NOBODY, [shiftId], context)
  const { rows } = await sql<Span>`
    select p.start_time as start, p.end_time as end from participation p
    where p.shift_id = ${shiftId} and p.state in (0, 1) and num_nonnulls(p.individual_start_time, p.individual_end_time) > 0`.execute(
    tx,
  )
  return rows.filter((own) => isOutsideShift(own, shifts.get(shiftId)!, settings.toleranceMinutes)).length
}

/** Updates what is derived from a shift: statistics and coupled participations. */
export async function refreshShifts(tx: Tx, context: CommandContext, shiftIds: readonly number[]): Promise<void> {
  await refreshStatistics(tx, shiftIds)
  await copyFromLeaders(tx, context, shiftIds)
}
