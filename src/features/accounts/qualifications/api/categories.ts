import { z } from 'zod'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem } from '#platform/http/problem.ts'
import { changeCategory, createCategory, deleteCategory, lockCategory } from '../commands/categories.ts'
import { type CategoryEntry, getCategoryEntry } from '../queries.ts'
import { type CategoryForm, categoryForm, qualificationCategoryRecord } from '../schema.ts'
import { presentCategoryOf } from './reads.ts'

const newBody = z
  .strictObject({
    title: z.string().meta({ minLength: 1, maxLength: 254 }),
    show_with_user: z.boolean().optional().describe('Whether its qualifications are shown next to names; true by default'),
    rank: z.int().meta({ minimum: -999_999, maximum: 999_999 }).optional().describe('Order on pages; equal ranks by title'),
  })
  .meta({ example: { title: 'Medical', show_with_user: true, rank: 0 } })
const changeBody = newBody.partial().meta({ example: { rank: 2 } })

const tag = 'qualifications'
const path = '/api/qualification-categories/{id}/'
const RECORD = { description: 'The category', schema: qualificationCategoryRecord, access: scope('PUBLIC_READ') }
const target = (context: RequestContext, { id }: { id: number }) => presentCategoryOf(context, id)

export const categoryWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/qualification-categories/',
    access: scope('CONFIDENTIAL_WRITE', 'add_qualification'),
    name: 'Qualification Category List',
    operationId: 'qualification_categories_create',
    tag,
    summary: 'Add a category of qualifications',
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, _path, body) => {
      const id = await createCategory(context, readForm(context, body))
      const location = `/api/qualification-categories/${id}/`
      return { status: 201, body: await presentCategoryOf(context, id), headers: { location } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path,
    access: scope('CONFIDENTIAL_WRITE', 'change_qualification'),
    name: 'Qualification Category Instance',
    operationId: 'qualification_categories_update',
    tag,
    summary: 'Change a category of qualifications',
    description: 'Keys that are absent stay as they are.',
    body: changeBody,
    target,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      await lockCategory(context.db, id)
      const stored = await getCategoryEntry(context, id)
      if (!stored || !(await changeCategory(context, id, readForm(context, body, stored)))) throw new Problem('not_found')
      return { status: 200, body: await presentCategoryOf(context, id) }
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path,
    access: scope('CONFIDENTIAL_WRITE', 'delete_qualification'),
    name: 'Qualification Category Instance',
    operationId: 'qualification_categories_destroy',
    tag,
    summary: 'Delete a category without qualifications',
    target,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      const outcome = await deleteCategory(context, id)
      if (outcome === 'gone') throw new Problem('not_found')
      const detail = context.words.t('qualification.category_in_use')
      if (outcome === 'in_use') throw new Problem('refused', { errors: [{ code: 'in_use', detail }] })
      return { status: 204 }
    },
  }),
]

function readForm({ words }: WriteContext, body: z.infer<typeof changeBody>, stored?: CategoryEntry): CategoryForm {
  const { title = stored?.title, show_with_user = stored?.show_with_user ?? true, rank = stored?.rank ?? 0 } = body
  const values = { title, rank: String(rank), ...(show_with_user ? { show_with_user: 'on' } : {}) }
  return parseLikeForm(categoryForm.schema, values, { words })
}
