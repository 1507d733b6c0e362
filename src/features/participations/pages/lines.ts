import type { ShownEvent } from '../queries/events-shown.ts'
import type { OwnShift, ShiftOfEvent } from '../queries/shifts-shown.ts'
import type { EventLine, ShiftLine } from '../views/rows.ts'

export const eventLineOf = (row: ShownEvent): EventLine => ({
  id: row.id,
  title: row.title,
  location: row.location,
  type: { name: row.type_title, colour: row.type_color },
  start: row.start_time,
  end: row.end_time,
  shifts: row.shift_count,
  stats: row.stats,
  own: row.own,
  cancelledBecause: row.cancellation_reason,
})

export const shiftLineOf = (row: ShiftOfEvent & Partial<OwnShift>): ShiftLine => ({
  id: row.shift_id,
  label: row.label,
  event: { id: row.event_id, title: row.event_title },
  location: row.location,
  type: { name: row.type_title, colour: row.type_color },
  start: row.start_time,
  end: row.end_time,
  stats: row,
  cancelledBecause: row.cancellation_reason,
})
