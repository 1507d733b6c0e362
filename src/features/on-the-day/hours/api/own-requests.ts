import { z } from 'zod'
import { withdrawRequest } from '#features/accounts/requests/commands.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { bodyDay } from '#platform/http/body-day.ts'
import { collectionEndpoints, type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import { bodyLine } from '#platform/single-line.ts'
import { requestHours } from '../commands.ts'
import { findOwnHoursRequests, getOwnHoursRequest, type HoursRequestRow } from '../queries.ts'
import { hoursForm, hoursRequestRecord, MAX_HOURS, MAX_REASON_LENGTH } from '../schema.ts'

const REQUESTS = '/api/users/me/working-hours-requests/'
const tag = 'users'

const hoursBody = z
  .strictObject({
    date: bodyDay.describe('Not in the future'),
    hours: z.number().positive().max(MAX_HOURS).meta({ multipleOf: 0.01 }),
    reason: bodyLine.min(1).max(MAX_REASON_LENGTH),
  })
  .meta({ example: { date: '2026-03-02', hours: 2.5, reason: 'Cleaned the vehicles' } })

const presentRequest = (row: HoursRequestRow, { site }: RequestContext) => ({
  id: row.id,
  date: row.date,
  hours: row.hours,
  reason: row.reason,
  state: row.state,
  comment: row.comment,
  created_at: wireTime(row.created_at, site.timeZone),
  decided_at: wireTimeOrNull(row.decided_at, site.timeZone),
})

async function presentOwn(context: RequestContext, id: number) {
  const row = await getOwnHoursRequest(context, id)
  return row && presentRequest(row, context)
}
const OWN_RECORD = { description: 'The request', schema: hoursRequestRecord, access: scope('ME_READ') }

export const ownHoursRequests: Endpoint[] = [
  ...collectionEndpoints({
    path: REQUESTS,
    access: scope('ME_READ'),
    name: 'Own Working Hours Request',
    tag,
    summary: "The caller's requests for working hours, with their decisions",
    recordSummary: "One of the caller's requests for working hours",
    parameters: {},
    record: hoursRequestRecord,
    find: (context, _query, page) => findOwnHoursRequests(context, page),
    get: (context, { id }) => getOwnHoursRequest(context, id),
    present: presentRequest,
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/working-hours/',
    access: scope('ME_WRITE'),
    name: 'Own Working Hours List',
    operationId: 'users_me_working_hours_create',
    tag,
    summary: 'Ask for working hours',
    description: 'Creates a request that others decide. The hours count once it is granted.',
    body: hoursBody,
    responses: { 201: OWN_RECORD },
    perform: async (context, _path, body) => {
      const { date, hours, reason } = body
      const values = parseLikeForm(hoursForm.schema, { date, hours: String(hours), reason }, context)
      const outcome = await requestHours(context, values)
      if (!outcome.ok) {
        const detail = context.words.t(`hours.${outcome.reason}`)
        throw new Problem('invalid_input', { errors: [{ pointer: '/date', code: outcome.reason, detail }] })
      }
      const headers = { location: `${REQUESTS}${outcome.requestId}/` }
      return { status: 201, body: await presentOwn(context, outcome.requestId), headers }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: `${REQUESTS}{id}/withdraw/`,
    access: scope('ME_WRITE'),
    name: 'Withdraw Own Working Hours Request',
    operationId: 'users_me_working_hours_requests_withdraw_create',
    tag,
    summary: 'Withdraw a request for working hours that nobody has decided',
    target: (context, { id }) => presentOwn(context, id),
    responses: { 200: OWN_RECORD },
    perform: async (context, { id }) => {
      if (!(await getOwnHoursRequest(context, id))) throw new Problem('not_found')
      const outcome = await withdrawRequest(context, id)
      if (!outcome.ok) {
        const errors = [{ code: outcome.reason, detail: context.words.t('hours.withdraw_decided') }]
        throw new Problem('refused', { errors })
      }
      return { status: 200, body: await presentOwn(context, id) }
    },
  }),
]
