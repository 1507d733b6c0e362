import type { CommandContext } from '#platform/auth/context.ts'
import { open, partner } from '#platform/http/access.ts'
import { actionEndpoint, type Endpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireTime } from '#platform/http/time-format.ts'
import { declineForGuest } from '../commands/give-up.ts'
import { setObjections, subscribeGuest } from '../commands/guest-updates.ts'
import { hearNotice } from '../commands/host-updates.ts'
import { tellChanges } from '../commands/tell-changes.ts'
import { presentSharedEvent } from '../queries/present-event.ts'
import type { ToldParticipation } from '../queries/updates.ts'
import { changesInput, declineInput, noticeInput, objectionsInput, subscriptionInput, toldChangesRecord } from '../schema.ts'

const presentParticipation = ({ start_time, end_time, ...row }: ToldParticipation, { site }: CommandContext) => ({
  ...row,
  start_time: wireTime(start_time, site.timeZone),
  end_time: wireTime(end_time, site.timeZone),
})

/** Between instances of Turnout, besides the endpoints that every partner knows. */
export const updatesApi: Endpoint[] = [
  actionEndpoint({
    path: '/api/federation/subscription/',
    method: 'POST',
    access: partner,
    name: 'Federation Subscription',
    operationId: 'federation_subscribe',
    tag: 'federation',
    summary: 'Ask to be told when something changes for the instance that the token was given to',
    description:
      'A signed notice is sent to `/api/federation/notices/` of the instance. It says that there is something new, not what.',
    suffix: false,
    body: subscriptionInput,
    responses: { 204: { description: 'Notices are signed with this secret from now on' } },
    perform: async (context, _path, { secret }) => {
      await subscribeGuest(context, secret)
      return { status: 204 }
    },
  }),
  actionEndpoint({
    path: '/api/federation/changes/',
    method: 'POST',
    access: partner,
    name: 'Federation Changes',
    operationId: 'federation_changes',
    tag: 'federation',
    summary: 'What changed for the instance that the token was given to',
    description:
      'The cursor also says what the instance has: it is not told again of what it no longer sees. 409: it has not subscribed.',
    suffix: false,
    body: changesInput,
    responses: { 200: { description: 'The changes since the cursor', schema: toldChangesRecord } },
    perform: async (context, _path, { after }) => {
      const told = await tellChanges(context, after)
      if (!told) throw new Problem('conflict')
      return {
        status: 200,
        body: {
          cursor: told.cursor,
          is_complete: told.isComplete,
          is_from_start: told.isFromStart,
          events: told.events.map((row) => presentSharedEvent(row, context)),
          gone_events: told.goneEvents,
          participations: told.participations.map((row) => presentParticipation(row, context)),
          gone_participations: told.goneParticipations,
        },
      }
    },
  }),
  actionEndpoint({
    path: '/api/federation/objections/',
    method: 'POST',
    access: partner,
    name: 'Federation Objections',
    operationId: 'federation_objections',
    tag: 'federation',
    summary: 'Name the people of the instance about whom nothing is to be told',
    suffix: false,
    body: objectionsInput,
    responses: { 204: { description: 'Nothing is told about these people' } },
    perform: async (context, _path, { users }) => {
      await setObjections(context, users)
      return { status: 204 }
    },
  }),
  actionEndpoint({
    path: '/api/federation/declines/',
    method: 'POST',
    access: partner,
    name: 'Federation Decline',
    operationId: 'federation_decline',
    tag: 'federation',
    summary: 'Give up the place of a person of the instance',
    description: 'By the same rules as on the page for visitors. 409: they do not allow it.',
    suffix: false,
    body: declineInput,
    responses: { 204: { description: 'The person no longer has the place, or had given it up before' } },
    perform: async (context, _path, { shift, user }) => {
      const outcome = await declineForGuest(context, { shiftId: shift, person: user })
      if (outcome === 'unknown') throw new Problem('not_found')
      if (outcome === 'refused') throw new Problem('refused')
      return { status: 204 }
    },
  }),
  actionEndpoint({
    path: '/api/federation/notices/',
    method: 'POST',
    access: open('the signature is the credential'),
    name: 'Federation Notice',
    operationId: 'federation_notice',
    tag: 'federation',
    summary: 'Say that something has changed at a host of this instance',
    suffix: false,
    limitFailures: true,
    body: noticeInput,
    responses: { 202: { description: 'The host is asked soon, if this is news' } },
    perform: async (context, _path, notice) => {
      const heard = await hearNotice(context, notice)
      if (heard === 'forged' || heard === 'untimely') throw new Problem('invalid_input', { errors: [NOTICE_ERRORS[heard]] })
      return { status: 202 }
    },
  }),
]

/** Never translated: hosts show them to their administrators as they are. */
const NOTICE_ERRORS = {
  forged: { pointer: '/signature', code: 'invalid', detail: 'This is not signed by a host of this instance' },
  untimely: {
    pointer: '/timestamp',
    code: 'invalid',
    detail: 'The clocks of the two instances differ by more than five minutes',
  },
} as const
