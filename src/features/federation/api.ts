import type { Ask } from '#platform/auth/ask.ts'
import { partner } from '#platform/http/access.ts'
import { actionEndpoint, type Endpoint, listEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireTimeOrNull } from '#platform/http/wire.ts'
import { deleteGuest } from './commands.ts'
import { findSharedEvents, type SharedEventRow } from './queries.ts'
import { sharedEventParameters, sharedEventRecord } from './schema.ts'

/** The order of the keys is part of the contract. */
const presentSharedEvent = (row: SharedEventRow, { site }: Ask) => ({
  id: row.id,
  title: row.title,
  description: row.description,
  location: row.location,
  type: { id: row.type_id, title: row.type_title },
  start_time: wireTimeOrNull(row.start_time),
  end_time: wireTimeOrNull(row.end_time),
  signup_url: `${site.url}/events/shared/${row.id}/${row.guest_id}/`,
})

export const federationApi: Endpoint[] = [
  listEndpoint({
    path: '/api/federation/events/',
    access: partner,
    name: 'Shared Event List',
    operationId: 'federation_events_list',
    tag: 'federation',
    summary: 'Events shared with the instance that the token was given to',
    parameters: sharedEventParameters,
    item: sharedEventRecord,
    suffix: false,
    find: findSharedEvents,
    present: presentSharedEvent,
  }),
  actionEndpoint({
    path: '/api/federation/guest/delete/',
    method: 'DELETE',
    access: partner,
    name: 'Federated Guest Delete',
    operationId: 'federation_guest_delete',
    tag: 'federation',
    summary: 'End the link to the instance that the token was given to',
    description: 'Events are no longer shared with it and its token ends. Places that its people had stay, without their names.',
    suffix: false,
    answers: { 204: { description: 'The link has ended' } },
    perform: async (doing) => {
      if (doing.actor.kind !== 'partner') throw new Problem('permission_denied')
      const deleted = await deleteGuest(doing, doing.actor.federatedGuestId)
      // Somebody else ended it a moment ago: the same answer as to its dead token.
      if (!deleted.ok) throw new Problem('permission_denied')
      return { status: 204 }
    },
  }),
]
