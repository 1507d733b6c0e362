import { getReachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { type UndoOutcome, undo } from '../commands/undo.ts'
import { presentReasons } from '../queries/refusals.ts'
import { getLastOwnStep } from '../queries/signup.ts'
import { isUndoable, UNDO_SECONDS } from '../rules/undo.ts'
import { userinfoParticipationRecord } from '../schema.ts'
import { presentOwnParticipation } from './reads.ts'

export const undoEndpoint = writeEndpoint({
  method: 'POST',
  path: '/api/shifts/{id}/undo/',
  access: scope('ME_WRITE'),
  name: 'Undo',
  operationId: 'shifts_undo_create',
  tag: 'own participations',
  summary: 'Take back the last own step: sign-up, decline or change of details',
  description: `Within ${UNDO_SECONDS} seconds, if nobody has changed the participation since. Nobody is notified of what was taken back.`,
  responses: {
    200: { description: 'The participation as it was before', schema: userinfoParticipationRecord, access: scope('ME_READ') },
    204: { description: 'There was no participation before' },
  },
  perform: async (context, { id: shiftId }) => {
    if ((await getReachableEventOf(context.db, context.actor, shiftId)) === undefined) throw new Problem('not_found')
    const step = await getLastOwnStep(context, shiftId)
    if (!step || !isUndoable(step.kind)) {
      const detail = context.words.t('signup.nothing_to_undo')
      throw new Problem('refused', { errors: [{ code: 'nothing_to_undo', detail }] })
    }
    const outcome = await undo(context, { shiftId, entryId: step.id })
    if (!outcome.ok) throw new Problem('refused', { errors: await errorsOf(context, outcome) })
    const body = await presentOwnParticipation(context, step.participationId)
    return body ? { status: 200, body } : { status: 204 }
  },
})

async function errorsOf(context: WriteContext, outcome: Extract<UndoOutcome, { ok: false }>): Promise<InputError[]> {
  if (outcome.code === 'refused') return presentReasons(context, outcome.reasons)
  return [{ code: `undo_${outcome.code}`, detail: context.words.t(`signup.not_undone_${outcome.code}`) }]
}
