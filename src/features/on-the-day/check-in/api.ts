import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findRealRows, type RealRow } from './queries/results.ts'
import { requireCheckInEvent } from './queries/roster.ts'

const time = z.iso.datetime({ offset: true })
const attendanceRecord = z
  .strictObject({
    id: z.int().describe('The id of the event'),
    entries: z
      .array(
        z.strictObject({
          participation: z.int(),
          shift: z.int(),
          user: z.int().nullable().describe('null: without an account here'),
          display_name: z.string(),
          start_time: time.describe('As planned, or as corrected afterwards'),
          end_time: time,
          arrived_at: time.nullable(),
          left_at: time.nullable(),
          no_show: z.boolean().describe('Marked on the day'),
          is_absent: z.boolean().describe('Somebody responsible has confirmed afterwards that the person was not there'),
        }),
      )
      .describe('Confirmed people, by shift and name'),
  })
  .meta({
    id: 'Attendance',
    examples: [
      {
        id: 12,
        entries: [
          {
            participation: 88,
            shift: 31,
            user: 7,
            display_name: 'Ben',
            start_time: '2031-05-04T08:00:00+02:00',
            end_time: '2031-05-04T14:30:00+02:00',
            arrived_at: '2031-05-04T07:52:00+02:00',
            left_at: null,
            no_show: false,
            is_absent: false,
          },
        ],
      },
    ],
  })

type Found = { id: number; rows: RealRow[] }

async function getAttendance(context: RequestContext, eventId: number): Promise<Found> {
  const { id } = await requireCheckInEvent(context, eventId)
  return { id, rows: await findRealRows(context.db, id) }
}

export const checkInApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/events/{id}/attendance/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Attendance',
    operationId: 'events_attendance_retrieve',
    tag: 'events',
    summary: 'Who came, left or stayed away',
    description: 'For those who may change the event. Drafts have nobody to check in.',
    parameters: {},
    record: attendanceRecord,
    get: (context, { id }) => getAttendance(context, id),
    present: ({ id, rows }: Found, { site }) => ({
      id,
      entries: rows.map((row) => ({
        participation: row.id,
        shift: row.shiftId,
        user: row.kind === 'local' ? row.personId : null,
        display_name: row.name,
        start_time: wireDate(row.start, site.timeZone),
        end_time: wireDate(row.end, site.timeZone),
        arrived_at: row.arrivedAt && wireDate(row.arrivedAt, site.timeZone),
        left_at: row.leftAt && wireDate(row.leftAt, site.timeZone),
        no_show: row.noShow,
        is_absent: row.isAbsent,
      })),
    }),
  }),
]
