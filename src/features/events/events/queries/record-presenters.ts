import type { SignupStats } from '#features/staffing/staffing/rules/model.ts'
import { presentDeadlines } from '#features/staffing/staffing/rules/opening.ts'
import { sumStats } from '#features/staffing/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import { type EventValues, eventFields } from '../rules/event-fields.ts'
import { type ShiftValues, shiftFields } from '../rules/shift-fields.ts'
import { eventPath } from '../rules/slug.ts'

export type ShiftRow = ShiftValues & {
  id: number
  event_id: number
  meeting_time: string
  start_time: string
  end_time: string
  signup_flow_slug: string
  signup_flow_configuration: unknown
  structure_slug: string
  structure_configuration: unknown
  requested_count: number
  confirmed_count: number
  missing: number
  free: number | null
  min_count: number | null
  max_count: number | null
}

export type TitledShiftRow = ShiftRow & { event_title: string }

export type EventRow = EventValues & {
  id: number
  type_id: number
  type_title: string
  start_time: string | null
  end_time: string | null
  shifts: ShiftRow[]
}

const statsOf = (row: ShiftRow): SignupStats => ({
  requestedCount: row.requested_count,
  confirmedCount: row.confirmed_count,
  missing: row.missing,
  free: row.free,
  minCount: row.min_count,
  maxCount: row.max_count,
})

const presentStats = (stats: SignupStats) => ({
  requested_count: stats.requestedCount,
  confirmed_count: stats.confirmedCount,
  missing: stats.missing,
  free: stats.free,
  min_count: stats.minCount,
  max_count: stats.maxCount,
})

/** The order of the keys is part of the contract. */
function presentShift(row: ShiftRow, eventTitle: string, timeZone: string) {
  const getStart = () => new Date(wireTime(row.start_time, timeZone))
  return {
    id: row.id,
    ...shiftFields.pick(row),
    event_id: row.event_id,
    event_title: eventTitle,
    meeting_time: wireTime(row.meeting_time, timeZone),
    start_time: wireTime(row.start_time, timeZone),
    end_time: wireTime(row.end_time, timeZone),
    signup_flow_slug: row.signup_flow_slug,
    signup_flow_configuration: presentDeadlines(row.signup_flow_configuration, getStart, timeZone),
    structure_slug: row.structure_slug,
    structure_configuration: row.structure_configuration,
    signup_stats: presentStats(statsOf(row)),
  }
}

export function presentEvent(row: EventRow, { site }: RequestContext) {
  const { title, description, location, guests_see_names: _forPlanners, ...more } = eventFields.pick(row)
  return {
    id: row.id,
    title,
    description,
    location,
    ...more,
    type: { id: row.type_id, title: row.type_title },
    frontend_url: `${site.url}${eventPath(row.id, row.title)}`,
    start_time: wireTimeOrNull(row.start_time, site.timeZone),
    end_time: wireTimeOrNull(row.end_time, site.timeZone),
    signup_stats: presentStats(sumStats(row.shifts.map(statsOf))),
    shifts: row.shifts.map((shift) => presentShift(shift, row.title, site.timeZone)),
  }
}

export const presentTitledShift = (row: TitledShiftRow, { site }: RequestContext) =>
  presentShift(row, row.event_title, site.timeZone)
