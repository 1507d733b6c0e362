import type { Tx } from '#platform/db/transaction.ts'
import type { ShiftWish } from '../rules/shift-form.ts'

const columnsOf = ({ times, label, ...shift }: ShiftWish) => ({
  label,
  meeting_time: times.meeting,
  start_time: times.start,
  end_time: times.end,
  signup_flow_slug: shift.flowSlug,
  signup_flow_configuration: JSON.stringify(shift.flowConfiguration),
  structure_slug: shift.structureSlug,
  structure_configuration: JSON.stringify(shift.structureConfiguration),
})

/** As the journal writes a shift, and as forms remember what they showed. */
export const shiftFacts = ({ times, ...shift }: ShiftWish): Record<string, unknown> => ({
  label: shift.label,
  meeting_time: times.meeting.toISOString(),
  start_time: times.start.toISOString(),
  end_time: times.end.toISOString(),
  signup_flow_slug: shift.flowSlug,
  signup_flow_configuration: shift.flowConfiguration,
  structure_slug: shift.structureSlug,
  structure_configuration: shift.structureConfiguration,
})

// For commands that hold the lock of the event; statistics and the journal are theirs, too.

export async function insertShift(tx: Tx, eventId: number, shift: ShiftWish): Promise<number> {
  const { id } = await tx
    .insertInto('shift')
    .values({ event_id: eventId, ...columnsOf(shift) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateShift(tx: Tx, id: number, shift: ShiftWish): Promise<void> {
  await tx.updateTable('shift').set(columnsOf(shift)).where('id', '=', id).execute()
}

export async function removeShift(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('shift').where('id', '=', id).execute()
}
