import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** Shifts that the notification names, that still lack people and that the recipient is responsible for. */
    shortShifts?:
      | readonly { title: string; label: string; start: Date; end: Date; missing: number; staysShort: boolean }[]
      | undefined
  }
}

type Stored = { title: string; label: string; start: string; end: string; missing: number; staysShort: boolean }[]

export const shortShiftsPart = addPart({
  name: 'shortShifts',
  read: ({ actor }) => sql`case when n.data ? 'shift_ids' then (
    select json_agg(json_build_object('title', e.title, 'label', s.label, 'start', s.start_time, 'end', s.end_time,
      'missing', greatest(s.missing, s.shortfall), 'staysShort', coalesce(f.stays_short, false)) order by s.start_time, s.id)
    from jsonb_array_elements_text(n.data -> 'shift_ids') named (id) join shift s on s.id = named.id::bigint
      join event e on e.id = s.event_id left join shift_forecast f on f.shift_id = s.id
    where e.listed and ${isShort} and ${changeableBy(actor)}) end`,
  parse: (shifts: Stored) => shifts.map(({ start, end, ...shift }) => ({ ...shift, start: new Date(start), end: new Date(end) })),
})
