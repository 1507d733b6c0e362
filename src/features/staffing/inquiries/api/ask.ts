import { z } from 'zod'
import { refusal } from '#features/staffing/participations/queries/refusals.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { requireFound } from '#platform/http/problem.ts'
import { askPeople } from '../commands/ask.ts'
import { stopInquiry } from '../commands/end.ts'
import { askForm, MAX_HOURS, MAX_MESSAGE_LENGTH, MAX_PEOPLE } from '../schema.ts'
import { getInquiries, inquiriesRecord, presentInquiries } from './reads.ts'

const people = z.int().min(1).max(MAX_PEOPLE)
const askBody = z
  .strictObject({
    people: z.array(z.int()).min(1).max(MAX_PEOPLE).optional().describe('Ids of those to ask, in their order'),
    count: people.optional().describe('How many to ask of those who fit and come next, 1 by default; not together with `people`'),
    wanted: people.optional().describe('It ends when so many can, 1 by default'),
    waves: z
      .strictObject({
        size: people.describe('How many at a time'),
        hours: z.int().min(1).max(MAX_HOURS).describe('Until the next ones are asked'),
      })
      .optional()
      .describe('Absent: everybody at once'),
    message: z.string().meta({ maxLength: MAX_MESSAGE_LENGTH }).optional(),
  })
  .refine((body) => !body.people || body.count === undefined, { path: ['count'], message: 'Not together with people' })
  .meta({ example: { count: 6, wanted: 2, waves: { size: 3, hours: 2 }, message: 'Can you help out?' } })

const OF_SHIFT = {
  200: { description: 'The inquiries of the shift', schema: inquiriesRecord, access: scope('CONFIDENTIAL_READ') },
} as const

async function answerOfShift(context: WriteContext, shiftId: number): Promise<WriteAnswer> {
  return { status: 200, body: presentInquiries(requireFound(await getInquiries(context, shiftId)), context) }
}

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
async function requirePlanned(context: WriteContext, shiftId: number): Promise<void> {
  requireFound(await getInquiries(context, shiftId))
}

export const askApi: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/inquiries/',
    access: scope('CONFIDENTIAL_WRITE'),
    name: 'Ask People',
    operationId: 'shifts_inquiries_create',
    tag: 'shifts',
    summary: 'Ask people whether they can take part in a shift',
    description:
      'For those who may change the event. Only people who could sign up now are asked, and nobody more often than the organisation allows in a day. Refused with `nobody`, `not_open`.',
    body: askBody,
    responses: OF_SHIFT,
    perform: async (context, { id: shiftId }, { people: chosen, count = 1, wanted = 1, waves, message: text = '' }) => {
      const { message } = parseLikeForm(askForm.schema, { message: text }, context)
      await requirePlanned(context, shiftId)
      const outcome = await askPeople(context, { shiftId, who: chosen ?? { next: count }, wanted, waves, message })
      if (!outcome.ok) throw refusal(outcome.reason, context.words.t(`inquiries.refused_${outcome.reason}`))
      return answerOfShift(context, shiftId)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{shift}/inquiries/{id}/stop/',
    access: scope('CONFIDENTIAL_WRITE'),
    name: 'Stop Inquiry',
    operationId: 'shifts_inquiries_stop_create',
    tag: 'shifts',
    summary: 'Ask nobody else, and tell those who have not answered that they are not needed',
    description: 'For those who may change the event. Refused with `ended`.',
    responses: OF_SHIFT,
    perform: async (context, { shift: shiftId, id: inquiryId }) => {
      await requirePlanned(context, shiftId)
      if (!(await stopInquiry(context, { shiftId, inquiryId }))) throw refusal('ended', context.words.t('inquiries.not_stopped'))
      return answerOfShift(context, shiftId)
    },
  }),
]
