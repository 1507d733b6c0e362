import { sql } from 'kysely'
import { writeAnswers } from '#features/events/questionnaires/commands.ts'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import {
  judgeCandidacy,
  type OwnRecord,
  type Participant,
  participantOf,
} from '#features/staffing/eligibility/rules/candidacy.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Reason, State } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { findLaterEntries, getEntry, getOwnEntry } from '#platform/journal/entries.ts'
import { record } from '#platform/journal/journal.ts'
import { findLeftCompanions } from '../queries/companions.ts'
import { isPlaceTakenSince } from '../queries/signup.ts'
import {
  type Before,
  countPlaces,
  invertChanges,
  reasonsAgainstReturn,
  stateBefore,
  UNDO_SECONDS,
  UNDOABLE,
} from '../rules/undo.ts'
import { copyStateToFollowers, removeCopiesMadeAt } from './coupling.ts'
import { GUARD, type Guard } from './locks.ts'
import { lockForMove } from './sign-up.ts'

export type UndoOutcome =
  | { ok: true; hasChanged: boolean }
  /** `late`: notifications may have been sent; `changed`: someone has changed the participation since. */
  | { ok: false; code: 'late' | 'changed' }
  | { ok: false; code: 'refused'; reasons: readonly Reason[] }

type UndoRequest = { shiftId: number; entryId: number }

/** Restores the own participation as it was before a sign-up, a decline or a change of details. */
export async function undo(context: CommandContext, request: UndoRequest, guard: Guard = GUARD): Promise<UndoOutcome> {
  const who = participantOf(context.actor)
  if (!who) throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const eventId = await lockForMove(tx, context, { who, shiftId: request.shiftId }, guard)
    const entry = await getOwnEntry(tx, context.actor, request.entryId, UNDOABLE)
    if (entry?.event_id !== eventId) throw new Problem('not_found')
    const { changes } = entry
    const later = await findLaterEntries(tx, entry)
    // Double click: the first request has undone it.
    if (later.some(({ kind, changes: done }) => kind === 'participation.undone' && done.undone === entry.id))
      return { ok: true, hasChanged: false }
    if (later.length) return { ok: false, code: 'changed' }
    if (context.now.getTime() - entry.at.getTime() > UNDO_SECONDS * 1000) return { ok: false, code: 'late' }

    const facts = await loadSignupFacts(tx, who, [request.shiftId], context)
    const judged = judgeCandidacy(facts, request.shiftId, { now: context.now, timeZone: context.site.timeZone })!
    const { own } = judged
    if (!own || own.id !== entry.subject_id) return { ok: false, code: 'changed' }
    const before = stateBefore(changes, {
      state: own.state,
      times: { start: own.individualStart, end: own.individualEnd },
      structureData: own.structureData,
    })
    if (!before && own.companions) return { ok: false, code: 'changed' }
    const companions = await findLeftCompanions(tx, changes.companions?.removed ?? [])
    const isTaken = await isPlaceTakenSince(tx, request.shiftId, entry, countPlaces([before, ...companions]))
    const reasons = reasonsAgainstReturn(before, judged.reasons['sign-up'], {
      isTaken,
      hasCompanions: countPlaces(companions) > 0,
    })
    if (reasons.length) return { ok: false, code: 'refused', reasons }
    await guard.checked()
    if (changes.comment_id !== undefined)
      await tx.deleteFrom('participation_comment').where('id', '=', changes.comment_id).execute()
    await restore(tx, context, own, before, entry.at)
    await restoreCompanions(tx, context, own, companions)
    const changed = entry.personal?.answers
    const answers = changed && before && ([changed[1], changed[0]] as const)
    if (answers) await writeAnswers(tx, own.id, answers)
    await record(tx, context, {
      kind: 'participation.undone',
      subject: { kind: 'participation', id: own.id },
      eventId,
      changes: { ...invertChanges(changes), undone: entry.id, ...(before ? {} : deletedRecord(who, request.shiftId)) },
      ...(answers && { personal: { personId: entry.person_id, values: { answers } } }),
    })
    return { ok: true, hasChanged: true }
  })
}

/**
 * Restores a participation as it was before a planner moved it. False: it has been changed since. The caller may change the event and
 * holds the locks of the person and the event.
 */
export async function undoMove(tx: Tx, context: CommandContext, entryId: number): Promise<boolean> {
  const entry = await getEntry(tx, entryId, ['participation.moved'])
  if (!entry || (await findLaterEntries(tx, entry)).length > 0) return false
  const own = await getRecord(tx, entry.subject_id!)
  if (!own) return false
  const { changes } = entry
  const who = await getParticipant(tx, own.id)
  const before = stateBefore(changes, {
    state: own.state,
    times: { start: own.individualStart, end: own.individualEnd },
    structureData: own.structureData,
  })
  await restore(tx, context, own, before, entry.at)
  await restoreCompanions(tx, context, own, await findLeftCompanions(tx, changes.companions?.removed ?? []))
  await record(tx, context, {
    kind: 'participation.undone',
    subject: { kind: 'participation', id: own.id },
    ...(entry.event_id !== null && { eventId: entry.event_id }),
    changes: { ...invertChanges(changes), undone: entry.id, ...(before ? {} : deletedRecord(who, own.shiftId)) },
  })
  return true
}

/** What the log says of a participation that is gone: whose it was, and in which shift. People without an account are not stored in the journal. */
const deletedRecord = (who: Participant | undefined, shiftId: number) => ({
  shift_id: shiftId,
  ...(who && { [PERSON_FIELDS[who.kind]]: who.id }),
})

const PERSON_FIELDS = { local: 'user_id', visitor: 'visitor_id', guest: 'guest_id' } as const

async function getParticipant(tx: Tx, id: number): Promise<Participant | undefined> {
  return rowsOf(tx).first(sql<Participant>`
    select p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id from participation p where p.id = ${id} and p.kind <> 'placeholder'`)
}

async function getRecord(tx: Tx, id: number): Promise<OwnRecord | undefined> {
  return rowsOf(tx).first(sql<OwnRecord>`
    select p.id, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart",
      p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end, p.structure_data as "structureData"
    from participation p where p.id = ${id}`)
}

async function restore(tx: Tx, context: CommandContext, own: OwnRecord, before: Before | undefined, madeAt: Date): Promise<void> {
  const removed = await removeCopiesMadeAt(tx, own.shiftId, own.id, madeAt)
  if (!before) {
    await tx.deleteFrom('participation').where('id', '=', own.id).execute()
    return refreshStatistics(tx, [own.shiftId, ...removed])
  }
  await tx
    .updateTable('participation')
    .set({
      state: before.state,
      individual_start_time: before.times.start,
      individual_end_time: before.times.end,
      structure_data: JSON.stringify(before.structureData),
    })
    .where('id', '=', own.id)
    .execute()
  const followers =
    before.state === own.state ? [] : await copyStateToFollowers(tx, context, { shiftId: own.shiftId, participationId: own.id })
  await refreshStatistics(tx, [...new Set([own.shiftId, ...removed, ...followers])])
}

/** Those who left with the person come back. */
async function restoreCompanions(
  tx: Tx,
  context: CommandContext,
  { shiftId }: OwnRecord,
  companions: readonly { id: number; state: State }[],
): Promise<void> {
  const shiftIds = new Set([shiftId])
  for (const { id, state } of companions) {
    await tx.updateTable('participation').set({ state }).where('id', '=', id).execute()
    for (const follower of await copyStateToFollowers(tx, context, { shiftId, participationId: id })) shiftIds.add(follower)
  }
  if (companions.length) await refreshStatistics(tx, [...shiftIds])
}
