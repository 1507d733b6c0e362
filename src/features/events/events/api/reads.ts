import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import type { JsonBytes } from '#platform/http/json.ts'
import { wireTimeOrNull } from '#platform/http/time-format.ts'
import { findTypeRows, getTypeRow, type TypeRow } from '../queries/event-types.ts'
import type { Keyed } from '../queries/filters.ts'
import { eventBodies, shiftBodies } from '../queries/record-bodies.ts'
import { findEventKeys, findShiftKeys, getEventKey, getShiftKey } from '../queries/record-keys.ts'
import { eventTypeRecord } from '../schema/event-types.ts'
import { eventParameters, eventRecord, shiftParameters, shiftRecord } from '../schema/events.ts'

const serialized = (body: JsonBytes): JsonBytes => body

/** Bodies are loaded only if the caller's ETag does not match. */
const found = ({ count, fingerprint, edges }: Keyed, rows: () => Promise<JsonBytes[]>) => ({ count, rows, fingerprint, edges })

export const eventsApi: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/events/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Event',
    tag: 'events',
    summary: 'Events the caller may see',
    recordSummary: 'One event',
    recordDescription: 'Filters act here, too: an event that does not match is not found.',
    parameters: eventParameters,
    record: eventRecord,
    find: async (context, query, page) => {
      const keyed = await findEventKeys(context, query, page)
      return found(keyed, () => eventBodies(context, keyed.keys))
    },
    get: async (context, { id }, query) => {
      const key = await getEventKey(context, id, query)
      return key && (await eventBodies(context, [key]))[0]
    },
    present: serialized,
  }),
  ...collectionEndpoints({
    path: '/api/shifts/',
    access: scope('PUBLIC_READ'),
    writePermissions: 'event',
    name: 'Shift',
    tag: 'shifts',
    summary: 'Shifts of events the caller may see',
    recordSummary: 'One shift',
    parameters: shiftParameters,
    record: shiftRecord,
    find: async (context, query, page) => {
      const keyed = await findShiftKeys(context, query, page)
      return found(keyed, () => shiftBodies(context, keyed.keys))
    },
    get: async (context, { id }, query) => {
      const key = await getShiftKey(context, id, query)
      return key && (await shiftBodies(context, [key]))[0]
    },
    present: serialized,
  }),
]

/** Groups and people are for those who may see the settings of event types; the order of the keys is part of the contract. */
export function presentEventType(row: TypeRow, { actor, site }: Pick<RequestContext, 'actor' | 'site'>) {
  const isShown = hasPermission(actor, 'view_event_type')
  return {
    id: row.id,
    title: row.title,
    color: row.color,
    show_participant_data: row.show_participant_data,
    default_description: row.default_description,
    required_qualifications: row.required_qualifications,
    visible_for_all_groups: row.visible_for_all_groups,
    audience_groups: isShown ? row.audience_groups : null,
    responsible_groups: isShown ? row.responsible_groups : null,
    responsible_users: isShown ? row.responsible_users : null,
    archived_at: wireTimeOrNull(row.archived_at, site.timeZone),
  }
}

export const eventTypesApi: Endpoint[] = collectionEndpoints({
  path: '/api/event-types/',
  access: scope('PUBLIC_READ'),
  name: 'Event Type',
  tag: 'event-types',
  summary: 'All event types, with archived ones',
  recordSummary: 'One event type',
  parameters: {},
  record: eventTypeRecord,
  find: (context, _query, page) => findTypeRows(context, page),
  get: (context, { id }) => getTypeRow(context, id),
  present: presentEventType,
})
