import { randomUUID } from 'node:crypto'
import { findQualificationIds, loadBlocks } from '#features/events/building-blocks/queries.ts'
import { findQuestionChoices } from '#features/events/questionnaires/queries.ts'
import { type Fault, faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import {
  type BodyContext,
  type BodyRead,
  readShiftBody,
  type ShiftBody,
} from '#features/planning/shift-forms/rules/shift-body.ts'
import type { ShiftInput, StoredShift } from '#features/planning/shift-forms/rules/shift-form.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { findPartErrors } from '#platform/http/body.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { ShiftPlan } from '../commands/plan-event.ts'
import { findStoredShifts } from '../queries/shifts.ts'

/** `base`: where the faulty part is in the body. */
export const faultsToErrors = (words: Words, faults: readonly Fault[], base = ''): InputError[] =>
  faults.map(({ field, code }) => ({ pointer: `${base}/${field}`, code, detail: faultText(words, code) }))

/** Ids that configurations may refer to. Blocks are loaded only if a shift is built from them. */
async function loadKnown({ db }: WriteContext, bodies: readonly ShiftBody[]): Promise<BodyContext['known']> {
  const needsBlocks = bodies.some(({ structure_configuration: given }) => given && 'starting_blocks' in given)
  return {
    qualifications: await findQualificationIds(db),
    blocks: needsBlocks ? new Set((await loadBlocks(db)).keys()) : new Set(),
    questions: new Set((await findQuestionChoices(db)).flatMap(({ id, isArchived }) => (isArchived ? [] : [id]))),
  }
}

/** Shifts that are created together with their event. */
export async function readNewShifts(
  context: WriteContext,
  bodies: readonly ShiftBody[],
): Promise<{ plans: ShiftPlan[]; errors: InputError[] }> {
  const known = await loadKnown(context, bodies)
  const canLead = new Set(bodies.flatMap(({ signup_flow_slug }, row) => (signup_flow_slug === 'coupled' ? [] : [row])))
  const reads = bodies.map((body) => readOne(context, body, { known, leaders: new Set(), leaderRows: canLead }))
  return {
    plans: reads.map(({ input, leaderRow }, row) => ({ row, input: input as ShiftInput, leaderRow })),
    errors: reads.flatMap((read, row) => errorsOf(context, read, bodies[row]!, `/shifts/${row}`)),
  }
}

/** A new shift of an event, or the changed one. Throws with all mistakes. */
export async function readShift(
  context: WriteContext,
  body: ShiftBody,
  { eventId, stored }: { eventId: number; stored?: StoredShift },
): Promise<ShiftInput> {
  const siblings = (await findStoredShifts(context.db, eventId)).filter(({ id }) => id !== stored?.id)
  const leaders = new Set(siblings.flatMap(({ id, flowSlug }) => (flowSlug === 'coupled' ? [] : [id])))
  const read = readOne(context, body, { known: await loadKnown(context, [body]), leaders, leaderRows: new Set(), stored })
  const errors = errorsOf(context, read, body, '', stored)
  if (errors.length) throw new Problem('invalid_input', { errors })
  return read.input as ShiftInput
}

const readOne = (
  { site }: WriteContext,
  body: ShiftBody,
  more: Pick<BodyContext, 'known' | 'leaders' | 'leaderRows' | 'stored'>,
): BodyRead => readShiftBody(body, { ...more, timeZone: site.timeZone, newUuid: randomUUID })

const RULE_KEYS = ['signup_from_rule', 'signup_until_rule', 'leader_shift_index']

/** Faults of the rules first; the schemas of flow and structure add what the rules do not judge, such as wrong types. */
function errorsOf({ words }: WriteContext, read: BodyRead, body: ShiftBody, base: string, stored?: StoredShift): InputError[] {
  const { input, given } = read
  const errors = faultsToErrors(words, read.faults, base)
  const at = base.split('/').slice(1)
  const parts = [
    {
      key: 'signup_flow_configuration',
      schema: given.flow ? getFlow(input.flowSlug)?.configuration : undefined,
      complete: input.flowConfiguration,
      sent: body.signup_flow_configuration,
      former: stored?.flowConfiguration,
      extra: RULE_KEYS,
    },
    {
      key: 'structure_configuration',
      schema: given.structure ? getStructure(input.structureSlug)?.configuration : undefined,
      complete: input.structureConfiguration,
      sent: body.structure_configuration,
      former: stored?.structureConfiguration,
      extra: [],
    },
  ]
  for (const { key, schema, complete, sent, former, extra } of parts) {
    if (!schema) continue
    const allowedKeys = new Set([...extra, ...keysIn(former)])
    const options = { language: words.language, at: [...at, key], allowedKeys }
    const unknown = findPartErrors(schema, sent ?? {}, options).filter(({ code }) => code === 'unrecognized_keys')
    const wrong = findPartErrors(schema, complete, options).filter(({ code }) => code !== 'unrecognized_keys')
    const known = new Set(errors.map(({ pointer }) => pointer))
    errors.push(...[...unknown, ...wrong].filter(({ pointer }) => !known.has(pointer)))
  }
  return errors
}

/** Imported configurations can have keys that this version does not know; clients send them back. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [key, ...keysIn(part)])
}
