import { sql } from 'kysely'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { undoMove } from '#features/staffing/participations/commands/undo.ts'
import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { transact } from '#platform/db/transaction.ts'
import { requireFound } from '#platform/http/problem.ts'
import { findLaterEntries, getOwnEntry } from '#platform/journal/entries.ts'

/** `changed`: somebody has changed the participation since. */
type UndoneAssignment = 'undone' | 'late' | 'changed'

/** Restores what was there before the caller assigned a person. */
export async function undoAssignment(context: CommandContext, entryId: number): Promise<UndoneAssignment> {
  return transact(context.db, async (tx) => {
    const entry = requireFound(await getOwnEntry(tx, context.actor, entryId, ['participation.moved']))
    const place = await rowsOf(tx).first(sql<{ shiftId: number; userId: number | null }>`
      select p.shift_id as "shiftId", p.user_id as "userId" from participation p where p.id = ${entry.subject_id}`)
    if (!place) return (await isUndone(entry.id)) ? 'undone' : 'changed'
    const eventId = await getChangeableEventOf(tx, context.actor, place.shiftId)
    if (eventId === undefined) throw await refuseShift(tx, context.actor, place.shiftId)
    if (context.now.getTime() - entry.at.getTime() > UNDO_SECONDS * 1000) return 'late'
    if (place.userId !== null) await GUARD.lockPeople(tx, [{ kind: 'local', id: place.userId }])
    await GUARD.lockEvent(tx, eventId)
    if (await undoMove(tx, context, entry.id)) return 'undone'
    return (await isUndone(entry.id)) ? 'undone' : 'changed'

    /** Double click: the first request has undone it. */
    async function isUndone(id: number): Promise<boolean> {
      const later = await findLaterEntries(tx, entry!)
      return later.some(({ kind, changes }) => kind === 'participation.undone' && changes.undone === id)
    }
  })
}
