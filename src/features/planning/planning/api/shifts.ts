import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { shiftRecord } from '#features/events/events/schema/events.ts'
import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import type { ErrorCode } from '#platform/http/error-codes.ts'
import { Problem } from '#platform/http/problem.ts'
import { cancelShift, deleteShift, restoreShift } from '../commands/removals.ts'
import { addShift, changeShift } from '../commands/shifts.ts'
import { shiftSnapshot } from '../commands/store-shifts.ts'
import { requirePlannedEvent } from '../queries/events.ts'
import { getReachableShift, getShiftRevision, requireWrittenShift } from '../queries/records.ts'
import { getPlannedShift } from '../queries/shifts.ts'
import { makeFormVersion } from '../rules/form-version.ts'
import { cancelBody, newShiftBody, shiftBody } from './bodies.ts'
import { conflict } from './events.ts'
import { readShift } from './read-shifts.ts'
import { presentRemovedShift, removedShiftRecord } from './removed.ts'

const tag = 'shifts'
const SHIFT = { description: 'The shift', schema: shiftRecord, access: scope('PUBLIC_READ') }
const access = scope('PUBLIC_WRITE')
const WHO = 'For those who are responsible for the event or may change all events.'

const refusal = (code: ErrorCode, detail: string): Problem => new Problem('refused', { errors: [{ code, detail }] })

async function answerWith(context: WriteContext, id: number): Promise<WriteAnswer> {
  return { status: 200, body: await requireWrittenShift(context, id), revision: await getShiftRevision(context, { id }) }
}

export const shiftWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/shifts/',
    access,
    name: 'Event Shifts',
    operationId: 'events_shifts_create',
    tag,
    summary: 'Add a shift to an event',
    description: WHO,
    body: newShiftBody,
    responses: { 201: SHIFT },
    perform: async (context, { id: eventId }, body) => {
      const event = await requirePlannedEvent(context, eventId)
      const input = await readShift(context, body, { eventId })
      const { shiftId } = await addShift(context, { eventId, input, publish: false })
      const headers = event.active ? { location: `${context.site.url}/api/shifts/${shiftId}/` } : {}
      return { ...(await answerWith(context, shiftId)), status: 201, headers }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/shifts/{id}/',
    access,
    name: 'Shift Instance',
    operationId: 'shifts_update',
    tag,
    summary: 'Change a shift',
    description: `${WHO} Keys that are absent stay as they are, also those of the configurations.`,
    body: shiftBody,
    target: (context, { id }) => getReachableShift(context, id),
    revision: getShiftRevision,
    responses: { 200: SHIFT },
    perform: async (context, { id: shiftId }, body) => {
      const stored = await getPlannedShift(context.db, context.actor, shiftId)
      if (!stored) throw await refuseShift(context.db, context.actor, shiftId)
      const input = await readShift(context, body, { eventId: stored.eventId, stored })
      const version = makeFormVersion(shiftSnapshot(stored))
      const outcome = await changeShift(context, { shiftId, input, version })
      if (outcome.ok) return answerWith(context, shiftId)
      if (outcome.reason === 'stale') throw conflict()
      const error = { pointer: '/signup_flow_slug', code: outcome.reason, detail: faultText(context.words, outcome.reason) }
      throw new Problem('refused', { errors: [error] })
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/shifts/{id}/',
    access,
    name: 'Shift Instance',
    operationId: 'shifts_delete',
    tag,
    summary: 'Delete a shift with its participations',
    description: `${WHO} Planners can restore it for a day. The last shift of an event is refused with \`last_shift\`.`,
    target: (context, { id }) => getReachableShift(context, id),
    revision: getShiftRevision,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id: shiftId }) => {
      const outcome = await deleteShift(context, { shiftId })
      if (outcome.ok) return { status: 204 }
      throw refusal(outcome.reason, context.words.t('plan.last_shift'))
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/cancel/',
    access,
    name: 'Shift Cancel',
    operationId: 'shifts_cancel_create',
    tag,
    summary: 'Cancel a shift of an event that goes on',
    description: `${WHO} It leaves the lists; its people are told the reason. The last shift of an event is refused with \`last_shift\`: cancel the event.`,
    body: cancelBody,
    target: (context, { id }) => getReachableShift(context, id),
    revision: getShiftRevision,
    responses: {
      200: { description: 'As `/api/shifts/removed/{id}/`', schema: removedShiftRecord, access: scope('PUBLIC_READ') },
    },
    perform: async (context, { id: shiftId }, { reason }) => {
      const outcome = await cancelShift(context, { shiftId, reason })
      if (!outcome.ok) throw refusal(outcome.reason, context.words.t('plan.last_shift_cancel'))
      return { status: 200, body: await presentRemovedShift(context, shiftId) }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/restore/',
    access,
    name: 'Shift Restore',
    operationId: 'shifts_restore_create',
    tag,
    summary: 'Bring back a cancelled or deleted shift with its participations',
    description: `${WHO} A cancelled one at any time, a deleted one for a day: later it is refused with \`too_late\`.`,
    target: async (context, { id }) => (await presentRemovedShift(context, id)) ?? getReachableShift(context, id),
    responses: { 200: SHIFT },
    perform: async (context, { id: shiftId }) => {
      const outcome = await restoreShift(context, { shiftId })
      if (!outcome.ok) throw refusal(outcome.reason, context.words.t('plan.restore_too_late'))
      return answerWith(context, shiftId)
    },
  }),
]
