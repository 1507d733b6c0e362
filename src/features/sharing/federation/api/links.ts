import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { open, partner } from '#platform/http/access.ts'
import { actionEndpoint, type Endpoint, listEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireTime } from '#platform/http/time-format.ts'
import { deleteGuest } from '../commands/delete-guest.ts'
import { redeemInvite } from '../commands/redeem-invite.ts'
import { presentSharedEvent } from '../queries/present-event.ts'
import { findSharedEvents } from '../queries/shared-events.ts'
import { findVisitorParticipations } from '../queries/visitor-participations.ts'
import {
  federatedGuestRecord,
  setupInput,
  sharedEventParameters,
  sharedEventRecord,
  visitorParticipationRecord,
} from '../schema.ts'
import { updatesApi } from './updates.ts'

/** Never translated: partner instances show them to their administrators as they are. */
const CODE_ERRORS = {
  invalid_code: { pointer: '/code', code: 'invalid_code', detail: 'Invite code is not valid' },
  expired_code: { pointer: '/code', code: 'expired_code', detail: 'Invite code is expired' },
} as const

export const federationApi: Endpoint[] = [
  ...updatesApi,
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
  listEndpoint({
    path: '/api/federation/participations/',
    access: partner,
    name: 'Visitor Participation List',
    operationId: 'federation_participations_list',
    tag: 'federation',
    summary: 'Where people of the instance that the token was given to stand here',
    parameters: {},
    item: visitorParticipationRecord,
    suffix: false,
    find: findVisitorParticipations,
    present: ({ event, shift, shift_label, user, state, start_time, end_time }, { site }) => ({
      event,
      shift,
      shift_label,
      user,
      state,
      start_time: wireTime(start_time, site.timeZone),
      end_time: wireTime(end_time, site.timeZone),
    }),
  }),
  actionEndpoint({
    path: '/api/federation/setup/',
    method: 'POST',
    access: open('the invite code is the credential'),
    name: 'Redeem Invite Code',
    operationId: 'federation_setup',
    tag: 'federation',
    summary: 'Redeem an invite code and become a guest of this instance',
    suffix: false,
    limitFailures: true,
    body: setupInput,
    responses: { 201: { description: 'The guest, with its token', schema: federatedGuestRecord } },
    perform: async (context, _path, input) => {
      const redeemed = await redeemInvite(context, input)
      if (!redeemed.ok) throw new Problem('invalid_input', { errors: [CODE_ERRORS[redeemed.reason]] })
      const { name, url, client_id, client_secret } = input
      const host_name = (await getOrganizationName(context.db)) ?? new URL(context.site.url).host
      const credentials = { id: redeemed.id, name, url, client_id, client_secret, access_token: redeemed.accessToken, host_name }
      const body = input.turnout === undefined ? credentials : { ...credentials, turnout: 1 as const }
      return { status: 201, body, headers: { location: url } }
    },
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
    responses: { 204: { description: 'The link has ended' } },
    perform: async (context) => {
      if (context.actor.kind !== 'partner') throw new Problem('permission_denied')
      const deleted = await deleteGuest(context, context.actor.federatedGuestId)
      // Ended concurrently: the same response as for its revoked token.
      if (!deleted.ok) throw new Problem('permission_denied')
      return { status: 204 }
    },
  }),
]
