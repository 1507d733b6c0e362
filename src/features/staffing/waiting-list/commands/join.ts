import { sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { judgeCandidacy, participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { waitingListSettings } from '#features/staffing/eligibility/schema.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { lockForMove } from '#features/staffing/participations/commands/sign-up.ts'
import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { getOwnEntry } from '#platform/journal/entries.ts'
import { record } from '#platform/journal/journal.ts'
import { getOpenEntry, getPosition, getWaitingListMode } from '../queries/waiting-list.ts'
import { isOnlyFull, type WaitingListRefusal } from '../rules/waiting-list.ts'
import { makeWaitingListDue } from './offer.ts'

type JoinOutcome =
  | { ok: true; position: number }
  | { ok: false; code: WaitingListRefusal }
  /** The person could not sign up, even if a place were free. */
  | { ok: false; code: 'refused'; reasons: readonly Reason[] }

/** Puts the caller at the end of the waiting list of a full shift. Only people with an account can wait. */
export function joinWaitingList(context: CommandContext, shiftId: number, guard: Guard = GUARD): Promise<JoinOutcome> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<JoinOutcome> => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, guard)
    const { waiting_list: isOn } = await getSettings(tx, waitingListSettings)
    if (!isOn) return { ok: false, code: 'line_off' }
    if ((await getWaitingListMode(tx, shiftId)) === 'closed') return { ok: false, code: 'line_closed' }
    if (await getOpenEntry(tx, shiftId, who.id)) return { ok: false, code: 'waiting_already' }
    const facts = await loadSignupFacts(tx, who, [shiftId], context)
    if (!facts.person.isActive) throw new Problem('permission_denied')
    const judged = judgeCandidacy(facts, shiftId, { now: context.now, timeZone: context.site.timeZone })!
    if (judged.canSignUp || judged.signupRules?.hasRequestStage) return { ok: false, code: 'not_full' }
    if (!isOnlyFull(judged)) return { ok: false, code: 'refused', reasons: judged.reasons['sign-up'] }
    await guard.checked()
    const entry = await tx
      .insertInto('waiting_entry')
      .values({ shift_id: shiftId, user_id: who.id, since: context.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'shift.line_joined',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { entry: entry.id },
    })
    return { ok: true, position: await getPosition(tx, entry.id) }
  })
}

/** The caller leaves the waiting list and gives up an offer. Undefined: they did not wait. The entry of the log is for undo. */
export function leaveWaitingList(context: CommandContext, shiftId: number, guard: Guard = GUARD): Promise<number | undefined> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, guard)
    const entry = await getOpenEntry(tx, shiftId, who.id)
    if (!entry) return undefined
    await tx.updateTable('waiting_entry').set({ state: 'withdrawn' }).where('id', '=', entry.id).execute()
    if (entry.state === 'offered') await refreshStatistics(tx, [shiftId])
    return record(tx, context, {
      kind: 'shift.line_left',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { entry: entry.id, was_offered: entry.state === 'offered' },
    })
  })
}

/** Undoes `leaveWaitingList` for a short time: the person is at the same position of the waiting list again, but not an offer that they gave up. */
export function returnToWaitingList(
  context: CommandContext,
  { shiftId, entryId }: { shiftId: number; entryId: number },
): Promise<boolean> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, GUARD)
    const left = await getOwnEntry(tx, context.actor, entryId, ['shift.line_left'])
    if (left?.subject_id !== shiftId) throw new Problem('not_found')
    if (context.now.getTime() - left.at.getTime() > UNDO_SECONDS * 1000) return false
    if (await getOpenEntry(tx, shiftId, who.id)) return true
    const id = left.changes.entry
    const restored = await tx
      .updateTable('waiting_entry')
      .set({ state: 'waiting', offered_at: null, offered_until: null })
      .where('id', '=', id)
      .where('state', '=', 'withdrawn')
      .returning('id')
      .executeTakeFirst()
    if (!restored) return false
    // The place that they gave up is free, and nothing else makes the line due.
    await makeWaitingListDue(tx, shiftId)
    await record(tx, context, {
      kind: 'shift.line_returned',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { entry: id, undone: left.id },
    })
    return true
  })
}

/** For the deletion of a person. A place that was offered to them is free again. */
export async function deleteOffersOf(tx: Tx, userId: number): Promise<void> {
  await sql`select from event where id in (
    select s.event_id from waiting_entry w join shift s on s.id = w.shift_id where w.user_id = ${userId} and w.state = 'offered')
    order by id for no key update`.execute(tx)
  const offered = await tx.deleteFrom('waiting_entry').where('user_id', '=', userId).returning(['shift_id', 'state']).execute()
  const shifts = offered.filter(({ state }) => state === 'offered').map(({ shift_id }) => shift_id)
  await refreshStatistics(tx, shifts)
}
