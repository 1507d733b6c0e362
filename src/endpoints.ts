import { buildingBlocksApi } from '#features/building-blocks/api/reads.ts'
import { buildingBlockWrites } from '#features/building-blocks/api/writes.ts'
import { changesApi } from '#features/changes/api.ts'
import { candidatesEndpoint } from '#features/disposition/api/candidates.ts'
import { participationWrites } from '#features/disposition/api/participations.ts'
import { eligibilityEndpoint } from '#features/eligibility/api.ts'
import { eventTypeWrites } from '#features/events/api/event-types.ts'
import { eventsApi, eventTypesApi } from '#features/events/api/reads.ts'
import { federationApi } from '#features/federation/api.ts'
import { ownHoursRequests } from '#features/hours/api/own-requests.ts'
import { hoursApi } from '#features/hours/api/reads.ts'
import { hoursWrites } from '#features/hours/api/writes.ts'
import { ownNotificationWrites } from '#features/inbox/api/own.ts'
import { notificationsApi } from '#features/inbox/api/reads.ts'
import {
  participationReads,
  participationsOf,
  presentLastComment,
  presentManagedParticipation,
} from '#features/participations/api/reads.ts'
import { ownParticipationWrites } from '#features/participations/api/sign-up.ts'
import { undoEndpoint } from '#features/participations/api/undo.ts'
import { grantWrites } from '#features/people/api/grants.ts'
import { groupWrites } from '#features/people/api/groups.ts'
import { ownProfileWrites } from '#features/people/api/own.ts'
import { peopleWrites } from '#features/people/api/people.ts'
import { groupsApi, heldQualificationsApi, usersApi } from '#features/people/api/reads.ts'
import { draftReads } from '#features/planning/api/drafts.ts'
import { eventWrites } from '#features/planning/api/events.ts'
import { shiftWrites } from '#features/planning/api/shifts.ts'
import { categoryWrites } from '#features/qualifications/api/categories.ts'
import { qualificationWrites } from '#features/qualifications/api/qualifications.ts'
import { qualificationsApi } from '#features/qualifications/api/reads.ts'
import { requestsApi } from '#features/requests/api.ts'
import { resourcesApi } from '#features/resources/api.ts'
import { seriesApi } from '#features/series/api.ts'
import { capabilitiesEndpoint } from '#features/tokens/api.ts'
import { webhookReads } from '#features/webhooks/api/reads.ts'
import { webhookWrites } from '#features/webhooks/api/writes.ts'
import { batchEndpoint } from '#platform/http/batch.ts'
import { type Endpoint, withIncludes } from '#platform/http/endpoint.ts'
import { rootEndpoint } from '#platform/http/root-endpoint.ts'
import { schemaEndpoints } from '#platform/http/schema-endpoints.ts'
import { accountHooks } from './account-hooks.ts'
import { COPY_HOOKS, qualificationHooks, REQUEST_KINDS, shiftsOfBlocks } from './feature-hooks.ts'
import { VERSION } from './version.ts'

export const ENDPOINTS: Endpoint[] = [
  rootEndpoint(['events', 'shifts', 'participations', 'participations-userinfo', 'users', 'users/me/participations']),
  ...withIncludes(eventsApi, {
    '/api/events/': { participations: participationsOf('event') },
    '/api/shifts/': { participations: participationsOf('shift') },
  }),
  ...draftReads,
  ...eventWrites,
  ...shiftWrites,
  ...seriesApi({ copyHooks: COPY_HOOKS }),
  ...participationReads,
  ...ownParticipationWrites,
  ...participationWrites({ participation: presentManagedParticipation, lastComment: presentLastComment }),
  undoEndpoint,
  eligibilityEndpoint,
  candidatesEndpoint,
  ...usersApi,
  ...ownProfileWrites,
  ...peopleWrites(accountHooks),
  capabilitiesEndpoint({ endpoints: () => ENDPOINTS }),
  ...buildingBlocksApi,
  ...buildingBlockWrites(shiftsOfBlocks),
  ...eventTypesApi,
  ...eventTypeWrites,
  ...qualificationsApi,
  ...qualificationWrites(qualificationHooks),
  ...categoryWrites,
  ...groupsApi,
  ...groupWrites(accountHooks),
  ...heldQualificationsApi,
  ...grantWrites(accountHooks),
  ...resourcesApi,
  ...hoursApi,
  ...ownHoursRequests,
  ...hoursWrites,
  ...requestsApi(REQUEST_KINDS),
  ...notificationsApi,
  ...ownNotificationWrites,
  ...federationApi,
  batchEndpoint(() => ENDPOINTS),
  ...changesApi,
  ...webhookReads,
  ...webhookWrites,
  ...schemaEndpoints({ endpoints: () => ENDPOINTS, version: VERSION }),
]
