import { type EventInput, eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record, recordEach } from '#platform/journal/journal.ts'
import { changesBetween } from '../rules/changes.ts'
import type { FormVersion } from '../rules/form-version.ts'
import { type ChangeOutcome, changeEvent, insertEvent, limitToPublishable, markPublished } from './events.ts'
import { insertShifts, shiftSnapshot } from './store-shifts.ts'

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
    const shiftIds = await insertPlans(tx, context, eventId, shifts)
    await attach(tx, eventId)
    if (publish) await markPublished(tx, context, eventId)
    return { eventId, shiftIds }
  })
}

/** Inserts leaders first, because coupled shifts store their ids. */
async function insertPlans(tx: Tx, context: CommandContext, eventId: number, plans: readonly ShiftPlan[]): Promise<number[]> {
  const ids = new Map<number, number>()
  const insert = async (some: readonly ShiftPlan[]): Promise<void> => {
    const shifts = some.map(({ input, leaderRow }) => {
      if (leaderRow === undefined) return input
      return { ...input, flowConfiguration: { ...input.flowConfiguration, leader_shift_id: ids.get(leaderRow) ?? null } }
    })
    const made = await insertShifts(tx, eventId, shifts)
    for (const [index, { row }] of some.entries()) ids.set(row, made[index]!)
    await recordShifts(
      tx,
      context,
      made.map((id, index) => ({ eventId, id, shift: shifts[index]! })),
    )
  }
  await insert(plans.filter(({ leaderRow }) => leaderRow === undefined))
  await insert(plans.filter(({ leaderRow }) => leaderRow !== undefined))
  const made = [...ids.values()]
  await refreshStatistics(tx, made)
  return made
}

type MadeShift = { eventId: number; id: number; shift: ShiftInput }

export const recordShift = (tx: Tx, context: CommandContext, made: MadeShift): Promise<void> => recordShifts(tx, context, [made])

export const recordShifts = (tx: Tx, context: CommandContext, made: readonly MadeShift[]): Promise<void> =>
  recordEach(
    tx,
    context,
    made.map(({ eventId, id, shift }) => ({
      kind: 'shift.created',
      subject: { kind: 'shift', id },
      eventId,
      changes: changesBetween(undefined, shiftSnapshot(shift)),
    })),
  )

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
