import { lockPlannedEvent } from '#features/planning/planning/commands/events.ts'
import { findParticipantsOfShifts, findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { takeBackShift } from '#features/planning/series/commands/undo.ts'
import { findShiftSteps } from '#features/planning/series/queries/shift-steps.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getLastStep } from '../queries/steps.ts'

type UndoOutcome = { ok: true; undone: number; left: number } | { ok: false }

/** Takes back the last save of the table, each shift that is still as it left it. Not ok: there is none, or it is older than a day. */
export function undoTable(
  context: CommandContext,
  { eventId, step }: { eventId: number; step: number },
  guard: Guard = GUARD,
): Promise<UndoOutcome> {
  return transact(context.db, async (tx): Promise<UndoOutcome> => {
    const shifts = await findStoredShifts(tx, eventId)
    await guard.lockPeople(
      tx,
      await findParticipantsOfShifts(
        tx,
        shifts.map(({ id }) => id),
      ),
    )
    await lockPlannedEvent(tx, context, eventId, guard.lockEvent)
    const last = await getLastStep(tx, eventId, context.now)
    if (last?.id !== step) return { ok: false }
    await guard.checked()
    await record(tx, context, {
      kind: 'event.shifts_edit_undone',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { step: [null, step] },
    })
    let undone = 0
    let left = 0
    for (const entry of await findShiftSteps(tx, eventId, step)) {
      if ((await takeBackShift(tx, context, entry)).ok) undone++
      else left++
    }
    return { ok: true, undone, left }
  })
}
