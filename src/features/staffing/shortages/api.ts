import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { typeParameter } from '#features/events/events/schema/events.ts'
import { FORECAST_EXAMPLE, forecastValue, presentForecast } from '#features/staffing/forecast/schema.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { timeParameter } from '#platform/http/time-parameter.ts'
import { findShortShifts, MAX_SHORT_SHIFTS, NO_SHORTAGE_FILTER } from './queries/shortages.ts'
import { USUAL_DAYS } from './rules/choice.ts'

const DAY_MS = 24 * 3_600_000

const time = z.iso.datetime({ offset: true })
const shortagesRecord = z
  .strictObject({
    has_more: z.boolean().describe('There are more than are listed; ask for a shorter time'),
    shortages: z
      .array(
        z.strictObject({
          shift: z.int(),
          label: z.string(),
          event: z.int(),
          event_title: z.string(),
          start_time: time,
          end_time: time,
          missing: z.int().min(1).describe('The most people who are missing at the same time'),
          signs_up: z.boolean().describe('People sign up themselves'),
          closes_at: time.nullable().describe('Until when they do'),
          forecast: forecastValue,
        }),
      )
      .meta({ description: 'By start', maxItems: MAX_SHORT_SHIFTS }),
  })
  .meta({
    id: 'Shortages',
    examples: [
      {
        has_more: false,
        shortages: [
          {
            shift: 31,
            label: 'Course marshals',
            event: 12,
            event_title: 'Harbour run',
            start_time: '2031-05-04T08:00:00+02:00',
            end_time: '2031-05-04T14:30:00+02:00',
            missing: 2,
            signs_up: true,
            closes_at: '2031-05-02T08:00:00+02:00',
            forecast: FORECAST_EXAMPLE,
          },
        ],
      },
    ],
  })

type Bounds = { start_time_after?: string | undefined; start_time_before?: string | undefined; type?: number | undefined }

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(Temporal.Instant.from(text).epochMilliseconds)

function findShortages(context: RequestContext, query: Bounds) {
  const start = dateOf(query.start_time_after) ?? context.now
  // The bound is included.
  const last = dateOf(query.start_time_before)
  const end = last ? new Date(last.getTime() + 1) : new Date(start.getTime() + USUAL_DAYS * DAY_MS)
  return findShortShifts(context, { start, end }, { ...NO_SHORTAGE_FILTER, typeId: query.type })
}

type Found = Awaited<ReturnType<typeof findShortages>>

export const shortagesApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/shortages/',
    access: scope('PUBLIC_READ'),
    name: 'Shortages',
    operationId: 'shortages_retrieve',
    tag: 'shifts',
    summary: 'Shifts that need people',
    description: `Of events that the caller may change. Without bounds, those of the next ${USUAL_DAYS} days.`,
    parameters: {
      start_time_after: timeParameter({ description: 'Starts at or after this time; now by default.' }),
      start_time_before: timeParameter({ description: 'Starts at or before this time.' }),
      type: typeParameter,
    },
    record: shortagesRecord,
    get: (context, _path, query) => findShortages(context, query),
    present: ({ shifts, isCut }: Found, { site }) => ({
      has_more: isCut,
      shortages: shifts.map((shift) => ({
        shift: shift.id,
        label: shift.label,
        event: shift.eventId,
        event_title: shift.eventTitle,
        start_time: wireDate(shift.start, site.timeZone),
        end_time: wireDate(shift.end, site.timeZone),
        missing: shift.lacking,
        signs_up: shift.isSelfService,
        closes_at: shift.closesAt ? wireDate(shift.closesAt, site.timeZone) : null,
        forecast: presentForecast(shift.forecast),
      })),
    }),
  }),
]
