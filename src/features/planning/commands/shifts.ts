import { type Kysely, sql } from 'kysely'
import { fixIndividualTimes } from '#features/participations/commands/cascades.ts'
import { copyFromLeader, removeFromFollowers } from '#features/participations/commands/coupling.ts'
import { GUARD, type Guard } from '#features/participations/commands/locks.ts'
import { loadSignupFacts } from '#features/participations/queries/eligibility.ts'
import { isOutsideShift } from '#features/participations/rules/individual-times.ts'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { Span } from '#platform/time-span.ts'
import { findFollowers, findPeopleOf, findUsersOf } from '../queries/people.ts'
import { findStoredShifts, getPlannedShift, type PlannedShift } from '../queries/shifts.ts'
import { changesBetween } from '../rules/changes.ts'
import { moveShift } from '../rules/copying.ts'
import { dayOf, daysBetween } from '../rules/moving-dates.ts'
import { changedSince, type Seen } from '../rules/seen.ts'
import type { ShiftWish } from '../rules/shift-form.ts'
import type { ShiftTimes } from '../rules/shift-times.ts'
import { lockPlanned, markPublished } from './events.ts'
import { recordShift } from './plan-event.ts'
import { insertShift, removeShift, shiftFacts, updateShift } from './store-shifts.ts'

/** One more shift; a draft can be published with it. */
export function addShift(
  context: CommandContext,
  { eventId, wish, publish }: { eventId: number; wish: ShiftWish; publish: boolean },
): Promise<{ shiftId: number }> {
  return transact(context.db, async (tx) => {
    const event = await lockPlanned(tx, context, eventId)
    const shiftId = await insertShift(tx, eventId, wish)
    await settle(tx, context, [shiftId])
    await recordShift(tx, context, { eventId, id: shiftId, shift: wish })
    if (publish && !event.active && hasPermission(context.actor, 'add_event')) await markPublished(tx, context, eventId)
    return { shiftId }
  })
}

export type ShiftOutcome =
  /** `outside`: people whose own times are not within the shift any more. `confirmed`: at the moment of the change. */
  | { ok: true; hasChanged: boolean; outside: number; confirmed: number }
  | { ok: false; reason: 'stale'; changed: string[]; current: PlannedShift }
  | { ok: false; reason: 'leads_others' }

/** Times and places change under the locks that sign-ups take: each of them is judged by the old shift or by the new one. */
export async function changeShift(
  context: CommandContext,
  { shiftId, wish, seen }: { shiftId: number; wish: ShiftWish; seen: Seen },
  guard: Guard = GUARD,
): Promise<ShiftOutcome> {
  return transact(context.db, async (tx) => {
    const found = await requireShift(tx, context, shiftId)
    if (isMoved(found.times, wish.times)) await guard.lockPeople(tx, await findPeopleOf(tx, shiftId))
    await lockPlanned(tx, context, found.eventId, guard.lockEvent)
    const before = await requireShift(tx, context, shiftId)
    if (wish.flowSlug === 'coupled' && (await findFollowers(tx, shiftId)).length) return { ok: false, reason: 'leads_others' }
    const changed = changedSince(seen, shiftFacts(before), shiftFacts(wish))
    if (changed.length) return { ok: false, reason: 'stale', changed, current: before }
    const changes = changesBetween(shiftFacts(before), shiftFacts(wish))
    await guard.checked()
    const { confirmed } = before
    if (!Object.keys(changes).length) return { ok: true, hasChanged: false, outside: 0, confirmed }
    if (isMoved(before.times, wish.times)) await fixIndividualTimes(tx, shiftId, wish.times)
    await updateShift(tx, shiftId, wish)
    await settle(tx, context, [shiftId])
    await record(tx, context, {
      kind: 'shift.changed',
      subject: { kind: 'shift', id: shiftId },
      eventId: before.eventId,
      changes,
    })
    return { ok: true, hasChanged: true, outside: await countOutside(tx, context, shiftId), confirmed }
  })
}

async function requireShift(db: Kysely<DB>, { actor }: CommandContext, shiftId: number): Promise<PlannedShift> {
  const shift = await getPlannedShift(db, actor, shiftId)
  if (!shift) throw new Problem('not_found')
  return shift
}

const isMoved = (a: ShiftTimes, b: ShiftTimes): boolean =>
  a.start.getTime() !== b.start.getTime() || a.end.getTime() !== b.end.getTime() || a.meeting.getTime() !== b.meeting.getTime()

async function countOutside(tx: Tx, { now }: CommandContext, shiftId: number): Promise<number> {
  const { shifts, settings } = await loadSignupFacts(tx, { kind: 'local', id: 0 }, [shiftId], now)
  const { rows } = await sql<Span>`
    select p.start_time as start, p.end_time as end from participation p
    where p.shift_id = ${shiftId} and p.state in (0, 1) and num_nonnulls(p.individual_start_time, p.individual_end_time) > 0`.execute(
    tx,
  )
  return rows.filter((own) => isOutsideShift(own, shifts.get(shiftId)!, settings.toleranceMinutes)).length
}

/** Everything that follows from a shift as it is now. */
async function settle(tx: Tx, context: CommandContext, shiftIds: readonly number[]): Promise<void> {
  await refreshStatistics(tx, shiftIds)
  for (const id of shiftIds) await copyFromLeader(tx, context, id)
}

export type DeleteOutcome = { ok: true } | { ok: false; reason: 'last_shift' }

/** With its participations. An event is never left without a shift; it is deleted instead. */
export function deleteShift(context: CommandContext, { shiftId }: { shiftId: number }): Promise<DeleteOutcome> {
  return transact(context.db, async (tx) => {
    const { eventId } = await requireShift(tx, context, shiftId)
    await GUARD.lockPeople(tx, await findPeopleOf(tx, shiftId))
    await lockPlanned(tx, context, eventId)
    const shift = await requireShift(tx, context, shiftId)
    if ((await findStoredShifts(tx, eventId)).length < 2) return { ok: false, reason: 'last_shift' }
    const gone = Object.fromEntries(Object.entries(shiftFacts(shift)).map(([name, value]) => [name, [value, null]]))
    // Whoever tells them cannot look it up any more.
    const people = await findUsersOf(tx, shiftId)
    await removeFromFollowers(tx, shiftId)
    await removeShift(tx, shiftId)
    await record(tx, context, {
      kind: 'shift.deleted',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: {
        ...gone,
        confirmed_user_ids: [people.confirmed, []],
        requested_user_ids: [people.requested, []],
        ...(people.guests.length ? { guest_ids: [people.guests, []] } : {}),
        ...(people.visitors.length ? { visitor_ids: [people.visitors, []] } : {}),
      },
    })
    return { ok: true }
  })
}

/** The same shift on other days of the same event; nobody is copied. */
export function copyShift(
  context: CommandContext,
  { shiftId, dates }: { shiftId: number; dates: readonly string[] },
): Promise<number[]> {
  const { timeZone } = context.site
  return transact(context.db, async (tx) => {
    const { eventId } = await requireShift(tx, context, shiftId)
    await lockPlanned(tx, context, eventId)
    const shift = await requireShift(tx, context, shiftId)
    const first = dayOf(shift.times.start, timeZone)
    const made: number[] = []
    for (const date of dates) {
      const copy = moveShift(shift, daysBetween(first, date), timeZone)
      const id = await insertShift(tx, eventId, copy)
      await recordShift(tx, context, { eventId, id, shift: copy })
      made.push(id)
    }
    await settle(tx, context, made)
    return made
  })
}
