import { documentPartsOf, endpointsOf } from '#platform/features/compose.ts'
import { batchEndpoint } from '#platform/http/batch.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { DocumentParts } from '#platform/http/openapi.ts'
import { rootEndpoint } from '#platform/http/root-endpoint.ts'
import { schemaEndpoints } from '#platform/http/schema-endpoints.ts'
import { FEATURES } from './features.ts'
import { VERSION } from './version.ts'

/** What the OpenAPI document says beside the endpoints. */
export const DOCUMENT_PARTS: DocumentParts = documentPartsOf(FEATURES, {
  root: 'Where to begin, and what a credential may do.',
  batch: 'Several writes in one transaction.',
  schema: 'This description.',
})

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
