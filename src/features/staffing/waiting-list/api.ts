import { z } from 'zod'
import { refusal, refusalFor } from '#features/staffing/participations/queries/refusals.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint, recordEndpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { wireDate, wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import { answerWaitingListOffer } from './commands/answer.ts'
import { joinWaitingList, leaveWaitingList } from './commands/join.ts'
import { findOwnEntries, getLastOwnEntry, getOwnEntry, type OwnEntryRow } from './queries/own.ts'
import { getShiftOfWaitingList } from './queries/shift.ts'
import { findEntries, getWaitingListMode, type WaitingListEntry } from './queries/waiting-list.ts'
import type { WaitingListMode } from './rules/waiting-list.ts'
import { ownWaitingRecord, waitingListRecord } from './schema.ts'

const OWN = '/api/users/me/waiting-list/'
const tag = 'waiting lists'

const presentOwn = (row: OwnEntryRow, { site }: RequestContext) => ({
  id: row.id,
  shift: row.shift,
  label: row.label,
  event: row.event,
  event_title: row.event_title,
  start_time: wireTime(row.start_time, site.timeZone),
  end_time: wireTime(row.end_time, site.timeZone),
  state: row.state,
  position: row.position,
  since: wireTime(row.since, site.timeZone),
  offered_until: wireTimeOrNull(row.offered_until, site.timeZone),
})

const presentEntry = (
  { id, userId, name, since, state, offeredUntil, passedOver }: WaitingListEntry,
  { site }: RequestContext,
) => ({
  id,
  user: userId,
  display_name: name,
  state,
  since: wireDate(since, site.timeZone),
  offered_until: state === 'offered' && offeredUntil ? wireDate(offeredUntil, site.timeZone) : null,
  passed_over: passedOver,
})

type Line = { id: number; mode: WaitingListMode; entries: WaitingListEntry[] }

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
async function getWaitingList(context: RequestContext, id: number): Promise<Line | undefined> {
  const shift = await getShiftOfWaitingList(context, id)
  if (!shift) return undefined
  if (!shift.mayChange) throw new Problem('permission_denied')
  return { id, mode: await getWaitingListMode(context.db, id), entries: await findEntries(context.db, id) }
}

const OWN_RECORD = { description: 'The own entry', schema: ownWaitingRecord, access: scope('ME_READ') }
async function requireVisible(context: WriteContext, shiftId: number): Promise<void> {
  if (!(await getShiftOfWaitingList(context, shiftId))) throw new Problem('not_found')
}

async function answerWith(context: WriteContext, row: OwnEntryRow | undefined, status: 200 | 201): Promise<WriteAnswer> {
  if (!row) throw new Problem('not_found')
  const headers = status === 201 ? { location: `${OWN}${row.id}/` } : {}
  return { status, body: presentOwn(row, context), headers }
}

export const waitingListApi: Endpoint[] = [
  ...collectionEndpoints({
    path: OWN,
    access: scope('ME_READ'),
    name: 'Own Waiting List',
    tag,
    summary: 'Shifts for which the caller waits or has waited for a place, the newest first',
    recordSummary: 'One entry of the caller on a waiting list',
    parameters: {},
    record: ownWaitingRecord,
    find: (context, _query, page) => findOwnEntries(context, page),
    get: (context, { id }) => getOwnEntry(context, id),
    present: presentOwn,
  }),
  recordEndpoint({
    path: '/api/shifts/{id}/waiting-list/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Waiting List',
    operationId: 'shifts_waiting_list_retrieve',
    tag,
    summary: 'Who waits for a place in a shift',
    description: 'For those who may change the event.',
    parameters: {},
    record: waitingListRecord,
    get: (context, { id }) => getWaitingList(context, id),
    present: ({ id, mode, entries }: Line, context) => ({
      id,
      mode,
      entries: entries.map((entry) => presentEntry(entry, context)),
    }),
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/waiting-list/join/',
    access: scope('ME_WRITE'),
    name: 'Join Waiting List',
    operationId: 'shifts_waiting_list_join_create',
    tag,
    summary: 'Wait for a place in a full shift',
    description: 'Refused with `line_off`, `line_closed`, `not_full`, `waiting_already`, or the reasons against a sign-up.',
    responses: { 201: OWN_RECORD },
    perform: async (context, { id: shiftId }) => {
      await requireVisible(context, shiftId)
      const outcome = await joinWaitingList(context, shiftId)
      if (outcome.ok) return answerWith(context, await getLastOwnEntry(context, shiftId), 201)
      if (outcome.code === 'refused') throw await refusalFor(context, outcome.reasons)
      throw refusal(outcome.code, context.words.t(`offers.refusal.${outcome.code}`))
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/shifts/{id}/waiting-list/leave/',
    access: scope('ME_WRITE'),
    name: 'Leave Waiting List',
    operationId: 'shifts_waiting_list_leave_create',
    tag,
    summary: 'Leave the waiting list of a shift, and give up an offered place',
    description: 'Refused with `not_waiting`.',
    responses: { 200: OWN_RECORD },
    perform: async (context, { id: shiftId }) => {
      await requireVisible(context, shiftId)
      if ((await leaveWaitingList(context, shiftId)) === undefined)
        throw refusal('not_waiting', context.words.t('offers.not_waiting'))
      return answerWith(context, await getLastOwnEntry(context, shiftId), 200)
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: `${OWN}{id}/answer/`,
    access: scope('ME_WRITE'),
    name: 'Answer Offered Place',
    operationId: 'users_me_waiting_list_answer_create',
    tag,
    summary: 'Accept a place that is offered, or leave it to the next person',
    description:
      'Refused with `expired`, `withdrawn`, `needs_form` (sign up with details instead), or the reasons against a sign-up. The same answer again changes nothing.',
    body: z.strictObject({ answer: z.enum(['yes', 'no']) }).meta({ example: { answer: 'yes' } }),
    responses: { 200: OWN_RECORD },
    perform: async (context, { id: entryId }, { answer }) => {
      const entry = requireFound(await getOwnEntry(context, entryId))
      const outcome = await answerWaitingListOffer(context, { entryId, shiftId: entry.shift, answer })
      if (outcome.kind === 'refused') throw await refusalFor(context, outcome.reasons)
      if (outcome.kind === 'needs_form') throw refusal(outcome.kind, context.words.t('offers.needs_form'))
      if (outcome.kind === 'expired' || outcome.kind === 'withdrawn')
        throw refusal(outcome.kind, context.words.t(`offers.done.${outcome.kind}_title`))
      return answerWith(context, await getOwnEntry(context, entryId), 200)
    },
  }),
]
