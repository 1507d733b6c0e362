import { sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import { giveUpPlace } from '#features/staffing/waiting-list/commands/answer.ts'
import { userIdOf, userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getPlace, getStandIn, judgeTaker, type Place, type StandIn } from '../queries/stand-in.ts'
import { needsAgreement, reasonsAgainstStandIn, type StandInState } from '../rules/stand-in.ts'
import { exchangeSettings } from '../schema.ts'
import { leavePlace, lockPlaces, takePlace } from './places.ts'

export async function setState(tx: Tx, id: number, state: StandInState): Promise<void> {
  await tx.updateTable('stand_in').set({ state, next_at: null }).where('id', '=', id).execute()
}

type StepKind =
  | 'shift.stand_in_asked'
  | 'shift.stand_in_found'
  | 'shift.stand_in_done'
  | 'shift.stand_in_refused'
  | 'shift.stand_in_undone'
type Search = Pick<StandIn, 'id' | 'shiftId' | 'eventId'>

/** `users` are notified. */
export async function recordStep(
  tx: Tx,
  context: CommandContext,
  { id, shiftId, eventId }: Search,
  { kind, users }: { kind: StepKind; users: readonly number[] },
): Promise<void> {
  await record(tx, context, { kind, subject: { kind: 'shift', id: shiftId }, eventId, changes: { stand_in: id, users } })
}

type TakeOutcome =
  | { kind: 'taken' | 'found' | 'declined' | 'filled' | 'gone' | 'expired' | 'answered' }
  | { kind: 'refused'; reasons: readonly Reason[] }

/** Locks both people and the event; then reads the search as it is now. */
async function lockStandIn(
  tx: Tx,
  context: CommandContext,
  { id, takerId }: { id: number; takerId: number },
  guard: Guard,
): Promise<StandIn | undefined> {
  const found = await getStandIn(tx, id)
  if (!found) return undefined
  await lockPlaces(tx, context, { users: [found.userId, takerId], events: [found.eventId] }, guard)
  return getStandIn(tx, id)
}

/** The first of those who were asked takes the place. `context.actor` is this person. */
export function answerStandIn(
  context: CommandContext,
  { standInId, answer }: { standInId: number; answer: 'yes' | 'no' },
  guard: Guard = GUARD,
): Promise<TakeOutcome> {
  return transact(context.db, async (tx): Promise<TakeOutcome> => {
    const takerId = userIdOf(context.actor)
    const standIn = await lockStandIn(tx, context, { id: standInId, takerId }, guard)
    const asked =
      standIn &&
      (await tx
        .selectFrom('stand_in_person')
        .select(['id', 'answer'])
        .where('stand_in_id', '=', standInId)
        .where('user_id', '=', takerId)
        .where('asked_at', 'is not', null)
        .executeTakeFirst())
    if (!standIn || !asked) return { kind: 'gone' }
    if (asked.answer === 'yes' && answer === 'yes') return { kind: 'answered' }
    const isTaker = standIn.takenBy === takerId
    if (answer === 'no' && isTaker && standIn.state === 'done') return giveUpPlace({ ...context, db: tx }, standIn.shiftId)
    if (answer === 'no') {
      await tx.updateTable('stand_in_person').set({ answer }).where('id', '=', asked.id).execute()
      await record(tx, context, {
        kind: 'shift.stand_in_answered',
        subject: { kind: 'shift', id: standIn.shiftId },
        eventId: standIn.eventId,
        changes: { stand_in: standIn.id, answer },
      })
      if (isTaker && standIn.state === 'found') await reopen(tx, context, standIn.id)
      else await hastenWave(tx, context, standIn.id)
      return { kind: 'declined' }
    }
    if (standIn.state === 'done' || standIn.state === 'found') return { kind: 'filled' }
    if (standIn.state !== 'open') return { kind: standIn.state === 'expired' ? 'expired' : 'gone' }
    if (standIn.start <= context.now) return { kind: 'expired' }
    const place = await getPlace(tx, standIn.shiftId, standIn.userId)
    if (place?.state !== STATE.confirmed) return { kind: 'gone' }
    const judged = await judgeTaker(tx, context, { shiftId: standIn.shiftId, userId: takerId, place })
    const reasons = judged ? reasonsAgainstStandIn(judged) : []
    if (!judged) return { kind: 'gone' }
    if (reasons.length) return { kind: 'refused', reasons }
    await guard.checked()
    await tx.updateTable('stand_in_person').set({ answer }).where('id', '=', asked.id).execute()
    await tx.updateTable('stand_in').set({ taken_by_id: takerId, taken_at: context.now }).where('id', '=', standIn.id).execute()
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    if (needsAgreement(mode, judged.signupRules?.hasRequestStage !== false)) {
      await setState(tx, standIn.id, 'found')
      await recordStep(tx, context, standIn, { kind: 'shift.stand_in_found', users: [takerId] })
      return { kind: 'found' }
    }
    await handOver(tx, context, standIn, { place, takerId })
    return { kind: 'taken' }
  })
}

/** The person who wanted the place does not any more, before the planners decided: the search goes on. */
async function reopen(tx: Tx, { now }: CommandContext, id: number): Promise<void> {
  await tx
    .updateTable('stand_in')
    .set({ state: 'open', taken_by_id: null, taken_at: null, next_at: now })
    .where('id', '=', id)
    .execute()
}

/** Nobody who was asked can: the next people are asked without waiting. */
async function hastenWave(tx: Tx, { now }: CommandContext, id: number): Promise<void> {
  await sql`update stand_in set next_at = least(next_at, ${now}) where id = ${id} and next_at is not null and not exists (
    select from stand_in_person a where a.stand_in_id = ${id} and a.asked_at is not null and a.answer is null)`.execute(tx)
}

/** One person leaves the place and the other gets it, with the same times and team, in one transaction. */
async function handOver(
  tx: Tx,
  context: CommandContext,
  standIn: StandIn,
  { place, takerId }: { place: Place; takerId: number },
): Promise<void> {
  const handover = { shift: { id: standIn.shiftId, eventId: standIn.eventId }, place, cause: 'stand_in' } as const
  await leavePlace(tx, context, { ...handover, userId: standIn.userId })
  await takePlace(tx, context, { ...handover, userId: takerId })
  await setState(tx, standIn.id, 'done')
  await recordStep(tx, context, standIn, { kind: 'shift.stand_in_done', users: [standIn.userId, takerId] })
}

type Decision = { kind: 'done' } | { kind: 'refused' } | { kind: 'gone' } | { kind: 'not_possible'; reasons: readonly Reason[] }

/** A planner agrees to what two people found, or refuses it: then nothing changes. */
export function decideStandIn(
  context: CommandContext,
  { shiftId, standInId, agrees }: { shiftId: number; standInId: number; agrees: boolean },
): Promise<Decision> {
  return transact(context.db, async (tx): Promise<Decision> => {
    if ((await getChangeableEventOf(tx, context.actor, shiftId)) === undefined) throw new Problem('not_found')
    const first = await getStandIn(tx, standInId)
    const standIn = first && (await lockStandIn(tx, context, { id: standInId, takerId: first.takenBy ?? 0 }, GUARD))
    const takerId = standIn?.takenBy
    if (!standIn || standIn.shiftId !== shiftId || standIn.state !== 'found' || !takerId || takerId !== first.takenBy)
      return { kind: 'gone' }
    await tx
      .updateTable('stand_in')
      .set({ decided_by_id: userIdOrNull(context.actor), decided_at: context.now })
      .where('id', '=', standInId)
      .execute()
    if (!agrees) {
      await setState(tx, standInId, 'refused')
      await recordStep(tx, context, standIn, { kind: 'shift.stand_in_refused', users: [standIn.userId, takerId] })
      return { kind: 'refused' }
    }
    const place = await getPlace(tx, shiftId, standIn.userId)
    const judged = place && (await judgeTaker(tx, context, { shiftId, userId: takerId, place }))
    if (place?.state !== STATE.confirmed || !judged) return { kind: 'gone' }
    const reasons = reasonsAgainstStandIn(judged)
    if (reasons.length) return { kind: 'not_possible', reasons }
    await handOver(tx, context, standIn, { place, takerId })
    return { kind: 'done' }
  })
}

/** A planner puts things back: the person who left has the place again. False: one of the two was changed since. */
export function undoStandIn(
  context: CommandContext,
  { shiftId, standInId }: { shiftId: number; standInId: number },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    if ((await getChangeableEventOf(tx, context.actor, shiftId)) === undefined) throw new Problem('not_found')
    const first = await getStandIn(tx, standInId)
    const standIn = first && (await lockStandIn(tx, context, { id: standInId, takerId: first.takenBy ?? 0 }, GUARD))
    if (!standIn || standIn.shiftId !== shiftId || standIn.state !== 'done' || !standIn.takenBy || standIn.start <= context.now)
      return false
    const left = await getPlace(tx, shiftId, standIn.userId)
    const taken = await getPlace(tx, shiftId, standIn.takenBy)
    if (left?.state !== STATE.declinedByUser || taken?.state !== STATE.confirmed) return false
    const handover = { shift: { id: shiftId, eventId: standIn.eventId }, place: taken, cause: 'stand_in' } as const
    await leavePlace(tx, context, { ...handover, userId: standIn.takenBy })
    await takePlace(tx, context, { ...handover, userId: standIn.userId })
    await setState(tx, standInId, 'undone')
    await recordStep(tx, context, standIn, { kind: 'shift.stand_in_undone', users: [standIn.userId, standIn.takenBy] })
    return true
  })
}

/** For the deletion of a person. */
export async function deleteStandInsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('stand_in_person').where('user_id', '=', userId).execute()
  await tx.deleteFrom('stand_in').where('user_id', '=', userId).execute()
}
