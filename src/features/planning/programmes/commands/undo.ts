import { takeBackShift } from '#features/planning/series/commands/undo.ts'
import { findShiftSteps } from '#features/planning/series/queries/shift-steps.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findLinks } from '../queries/programme.ts'
import { canUndo, type FormerLink } from '../rules/following.ts'
import { lockPlan } from './apply.ts'

type UndoOutcome = { ok: true; undone: number; left: number } | { ok: false }

/** Takes back the last step, each shift that is still as the step left it. Not ok: there is none, or it is older than a day. */
export function undoProgramme(
  context: CommandContext,
  { eventId, step }: { eventId: number; step: number },
  guard: Guard = GUARD,
): Promise<UndoOutcome> {
  return transact(context.db, async (tx): Promise<UndoOutcome> => {
    const { programme } = await lockPlan(tx, context, eventId, guard)
    const { former } = programme
    if (!canUndo(former, context.now) || former.step !== step) return { ok: false }
    await record(tx, context, {
      kind: 'event.programme_undone',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { step: [null, step] },
    })
    const left = new Set<number | null>()
    const restored = new Map<number, number>()
    let undone = 0
    for (const entry of await findShiftSteps(tx, eventId, step)) {
      const outcome = await takeBackShift(tx, context, entry)
      if (!outcome.ok) left.add(entry.subjectId)
      else {
        undone++
        if (outcome.shiftId !== entry.subjectId) restored.set(entry.subjectId, outcome.shiftId)
      }
    }
    await restoreLinks(tx, eventId, { former: former.links, left, restored })
    await tx.updateTable('programme').set({ former: null, announced: null }).where('event_id', '=', eventId).execute()
    return { ok: true, undone, left: left.size }
  })
}

type Restoring = { former: readonly FormerLink[]; left: ReadonlySet<number | null>; restored: ReadonlyMap<number, number> }

/** Links of shifts that stay as they are after the step are kept; all others become what they were. */
async function restoreLinks(tx: Tx, eventId: number, { former, left, restored }: Restoring): Promise<void> {
  const links = await findLinks(tx, eventId)
  const kept = new Set(links.filter(({ shiftId }) => left.has(shiftId)).map(({ id }) => id))
  const gone = links.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  if (gone.length) await tx.deleteFrom('programme_shift').where('id', 'in', gone).execute()
  const values = former
    .filter(({ id, shiftId }) => !kept.has(id) && !left.has(shiftId))
    .map(({ id, shiftId, keys, label, start, end }) => ({
      id,
      event_id: eventId,
      shift_id: shiftId === null ? null : (restored.get(shiftId) ?? shiftId),
      keys,
      label,
      start_time: new Date(start),
      end_time: new Date(end),
    }))
  if (!values.length) return
  const existing = await tx.selectFrom('shift').select('id').where('event_id', '=', eventId).execute()
  const ids = new Set(existing.map(({ id }) => id))
  // A shift that was deleted by hand since the step has no row any more.
  const rows = values.map((value) => ({
    ...value,
    shift_id: value.shift_id !== null && ids.has(value.shift_id) ? value.shift_id : null,
  }))
  await tx.insertInto('programme_shift').values(rows).execute()
}
