import { type EventInput, eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { changesBetween } from '../rules/changes.ts'
import type { FormVersion } from '../rules/form-version.ts'
import { type ChangeOutcome, changeEvent, insertEvent, limitToPublishable, markPublished } from './events.ts'
import { insertShift, shiftSnapshot } from './store-shifts.ts'

/** `leaderRow`: the form row of the leading shift, which has no id yet. */
export type ShiftPlan = { row: number; input: ShiftInput; leaderRow?: number | undefined }
/** Saves the data of other features in the same transaction. `id`: of the event or shift. */
export type Attach = (tx: Tx, id: number) => Promise<void>
export const noAttachment: Attach = async () => {}

/** Creates an event with its first shifts, as a draft or published. */
export function createEvent(
  context: CommandContext,
  {
    event,
    shifts,
    publish,
    attach = noAttachment,
  }: { event: EventInput; shifts: readonly ShiftPlan[]; publish: boolean; attach?: Attach },
): Promise<{ eventId: number; shiftIds: number[] }> {
  if (!hasPermission(context.actor, 'add_event')) throw new Problem('permission_denied')
  if (publish && !shifts.length) throw new Problem('invalid_input')
  return transact(context.db, async (tx) => {
    const input = { ...event, groups: await limitToPublishable(tx, context, event.groups) }
    const eventId = await insertEvent(tx, context, { ...input, active: false })
    await record(tx, context, {
      kind: 'event.created',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: changesBetween(undefined, eventSnapshot(input)),
    })
    const shiftIds = await insertShifts(tx, context, eventId, shifts)
    await attach(tx, eventId)
    if (publish) await markPublished(tx, context, eventId)
    return { eventId, shiftIds }
  })
}

/** Inserts leaders first, because coupled shifts store their ids. */
async function insertShifts(tx: Tx, context: CommandContext, eventId: number, plans: readonly ShiftPlan[]): Promise<number[]> {
  const ids = new Map<number, number>()
  const inOrder = [...plans].sort((a, b) => Number(a.leaderRow !== undefined) - Number(b.leaderRow !== undefined))
  for (const { row, input, leaderRow } of inOrder) {
    const leader = leaderRow === undefined ? undefined : (ids.get(leaderRow) ?? null)
    const shift =
      leader === undefined ? input : { ...input, flowConfiguration: { ...input.flowConfiguration, leader_shift_id: leader } }
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
  { eventId, id, shift }: { eventId: number; id: number; shift: ShiftInput },
): Promise<void> {
  await record(tx, context, {
    kind: 'shift.created',
    subject: { kind: 'shift', id },
    eventId,
    changes: changesBetween(undefined, shiftSnapshot(shift)),
  })
}

/** Saves the event form; shifts are saved separately. */
export function saveEvent(
  context: CommandContext,
  { attach = noAttachment, ...saving }: { eventId: number; input: EventInput; version: FormVersion; attach?: Attach },
): Promise<ChangeOutcome> {
  return transact(context.db, async (tx) => {
    const outcome = await changeEvent(tx, context, saving)
    if (outcome.ok) await attach(tx, saving.eventId)
    return outcome
  })
}
