import { z } from 'zod'
import { eventRecord } from '#features/events/events/schema/events.ts'
import { restorableUntil } from '#features/planning/removed-shifts/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import { wireDate, wireTime } from '#platform/http/time-format.ts'
import { type CancelledEvent, findCancelledEvents, getCancelledEvent } from '../queries/cancelled-events.ts'
import { findRemovedRows, getRemovedRow, type RemovedShiftRow } from '../queries/removed-shifts.ts'

const time = z.iso.datetime({ offset: true })

const cancelledEventRecord = eventRecord
  .extend({
    state: z.literal('cancelled'),
    cancelled_at: time,
    cancellation_reason: z.string().describe('Participants read it'),
  })
  .meta({
    id: 'CancelledEvent',
    examples: [
      {
        ...(eventRecord.meta()!.examples as object[])[0],
        state: 'cancelled',
        cancelled_at: '2031-05-03T18:00:00+02:00',
        cancellation_reason: 'Storm warning',
      },
    ],
  })

export const removedShiftRecord = z
  .strictObject({
    id: z.int(),
    event_id: z.int(),
    event_title: z.string(),
    label: z.string(),
    start_time: time,
    end_time: time,
    state: z.enum(['cancelled', 'deleted']),
    reason: z.string().nullable().describe('Of a cancelled shift. Participants read it'),
    removed_at: time,
    restorable_until: time.nullable().describe('null: as long as the event exists'),
  })
  .meta({
    id: 'RemovedShift',
    examples: [
      {
        id: 31,
        event_id: 12,
        event_title: 'Harbour run',
        label: 'Course marshals',
        start_time: '2031-05-04T08:00:00+02:00',
        end_time: '2031-05-04T14:30:00+02:00',
        state: 'cancelled',
        reason: 'Storm warning',
        removed_at: '2031-05-03T18:00:00+02:00',
        restorable_until: null,
      },
    ],
  })

const presentCancelled = ({ body, cancelled_at, reason }: CancelledEvent, { site }: RequestContext) => ({
  ...(JSON.parse(body.bytes.toString()) as object),
  state: 'cancelled',
  cancelled_at: wireTime(cancelled_at, site.timeZone),
  cancellation_reason: reason,
})

function presentRemoved(row: RemovedShiftRow, { site }: RequestContext) {
  const removedAt = wireTime(row.removed_at, site.timeZone)
  const until = restorableUntil({ removedAt: new Date(removedAt) })
  return {
    id: row.id,
    event_id: row.event_id,
    event_title: row.event_title,
    label: row.label,
    start_time: wireTime(row.start_time, site.timeZone),
    end_time: wireTime(row.end_time, site.timeZone),
    state: row.is_cancelled ? 'cancelled' : 'deleted',
    reason: row.is_cancelled ? row.reason : null,
    removed_at: removedAt,
    restorable_until: row.is_cancelled ? null : wireDate(until, site.timeZone),
  }
}

/** As `/api/shifts/removed/{id}/` shows it. */
export async function presentRemovedShift(context: RequestContext, id: number) {
  const row = await getRemovedRow(context, id)
  return row && presentRemoved(row, context)
}

/** What other lists of events and shifts leave out. */
export const removedReads: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/events/cancelled/',
    access: scope('PUBLIC_READ'),
    name: 'Cancelled Event',
    tag: 'events',
    summary: 'Cancelled events that the caller could see, the last cancelled first',
    recordSummary: 'One cancelled event with its shifts and the reason',
    parameters: {},
    record: cancelledEventRecord,
    find: (context, _query, page) => findCancelledEvents(context, page),
    get: (context, { id }) => getCancelledEvent(context, id),
    present: presentCancelled,
  }),
  ...collectionEndpoints({
    path: '/api/shifts/removed/',
    access: scope('PUBLIC_READ'),
    name: 'Removed Shift',
    tag: 'shifts',
    summary: 'Cancelled and deleted shifts of events that go on, the last removed first',
    description:
      'For those who may change the event: those that can be restored. For others: cancelled shifts that they had signed up for.',
    recordSummary: 'One cancelled or deleted shift',
    parameters: {},
    record: removedShiftRecord,
    find: (context, _query, page) => findRemovedRows(context, page),
    get: (context, { id }) => getRemovedRow(context, id),
    present: presentRemoved,
  }),
]
