import type { SignupStats } from '#features/staffing/rules/model.ts'
import { presentDeadlines } from '#features/staffing/rules/opening.ts'
import { sumStats } from '#features/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import type { JsonBytes } from '#platform/http/json.ts'
import { wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import type { Keyed } from './queries/filters.ts'
import { type EventRow, eventBodies, type ShiftRow, shiftBodies, type TitledShiftRow } from './queries/record-bodies.ts'
import { findEventKeys, findShiftKeys, getEventKey, getShiftKey } from './queries/record-keys.ts'
import { eventPath } from './rules/slug.ts'
import { eventParameters, eventRecord, shiftParameters, shiftRecord } from './schema/events.ts'

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
    label: row.label,
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

function presentEvent(row: EventRow, { site }: RequestContext) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    location: row.location,
    type: { id: row.type_id, title: row.type_title },
    frontend_url: `${site.url}${eventPath(row.id, row.title)}`,
    start_time: wireTimeOrNull(row.start_time, site.timeZone),
    end_time: wireTimeOrNull(row.end_time, site.timeZone),
    signup_stats: presentStats(sumStats(row.shifts.map(statsOf))),
    shifts: row.shifts.map((shift) => presentShift(shift, row.title, site.timeZone)),
  }
}

const presentTitledShift = (row: TitledShiftRow, { site }: RequestContext) => presentShift(row, row.event_title, site.timeZone)

const written = (body: JsonBytes): JsonBytes => body

/** Bodies are loaded only if the caller's ETag does not match. */
const found = ({ count, fingerprint }: Keyed, rows: () => Promise<JsonBytes[]>) => ({ count, rows, fingerprint })

export const eventsApi: Endpoint[] = [
  listEndpoint({
    path: '/api/events/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Event List',
    operationId: 'events_list',
    tag: 'events',
    summary: 'Events the caller may see',
    parameters: eventParameters,
    item: eventRecord,
    find: async (context, query, page) => {
      const keyed = await findEventKeys(context, query, page)
      return found(keyed, () => eventBodies(context, keyed.keys, presentEvent))
    },
    present: written,
  }),
  recordEndpoint({
    path: '/api/events/{id}/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Event Instance',
    operationId: 'events_retrieve',
    tag: 'events',
    summary: 'One event',
    description: 'Filters act here, too: an event that does not match is not found.',
    parameters: eventParameters,
    record: eventRecord,
    get: async (context, { id }, query) => {
      const key = await getEventKey(context, id, query)
      return key && (await eventBodies(context, [key], presentEvent))[0]
    },
    present: written,
  }),
  listEndpoint({
    path: '/api/shifts/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Shift List',
    operationId: 'shifts_list',
    tag: 'shifts',
    summary: 'Shifts of events the caller may see',
    parameters: shiftParameters,
    item: shiftRecord,
    find: async (context, query, page) => {
      const keyed = await findShiftKeys(context, query, page)
      return found(keyed, () => shiftBodies(context, keyed.keys, presentTitledShift))
    },
    present: written,
  }),
  recordEndpoint({
    path: '/api/shifts/{id}/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Shift Instance',
    operationId: 'shifts_retrieve',
    tag: 'shifts',
    summary: 'One shift',
    parameters: shiftParameters,
    record: shiftRecord,
    get: async (context, { id }, query) => {
      const key = await getShiftKey(context, id, query)
      return key && (await shiftBodies(context, [key], presentTitledShift))[0]
    },
    present: written,
  }),
]
