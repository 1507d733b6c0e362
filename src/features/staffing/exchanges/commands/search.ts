import { sql } from 'kysely'
import { notifyingTime } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { lockForMove } from '#features/staffing/participations/commands/sign-up.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findNextTakers, findTakers, getOpenStandIn, getPlace, getStandIn, type StandIn } from '../queries/stand-in.ts'
import { firstWaveSize, nextWaveAt } from '../rules/waves.ts'
import { exchangeSettings } from '../schema.ts'
import { recordStep, setState } from './stand-in.ts'

type SeekRefusal = 'off' | 'no_place' | 'begun' | 'searching' | 'no_taker'
/** `notifiedAt`: when the messages to the first people go out. */
type SeekOutcome =
  | { ok: true; id: number; asked: number; people: number; nextAt: Date | null; notifiedAt: Date }
  | { ok: false; code: SeekRefusal }
/** `size`: how many people are asked at a time. `chosen`: whom the person would like to ask first. */
type SeekInput = { shiftId: number; message: string; size: number; chosen: readonly number[] }

/** The caller looks for somebody who takes their confirmed place, and keeps it until somebody does. */
export function seekStandIn(
  context: CommandContext,
  { shiftId, message, size, chosen }: SeekInput,
  guard: Guard = GUARD,
): Promise<SeekOutcome> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<SeekOutcome> => {
    const { now } = context
    const eventId = await lockForMove(tx, context, { who, shiftId }, guard)
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    if (mode === 'off') return { ok: false, code: 'off' }
    const place = await getPlace(tx, shiftId, who.id)
    if (place?.state !== STATE.confirmed) return { ok: false, code: 'no_place' }
    if (place.start <= now) return { ok: false, code: 'begun' }
    if (await getOpenStandIn(tx, shiftId, who.id)) return { ok: false, code: 'searching' }
    const takers = await findTakers({ ...context, db: tx }, { shiftId, chosen })
    if (!takers.length) return { ok: false, code: 'no_taker' }
    const first = firstWaveSize(takers, size, { now, start: place.start })
    const nextAt = first < takers.length ? nextWaveAt(now, { start: place.start, timeZone: context.site.timeZone }) : null
    const { id } = await tx
      .insertInto('stand_in')
      .values({
        shift_id: shiftId,
        participation_id: place.id,
        user_id: who.id,
        message,
        created_at: now,
        wave_size: size,
        next_at: nextAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('stand_in_person')
      .values(
        takers.map((taker, position) => ({
          stand_in_id: id,
          user_id: taker.id,
          position,
          asked_at: position < first ? now : null,
        })),
      )
      .execute()
    const asked = takers.slice(0, first).map((taker) => taker.id)
    await recordStep(tx, context, { id, shiftId, eventId }, { kind: 'shift.stand_in_asked', users: asked })
    const notifiedAt = notifyingTime(now, { timeZone: context.site.timeZone, latest: place.start })
    return { ok: true, id, asked: first, people: takers.length, nextAt, notifiedAt }
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

/** A parameter of the command, so that a test can show the race without the lock. */
type WaveGuard = Pick<Guard, 'lockEvent' | 'checked'>

/** Asks the next people of searches, and ends those whose shift has begun or whose person has no place any more. */
export async function continueSearches(context: CommandContext, guard: WaveGuard = GUARD): Promise<void> {
  const { rows } = await sql<{ id: number; eventId: number }>`
    select d.id, s.event_id as "eventId"
    from stand_in d join shift s on s.id = d.shift_id join participation p on p.id = d.participation_id
    where d.state in ('open', 'found') and (s.start_time <= ${context.now} or d.next_at <= ${context.now} or p.state <> 1)
    order by d.id limit 200`.execute(context.db)
  for (const { id, eventId } of rows)
    await transact(context.db, async (tx) => {
      await guard.lockEvent(tx, eventId)
      // As it is now: another process may have sent this wave while this one waited for the lock.
      const search = await getStandIn(tx, id)
      if (search?.state !== 'open' && search?.state !== 'found') return
      const place = await getPlace(tx, search.shiftId, search.userId)
      if (search.start <= context.now || place?.state !== STATE.confirmed)
        await endSearch(tx, context, search, place?.state === STATE.confirmed ? 'expired' : 'cancelled')
      else if (search.nextAt && search.nextAt <= context.now) await sendWave(tx, context, search, guard)
    })
}

async function endSearch(tx: Tx, context: CommandContext, search: StandIn, state: 'expired' | 'cancelled'): Promise<void> {
  await setState(tx, search.id, state)
  await record(tx, context, {
    kind: 'shift.stand_in_ended',
    subject: { kind: 'shift', id: search.shiftId },
    eventId: search.eventId,
    changes: { stand_in: search.id, state, users: [search.userId] },
  })
}

/** The next people of a search who still fit. The caller holds the lock of the event, so that no wave is sent twice. */
async function sendWave(tx: Tx, context: CommandContext, search: StandIn, guard: WaveGuard): Promise<void> {
  const { now } = context
  const { timeZone } = context.site
  // Due at night, because everybody of the last wave has said no or a planner has refused somebody.
  const askAt = notifyingTime(now, { timeZone, latest: search.start })
  if (askAt > now) {
    await tx.updateTable('stand_in').set({ next_at: askAt }).where('id', '=', search.id).execute()
    return
  }
  const able = search.state === 'open' ? await findNextTakers({ ...context, db: tx }, search) : []
  const wave = able.slice(0, search.waveSize)
  await guard.checked()
  const next_at = wave.length < able.length ? nextWaveAt(now, { start: search.start, timeZone }) : null
  await tx.updateTable('stand_in').set({ next_at }).where('id', '=', search.id).execute()
  if (!wave.length) return
  await tx
    .updateTable('stand_in_person')
    .set({ asked_at: now })
    .where('stand_in_id', '=', search.id)
    .where('user_id', 'in', wave)
    .execute()
  await recordStep(tx, context, search, { kind: 'shift.stand_in_asked', users: wave })
}
