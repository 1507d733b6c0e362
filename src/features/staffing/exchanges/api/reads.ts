import { z } from 'zod'
import { getShiftOfWaitingList } from '#features/staffing/waiting-list/queries/shift.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findAskedSearches } from '../queries/asked.ts'
import { findOwnSearches, findStandInsOf } from '../queries/stand-in.ts'
import { findOpenSwaps, findSwapsOf, type Swap } from '../queries/swap.ts'

const time = z.iso.datetime({ offset: true })
const ended = ['done', 'expired', 'refused', 'undone'] as const
const standInState = z
  .enum(['open', 'found', 'cancelled', ...ended])
  .describe('found: somebody wants the place, and planners decide')
const swapState = z
  .enum(['open', 'accepted', 'declined', 'withdrawn', ...ended])
  .describe('accepted: the other person agrees, and planners decide')
const asked = z.int().min(0).describe('How many people have been asked')
const people = z.int().min(0).describe('How many people are to be asked in all')
const side = z
  .strictObject({
    user: z.int(),
    display_name: z.string(),
    shift: z.int(),
    event: z.int(),
    event_title: z.string(),
    label: z.string(),
  })
  .nullable()
  .describe('Whose place in which shift; null: in an event that the caller does not see')
const swap = z.strictObject({ id: z.int(), state: swapState, expires_at: time, proposer: side, other: side })

const sideExample = { user: 7, display_name: 'Ben', shift: 31, event: 12, event_title: 'Harbour run', label: 'Course marshals' }
const swapExample = {
  id: 3,
  state: 'open',
  expires_at: '2031-05-03T08:00:00+02:00',
  proposer: sideExample,
  other: { ...sideExample, user: 9, display_name: 'Ada', shift: 32, label: 'Start' },
}

export const shiftExchangesRecord = z
  .strictObject({
    id: z.int().describe('The id of the shift'),
    stand_ins: z
      .array(
        z.strictObject({
          id: z.int(),
          user: z.int().describe('Who looks for somebody'),
          display_name: z.string(),
          state: standInState,
          asked,
          people,
          taken_by: z.string().nullable().describe('The name of who has the place now, or wants it'),
        }),
      )
      .meta({ description: 'The newest first', maxItems: 50 }),
    swaps: z.array(swap).meta({ description: 'The newest first', maxItems: 50 }),
  })
  .meta({
    id: 'ShiftExchanges',
    examples: [
      {
        id: 31,
        stand_ins: [{ id: 5, user: 7, display_name: 'Ben', state: 'open', asked: 5, people: 12, taken_by: null }],
        swaps: [swapExample],
      },
    ],
  })

export const ownExchangesRecord = z
  .strictObject({
    stand_ins: z
      .array(
        z.strictObject({
          shift: z.int(),
          state: z.enum(['open', 'found']),
          asked,
          people,
          next_at: time.nullable().describe('When the next people are asked'),
        }),
      )
      .describe('Searches that go on for your places'),
    asked: z
      .array(
        z.strictObject({
          id: z.int(),
          shift: z.int(),
          label: z.string(),
          event: z.int(),
          event_title: z.string(),
          start_time: time,
          end_time: time,
          seeker: z.string().describe('The name of the person whose place it is'),
          message: z.string(),
        }),
      )
      .describe('Searches of others that wait for your answer'),
    swaps: z.array(swap).describe('Proposals from and to you that are not decided'),
  })
  .meta({
    id: 'OwnExchanges',
    examples: [
      {
        stand_ins: [{ shift: 31, state: 'open', asked: 5, people: 12, next_at: null }],
        asked: [
          {
            id: 6,
            shift: 40,
            label: 'Boats',
            event: 13,
            event_title: 'Lake swim',
            start_time: '2031-05-11T08:00:00+02:00',
            end_time: '2031-05-11T12:00:00+02:00',
            seeker: 'Cem',
            message: 'My train is late',
          },
        ],
        swaps: [swapExample],
      },
    ],
  })

type Known = { proposer: boolean; other: boolean }
const BOTH: Known = { proposer: true, other: true }

function presentSwap({ id, state, expiresAt, ...sides }: Swap, knows: Known, timeZone: string) {
  const present = (role: 'proposer' | 'other') => {
    const { userId, name, shiftId, eventId, eventTitle, label } = sides[role]
    return knows[role]
      ? { user: userId, display_name: name, shift: shiftId, event: eventId, event_title: eventTitle, label }
      : null
  }
  return { id, state, expires_at: wireDate(expiresAt, timeZone), proposer: present('proposer'), other: present('other') }
}

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
export async function getOfShift(context: RequestContext, id: number) {
  const shift = await getShiftOfWaitingList(context, id)
  if (!shift) return undefined
  if (!shift.mayChange) throw new Problem('permission_denied')
  const [standIns, swaps] = await Promise.all([findStandInsOf(context.db, id), findSwapsOf(context, id)])
  return { id, standIns, swaps }
}

export async function getOwn({ db, actor, now }: RequestContext) {
  if (actor.kind !== 'user') return undefined
  const { userId } = actor
  const [searches, asked, swaps] = await Promise.all([
    findOwnSearches(db, userId),
    findAskedSearches(db, userId, now),
    findOpenSwaps(db, userId, { now }),
  ])
  return { searches: [...searches], asked, swaps }
}

type Found<T extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<T>>>

export const presentOfShift = ({ id, standIns, swaps }: Found<typeof getOfShift>, { site }: RequestContext) => ({
  id,
  stand_ins: standIns.map((row) => ({
    id: row.id,
    user: row.userId,
    display_name: row.name,
    state: row.state,
    asked: row.asked,
    people: row.people,
    taken_by: row.takenByName,
  })),
  swaps: swaps.map((row) => presentSwap(row, row.knows, site.timeZone)),
})

export const presentOwn = ({ searches, asked, swaps }: Found<typeof getOwn>, { site }: RequestContext) => ({
  stand_ins: searches.map(([shift, { state, asked: count, people: all, nextAt }]) => ({
    shift,
    state,
    asked: count,
    people: all,
    next_at: nextAt && wireDate(nextAt, site.timeZone),
  })),
  asked: asked.map((row) => ({
    id: row.id,
    shift: row.shiftId,
    label: row.label,
    event: row.eventId,
    event_title: row.eventTitle,
    start_time: wireDate(row.start, site.timeZone),
    end_time: wireDate(row.end, site.timeZone),
    seeker: row.seeker,
    message: row.message,
  })),
  swaps: swaps.map((row) => presentSwap(row, BOTH, site.timeZone)),
})

export const exchangeReads: Endpoint[] = [
  recordEndpoint({
    path: '/api/shifts/{id}/exchanges/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Exchanges',
    operationId: 'shifts_exchanges_retrieve',
    tag: 'shifts',
    summary: 'Searches for stand-ins and proposed swaps of a shift',
    description: 'For those who may change the event.',
    parameters: {},
    record: shiftExchangesRecord,
    get: (context, { id }) => getOfShift(context, id),
    present: presentOfShift,
  }),
  recordEndpoint({
    path: '/api/users/me/exchanges/',
    access: scope('ME_READ'),
    name: 'Own Exchanges',
    operationId: 'users_me_exchanges_retrieve',
    tag: 'own participations',
    summary: 'Own searches for stand-ins, searches in which you were asked, and swaps that wait for an answer',
    parameters: {},
    record: ownExchangesRecord,
    get: getOwn,
    present: presentOwn,
  }),
]
