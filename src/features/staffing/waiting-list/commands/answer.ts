import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { decline, lockForMove, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getEntryById, type OpenEntry } from '../queries/waiting-list.ts'
import { judgeOffer } from '../rules/waiting-list.ts'

type OfferAnswer =
  | { kind: 'accepted' | 'declined'; entryId: number | undefined }
  | { kind: 'needs_form' | 'answered' | 'expired' | 'withdrawn' }
  | { kind: 'refused'; reasons: readonly Reason[] }

/** The person to whom a place is offered takes it or leaves it to the next. `context.actor` is this person. */
export function answerWaitingListOffer(
  context: CommandContext,
  { entryId, shiftId, answer }: { entryId: number; shiftId: number; answer: 'yes' | 'no' },
  guard: Guard = GUARD,
): Promise<OfferAnswer> {
  return transact(context.db, async (tx): Promise<OfferAnswer> => {
    const userId = userIdOf(context.actor)
    await lockForMove(tx, context, { who: { kind: 'local', id: userId }, shiftId }, guard)
    const entry = await getEntryById(tx, entryId)
    if (!entry || entry.userId !== userId || entry.shiftId !== shiftId) return { kind: 'withdrawn' }
    const link = judgeOffer(entry, context.now)
    if (link === 'answered') return changeAnswer({ ...context, db: tx }, shiftId, answer, guard)
    if (link !== 'open') return { kind: link }
    return answer === 'no' ? refuse(tx, context, entry) : accept({ ...context, db: tx }, entry, guard)
  })
}

/** The sign-up writes the participation; a trigger marks the entry as accepted. */
async function accept(context: CommandContext, { shiftId }: OpenEntry, guard: Guard): Promise<OfferAnswer> {
  const outcome = await signUp(context, { shiftId }, guard)
  if (outcome.ok) return { kind: 'accepted', entryId: outcome.entryId }
  return outcome.needsForm ? { kind: 'needs_form' } : { kind: 'refused', reasons: outcome.reasons }
}

/** Somebody who has answered changes their mind: by sign-up and decline, with all their checks. */
async function changeAnswer(context: CommandContext, shiftId: number, answer: 'yes' | 'no', guard: Guard): Promise<OfferAnswer> {
  if (answer === 'no') return giveUpPlace(context, shiftId)
  const outcome = await signUp(context, { shiftId }, guard)
  if (outcome.ok) return { kind: 'accepted', entryId: outcome.entryId }
  if (outcome.reasons.some(({ code }) => code === 'already_in')) return { kind: 'answered' }
  return outcome.needsForm ? { kind: 'needs_form' } : { kind: 'refused', reasons: outcome.reasons }
}

/** The person gives up the place that they took by a link. Somebody who has none has answered before. */
export async function giveUpPlace(
  context: CommandContext,
  shiftId: number,
): Promise<
  { kind: 'declined'; entryId: number | undefined } | { kind: 'answered' } | { kind: 'refused'; reasons: readonly Reason[] }
> {
  const outcome = await decline(context, { shiftId })
  if (outcome.ok) return { kind: 'declined', entryId: outcome.entryId }
  return outcome.reasons.some(({ code }) => code === 'already_declined')
    ? { kind: 'answered' }
    : { kind: 'refused', reasons: outcome.reasons }
}

async function refuse(tx: Tx, context: CommandContext, { id, shiftId, eventId }: OpenEntry): Promise<OfferAnswer> {
  await tx.updateTable('waiting_entry').set({ state: 'declined' }).where('id', '=', id).execute()
  await refreshStatistics(tx, [shiftId])
  const entryId = await record(tx, context, {
    kind: 'shift.offer_declined',
    subject: { kind: 'shift', id: shiftId },
    eventId,
    changes: { entry: id },
  })
  return { kind: 'declined', entryId }
}
