import { z } from 'zod'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { findCompanions } from '#features/staffing/participations/queries/companions.ts'
import { refusal } from '#features/staffing/participations/queries/refusals.ts'
import type { Companion } from '#features/staffing/participations/rules/companion.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { bodyLine } from '#platform/single-line.ts'
import { type CompanionsOutcome, changeCompanions } from './commands.ts'
import { type CompanionFault, type CompanionsChange, listVersion, shownCompanions } from './rules.ts'
import { companionReasonText } from './views.ts'

const path = '/api/shifts/{id}/companions/'
const MAX_COMPANIONS = 200

const companionsRecord = z
  .strictObject({
    id: z.int().describe('The id of the shift'),
    may_bring: z.int().min(0).describe('How many in all'),
    companions: z
      .array(
        z.strictObject({
          id: z.int().describe('The id of the participation'),
          name: z.string(),
          state: z.int().min(0).max(4).describe('As of participations'),
        }),
      )
      .describe('Whom you bring'),
  })
  .meta({ id: 'Companions', examples: [{ id: 31, may_bring: 3, companions: [{ id: 91, name: 'Eva', state: 1 }] }] })

const changeBody = z
  .strictObject({
    companions: z
      .array(
        z.strictObject({
          id: z.int().optional().describe('Of somebody in the list; absent: another person'),
          name: bodyLine.max(1_000).optional().describe('Absent or empty: without a name'),
        }),
      )
      .max(MAX_COMPANIONS)
      .describe('The whole list: who is not in it leaves'),
  })
  .meta({ example: { companions: [{ id: 91, name: 'Eva' }, { name: 'Max' }] } })
type Body = z.infer<typeof changeBody>

type Brought = { id: number; max: number; companions: readonly Companion[] }

async function getBrought(context: RequestContext, id: number): Promise<Brought | undefined> {
  const shift = context.actor.kind === 'user' ? await getShiftForSignup(context, id) : undefined
  const candidacy = shift && (await findEligibility(context, [id])).get(id)
  if (!candidacy) return undefined
  const companions = candidacy.own ? await findCompanions(context.db, candidacy.own.id) : []
  return { id, max: candidacy.signupRules?.maxCompanions ?? 0, companions }
}

const present = ({ id, max, companions }: Brought) => ({
  id,
  may_bring: max,
  companions: shownCompanions(companions).map((companion) => ({
    id: companion.id,
    name: companion.name,
    state: companion.state,
  })),
})

async function presentBrought(context: RequestContext, id: number) {
  const brought = await getBrought(context, id)
  return brought && present(brought)
}

function readChange({ companions }: Body, known: readonly Companion[]): CompanionsChange {
  const kept = companions.filter(({ id }) => id !== undefined)
  const ids = new Set(kept.map(({ id }) => id!))
  return {
    names: new Map(kept.flatMap(({ id, name }) => (name === undefined ? [] : [[id!, name] as const]))),
    leaving: new Set(known.filter(({ id }) => !ids.has(id)).map(({ id }) => id)),
    added: companions.flatMap(({ id, name = '' }) => (id === undefined ? [name] : [])),
  }
}

/** Ids of companions of others, and of those who have left, are no ids of the list. */
function checkKnown({ words }: WriteContext, { companions }: Body, known: readonly Companion[]): void {
  const ids = new Set(shownCompanions(known).map(({ id }) => id))
  const detail = words.t('companions.refusal.changed')
  const errors = companions.flatMap(({ id }, index): InputError[] =>
    id === undefined || ids.has(id) ? [] : [{ pointer: `/companions/${index}/id`, code: 'unknown', detail }],
  )
  if (errors.length) throw new Problem('invalid_input', { errors })
}

function faultError({ words }: WriteContext, { companions }: Body, fault: CompanionFault) {
  if (fault.code === 'too_many')
    return { pointer: '/companions', code: fault.code, detail: words.t('companions.too_many', { count: fault.left }) }
  const index = companions.findIndex(({ id, name }) => (fault.id === undefined ? name?.trim() === fault.name : id === fault.id))
  const pointer = `/companions/${Math.max(0, index)}/name`
  return { pointer, code: fault.code, detail: words.t(`companions.${fault.code}`, { name: fault.name }) }
}

async function problemOf(
  context: WriteContext,
  body: Body,
  outcome: Extract<CompanionsOutcome, { ok: false }>,
): Promise<Problem> {
  if (outcome.code === 'faults') {
    const errors = outcome.faults.map((fault) => faultError(context, body, fault))
    return new Problem('invalid_input', { errors })
  }
  if (outcome.code !== 'refused')
    return outcome.code === 'changed'
      ? new Problem('conflict')
      : refusal(outcome.code, context.words.t('companions.refusal.not_in'))
  const reasonContext = await loadReasonContext(context)
  const errors = outcome.reasons.map((reason) => ({ code: reason.code, detail: companionReasonText(reasonContext, reason) }))
  return new Problem('refused', { errors })
}

export const companionsApi: Endpoint[] = [
  recordEndpoint({
    path,
    access: scope('ME_READ'),
    name: 'Companions',
    operationId: 'shifts_companions_retrieve',
    tag: 'own participations',
    summary: 'Whom you bring to a shift',
    parameters: {},
    record: companionsRecord,
    get: (context, { id }) => getBrought(context, id),
    present,
  }),
  writeEndpoint({
    method: 'PATCH',
    path,
    access: scope('ME_WRITE'),
    name: 'Companions',
    operationId: 'shifts_companions_update',
    tag: 'own participations',
    summary: 'Say whom you bring to a shift',
    description:
      'For those who take part and may bring others. The list replaces the one before. Refused with `not_in`, or the reasons against a sign-up or decline.',
    suffix: false,
    body: changeBody,
    target: (context, { id }) => presentBrought(context, id),
    responses: { 200: { description: 'The companions', schema: companionsRecord, access: scope('ME_READ') } },
    perform: async (context, { id }, body) => {
      const { companions } = requireFound(await getBrought(context, id))
      checkKnown(context, body, companions)
      const change = readChange(body, shownCompanions(companions))
      const outcome = await changeCompanions(context, { shiftId: id, seen: listVersion(companions), change })
      if (!outcome.ok) throw await problemOf(context, body, outcome)
      return { status: 200, body: await presentBrought(context, id) }
    },
  }),
]
