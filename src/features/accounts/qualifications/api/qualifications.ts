import { z } from 'zod'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import {
  changeQualification,
  createQualification,
  type DeleteOutcome,
  deleteQualification,
  type SaveRefusal,
} from '../commands/qualifications.ts'
import { findQualifications, type Qualification } from '../queries.ts'
import { formStateOf } from '../rules/form-state.ts'
import { catalogueRecord, type QualificationForm, qualificationForm, validMonths } from '../schema.ts'
import { presentQualification } from './reads.ts'

const ids = z.array(z.int().positive()).max(2_000)
const newBody = z
  .strictObject({
    title: z.string().meta({ minLength: 1, maxLength: 254 }),
    abbreviation: z.string().meta({ maxLength: 254 }).optional(),
    category_id: z.int().positive(),
    direct_includes: ids.optional().describe('Ids of the qualifications that it includes directly'),
    valid_months: validMonths.nullable().optional().describe('For how many months it usually counts; null: without an end'),
  })
  .meta({ example: { title: 'First aid', abbreviation: 'FA', category_id: 1, direct_includes: [], valid_months: 24 } })
const changeBody = newBody.partial().meta({ example: { abbreviation: 'FA' } })
const deleteBody = z
  .strictObject({
    keep_transitivity: z
      .boolean()
      .default(true)
      .describe('Qualifications that included this one include directly what it included'),
    move_to: z.int().positive().nullable().default(null).describe('Holders get the qualification with this id instead'),
  })
  .meta({ example: { move_to: 5 } })

const tag = 'qualifications'
const RECORD = { description: 'The qualification', schema: catalogueRecord, access: scope('PUBLIC_READ') }
const target = (context: RequestContext, { id }: { id: number }) => presentQualification(context, id)

export const qualificationWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/qualifications/',
    access: scope('CONFIDENTIAL_WRITE', 'add_qualification'),
    name: 'Qualification List',
    operationId: 'qualifications_create',
    tag,
    summary: 'Add a qualification',
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, _path, body) => {
      const outcome = await createQualification(context, readForm(context, body))
      if (!outcome.ok) throw refusalOf(context, outcome)
      const { id } = outcome
      return { status: 201, body: await presentQualification(context, id), headers: { location: `/api/qualifications/${id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/qualifications/{id}/',
    access: scope('CONFIDENTIAL_WRITE', 'change_qualification'),
    name: 'Qualification Instance',
    operationId: 'qualifications_update',
    tag,
    summary: 'Change a qualification',
    description: 'Keys that are absent stay as they are.',
    body: changeBody,
    target,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      const stored = requireFound((await findQualifications(context.db, context.now)).find((one) => one.id === id))
      const form = { ...readForm(context, body, stored), seen: formStateOf(stored) }
      const outcome = await changeQualification(context, id, form)
      if (!outcome.ok) throw refusalOf(context, outcome)
      return { status: 200, body: await presentQualification(context, id) }
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/qualifications/{id}/',
    access: scope('CONFIDENTIAL_WRITE', 'delete_qualification'),
    name: 'Qualification Instance',
    operationId: 'qualifications_destroy',
    tag,
    summary: 'Delete a qualification',
    description: 'People lose it, unless it is moved. Refused with `needed` while upcoming shifts need it.',
    body: deleteBody,
    target,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }, { keep_transitivity: keepTransitivity, move_to: moveTo }) => {
      const outcome = await deleteQualification(context, id, { keepTransitivity, moveTo })
      if (!outcome.ok) throw deleteRefusalOf(context, outcome)
      return { status: 204 }
    },
  }),
]

const KEYS = { category: 'category_id', includes: 'direct_includes' }

function readForm({ words }: WriteContext, body: z.infer<typeof changeBody>, stored?: Qualification): QualificationForm {
  const { title = stored?.title, abbreviation = stored?.abbreviation ?? '', category_id, direct_includes } = body
  const includes = (direct_includes ?? stored?.includes ?? []).map(String)
  const months = body.valid_months === undefined ? stored?.validMonths : body.valid_months
  const category = String(category_id ?? stored?.categoryId)
  const values = { title, abbreviation, category, includes, valid_months: String(months ?? '') }
  return parseLikeForm(qualificationForm.schema, values, { words, keys: KEYS })
}

function refusalOf({ words }: WriteContext, refusal: SaveRefusal): Problem {
  const { reason: code } = refusal
  if (code === 'gone') return new Problem('not_found')
  // Somebody saved it between the reading and the lock; the same request works when it is repeated.
  if (code === 'changed_meanwhile') return new Problem('conflict', { headers: { 'retry-after': '1' } })
  const detail =
    refusal.reason === 'cycle'
      ? words.t('qualification.cycle', { path: refusal.path.join(' → ') })
      : words.t(`qualification.${refusal.reason as 'no_category' | 'unknown_included'}`)
  const pointer = code === 'no_category' ? '/category_id' : '/direct_includes'
  return new Problem('refused', { errors: [{ pointer, code, detail }] })
}

function deleteRefusalOf({ words }: WriteContext, outcome: Extract<DeleteOutcome, { ok: false }>): Problem {
  switch (outcome.reason) {
    case 'gone':
      return new Problem('not_found')
    case 'no_target':
      return new Problem('refused', {
        errors: [{ pointer: '/move_to', code: 'no_target', detail: words.t('qualification.no_target') }],
      })
    case 'needed': {
      const detail = words.t('qualification.delete_needed', { count: outcome.uses.shifts })
      return new Problem('refused', { errors: [{ code: 'needed', detail }] })
    }
  }
}
