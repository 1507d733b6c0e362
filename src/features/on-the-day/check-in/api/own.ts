import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refusal } from '#features/staffing/participations/queries/refusals.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { markSelf } from '../commands/self.ts'
import { getStoredSettings } from '../queries/roster.ts'
import { findOwnShifts, getOwnEvent, type OwnShift } from '../queries/self.ts'
import { windowText } from '../views/self.ts'

const path = '/api/users/me/participations/{id}/attendance/'
const time = z.iso.datetime({ offset: true })
const ownAttendanceRecord = z
  .strictObject({
    id: z.int().describe('The id of the participation'),
    arrived_at: time.nullable(),
    left_at: time.nullable(),
    no_show: z.boolean().describe('Planners have marked that you did not come'),
  })
  .meta({
    id: 'OwnAttendance',
    examples: [{ id: 88, arrived_at: '2031-05-04T07:52:00+02:00', left_at: null, no_show: false }],
  })

/** Of a confirmed participation of the caller. */
async function getOwn({ db, actor }: RequestContext, id: number): Promise<OwnShift | undefined> {
  if (actor.kind !== 'user') return undefined
  const eventId = await getOwnEvent(db, id, actor.userId)
  if (eventId === undefined) return undefined
  const shifts = await findOwnShifts(db, eventId, actor.userId)
  return shifts.find(({ participationId }) => participationId === id)
}

const presentOwn = ({ participationId, arrivedAt, leftAt, noShow }: OwnShift, { site }: RequestContext) => ({
  id: participationId,
  arrived_at: arrivedAt && wireDate(arrivedAt, site.timeZone),
  left_at: leftAt && wireDate(leftAt, site.timeZone),
  no_show: noShow,
})

export const ownAttendanceApi: Endpoint[] = [
  recordEndpoint({
    path,
    access: scope('ME_READ'),
    name: 'Own Attendance',
    operationId: 'users_me_participations_attendance_retrieve',
    tag: 'own participations',
    summary: 'When you arrived at a shift on which you are confirmed, and left it',
    parameters: {},
    record: ownAttendanceRecord,
    get: (context, { id }) => getOwn(context, id),
    present: presentOwn,
  }),
  writeEndpoint({
    method: 'POST',
    path,
    access: scope('ME_WRITE'),
    name: 'Own Attendance',
    operationId: 'users_me_participations_attendance_create',
    tag: 'own participations',
    summary: 'Say that you are there, or that you leave',
    description:
      'Where the event has self check-in by a button. What contradicts a mark of the planners is kept for them to decide. Refused with `off`, `too_early`, `too_late`.',
    body: z.strictObject({ mark: z.enum(['arrived', 'left']) }).meta({ example: { mark: 'arrived' } }),
    responses: { 200: { description: 'The own attendance', schema: ownAttendanceRecord, access: scope('ME_READ') } },
    perform: async (context, { id }, { mark: kind }) => {
      const { words } = context
      const userId = userIdOf(context.actor)
      const eventId = await getOwnEvent(context.db, id, userId)
      const settings = eventId === undefined ? undefined : await getStoredSettings(context.db, eventId)
      if (!(await getOwn(context, id))) throw new Problem('not_found')
      // A code that changes must be read at the place.
      if (!settings?.isActive || settings.isChanging) throw refusal('off', words.t('check_in.closed_off'))
      const token = context.site.keyring.unseal(settings.tokenSealed)
      const outcome = await markSelf(context, token, { id: randomUUID(), participationId: id, kind, code: '' })
      if (!outcome.ok && outcome.reason === 'too_early') throw refusal(outcome.reason, windowText(words, outcome))
      if (!outcome.ok && outcome.reason === 'too_late')
        throw refusal(outcome.reason, windowText(words, { ok: false, reason: outcome.reason }))
      if (!outcome.ok) throw refusal('off', words.t('check_in.closed_off'))
      return { status: 200, body: presentOwn(requireFound(await getOwn(context, id)), context), about: userId }
    },
  }),
]
