import { z } from 'zod'
import { refusal, refusalFor } from '#features/staffing/participations/queries/refusals.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { requireFound } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { answerInquiry } from '../commands/answer.ts'
import { findOpenQuestions, getOwnAnswerToken, type OpenQuestion } from '../queries/open.ts'
import { answerForm, MAX_REASON_LENGTH } from '../schema.ts'

const time = z.iso.datetime({ offset: true })
const ownInquiriesRecord = z
  .strictObject({
    inquiries: z
      .array(
        z.strictObject({
          id: z.int(),
          shift: z.int(),
          label: z.string(),
          event: z.int(),
          event_title: z.string(),
          start_time: time,
          end_time: time,
          message: z.string(),
          asked_by: z.string().nullable().describe('null: a former planner'),
          answers_until: time.describe('When sign-up ends'),
        }),
      )
      .meta({ description: 'The earliest shift first', maxItems: 20 }),
  })
  .meta({
    id: 'OwnInquiries',
    examples: [
      {
        inquiries: [
          {
            id: 8,
            shift: 31,
            label: 'Course marshals',
            event: 12,
            event_title: 'Harbour run',
            start_time: '2031-05-10T08:00:00+02:00',
            end_time: '2031-05-10T14:30:00+02:00',
            message: 'Can you help out?',
            asked_by: 'Paul',
            answers_until: '2031-05-09T18:00:00+02:00',
          },
        ],
      },
    ],
  })

async function getOwn(context: RequestContext): Promise<OpenQuestion[] | undefined> {
  return context.actor.kind === 'user' ? findOpenQuestions({ ...context, userId: context.actor.userId }) : undefined
}

const presentOwn = (open: OpenQuestion[], { site: { timeZone } }: RequestContext) => ({
  inquiries: open.map((question) => ({
    id: question.id,
    shift: question.shiftId,
    label: question.label,
    event: question.eventId,
    event_title: question.eventTitle,
    start_time: wireDate(question.start, timeZone),
    end_time: wireDate(question.end, timeZone),
    message: question.message,
    asked_by: question.askedBy,
    answers_until: wireDate(question.closesAt, timeZone),
  })),
})

const tag = 'own participations'
const answerBody = z
  .strictObject({
    answer: z.enum(['can', 'cannot']),
    reason: z.string().meta({ maxLength: MAX_REASON_LENGTH }).optional().describe('To the planners, if you cannot'),
  })
  .meta({ example: { answer: 'can' } })

export const ownInquiriesApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/users/me/inquiries/',
    access: scope('ME_READ'),
    name: 'Own Inquiries',
    operationId: 'users_me_inquiries_retrieve',
    tag,
    summary: 'Questions of planners whether you can take part, which wait for your answer',
    parameters: {},
    record: ownInquiriesRecord,
    get: getOwn,
    present: presentOwn,
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/inquiries/{id}/answer/',
    access: scope('ME_WRITE'),
    name: 'Answer Inquiry',
    operationId: 'users_me_inquiries_answer_create',
    tag,
    summary: 'Say that you can take part, which signs you up, or that you cannot',
    description:
      'Refused with `too_late`, `enough`, `withdrawn`, `expired`, `needs_form` (sign up with details instead), or the reasons against it. The same answer again changes nothing.',
    body: answerBody,
    responses: { 200: { description: 'What waits for an answer now', schema: ownInquiriesRecord, access: scope('ME_READ') } },
    perform: async (context, { id }, body) => {
      const { answer, reason } = parseLikeForm(answerForm, { reason: '', ...body }, context)
      const userId = userIdOf(context.actor)
      const token = requireFound(await getOwnAnswerToken(context, id, userId))
      const { words } = context
      const outcome = requireFound(await answerInquiry(context, { token, answer, reason }))
      if (outcome.kind === 'refused') throw await refusalFor(context, outcome.reasons)
      if (outcome.kind === 'needs_form') throw refusal('needs_form', words.t('inquiries.details_needed'))
      if (outcome.kind !== 'done' && outcome.kind !== 'answered')
        throw refusal(outcome.kind, words.t(`inquiries.state.${outcome.kind}_title`))
      return { status: 200, body: presentOwn(requireFound(await getOwn(context)), context), about: userId }
    },
  }),
]
