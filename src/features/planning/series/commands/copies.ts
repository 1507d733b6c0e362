import { eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { insertEvent, limitToPublishable, lockPlannedEvent } from '#features/planning/planning/commands/events.ts'
import { recordShifts } from '#features/planning/planning/commands/plan-event.ts'
import { refreshShifts, requireShift } from '#features/planning/planning/commands/shifts.ts'
import { insertShifts } from '#features/planning/planning/commands/store-shifts.ts'
import { getCopiedEvent, type PlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { changesBetween } from '#features/planning/planning/rules/changes.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { copyHooks } from '../points.ts'
import { dateOf } from '../rules/linking.ts'
import { dayOf, daysBetween, moveShift, relinkLeader } from '../rules/moving-dates.ts'

const SHIFTS_PER_BATCH = 100

/** Makes one draft per date without participations; the first shift starts on that date. */
export function duplicateEvent(
  context: CommandContext,
  { eventId, dates }: { eventId: number; dates: readonly string[] },
): Promise<number[]> {
  return transact(context.db, async (tx) => {
    const { copies } = await makeCopies(tx, context, { eventId, dates })
    return copies.map(({ id }) => id)
  })
}

type Copy = { id: number; date: string /** Ids of the copied shifts by those of the originals. */; shifts: Map<number, number> }
type Made = { source: PlannedEvent; copies: Copy[] }

/** In the transaction of the caller. */
export async function makeCopies(
  tx: Tx,
  context: CommandContext,
  { eventId, dates }: { eventId: number; dates: readonly string[] },
): Promise<Made> {
  const { actor, site } = context
  if (actor.kind !== 'user' || !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
  const source = requireFound(await getCopiedEvent(tx, actor, eventId))
  const shifts = await findStoredShifts(tx, eventId)
  const first = dateOf(shifts, site.timeZone)
  const input = {
    ...source,
    active: false,
    groups: await limitToPublishable(tx, context, source.groups),
    responsibleUsers: [...source.responsibleUsers, actor.userId],
  }
  const copies: Copy[] = []
  let made: number[] = []
  // In batches: triggers compare statistics row by row, and a thousand copies would exceed the statement timeout.
  const refreshMade = async () => {
    await refreshStatistics(tx, made)
    made = []
  }
  for (const date of dates) {
    const days = daysBetween(first ?? date, date)
    const copyId = await insertEvent(tx, context, input)
    const counterparts = await insertCopies(tx, copyId, shifts, (shift) => moveShift(shift, days, site.timeZone))
    made.push(...counterparts.values())
    for (const copy of site.added(copyHooks)) await copy(tx, context, { from: eventId, to: copyId }, counterparts)
    await record(tx, context, {
      kind: 'event.duplicated',
      subject: { kind: 'event', id: copyId },
      eventId: copyId,
      changes: { ...changesBetween(undefined, eventSnapshot(input)), copied_from: [null, eventId], date: [null, date] },
    })
    copies.push({ id: copyId, date, shifts: counterparts })
    if (made.length >= SHIFTS_PER_BATCH) await refreshMade()
  }
  await refreshMade()
  return { source, copies }
}

/** Ids of the copies by those of the originals. Leaders first, because coupled shifts need the ids of their copies. */
export async function insertCopies<Original extends ShiftInput & { id: number }>(
  tx: Tx,
  eventId: number,
  shifts: readonly Original[],
  copyOf: (shift: Original) => ShiftInput,
): Promise<Map<number, number>> {
  const counterparts = new Map<number, number>()
  for (const isCoupled of [false, true]) {
    const originals = shifts.filter(({ flowSlug }) => (flowSlug === 'coupled') === isCoupled)
    const copies = originals.map((shift) => relinkLeader(copyOf(shift), counterparts))
    const made = await insertShifts(tx, eventId, copies)
    for (const [index, { id }] of originals.entries()) counterparts.set(id, made[index]!)
  }
  return counterparts
}

/** Copies a shift to other days of the same event, without participations. */
export function copyShift(
  context: CommandContext,
  { shiftId, dates }: { shiftId: number; dates: readonly string[] },
): Promise<number[]> {
  const { timeZone } = context.site
  return transact(context.db, async (tx) => {
    const { eventId } = await requireShift(tx, context, shiftId)
    await lockPlannedEvent(tx, context, eventId)
    const shift = await requireShift(tx, context, shiftId)
    const first = dayOf(shift.times.start, timeZone)
    const copies = dates.map((date) => moveShift(shift, daysBetween(first, date), timeZone))
    const made = await insertShifts(tx, eventId, copies)
    await recordShifts(
      tx,
      context,
      made.map((id, index) => ({ eventId, id, shift: copies[index]! })),
    )
    await refreshShifts(tx, context, made)
    return made
  })
}
