import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { changesBetween } from '../rules/changes.ts'
import type { Seen } from '../rules/seen.ts'
import type { ShiftWish } from '../rules/shift-form.ts'
import {
  type ChangeOutcome,
  changeEvent,
  type EventWish,
  eventFacts,
  insertEvent,
  limitToPublishable,
  markPublished,
} from './events.ts'
import { insertShift, shiftFacts } from './store-shifts.ts'

/** `leaderRow`: the row of the form whose shift this one follows; neither has an id yet. */
export type ShiftPlan = { row: number; wish: ShiftWish; leaderRow?: number | undefined }
/** What other rooms keep with an event, written in the same transaction. */
export type Attach = (tx: Tx, eventId: number) => Promise<void>
const nothing: Attach = async () => {}

/** An event with its first shifts, as a draft or published at once. */
export function createEvent(
  context: CommandContext,
  {
    event,
    shifts,
    publish,
    attach = nothing,
  }: { event: EventWish; shifts: readonly ShiftPlan[]; publish: boolean; attach?: Attach },
): Promise<{ eventId: number; shiftIds: number[] }> {
  if (!hasPermission(context.actor, 'add_event')) throw new Problem('permission_denied')
  if (publish && !shifts.length) throw new Problem('invalid_input')
  return transact(context.db, async (tx) => {
    const wish = { ...event, groups: await limitToPublishable(tx, context, event.groups) }
    const eventId = await insertEvent(tx, context, { ...wish, active: false })
    await record(tx, context, {
      kind: 'event.created',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: changesBetween(undefined, eventFacts(wish)),
    })
    const shiftIds = await insertShifts(tx, context, eventId, shifts)
    await attach(tx, eventId)
    if (publish) await markPublished(tx, context, eventId)
    return { eventId, shiftIds }
  })
}

/** Those that follow come after those that lead, whose ids they need. */
async function insertShifts(tx: Tx, context: CommandContext, eventId: number, plans: readonly ShiftPlan[]): Promise<number[]> {
  const ids = new Map<number, number>()
  const inOrder = [...plans].sort((a, b) => Number(a.leaderRow !== undefined) - Number(b.leaderRow !== undefined))
  for (const { row, wish, leaderRow } of inOrder) {
    const leader = leaderRow === undefined ? undefined : (ids.get(leaderRow) ?? null)
    const shift =
      leader === undefined ? wish : { ...wish, flowConfiguration: { ...wish.flowConfiguration, leader_shift_id: leader } }
    const id = await insertShift(tx, eventId, shift)
    ids.set(row, id)
    await recordShift(tx, context, { eventId, id, shift })
  }
  const made = [...ids.values()]
  await refreshStatistics(tx, made)
  return made
}

export async function recordShift(
  tx: Tx,
  context: CommandContext,
  { eventId, id, shift }: { eventId: number; id: number; shift: ShiftWish },
): Promise<void> {
  await record(tx, context, {
    kind: 'shift.created',
    subject: { kind: 'shift', id },
    eventId,
    changes: changesBetween(undefined, shiftFacts(shift)),
  })
}

/** What the form of an event holds; shifts have forms of their own. */
export function saveEvent(
  context: CommandContext,
  { attach = nothing, ...saving }: { eventId: number; wish: EventWish; seen: Seen; attach?: Attach },
): Promise<ChangeOutcome> {
  return transact(context.db, async (tx) => {
    const outcome = await changeEvent(tx, context, saving)
    if (outcome.ok) await attach(tx, saving.eventId)
    return outcome
  })
}
