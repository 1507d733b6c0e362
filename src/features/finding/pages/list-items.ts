import { html } from '#platform/html/html.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { ShownEvent } from '../queries/events.ts'
import type { Abroad } from '../queries/partner-events.ts'
import type { CalendarShift, ShiftOfEvent } from '../queries/shifts.ts'
import type { CalendarLine } from '../views/calendar.ts'
import type { EventLine, ShiftLine } from '../views/list-items.ts'

/** Styles of filters and calendars. */
export const FIND_HEAD = html`<link rel="stylesheet" href="${assetUrl('find.css')}">`

export const eventLineOf = (row: ShownEvent): EventLine => ({
  id: row.id,
  title: row.title,
  location: row.location,
  type: { name: row.type_title, colour: row.type_color },
  start: row.start_time,
  end: row.end_time,
  shifts: row.abroad ? undefined : row.shift_count,
  stats: row.stats,
  own: row.own,
  cancelledBecause: row.cancellation_reason,
  abroad: row.abroad,
})

export const shiftLineOf = (
  row: ShiftOfEvent & { cancellation_reason?: string | null; abroad?: Abroad | undefined },
): ShiftLine => ({
  id: row.shift_id,
  label: row.label,
  event: { id: row.event_id, title: row.event_title },
  location: row.location,
  type: { name: row.type_title, colour: row.type_color },
  start: row.start_time,
  end: row.end_time,
  stats: row,
  cancelledBecause: row.cancellation_reason,
  abroad: row.abroad,
})

export const calendarLineOf = (row: CalendarShift): CalendarLine => ({ ...shiftLineOf(row), own: row.own ?? undefined })
