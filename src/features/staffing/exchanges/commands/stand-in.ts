import { sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { type Participant, participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { lockForMove } from '#features/staffing/participations/commands/sign-up.ts'
import { type Reason, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findTakers, getOpenStandIn, getPlace, getStandIn, judgeTaker, type Place, type StandIn } from '../queries/stand-in.ts'
import { needsAgreement, othersAskedAt, reasonsAgainstStandIn, type StandInState } from '../rules/stand-in.ts'
import { exchangeSettings } from '../schema.ts'

type SeekRefusal = 'off' | 'no_place' | 'begun' | 'searching' | 'no_taker'
type SeekOutcome = { ok: true; id: number; asked: number; later: boolean } | { ok: false; code: SeekRefusal }

const local = (id: number): Participant => ({ kind: 'local', id })

async function ask(
  tx: Tx,
  context: CommandContext,
  standIn: { id: number; shiftId: number; eventId: number },
  userIds: readonly number[],
) {
  if (!userIds.length) return
  await tx
    .insertInto('stand_in_person')
    .values(userIds.map((user_id) => ({ stand_in_id: standIn.id, user_id, asked_at: context.now })))
    .onConflict((conflict) => conflict.columns(['stand_in_id', 'user_id']).doNothing())
    .execute()
  await record(tx, context, {
    kind: 'shift.stand_in_asked',
    subject: { kind: 'shift', id: standIn.shiftId },
    eventId: standIn.eventId,
    changes: { stand_in: standIn.id, users: [...userIds] },
  })
}

/** The caller looks for somebody who takes their confirmed place, and keeps it until somebody does. */
export function seekStandIn(
  context: CommandContext,
  { shiftId, message }: { shiftId: number; message: string },
  guard: Guard = GUARD,
): Promise<SeekOutcome> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<SeekOutcome> => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, guard)
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    if (mode === 'off') return { ok: false, code: 'off' }
    const place = await getPlace(tx, shiftId, who.id)
    if (place?.state !== STATE.confirmed) return { ok: false, code: 'no_place' }
    if (place.start <= context.now) return { ok: false, code: 'begun' }
    if (await getOpenStandIn(tx, shiftId, who.id)) return { ok: false, code: 'searching' }
    const { waiting, others } = await findTakers({ ...context, db: tx }, { shiftId })
    if (!waiting.length && !others.length) return { ok: false, code: 'no_taker' }
    const later = others.length ? othersAskedAt(context.now, place.start, waiting.length) : undefined
    const { id } = await tx
      .insertInto('stand_in')
      .values({
        shift_id: shiftId,
        participation_id: place.id,
        user_id: who.id,
        message,
        created_at: context.now,
        next_at: later ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const asked = later ? waiting : [...waiting, ...others]
    await ask(tx, context, { id, shiftId, eventId }, asked)
    return { ok: true, id, asked: asked.length, later: later !== undefined }
  })
}

/** The person keeps the place. False: nothing goes on, for example because somebody took it. */
export function cancelStandIn(context: CommandContext, shiftId: number): Promise<boolean> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const eventId = await lockForMove(tx, context, { who, shiftId }, GUARD)
    const standIn = await getOpenStandIn(tx, shiftId, who.id)
    if (!standIn) return false
    await setState(tx, standIn.id, 'cancelled')
    await record(tx, context, {
      kind: 'shift.stand_in_cancelled',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { stand_in: standIn.id },
    })
    return true
  })
}

async function setState(tx: Tx, id: number, state: StandInState): Promise<void> {
  await tx.updateTable('stand_in').set({ state, next_at: null }).where('id', '=', id).execute()
}

type TakeOutcome =
  | { kind: 'taken' | 'found' | 'declined' | 'gone' | 'expired' | 'answered' }
  | { kind: 'refused'; reasons: readonly Reason[] }

/** Both people by id, then the event: the order of all commands. Then the search as it is now. */
async function lockStandIn(tx: Tx, id: number, takerId: number, guard: Guard): Promise<StandIn | undefined> {
  const found = await getStandIn(tx, id)
  if (!found) return undefined
  await guard.lockPeople(tx, [local(found.userId), local(takerId)])
  await guard.lockEvent(tx, found.eventId)
  return getStandIn(tx, id)
}

/** The first of those who were asked takes the place. `context.actor` is this person. */
export function answerStandIn(
  context: CommandContext,
  { standInId, answer }: { standInId: number; answer: 'yes' | 'no' },
  guard: Guard = GUARD,
): Promise<TakeOutcome> {
  return transact(context.db, async (tx): Promise<TakeOutcome> => {
    const takerId = context.actor.kind === 'user' ? context.actor.userId : 0
    const standIn = await lockStandIn(tx, standInId, takerId, guard)
    const asked =
      standIn &&
      (await tx
        .selectFrom('stand_in_person')
        .select(['id', 'answer'])
        .where('stand_in_id', '=', standInId)
        .where('user_id', '=', takerId)
        .executeTakeFirst())
    if (!standIn || !asked) return { kind: 'gone' }
    if (asked.answer === 'yes') return { kind: 'answered' }
    if (answer === 'no') {
      await tx.updateTable('stand_in_person').set({ answer }).where('id', '=', asked.id).execute()
      await record(tx, context, {
        kind: 'shift.stand_in_answered',
        subject: { kind: 'shift', id: standIn.shiftId },
        eventId: standIn.eventId,
        changes: { stand_in: standIn.id, answer },
      })
      return { kind: 'declined' }
    }
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
      await record(tx, context, {
        kind: 'shift.stand_in_found',
        subject: { kind: 'shift', id: standIn.shiftId },
        eventId: standIn.eventId,
        changes: { stand_in: standIn.id, users: [takerId] },
      })
      return { kind: 'found' }
    }
    await handOver(tx, context, standIn, { place, takerId })
    return { kind: 'taken' }
  })
}

/** One person leaves the place and the other gets it, with the same times and team, in one transaction. */
async function handOver(
  tx: Tx,
  context: CommandContext,
  standIn: StandIn,
  { place, takerId }: { place: Place; takerId: number },
): Promise<void> {
  const shift = { id: standIn.shiftId, eventId: standIn.eventId }
  const times = { start: place.individualStart, end: place.individualEnd }
  await movePlace(tx, context, { shift, userId: standIn.userId, before: place, state: STATE.declinedByUser, kind: 'handed_over' })
  const before = await getPlace(tx, shift.id, takerId)
  await movePlace(tx, context, {
    shift,
    userId: takerId,
    before,
    state: STATE.confirmed,
    kind: 'taken_over',
    times,
    structureData: place.structureData,
  })
  await setState(tx, standIn.id, 'done')
  await record(tx, context, {
    kind: 'shift.stand_in_done',
    subject: { kind: 'shift', id: shift.id },
    eventId: shift.eventId,
    changes: { stand_in: standIn.id, users: [standIn.userId, takerId] },
  })
}

type PlaceMove = {
  shift: { id: number; eventId: number }
  userId: number
  before: Place | undefined
  state: State
  kind: 'handed_over' | 'taken_over'
  times?: { start: Date | null; end: Date | null }
  structureData?: unknown
}

async function movePlace(tx: Tx, context: CommandContext, move: PlaceMove): Promise<void> {
  const { shift, userId, before, state, kind } = move
  await writeParticipation(tx, context, {
    kind: `participation.${kind}`,
    shift,
    who: local(userId),
    before,
    state,
    times: move.times ?? { start: before?.individualStart ?? null, end: before?.individualEnd ?? null },
    structureData: move.structureData ?? before?.structureData ?? {},
    cause: 'stand_in',
  })
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
    const standIn = first && (await lockStandIn(tx, standInId, first.takenBy ?? 0, GUARD))
    const takerId = standIn?.takenBy
    if (!standIn || standIn.shiftId !== shiftId || standIn.state !== 'found' || !takerId || takerId !== first.takenBy)
      return { kind: 'gone' }
    await tx
      .updateTable('stand_in')
      .set({ decided_by_id: context.actor.kind === 'user' ? context.actor.userId : null, decided_at: context.now })
      .where('id', '=', standInId)
      .execute()
    if (!agrees) {
      await setState(tx, standInId, 'refused')
      await record(tx, context, {
        kind: 'shift.stand_in_refused',
        subject: { kind: 'shift', id: shiftId },
        eventId: standIn.eventId,
        changes: { stand_in: standInId, users: [standIn.userId, takerId] },
      })
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
    const standIn = first && (await lockStandIn(tx, standInId, first.takenBy ?? 0, GUARD))
    if (!standIn || standIn.shiftId !== shiftId || standIn.state !== 'done' || !standIn.takenBy || standIn.start <= context.now)
      return false
    const left = await getPlace(tx, shiftId, standIn.userId)
    const taken = await getPlace(tx, shiftId, standIn.takenBy)
    if (left?.state !== STATE.declinedByUser || taken?.state !== STATE.confirmed) return false
    const shift = { id: shiftId, eventId: standIn.eventId }
    const { individualStart: start, individualEnd: end, structureData } = taken
    await movePlace(tx, context, {
      shift,
      userId: standIn.takenBy,
      before: taken,
      state: STATE.declinedByUser,
      kind: 'handed_over',
    })
    await movePlace(tx, context, {
      shift,
      userId: standIn.userId,
      before: left,
      state: STATE.confirmed,
      kind: 'taken_over',
      times: { start, end },
      structureData,
    })
    await setState(tx, standInId, 'undone')
    await record(tx, context, {
      kind: 'shift.stand_in_undone',
      subject: { kind: 'shift', id: shiftId },
      eventId: standIn.eventId,
      changes: { stand_in: standInId, users: [standIn.userId, standIn.takenBy] },
    })
    return true
  })
}

/** Asks those who did not wait, and ends searches whose shift has begun or whose person has no place any more. */
export async function continueSearches(context: CommandContext): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select d.id from stand_in d join shift s on s.id = d.shift_id join participation p on p.id = d.participation_id
    where d.state in ('open', 'found') and (s.start_time <= ${context.now} or d.next_at <= ${context.now} or p.state <> 1)
    order by d.id limit 200`.execute(context.db)
  for (const { id } of rows)
    await transact(context.db, async (tx) => {
      const standIn = await getStandIn(tx, id)
      if (!standIn) return
      await GUARD.lockEvent(tx, standIn.eventId)
      const now = await getStandIn(tx, id)
      if (now?.state !== 'open' && now?.state !== 'found') return
      const place = await getPlace(tx, now.shiftId, now.userId)
      if (now.start <= context.now || place?.state !== STATE.confirmed) {
        const state = place?.state === STATE.confirmed ? 'expired' : 'cancelled'
        await setState(tx, id, state)
        await record(tx, context, {
          kind: 'shift.stand_in_ended',
          subject: { kind: 'shift', id: now.shiftId },
          eventId: now.eventId,
          changes: { stand_in: id, state, users: [now.userId] },
        })
        return
      }
      await tx.updateTable('stand_in').set({ next_at: null }).where('id', '=', id).execute()
      if (now.state !== 'open') return
      const { waiting, others } = await findTakers({ ...context, db: tx }, { shiftId: now.shiftId, id })
      await ask(tx, context, now, [...waiting, ...others])
    })
}

/** For the deletion of a person. */
export async function deleteStandInsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('stand_in_person').where('user_id', '=', userId).execute()
  await tx.deleteFrom('stand_in').where('user_id', '=', userId).execute()
}
