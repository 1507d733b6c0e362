import { capabilitiesEndpoint } from '#features/access/tokens/api.ts'
import { grantWrites } from '#features/accounts/people/api/grants.ts'
import { groupWrites } from '#features/accounts/people/api/groups.ts'
import { ownProfileWrites } from '#features/accounts/people/api/own.ts'
import { peopleWrites } from '#features/accounts/people/api/people.ts'
import { groupsApi, heldQualificationsApi, usersApi } from '#features/accounts/people/api/reads.ts'
import { categoryWrites } from '#features/accounts/qualifications/api/categories.ts'
import { qualificationWrites } from '#features/accounts/qualifications/api/qualifications.ts'
import { qualificationsApi } from '#features/accounts/qualifications/api/reads.ts'
import { requestsApi } from '#features/accounts/requests/api.ts'
import { buildingBlocksApi } from '#features/events/building-blocks/api/reads.ts'
import { buildingBlockWrites } from '#features/events/building-blocks/api/writes.ts'
import { eventTypeWrites } from '#features/events/events/api/event-types.ts'
import { eventsApi, eventTypesApi } from '#features/events/events/api/reads.ts'
import { resourcesApi } from '#features/events/resources/api.ts'
import { ownNotificationWrites } from '#features/messaging/inbox/api/own.ts'
import { notificationsApi } from '#features/messaging/inbox/api/reads.ts'
import { ownHoursRequests } from '#features/on-the-day/hours/api/own-requests.ts'
import { hoursApi } from '#features/on-the-day/hours/api/reads.ts'
import { hoursWrites } from '#features/on-the-day/hours/api/writes.ts'
import { draftReads } from '#features/planning/planning/api/drafts.ts'
import { eventWrites } from '#features/planning/planning/api/events.ts'
import { shiftWrites } from '#features/planning/planning/api/shifts.ts'
import { seriesApi } from '#features/planning/series/api.ts'
import { changesApi } from '#features/sharing/change-feed/api.ts'
import { federationApi } from '#features/sharing/federation/api.ts'
import { webhookReads } from '#features/sharing/webhooks/api/reads.ts'
import { webhookWrites } from '#features/sharing/webhooks/api/writes.ts'
import { candidatesEndpoint } from '#features/staffing/disposition/api/candidates.ts'
import { participationWrites } from '#features/staffing/disposition/api/participations.ts'
import { eligibilityEndpoint } from '#features/staffing/eligibility/api.ts'
import {
  participationReads,
  participationsOf,
  presentLastComment,
  presentManagedParticipation,
} from '#features/staffing/participations/api/reads.ts'
import { ownParticipationWrites } from '#features/staffing/participations/api/sign-up.ts'
import { undoEndpoint } from '#features/staffing/participations/api/undo.ts'
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
