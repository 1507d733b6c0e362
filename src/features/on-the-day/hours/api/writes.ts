import { z } from 'zod'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { addHours, changeHours, deleteHours } from '../commands.ts'
import { getEntry, getWorker } from '../queries.ts'
import { type HoursForm, hoursForm, MAX_REASON_LENGTH, workingHoursRecord } from '../schema.ts'
import { presentHoursOf } from './reads.ts'

const hoursFields = {
  date: z.string().meta({ description: 'A day until today', format: 'date' }),
  hours: z.number().meta({ exclusiveMinimum: 0, maximum: 1_000, multipleOf: 0.01 }),
  reason: z.string().meta({ minLength: 1, maxLength: MAX_REASON_LENGTH }),
}
const newBody = z
  .strictObject({ user: z.int().positive().describe('Id of the person'), ...hoursFields })
  .meta({ example: { user: 7, date: '2031-03-02', hours: 2.5, reason: 'Cleaned the vehicles' } })
const changeBody = z
  .strictObject(hoursFields)
  .partial()
  .meta({ example: { hours: 3 } })

const tag = 'working-hours'
const access = scope('CONFIDENTIAL_WRITE')
const WHO = "For those who decide about the person's working hours."
const RECORD = { description: 'The entry', schema: workingHoursRecord, access: scope('CONFIDENTIAL_READ') }
const target = (context: RequestContext, { id }: { id: number }) => presentHoursOf(context, id)

export const hoursWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/working-hours/',
    access,
    name: 'Working Hours List',
    operationId: 'working_hours_create',
    tag,
    summary: 'Enter working hours of a person',
    description: WHO,
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, _path, { user, ...body }) => {
      const form = readForm(context, body)
      const worker = await getWorker(context, user)
      if (!worker) throw unknownPerson(context)
      const outcome = await addHours(context, user, form)
      if (!outcome) throw new Problem('permission_denied')
      if (!outcome.ok) throw futureDate(context)
      const { id } = outcome
      return { status: 201, body: await presentHoursOf(context, id), headers: { location: `/api/working-hours/${id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/working-hours/{id}/',
    access,
    name: 'Working Hours Instance',
    operationId: 'working_hours_update',
    tag,
    summary: 'Change working hours that were entered by hand',
    description: `${WHO} Keys that are absent stay as they are.`,
    body: changeBody,
    target,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      const entry = await getEntry(context, id)
      if (!entry) throw await refuseEntry(context, id)
      const { date, hours, reason, version } = entry
      const outcome = requireFound(
        await changeHours(context, id, { ...readForm(context, { date, hours, reason, ...body }), version }),
      )
      if (!outcome.ok && outcome.reason === 'date_future') throw futureDate(context)
      // Somebody saved the entry between the reading and the lock; the same request works when it is repeated.
      if (!outcome.ok) throw new Problem('conflict', { headers: { 'retry-after': '1' } })
      return { status: 200, body: await presentHoursOf(context, id) }
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/working-hours/{id}/',
    access,
    name: 'Working Hours Instance',
    operationId: 'working_hours_destroy',
    tag,
    summary: 'Delete working hours that were entered by hand',
    description: WHO,
    target,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      if (!(await deleteHours(context, id))) throw await refuseEntry(context, id)
      return { status: 204 }
    },
  }),
]

function readForm({ words }: WriteContext, { date, hours, reason }: z.infer<typeof changeBody>): HoursForm {
  return parseLikeForm(hoursForm.schema, { date, hours: String(hours), reason }, { words })
}

/** 403 for an entry that the caller sees, otherwise 404. */
const refuseEntry = async (context: WriteContext, id: number): Promise<Problem> =>
  new Problem((await presentHoursOf(context, id)) ? 'permission_denied' : 'not_found')

const unknownPerson = ({ words }: WriteContext): Problem =>
  new Problem('invalid_input', {
    errors: [{ pointer: '/user', code: 'person_unknown', detail: words.t('people.refused_unknown') }],
  })

const futureDate = ({ words }: WriteContext): Problem =>
  new Problem('refused', { errors: [{ pointer: '/date', code: 'date_future', detail: words.t('hours.date_future') }] })
