import { z } from 'zod'
import { RESPONSIBLE_TARGETS } from '#features/staffing/eligibility/rules/moves.ts'
import { nameOfRecord } from '#features/staffing/participations/rules/record-names.ts'
import { commentRecord, participationRecord } from '#features/staffing/participations/schema.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { bodyTime } from '#platform/http/body-time.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { bodyLine } from '#platform/single-line.ts'
import { type CardChange, type CardOutcome, saveCards } from '../commands/board.ts'
import { keepPlace } from '../commands/keep-place.ts'
import { getCardOf } from '../queries/card-of.ts'
import type { CardPerson, CardReason } from '../rules/cards.ts'
import { cardReasonText } from '../views/card.ts'

const MAX_TEXT = 2_000
const time = bodyTime.nullable().optional()
const state = z
  .literal([...RESPONSIBLE_TARGETS])
  .describe('0: requested, 1: confirmed, 2: declined by the person, 3: rejected by a responsible')

const cardFields = {
  start_time: time.describe('Individual start; null: the start of the shift'),
  end_time: time.describe('Individual end; null: the end of the shift'),
  place: z
    .string()
    .max(500)
    .optional()
    .describe('Team or unit of the shift, as `structure_data` of its participations names it; empty: assigned by the structure'),
  comment: z.string().trim().max(MAX_TEXT).optional().meta({ description: 'Added to the participation', maxLength: 255 }),
  comment_is_hidden: z.boolean().optional().describe('Only responsibles see the comment'),
}

const newBody = z
  .strictObject({
    user: z.int().positive().optional().describe('Id of the person'),
    placeholder: bodyLine.max(MAX_TEXT).optional().meta({ description: 'Instead of a person: a name', maxLength: 254 }),
    state: state.default(0),
    ...cardFields,
  })
  .meta({ example: { user: 7, state: 1 } })

const changeBody = z.strictObject({ state: state.optional(), ...cardFields }).meta({ example: { state: 1 } })
const commentBody = z
  .strictObject({
    text: z.string().trim().min(1).max(MAX_TEXT).meta({ maxLength: 255 }),
    hide_from_participant: z.boolean().default(false).describe('Only responsibles see the comment'),
  })
  .meta({ example: { text: 'Please bring the keys', hide_from_participant: false } })

type CardBody = z.infer<typeof changeBody>

const tag = 'participations'
const access = scope('CONFIDENTIAL_WRITE')
const RECORD = {
  description: 'The participation, as `/api/participations/{id}/` shows it',
  schema: participationRecord,
  access: scope('CONFIDENTIAL_READ'),
}
const WHO = 'For those who may change the event.'

/** Records of the feature below. */
type Presenters = {
  /** As `/api/participations/{id}/`; also what the caller sees but may not change. */
  participation: (context: RequestContext, id: number) => Promise<{ participant: { display_name: string } } | undefined>
  lastComment: (context: RequestContext, id: number) => Promise<object | undefined>
}

export const participationWrites = (present: Presenters): Endpoint[] => [
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/participations/',
    access,
    name: 'Shift Participation List',
    operationId: 'shifts_participations_create',
    tag,
    summary: 'Add a person or a placeholder to a shift',
    description: `${WHO} A person who has a participation in the shift already, in any state, is refused with \`already_there\`.`,
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, { id: shiftId }, { user, placeholder, state: to, ...body }) => {
      if ((user === undefined) === (placeholder === undefined)) throw whoProblem(context)
      const who: CardPerson = user === undefined ? { placeholder: placeholder! } : { kind: 'local', id: user }
      const id = await save(context, present, { shiftId, who, version: null, to, ...changeOf(body) })
      const record = await present.participation(context, id)
      return { status: 201, body: record, headers: { location: `/api/participations/${id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/participations/{id}/',
    access,
    name: 'Participation Instance',
    operationId: 'participations_update',
    tag,
    summary: 'Confirm or reject a person, or change their times or place',
    description: `${WHO} In all states; keys that are absent stay as they are. There is no deletion: a person who should not take part is rejected.`,
    body: changeBody,
    target: (context, { id }) => present.participation(context, id),
    responses: { 200: RECORD },
    perform: async (context, { id }, { state: to, ...body }) => {
      const card = await requireCard(context, present, id)
      await save(context, present, { ...card, to, ...changeOf(body) })
      return { status: 200, body: await present.participation(context, id), aboutRecord: nameOfRecord(id) }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/participations/{id}/comments/',
    access,
    name: 'Participation Comments',
    operationId: 'participations_comments_create',
    tag,
    summary: 'Comment on a participation',
    description: WHO,
    body: commentBody,
    target: (context, { id }) => present.participation(context, id),
    responses: { 201: { description: 'The comment', schema: commentRecord, access: scope('CONFIDENTIAL_READ') } },
    perform: async (context, { id }, { text, hide_from_participant: isHidden }) => {
      const card = await requireCard(context, present, id)
      await save(context, present, { ...card, comment: { text, isHidden } }, '/text')
      const about = 'id' in card.who && card.who.kind === 'local' ? card.who.id : null
      return { status: 201, body: await present.lastComment(context, id), about, aboutRecord: nameOfRecord(id) }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/participations/{id}/keep/',
    access,
    name: 'Keep Participation',
    operationId: 'participations_keep_create',
    tag,
    summary: 'Keep a confirmed person who lost what the place needs',
    description: `${WHO} The person counts again. Changes nothing if the person counts already.`,
    target: (context, { id }) => present.participation(context, id),
    responses: { 200: RECORD },
    perform: async (context, { id }) => {
      await keepPlace(context, await requireCard(context, present, id))
      return { status: 200, body: await present.participation(context, id), aboutRecord: nameOfRecord(id) }
    },
  }),
]

const whoProblem = ({ words }: WriteContext): Problem =>
  new Problem('invalid_input', {
    errors: [{ pointer: '/user', code: 'who_unclear', detail: words.t('board.reason.who_unclear') }],
  })

/** 404 for participations that the caller cannot see, so that ids cannot be probed. */
async function requireCard(
  context: WriteContext,
  present: Presenters,
  id: number,
): Promise<{ shiftId: number; who: CardPerson }> {
  return requireFound((await present.participation(context, id)) && (await getCardOf(context.db, id)))
}

function changeOf({ start_time, end_time, place, comment, comment_is_hidden = false }: CardBody): Partial<CardChange> {
  const timeOf = (text: string | null) => (text === null ? null : new Date(text))
  return {
    times: {
      ...(start_time === undefined ? {} : { start: timeOf(start_time) }),
      ...(end_time === undefined ? {} : { end: timeOf(end_time) }),
    },
    place,
    comment: comment ? { text: comment, isHidden: comment_is_hidden } : undefined,
  }
}

/** The id of the participation. */
async function save(
  context: WriteContext,
  present: Presenters,
  change: CardChange,
  commentPointer = '/comment',
): Promise<number> {
  const [outcome] = (await saveCards(context, [change])) as [CardOutcome]
  if (outcome.kind === 'saved') return outcome.participationId
  if (outcome.kind === 'refused') throw await refusalOf(context, outcome.reasons, commentPointer)
  const record = outcome.now && (await present.participation(context, outcome.now.id))
  const detail = context.words.t('board.on_board', { name: record?.participant.display_name ?? '' })
  const pointer = 'placeholder' in change.who ? '/placeholder' : '/user'
  throw new Problem('refused', { errors: [{ pointer, code: 'already_there', detail }] })
}

const POINTERS: Partial<Record<CardReason['code'], string>> = {
  person_unknown: '/user',
  account_closed: '/user',
  name_empty: '/placeholder',
  name_long: '/placeholder',
  times_in_wrong_order: '/end_time',
  wish_needed: '/place',
  wish_not_offered: '/place',
}

async function refusalOf(context: WriteContext, reasons: readonly CardReason[], commentPointer: string): Promise<Problem> {
  const reasonContext = await loadReasonContext(context)
  const errors = reasons.map((reason): InputError => {
    const isAboutComment = reason.code === 'comment_long' || reason.code === 'reason_needed'
    const pointer = isAboutComment ? commentPointer : POINTERS[reason.code]
    return { ...(pointer ? { pointer } : {}), code: reason.code, detail: cardReasonText(reasonContext, reason) }
  })
  return new Problem('refused', { errors })
}
