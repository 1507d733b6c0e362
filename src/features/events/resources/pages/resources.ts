import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type PageRequest } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeResource, createResource, deleteResource } from '../commands.ts'
import { findCategories, getResource } from '../queries.ts'
import type { Resource } from '../rules.ts'
import { resourceForm } from '../schema.ts'
import { RESOURCES, resourcePath } from '../views.ts'
import { crumbs } from './categories.ts'

type ResourceFormData = {
  request: PageRequest
  title: string
  action: string
  state: ReturnType<typeof resourceForm.state>
  resource: Resource | undefined
}

async function resourceFormBody({ request, title, action, state, resource }: ResourceFormData) {
  const { context, csrfToken } = request
  const { words, db, actor } = context
  const categories = await findCategories(db)
  const form = resourceForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('resources.save'),
    cancel: { href: RESOURCES },
    extra:
      resource &&
      hasPermission(actor, 'delete_resource') &&
      linkButtonView({ href: `${action}delete/`, label: words.t('resources.delete'), kind: 'quiet', icon: 'trash-2' }),
    layout: (field) => [
      field('title'),
      field('category', { options: categories.map(({ id, name }) => ({ value: id, label: name })) }),
      field('version'),
    ],
  })
  return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
}

export const newResourcePage = formPage({
  path: `${RESOURCES}new/`,
  access: permission('add_resource'),
  form: resourceForm.schema,
  show: async (request, refused) =>
    resourceFormBody({
      request,
      title: request.context.words.t('resources.new'),
      action: `${RESOURCES}new/`,
      state: refused ?? resourceForm.state({}),
      resource: undefined,
    }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createResource(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: 'category', text: words.t('resources.category_missing') }] }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.title }) } }
  },
})

async function requireResource({ context, path }: PageRequest<{ id: number }>): Promise<Resource> {
  return requireFound(await getResource(context.db, path.id))
}

export const resourcePage = formPage({
  path: `${RESOURCES}{id}/`,
  access: permission('change_resource'),
  form: resourceForm.schema,
  show: async (request, refused) => {
    const resource = await requireResource(request)
    const { id, title, category_id, version } = resource
    return resourceFormBody({
      request,
      title: request.context.words.t('resources.edit', { name: title }),
      action: resourcePath(id),
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(version) } }
        : resourceForm.state({ title, category: category_id, version }),
      resource,
    })
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeResource(commandContext, path.id, form))
    if (!outcome.ok && outcome.reason === 'outdated') return { refused: [{ text: words.t('resources.outdated') }], status: 409 }
    if (!outcome.ok) return { refused: [{ field: 'category', text: words.t('resources.category_missing') }] }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.title }) } }
  },
})

export const deleteResourcePage = formPage({
  path: `${RESOURCES}{id}/delete/`,
  access: permission('delete_resource'),
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const { id, title: name } = await requireResource(request)
    const title = words.t('resources.delete_title', { name })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${resourcePath(id)}delete/`,
      submit: words.t('resources.delete'),
      cancel: { href: resourcePath(id) },
      consequences: [words.t('resources.delete_effect')],
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const resource = requireFound(await deleteResource(commandContext, path.id))
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.deleted', { name: resource.title }) } }
  },
})
