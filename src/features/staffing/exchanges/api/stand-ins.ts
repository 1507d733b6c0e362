import { z } from 'zod'
import { refusal, refusalFor } from '#features/staffing/participations/queries/refusals.ts'
import { getShiftOfWaitingList } from '#features/staffing/waiting-list/queries/shift.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { cancelStandIn, seekStandIn } from '../commands/search.ts'
import { answerStandIn, decideStandIn } from '../commands/stand-in.ts'
import { wasAsked } from '../queries/asked.ts'
import { DEFAULT_WAVE_SIZE, MAX_ASKED } from '../rules/waves.ts'
import { MAX_MESSAGE_LENGTH, standInForm } from '../schema.ts'
import { getOfShift, getOwn, ownExchangesRecord, presentOfShift, presentOwn, shiftExchangesRecord } from './reads.ts'

export const tag = 'own participations'
export const OWN = { 200: { description: 'The own exchanges', schema: ownExchangesRecord, access: scope('ME_READ') } } as const
export const OF_SHIFT = {
  200: { description: 'The exchanges of the shift', schema: shiftExchangesRecord, access: scope('CONFIDENTIAL_READ') },
} as const
export const messageOf = (to: string) => z.string().meta({ maxLength: MAX_MESSAGE_LENGTH }).describe(`To ${to}`)
export const yesOrNo = z.strictObject({ answer: z.enum(['yes', 'no']) }).meta({ example: { answer: 'yes' } })
export const agreement = z.strictObject({ agrees: z.boolean() }).meta({ example: { agrees: true } })

export async function requireVisible(context: RequestContext, shiftId: number): Promise<void> {
  requireFound(await getShiftOfWaitingList(context, shiftId))
}

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
export async function requirePlanned(context: RequestContext, shiftId: number): Promise<void> {
  const { mayChange } = requireFound(await getShiftOfWaitingList(context, shiftId))
  if (!mayChange) throw new Problem('permission_denied')
}

export const answerOwn = async (context: WriteContext): Promise<WriteAnswer> => ({
  status: 200,
  body: presentOwn(requireFound(await getOwn(context)), context),
  about: userIdOf(context.actor),
})

export const answerOfShift = async (context: WriteContext, shiftId: number): Promise<WriteAnswer> => ({
  status: 200,
  body: presentOfShift(requireFound(await getOfShift(context, shiftId)), context),
})

const seekBody = z
  .strictObject({
    message: messageOf('those who are asked').optional(),
    size: z
      .int()
      .min(1)
      .max(MAX_ASKED)
      .optional()
      .describe(`How many people are asked at a time, ${DEFAULT_WAVE_SIZE} by default`),
    first: z.array(z.int()).max(MAX_ASKED).optional().describe('Ids of people whom you know, who are asked first'),
  })
  .meta({ example: { message: 'I am ill', size: 5 } })

export const standInsApi: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/stand-in/',
    access: scope('ME_WRITE'),
    name: 'Stand-in',
    operationId: 'shifts_stand_in_create',
    tag,
    summary: 'Look for somebody who takes your confirmed place',
    description: 'You keep it until somebody does. Refused with `off`, `no_place`, `begun`, `searching`, `no_taker`.',
    body: seekBody,
    responses: OWN,
    perform: async (context, { id: shiftId }, { message = '', size = DEFAULT_WAVE_SIZE, first = [] }) => {
      const values = { message, size: String(size), first: first.map(String) }
      const form = parseLikeForm(standInForm.schema, values, context)
      await requireVisible(context, shiftId)
      const outcome = await seekStandIn(context, { shiftId, message: form.message, size: form.size, chosen: form.first })
      if (!outcome.ok) throw refusal(outcome.code, context.words.t(`stand_in.refusal.${outcome.code}`))
      return answerOwn(context)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/stand-in/cancel/',
    access: scope('ME_WRITE'),
    name: 'Cancel Stand-in',
    operationId: 'shifts_stand_in_cancel_create',
    tag,
    summary: 'Stop looking for a stand-in, and keep the place',
    description: 'Refused with `not_searching`.',
    responses: OWN,
    perform: async (context, { id: shiftId }) => {
      await requireVisible(context, shiftId)
      if (!(await cancelStandIn(context, shiftId))) throw refusal('not_searching', context.words.t('stand_in.not_cancelled'))
      return answerOwn(context)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/stand-ins/{id}/answer/',
    access: scope('ME_WRITE'),
    name: 'Answer Search for Stand-in',
    operationId: 'users_me_stand_ins_answer_create',
    tag,
    summary: 'Take the place of somebody who looks for a stand-in, or not',
    description:
      'For those who were asked, see `asked` of `/api/users/me/exchanges/`. Refused with `filled`, `gone`, `expired`, or the reasons against a sign-up. The same answer again changes nothing.',
    body: yesOrNo,
    responses: OWN,
    perform: async (context, { id: standInId }, { answer }) => {
      if (!(await wasAsked(context.db, standInId, userIdOf(context.actor)))) throw new Problem('not_found')
      const outcome = await answerStandIn(context, { standInId, answer })
      if (outcome.kind === 'refused') throw await refusalFor(context, outcome.reasons)
      if (outcome.kind === 'filled' || outcome.kind === 'gone' || outcome.kind === 'expired')
        throw refusal(outcome.kind, context.words.t(`offers.done.${outcome.kind}_title`))
      return answerOwn(context)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{shift}/stand-ins/{id}/decide/',
    access: scope('CONFIDENTIAL_WRITE'),
    name: 'Decide Stand-in',
    operationId: 'shifts_stand_ins_decide_create',
    tag: 'shifts',
    summary: 'Agree to a stand-in that two people found, or refuse it',
    description: 'For those who may change the event. Refused with `gone`, or the reasons against the person.',
    body: agreement,
    responses: OF_SHIFT,
    perform: async (context, { shift: shiftId, id: standInId }, { agrees }) => {
      await requirePlanned(context, shiftId)
      const outcome = await decideStandIn(context, { shiftId, standInId, agrees })
      if (outcome.kind === 'gone') throw refusal('gone', context.words.t('stand_in.gone'))
      if (outcome.kind === 'not_possible') throw await refusalFor(context, outcome.reasons)
      return answerOfShift(context, shiftId)
    },
  }),
]
