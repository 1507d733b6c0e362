import { z } from 'zod'
import { MAX_ANSWER_LENGTH, MAX_CHOICES, MAX_QUESTIONS_PER_SHIFT } from '#features/events/questionnaires/rules.ts'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { bodyTime } from '#platform/http/body-time.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { customize, type Details, decline, type MoveOutcome, signUp } from '../commands/sign-up.ts'
import { presentReasons } from '../queries/refusals.ts'
import { commentText, userinfoParticipationRecord } from '../schema.ts'
import { getAnswersRevision, getOwnParticipation, presentOwnParticipation, presentWithRevision } from './reads.ts'

const time = bodyTime.nullable().optional()
const answerText = z.string().meta({ maxLength: MAX_ANSWER_LENGTH })
const answer = z.union([answerText, z.array(answerText).max(MAX_CHOICES)]).nullable()
const answers = z
  .record(z.string().regex(/^[1-9]\d{0,14}$/), answer)
  .refine((given) => Object.keys(given).length <= MAX_QUESTIONS_PER_SHIFT)

/** What people choose about a participation of their own. */
const detailFields = {
  start_time: time.describe('Individual start; null: the start of the shift'),
  end_time: time.describe('Individual end; null: the end of the shift'),
  wish: z
    .string()
    .max(500)
    .nullable()
    .optional()
    .describe('Team or unit as `places` of the eligibility names it; null: no preference'),
  answers: answers
    .optional()
    .describe('Answers by the id of the question, as the eligibility lists them; null or an empty text: no answer'),
  save_answers: z.boolean().optional().describe('Suggest the answers in later sign-ups'),
  comment: commentText.optional(),
  comment_is_public: z.boolean().optional().describe('Other participants see the comment, too'),
}
const detailsBody = z.strictObject(detailFields).meta({ example: { comment: 'I bring the van' } })
const declineBody = z.strictObject({ comment: detailFields.comment }).meta({ example: { comment: 'Ill' } })
type DetailsBody = z.infer<typeof detailsBody>

const tag = 'own participations'
const access = scope('ME_WRITE')
const OWN_RECORD = { description: 'The participation', schema: userinfoParticipationRecord, access: scope('ME_READ') }

export const ownParticipationWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/signup/',
    isOnePart: true,
    access,
    name: 'Sign Up',
    operationId: 'shifts_signup_create',
    tag,
    summary: 'Sign up for a shift',
    description:
      'An empty object signs up with the defaults. Reasons against it are listed in `errors`, with the codes of the eligibility.',
    body: detailsBody,
    responses: { 201: OWN_RECORD },
    perform: async (context, { id: shiftId }, body) =>
      answerTo(
        context,
        { status: 201, shiftId, body },
        await signUp(context, { shiftId, details: detailsOf(body), comment: commentOf(body) }),
      ),
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/decline/',
    isOnePart: true,
    access,
    name: 'Decline',
    operationId: 'shifts_decline_create',
    tag,
    summary: 'Decline a shift, or give up a place',
    body: declineBody,
    responses: { 200: OWN_RECORD },
    perform: async (context, { id: shiftId }, body) =>
      answerTo(context, { status: 200, shiftId, body }, await decline(context, { shiftId, comment: commentOf(body) })),
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/users/me/participations/{id}/',
    access,
    name: 'Own Participations Instance',
    operationId: 'users_me_participations_update',
    tag,
    summary: 'Change times, wish, answers or comment of an own participation',
    description:
      'Keys that are absent stay as they are; a comment is added to those before. A late change can turn a confirmed participation into a request.',
    body: detailsBody,
    target: (context, { id }) => presentOwnParticipation(context, id),
    revision: getAnswersRevision,
    responses: { 200: OWN_RECORD },
    perform: async (context, { id }, body) => {
      const own = requireFound(await getOwnParticipation(context, id))
      const shiftId = own.shift_id
      const details = { ...detailsOf(body), keepsPlace: body.wish === undefined }
      const outcome = await customize(context, { shiftId, details, comment: commentOf(body) })
      return answerTo(context, { status: 200, shiftId, body }, outcome)
    },
  }),
]

/** Undefined if the body chooses nothing: the sign-up with one click. */
function detailsOf({ start_time, end_time, wish, answers: given, save_answers }: DetailsBody): Details | undefined {
  const details: Details = {}
  const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
  if (start_time !== undefined) details.times = { start: dateOf(start_time) }
  if (end_time !== undefined) details.times = { ...details.times, end: dateOf(end_time) }
  if (wish !== undefined) details.wish = wish ?? ''
  if (given) details.answers = new Map(Object.entries(given).map(([id, value]) => [Number(id), [value ?? []].flat()]))
  if (save_answers !== undefined) details.savesAnswers = save_answers
  return Object.keys(details).length ? details : undefined
}

const commentOf = ({ comment, comment_is_public = false }: Pick<DetailsBody, 'comment' | 'comment_is_public'>) =>
  comment ? { text: comment, isPublic: comment_is_public } : undefined

type Asked = { status: 200 | 201; shiftId: number; body: Partial<DetailsBody> }

async function answerTo(context: WriteContext, { status, shiftId, body }: Asked, outcome: MoveOutcome): Promise<WriteAnswer> {
  const errors = [
    ...(outcome.ok ? [] : await presentReasons(context, outcome.reasons)),
    ...(body.answers ? await findAnswersNotAsked(context, shiftId, body.answers) : []),
  ]
  if (!outcome.ok || errors.length) throw new Problem('refused', { errors })
  const { record, revision } = await presentWithRevision(context, outcome.participationId)
  const headers = { location: `/api/users/me/participations/${outcome.participationId}/` }
  return { status, body: record, revision, ...(status === 201 ? { headers } : {}) }
}

/** Forms can be older than the questions of the shift, so the command ignores them; a program should not send them. */
async function findAnswersNotAsked(context: WriteContext, shiftId: number, given: object): Promise<InputError[]> {
  const candidacy = (await findEligibility(context, [shiftId])).get(shiftId)
  const asked = new Set(candidacy?.questions.map(({ id }) => String(id)))
  return Object.keys(given)
    .filter((id) => !asked.has(id))
    .map((id) => ({ pointer: `/answers/${id}`, code: 'answer_not_asked', detail: context.words.t('signup.answer_not_asked') }))
}
