import { eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { eventRecord } from '#features/events/events/schema/events.ts'
import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { cancelEvent, deleteEvent, publishEvent, reopenEvent, restoreEvent } from '../commands/events.ts'
import { createEvent, saveEvent } from '../commands/plan-event.ts'
import { requirePlannedEvent } from '../queries/events.ts'
import { getDeletedEvent, getEventRevision, getReachableEvent, requireWrittenEvent } from '../queries/records.ts'
import { makeFormVersion } from '../rules/form-version.ts'
import { cancelBody, eventBody, newEventBody } from './bodies.ts'
import { readChangedEvent, readNewEvent } from './read-event.ts'

const tag = 'events'
const EVENT = { description: 'The event', schema: eventRecord, access: scope('PUBLIC_READ') }
const responses = { 200: EVENT }

const target: NonNullable<Parameters<typeof writeEndpoint<'/api/events/{id}/'>>[0]['target']> = (context, { id }) =>
  getReachableEvent(context, id)

const revision = getEventRevision

async function answerWith(context: WriteContext, id: number): Promise<WriteAnswer> {
  return { status: 200, body: await requireWrittenEvent(context, id), revision: await getEventRevision(context, { id }) }
}

/** Somebody else changed the record between reading and locking it. */
export const conflict = (): Problem => new Problem('conflict', { headers: { 'retry-after': '1' } })

export const eventWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/events/',
    access: scope('PUBLIC_WRITE', 'add_event'),
    name: 'Event List',
    operationId: 'events_create',
    tag,
    summary: 'Create an event with its shifts, as a draft or published',
    description:
      'Without groups, responsibles or description, the event gets those that its type suggests. A draft is at `/api/events/drafts/{id}/` until it is published.',
    body: newEventBody,
    responses: { 201: EVENT },
    perform: async (context, _path, body) => {
      const { event, shifts } = await readNewEvent(context, body)
      const { eventId } = await createEvent(context, { event, shifts, publish: body.publish })
      const location = `${context.site.url}/api/events/${body.publish ? '' : 'drafts/'}${eventId}/`
      return { ...(await answerWith(context, eventId)), status: 201, headers: { location } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/events/{id}/',
    access: scope('PUBLIC_WRITE'),
    name: 'Event Instance',
    operationId: 'events_update',
    tag,
    summary: 'Change an event',
    description: 'For those who are responsible for the event or may change all events. Keys that are absent stay as they are.',
    body: eventBody,
    target,
    revision,
    responses,
    perform: async (context, { id }, body) => {
      const current = await requirePlannedEvent(context, id)
      const input = await readChangedEvent(context, body, current)
      const version = makeFormVersion(eventSnapshot(current))
      const outcome = await saveEvent(context, { eventId: id, input, version })
      if (!outcome.ok) throw conflict()
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/events/{id}/',
    access: scope('PUBLIC_WRITE', 'delete_event'),
    name: 'Event Instance',
    operationId: 'events_delete',
    tag,
    summary: 'Move an event to the bin',
    description: 'It can be restored for 30 days.',
    target,
    revision,
    responses: { 204: { description: 'In the bin' } },
    perform: async (context, { id }) => {
      await deleteEvent(context, { eventId: id })
      return { status: 204 }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/restore/',
    access: scope('PUBLIC_WRITE', 'delete_event'),
    name: 'Event Restore',
    operationId: 'events_restore_create',
    tag,
    summary: 'Take an event out of the bin',
    target: async (context, { id }) => (await getDeletedEvent(context, id)) ?? getReachableEvent(context, id),
    revision,
    responses,
    perform: async (context, { id }) => {
      await restoreEvent(context, { eventId: id })
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/publish/',
    access: scope('PUBLIC_WRITE', 'add_event'),
    name: 'Event Publish',
    operationId: 'events_publish_create',
    tag,
    summary: 'Publish a draft',
    description: 'A draft without shifts is refused with `no_shift`. A published event stays as it is.',
    target,
    revision,
    responses,
    perform: async (context, { id }) => {
      const { ok } = await publishEvent(context, { eventId: id })
      if (!ok) throw new Problem('refused', { errors: [{ code: 'no_shift', detail: faultText(context.words, 'no_shift') }] })
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/cancel/',
    access: scope('PUBLIC_WRITE'),
    name: 'Event Cancel',
    operationId: 'events_cancel_create',
    tag,
    summary: 'Cancel an event, or change the reason',
    description: 'A cancelled event does not appear in the lists of the API any more; pages show it with the reason.',
    body: cancelBody,
    target,
    revision,
    responses,
    perform: async (context, { id }, { reason }) => {
      await cancelEvent(context, { eventId: id, reason })
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/reopen/',
    access: scope('PUBLIC_WRITE'),
    name: 'Event Reopen',
    operationId: 'events_reopen_create',
    tag,
    summary: 'Take back that an event was cancelled',
    target,
    revision,
    responses,
    perform: async (context, { id }) => {
      await reopenEvent(context, { eventId: id })
      return answerWith(context, id)
    },
  }),
]
