import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { type MarkResult, markPeople } from '../commands/marks.ts'
import { findRealRows, type RealRow } from '../queries/results.ts'
import { getMarkId, requireCheckInEvent } from '../queries/roster.ts'
import { type Mark, NOTHING } from '../rules/attendance.ts'

const path = '/api/events/{id}/attendance/'
/** Each is written by several statements, in one transaction. */
const MAX_MARKS = 100
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

const presentAttendance = ({ id, rows }: Found, { site }: RequestContext) => ({
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
})

const marksBody = z
  .strictObject({
    marks: z
      .array(
        z.strictObject({
          participation: z.int(),
          mark: z.enum(['arrived', 'left', 'no_show', 'none']).describe('none: takes back what was marked'),
          at: time.optional().describe('Of arriving and leaving; now, if absent or in the future'),
        }),
      )
      .min(1)
      .max(MAX_MARKS),
  })
  .meta({ example: { marks: [{ participation: 88, mark: 'arrived', at: '2031-05-04T07:52:00+02:00' }] } })
type GivenMark = z.infer<typeof marksBody>['marks'][number]

function readMark({ mark, at }: GivenMark, now: Date): Mark {
  if (mark === 'no_show') return { kind: mark }
  if (mark === 'none') return { kind: 'set', to: NOTHING }
  return { kind: mark, at: new Date(Math.min(at === undefined ? now.getTime() : Date.parse(at), now.getTime())) }
}

/** The caller has seen what is marked, or names no version: the mark counts. */
async function writeGiven(context: WriteContext, eventId: number, given: GivenMark): Promise<MarkResult> {
  const { now } = context
  const mark = {
    id: randomUUID(),
    participationId: given.participation,
    mark: readMark(given, now),
    base: await getMarkId(context.db, given.participation),
    madeAt: now,
  }
  const [result] = await markPeople(context, eventId, [mark], { source: 'planner' })
  return result!
}

export const attendanceApi: Endpoint[] = [
  recordEndpoint({
    path,
    access: scope('CONFIDENTIAL_READ'),
    name: 'Attendance',
    operationId: 'events_attendance_retrieve',
    tag: 'events',
    summary: 'Who came, left or stayed away',
    description: 'For those who may change the event. Drafts have nobody to check in.',
    parameters: {},
    record: attendanceRecord,
    get: (context, { id }) => getAttendance(context, id),
    present: presentAttendance,
  }),
  writeEndpoint({
    method: 'POST',
    path,
    access: scope('CONFIDENTIAL_WRITE'),
    name: 'Attendance',
    operationId: 'events_attendance_create',
    tag: 'events',
    summary: 'Check people in and out',
    description:
      'For those who may change the event. All marks are stored, or none. Refused with `unknown`, `not_confirmed`, `order` (leaves before arriving).',
    body: marksBody,
    target: async (context, { id }) => presentAttendance(await getAttendance(context, id), context),
    responses: {
      200: { description: 'The attendance of the event', schema: attendanceRecord, access: scope('CONFIDENTIAL_READ') },
    },
    perform: async (context, { id }, { marks }) => {
      await requireCheckInEvent(context, id)
      const errors: InputError[] = []
      for (const [index, given] of marks.entries()) {
        const result = await writeGiven(context, id, given)
        if (result.outcome !== 'refused') continue
        const detail = context.words.t(`check_in.not_saved_${result.reason}`)
        errors.push({ pointer: `/marks/${index}`, code: result.reason, detail })
      }
      if (errors.length) throw new Problem('refused', { errors })
      return { status: 200, body: presentAttendance(await getAttendance(context, id), context) }
    },
  }),
]
