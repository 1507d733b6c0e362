import { type ShiftColumn, type ShiftFact, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { setQuestions } from '#features/events/questionnaires/commands.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { ShiftSnapshot } from '../rules/changes.ts'
import { type FormVersion, makeFormVersion } from '../rules/form-version.ts'

const columnsOf = ({ times, ...shift }: ShiftInput) =>
  ({
    ...shiftFields.pick(shift),
    meeting_time: times.meeting,
    start_time: times.start,
    end_time: times.end,
    signup_flow_slug: shift.flowSlug,
    signup_flow_configuration: JSON.stringify(shift.flowConfiguration),
    structure_slug: shift.structureSlug,
    structure_configuration: JSON.stringify(shift.structureConfiguration),
  }) satisfies Record<ShiftColumn, unknown>

const timesSnapshot = ({ meeting, start, end }: ShiftTimes) => ({
  meeting_time: meeting.toISOString(),
  start_time: start.toISOString(),
  end_time: end.toISOString(),
})

/** For forms that change only the times. */
export const timesVersion = (times: ShiftTimes): FormVersion => makeFormVersion(timesSnapshot(times))

/** The values of a shift for the journal and for form versions. */
export const shiftSnapshot = ({ times, ...shift }: ShiftInput): ShiftSnapshot =>
  ({
    ...shiftFields.pick(shift),
    ...timesSnapshot(times),
    signup_flow_slug: shift.flowSlug,
    signup_flow_configuration: shift.flowConfiguration,
    structure_slug: shift.structureSlug,
    structure_configuration: shift.structureConfiguration,
    questions: shift.questions.length ? shift.questions : null,
  }) satisfies Record<ShiftFact, unknown>

// Callers hold the lock of the event, refresh the statistics and write the journal.

export async function insertShift(tx: Tx, eventId: number, shift: ShiftInput): Promise<number> {
  const [id] = await insertShifts(tx, eventId, [shift])
  return id!
}

/** Ids in the order of the shifts. Triggers read all shifts of the event after each statement, so it is one for all. */
export async function insertShifts(tx: Tx, eventId: number, shifts: readonly ShiftInput[]): Promise<number[]> {
  if (!shifts.length) return []
  const rows = await tx
    .insertInto('shift')
    .values(shifts.map((shift) => ({ event_id: eventId, ...columnsOf(shift) })))
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  for (const rowsOfSame of Map.groupBy(shifts.keys(), (row) => shifts[row]!.questions.join()).values()) {
    const { questions } = shifts[rowsOfSame[0]!]!
    const shiftIds = rowsOfSame.map((row) => ids[row]!)
    if (questions.length) await setQuestions(tx, shiftIds, questions)
  }
  return ids
}

export async function updateShift(tx: Tx, id: number, shift: ShiftInput): Promise<void> {
  await tx.updateTable('shift').set(columnsOf(shift)).where('id', '=', id).execute()
  await setQuestions(tx, [id], shift.questions)
}

export async function removeShift(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('shift').where('id', '=', id).execute()
}
