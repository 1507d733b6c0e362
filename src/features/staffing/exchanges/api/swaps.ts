import { z } from 'zod'
import { refusal, refusalFor } from '#features/staffing/participations/queries/refusals.ts'
import { getShiftOfWaitingList } from '#features/staffing/waiting-list/queries/shift.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { answerSwap, proposeSwap, withdrawSwap } from '../commands/swap.ts'
import { decideSwap } from '../commands/swap-decisions.ts'
import { getPlace, getStandInMode } from '../queries/stand-in.ts'
import { findPlacesToSwap, getSwap, MAX_SHOWN, type OtherPlace } from '../queries/swap.ts'
import { swapForm } from '../schema.ts'
import {
  agreement,
  answerOfShift,
  answerOwn,
  messageOf,
  OF_SHIFT,
  OWN,
  requirePlanned,
  requireVisible,
  tag,
  yesOrNo,
} from './stand-ins.ts'

/** It tells the names and shifts of others. */
const READING_OTHERS: ApiAccess = { kind: 'scope', scope: 'ME_READ', also: 'CONFIDENTIAL_READ' }
const time = z.iso.datetime({ offset: true })

const placesRecord = z
  .strictObject({
    id: z.int().describe('The id of the shift'),
    places: z
      .array(
        z.strictObject({
          id: z.int().describe('For `place` of a proposal'),
          user: z.int(),
          display_name: z.string(),
          shift: z.int(),
          label: z.string(),
          event: z.int(),
          event_title: z.string(),
          location: z.string(),
          start_time: time,
          end_time: time,
        }),
      )
      .meta({ description: 'Those that you could have, whose people could have yours; the earliest first', maxItems: MAX_SHOWN }),
  })
  .meta({
    id: 'SwapPlaces',
    examples: [
      {
        id: 31,
        places: [
          {
            id: 90,
            user: 9,
            display_name: 'Ada',
            shift: 32,
            label: 'Start',
            event: 12,
            event_title: 'Harbour run',
            location: 'Pier 3',
            start_time: '2031-05-05T08:00:00+02:00',
            end_time: '2031-05-05T14:30:00+02:00',
          },
        ],
      },
    ],
  })

type Places = { id: number; places: OtherPlace[] }

/** As the page: without a confirmed place in a coming shift, there is nothing to swap. */
async function getPlaces(context: RequestContext, id: number): Promise<Places | undefined> {
  const { db, now, actor } = context
  const shift = await getShiftOfWaitingList(context, id)
  if (!shift || actor.kind !== 'user') return undefined
  const place = await getPlace(db, id, actor.userId)
  const isPossible = place?.state === 1 && place.start > now && (await getStandInMode(db)) !== 'off'
  return { id, places: isPossible ? await findPlacesToSwap(context, { ...place, eventId: shift.eventId }) : [] }
}

/** 404 for proposals in which the caller has no part. */
async function requirePart(context: RequestContext, swapId: number): Promise<void> {
  const swap = await getSwap(context.db, swapId)
  const me = userIdOf(context.actor)
  if (swap?.proposer.userId !== me && swap?.other.userId !== me) throw new Problem('not_found')
}

const proposeBody = z
  .strictObject({ place: z.int().describe('Of `swap-places`'), message: messageOf('the other person').optional() })
  .meta({ example: { place: 90, message: 'The morning suits me better' } })

export const swapsApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/shifts/{id}/swap-places/',
    access: READING_OTHERS,
    name: 'Swap Places',
    operationId: 'shifts_swap_places_retrieve',
    tag,
    summary: 'Places of others for which you could exchange your confirmed place in a shift',
    parameters: {},
    record: placesRecord,
    get: (context, { id }) => getPlaces(context, id),
    present: ({ id, places }: Places, { site }) => ({
      id,
      places: places.map((place) => ({
        id: place.id,
        user: place.userId,
        display_name: place.name,
        shift: place.shiftId,
        label: place.label,
        event: place.eventId,
        event_title: place.eventTitle,
        location: place.location,
        start_time: wireDate(place.start, site.timeZone),
        end_time: wireDate(place.end, site.timeZone),
      })),
    }),
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/swap/',
    access: scope('ME_WRITE'),
    name: 'Swap',
    operationId: 'shifts_swap_create',
    tag,
    summary: 'Propose to exchange your confirmed place for that of another person',
    description:
      'Both keep their places until the other person agrees. Refused with `off`, `no_place`, `begun`, `gone`, `other_cannot`, `too_many`, or the reasons against you.',
    body: proposeBody,
    responses: OWN,
    perform: async (context, { id: shiftId }, { place, message = '' }) => {
      const form = parseLikeForm(swapForm.schema, { message }, context)
      await requireVisible(context, shiftId)
      const outcome = await proposeSwap(context, { shiftId, placeId: place, message: form.message })
      if (outcome.ok) return answerOwn(context)
      if (outcome.code === 'refused') throw await refusalFor(context, outcome.reasons)
      throw refusal(outcome.code, context.words.t(`swap.refusal.${outcome.code}`))
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/swaps/{id}/answer/',
    access: scope('ME_WRITE'),
    name: 'Answer Swap',
    operationId: 'users_me_swaps_answer_create',
    tag,
    summary: 'Agree to a swap that somebody proposed to you, or decline it',
    description:
      'Refused with `swap_gone`, `swap_expired`, `other_cannot`, or the reasons against you. The same answer again changes nothing.',
    body: yesOrNo,
    responses: OWN,
    perform: async (context, { id: swapId }, { answer }) => {
      await requirePart(context, swapId)
      const outcome = await answerSwap(context, { swapId, answer })
      if (outcome.kind === 'refused') throw await refusalFor(context, outcome.reasons)
      if (outcome.kind === 'other_cannot') throw refusal('other_cannot', context.words.t('swap.refusal.other_cannot'))
      if (outcome.kind === 'swap_gone' || outcome.kind === 'swap_expired')
        throw refusal(outcome.kind, context.words.t(`offers.done.${outcome.kind}_title`))
      return answerOwn(context)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/swaps/{id}/withdraw/',
    access: scope('ME_WRITE'),
    name: 'Withdraw Swap',
    operationId: 'users_me_swaps_withdraw_create',
    tag,
    summary: 'Take back a swap that you proposed',
    description: 'Refused with `gone`.',
    responses: OWN,
    perform: async (context, { id: swapId }) => {
      await requirePart(context, swapId)
      if (!(await withdrawSwap(context, swapId))) throw refusal('gone', context.words.t('swap.not_withdrawn'))
      return answerOwn(context)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{shift}/swaps/{id}/decide/',
    access: scope('CONFIDENTIAL_WRITE'),
    name: 'Decide Swap',
    operationId: 'shifts_swaps_decide_create',
    tag: 'shifts',
    summary: 'Agree to a swap that two people want, or refuse it',
    description:
      'For those who may change the event. If the places are in two events, planners of both agree. Refused with `gone`, or the reasons against the people.',
    body: agreement,
    responses: OF_SHIFT,
    perform: async (context, { shift: shiftId, id: swapId }, { agrees }) => {
      await requirePlanned(context, shiftId)
      const outcome = await decideSwap(context, { shiftId, swapId, agrees })
      if (outcome.kind === 'gone') throw refusal('gone', context.words.t('swap.gone'))
      if (outcome.kind === 'not_possible') throw await refusalFor(context, outcome.reasons)
      return answerOfShift(context, shiftId)
    },
  }),
]
