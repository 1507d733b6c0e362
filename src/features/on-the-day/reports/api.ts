import { z } from 'zod'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { BadParameter, type Parameter } from '#platform/http/parameters.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { type Day, readDay } from '#platform/i18n/days.ts'
import { readId } from '#platform/ids.ts'
import { findReport } from './queries/report.ts'
import { type Report, roundHours } from './rules/figures.ts'
import { MAX_MONTHS, type ReportChoice, readReportChoice } from './rules/period.ts'

const MAX_PEOPLE = 1_000

const count = z.int().min(0)
const month = z.iso.date().nullable().describe('The first day of the month within the period; null: all months')
const type = z.int().nullable().describe('The id of an event type; null: all types')
const reportRecord = z
  .strictObject({
    first_day: z.iso.date(),
    last_day: z.iso.date().describe('Included'),
    shifts: z.array(
      z.strictObject({
        month,
        type,
        events: count,
        shifts: count,
        needed: count.describe('Places that the shifts need'),
        missing: count.describe('Needed places that nobody filled'),
        short: count.describe('Shifts with missing people'),
      }),
    ),
    work: z.array(
      z.strictObject({
        month,
        type,
        hours: z.number(),
        places: count.describe('Confirmed participations that were kept'),
        people: count,
      }),
    ),
    reliability: z.array(
      z.strictObject({
        month,
        kept: count,
        declined: count.describe('After they had been confirmed'),
        late: count.describe('Of these, within 48 hours before the start'),
        absent: count.describe('Without declining'),
      }),
    ),
    people: z
      .array(
        z.strictObject({
          user: z.int(),
          display_name: z.string(),
          shifts: count,
          hours: z.number(),
          declined: count,
          late: count,
          absent: count,
        }),
      )
      .meta({ description: 'People whose hours the caller sees, those with the most hours first', maxItems: MAX_PEOPLE }),
    has_more_people: z.boolean(),
  })
  .meta({
    id: 'Report',
    examples: [
      {
        first_day: '2031-05-01',
        last_day: '2031-05-31',
        shifts: [{ month: null, type: null, events: 1, shifts: 2, needed: 6, missing: 1, short: 1 }],
        work: [{ month: '2031-05-01', type: 2, hours: 26, places: 4, people: 4 }],
        reliability: [{ month: null, kept: 4, declined: 1, late: 0, absent: 0 }],
        people: [{ user: 7, display_name: 'Ben', shifts: 1, hours: 6.5, declined: 0, late: 0, absent: 0 }],
        has_more_people: false,
      },
    ],
  })

const dayParameter = (description: string): Parameter<Day> => ({
  description,
  schema: { type: 'string', format: 'date' },
  read: (values, { words }) => {
    const text = values.at(-1)!.trim()
    if (!text) return undefined
    const day = readDay(text)
    if (!day) throw new BadParameter('invalid_time', words.t('parameter.bad_time'))
    return day
  },
})

/** What does not exist, or is not in the period, has no figures. */
const numberParameter = (description: string): Parameter<number> => ({
  description,
  schema: { type: 'integer', minimum: 1 },
  read: (values, { words }) => {
    const text = values.at(-1)!.trim()
    if (!text) return undefined
    const id = readId(text)
    if (id === undefined) throw new BadParameter('invalid_value', words.t('parameter.bad_id', { value: text }))
    return id
  },
})

type Query = { first_day?: Day | undefined; last_day?: Day | undefined; type?: number | undefined; group?: number | undefined }
type Found = { choice: ReportChoice; report: Report }

/** The page ignores a first day that does not fit; a program would take other figures for those that it asked for. */
function checkPeriod({ words }: RequestContext, { from, until, today }: { from: Day | undefined; until: Day; today: Day }): void {
  if (from === undefined || (from <= until && from <= today)) return
  const error: InputError =
    from > today
      ? { parameter: 'first_day', code: 'date_future', detail: words.t('reports.first_day_future') }
      : { parameter: 'last_day', code: 'end_before_start', detail: words.t('reports.last_day_before') }
  throw new Problem('invalid_input', { errors: [error] })
}

async function getReport(
  context: RequestContext,
  { first_day: from, last_day: until, type: typeId, group }: Query,
): Promise<Found> {
  const given = Object.entries({ from, until, type: typeId, group }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const today = dayOf(context.now, context.site.timeZone)
  checkPeriod(context, { from, until: until ?? today, today })
  const choice = readReportChoice(new URLSearchParams(given), today)
  return { choice, report: await findReport(context, choice, { members: MAX_PEOPLE }) }
}

function presentReport({ choice, report }: Found) {
  const monthOf = (number: number | null) => (number === null ? null : report.months[number - 1]!)
  return {
    first_day: choice.from,
    last_day: choice.until,
    shifts: report.shifts.map(({ month: number, typeId, events, shifts, needed, missing, short }) => ({
      month: monthOf(number),
      type: typeId,
      events,
      shifts,
      needed,
      missing,
      short,
    })),
    work: report.work.map(({ month: number, typeId, hours, places, people }) => ({
      month: monthOf(number),
      type: typeId,
      hours: roundHours(hours),
      places,
      people,
    })),
    reliability: report.reliability.map(({ month: number, kept, declined, late, absent }) => ({
      month: monthOf(number),
      kept,
      declined,
      late,
      absent,
    })),
    people: report.members.map(({ id, name, shifts, hours, declined, late, absent }) => ({
      user: id,
      display_name: name,
      shifts,
      hours: roundHours(hours),
      declined,
      late,
      absent,
    })),
    has_more_people: report.hasMoreMembers,
  }
}

export const reportsApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/reports/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Report',
    operationId: 'reports_retrieve',
    tag: 'events',
    summary: 'Figures of a period: shifts, hours, reliability, people',
    description: `Of events that the caller plans, until today. Without a period, the last twelve months; at most ${MAX_MONTHS} months.`,
    parameters: {
      first_day: dayParameter('The first day, not after today.'),
      last_day: dayParameter('The last day, not before the first; a later one than today counts as today.'),
      type: numberParameter('Only events of the type with this id.'),
      group: numberParameter('Only events that are meant for the group with this id.'),
    },
    record: reportRecord,
    get: (context, _path, query) => getReport(context, query),
    present: presentReport,
  }),
]
