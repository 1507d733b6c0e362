import { z } from 'zod'
import {
  getEventRevision,
  getReachableEvent,
  getReachableShift,
  getShiftRevision,
} from '#features/planning/planning/queries/records.ts'
import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import { readDate } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { anyUser, scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { copyShift, duplicateEvent } from './commands/copies.ts'
import { datesOf, MAX_DATES } from './rules/recurrence.ts'

const MAX_INTERVAL = 366
const MAX_TIMES = 100_000

const recurrence = z
  .strictObject({
    first: z.iso.date(),
    every: z.enum(['day', 'week', 'month']),
    interval: z.int().min(1).max(MAX_INTERVAL).default(1),
    times: z.int().min(1).max(MAX_TIMES).optional().describe('How many dates, with the first'),
    until: z.iso.date().optional().describe('The last possible date'),
  })
  .refine(({ times, until }) => (times === undefined) !== (until === undefined), 'Either times or until')

const datesBody = z
  .strictObject({
    dates: z.array(z.iso.date()).max(MAX_DATES).default([]),
    recurrence: recurrence.optional().describe('Adds the dates of a rule'),
  })
  .meta({ example: { dates: ['2031-06-07'], recurrence: { first: '2031-07-05', every: 'week', interval: 2, times: 4 } } })

/** Throws if there are no dates, or too many. */
function readDates({ words }: WriteContext, { dates: singles, recurrence: rule }: z.infer<typeof datesBody>): string[] {
  const unreadable = singles.flatMap((date, index): InputError[] =>
    readDate(date) ? [] : [{ pointer: `/dates/${index}`, code: 'unreadable', detail: faultText(words, 'unreadable') }],
  )
  if (unreadable.length) throw new Problem('invalid_input', { errors: unreadable })
  const rules = rule ? [{ ...rule, end: rule.times === undefined ? { until: rule.until! } : { times: rule.times } }] : []
  const dates = datesOf(rules, singles)
  if (dates?.length) return dates
  const code = dates ? 'no_dates' : 'too_many_dates'
  throw new Problem('invalid_input', {
    errors: [{ pointer: rule ? '/recurrence' : '/dates', code, detail: faultText(words, code) }],
  })
}

const made = (description: string) => z.strictObject({ ids: z.array(z.int()).describe(description) })

export const seriesApi: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/events/{id}/duplicate/',
    access: scope('PUBLIC_WRITE', 'add_event'),
    name: 'Event Duplicate',
    operationId: 'events_duplicate_create',
    tag: 'events',
    summary: 'Make one draft per date, without participations',
    description: `The first shift of each copy starts on its date. At most ${MAX_DATES} dates.`,
    body: datesBody,
    target: (context, { id }) => getReachableEvent(context, id),
    revision: getEventRevision,
    responses: {
      201: { description: 'The drafts', schema: made('Of the drafts, in the order of their dates'), access: anyUser },
    },
    perform: async (context, { id: eventId }, body) => {
      const dates = readDates(context, body)
      return { status: 201, body: { ids: await duplicateEvent(context, { eventId, dates }) } }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/duplicate/',
    access: scope('PUBLIC_WRITE'),
    name: 'Shift Duplicate',
    operationId: 'shifts_duplicate_create',
    tag: 'shifts',
    summary: 'Copy a shift to other days of its event, without participations',
    description: `For those who are responsible for the event or may change all events. At most ${MAX_DATES} dates.`,
    body: datesBody,
    target: (context, { id }) => getReachableShift(context, id),
    revision: getShiftRevision,
    responses: {
      201: { description: 'The shifts', schema: made('Of the shifts, in the order of their dates'), access: anyUser },
    },
    perform: async (context, { id: shiftId }, body) => {
      const dates = readDates(context, body)
      return { status: 201, body: { ids: await copyShift(context, { shiftId, dates }) } }
    },
  }),
]
