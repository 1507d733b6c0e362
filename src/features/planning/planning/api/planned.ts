import { z } from 'zod'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { ApiAccess } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { requirePlannedEvent } from '../queries/events.ts'
import { getPlannedShift } from '../queries/shifts.ts'

/** A WRITE scope alone reads nothing. */
const access: ApiAccess = { kind: 'scope', scope: 'PUBLIC_WRITE', also: 'PUBLIC_READ' }
const ids = z.array(z.int())
const WHO = 'For those who may change the event.'

const plannedEventRecord = z
  .strictObject({
    id: z.int(),
    state: z.enum(['draft', 'published', 'cancelled']),
    groups: ids.describe('Ids of the groups that see the event'),
    responsible_groups: ids.describe('Ids of the groups whose members may change the event'),
    responsible_users: ids.describe('Ids of the people who may change the event'),
  })
  .meta({
    id: 'PlannedEvent',
    examples: [{ id: 12, state: 'published', groups: [1], responsible_groups: [], responsible_users: [7] }],
  })

const plannedShiftRecord = z
  .strictObject({ id: z.int(), questions: ids.describe('Ids of the questions that are asked at sign-up') })
  .meta({ id: 'PlannedShift', examples: [{ id: 31, questions: [4] }] })

async function requireShift({ db, actor }: RequestContext, id: number) {
  const shift = await getPlannedShift(db, actor, id)
  if (!shift) throw await refuseShift(db, actor, id)
  return { ...shift, id }
}

/** What writes take and the records of events and shifts do not show. */
export const plannedReads: Endpoint[] = [
  recordEndpoint({
    path: '/api/events/{id}/planning/',
    access,
    name: 'Event Planning',
    operationId: 'events_planning_retrieve',
    tag: 'events',
    summary: 'The state of an event, who sees it and who is responsible',
    description: `${WHO} Also of drafts and cancelled events.`,
    parameters: {},
    record: plannedEventRecord,
    get: (context, { id }) => requirePlannedEvent(context, id),
    present: (event: Awaited<ReturnType<typeof requirePlannedEvent>>) => ({
      id: event.id,
      state: !event.active ? 'draft' : event.cancelledAt ? 'cancelled' : 'published',
      groups: event.groups,
      responsible_groups: event.responsibleGroups,
      responsible_users: event.responsibleUsers,
    }),
  }),
  recordEndpoint({
    path: '/api/shifts/{id}/planning/',
    access,
    name: 'Shift Planning',
    operationId: 'shifts_planning_retrieve',
    tag: 'shifts',
    summary: 'The questions of a shift',
    description: WHO,
    parameters: {},
    record: plannedShiftRecord,
    get: (context, { id }) => requireShift(context, id),
    present: ({ id, questions }: Awaited<ReturnType<typeof requireShift>>) => ({ id, questions }),
  }),
]
