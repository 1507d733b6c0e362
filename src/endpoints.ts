import { endpointsOf } from '#platform/features/compose.ts'
import { batchEndpoint } from '#platform/http/batch.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { DocumentParts } from '#platform/http/openapi.ts'
import { rootEndpoint } from '#platform/http/root-endpoint.ts'
import { schemaEndpoints } from '#platform/http/schema-endpoints.ts'
import { FEATURES } from './features.ts'
import { VERSION } from './version.ts'

/** What the OpenAPI document says about subjects and webhooks. */
export const DOCUMENT_PARTS: DocumentParts = {
  contact: 'The people who operate this instance',
  tags: {
    root: 'Where to begin, and what a credential may do.',
    events: 'Events with their shifts: reading, planning, publishing, cancelling, the bin.',
    shifts: 'Shifts, and who reaches them: eligibility, sign-up, decline, candidates.',
    participations: 'Who takes part, for those who see or staff the event.',
    users: 'Profiles of people.',
    'own participations': 'What the person behind the credential takes part in.',
    buildingblocks: 'Units that shifts are built from.',
    'event-types': 'Kinds of events with their defaults.',
    qualifications: 'The catalogue of qualifications, and who holds which.',
    groups: 'Groups and their members.',
    'waiting lists': 'Who waits for a place of a full shift, and answers to offered places.',
    resources: 'Vehicles, rooms and material.',
    federation: 'For partner instances: events that are shared with them, and their people here.',
    requests: 'What people ask for and others decide.',
    'working-hours': 'Hours that were entered by hand.',
    changes: 'The feed of what changed, as pages and as a stream.',
    webhooks: 'Addresses that changes are sent to.',
    batch: 'Several writes in one transaction.',
    schema: 'This description.',
  },
  webhooks: {
    Change: {
      summary: 'A change, as the feed lists it',
      description:
        'Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.',
      headers: {
        'webhook-id': 'The cursor of the change; the same when it is sent again',
        'webhook-timestamp': 'Seconds since 1970',
        'webhook-signature': 'One signature `v1,…` for each valid secret, separated by blanks',
      },
    },
  },
}

/** The order of the reference. Other tags follow in the order of the features. */
const FIRST_TAGS = ['events', 'shifts', 'participations', 'users', 'own participations', 'buildingblocks', 'event-types']

function rankOf({ tag }: Endpoint): number {
  const rank = FIRST_TAGS.indexOf(tag)
  return rank === -1 ? FIRST_TAGS.length : rank
}

/** Every endpoint of the API. */
export const ENDPOINTS: Endpoint[] = [
  rootEndpoint(['events', 'shifts', 'participations', 'participations-userinfo', 'users', 'users/me/participations']),
  ...endpointsOf(FEATURES, () => ENDPOINTS).sort((a, b) => rankOf(a) - rankOf(b)),
  batchEndpoint(() => ENDPOINTS),
  ...schemaEndpoints({ endpoints: () => ENDPOINTS, version: VERSION, parts: DOCUMENT_PARTS }),
]
