import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeResourceCategory, createResourceCategory, deleteResourceCategory } from '../commands.ts'
import { findCategories, findResources } from '../queries.ts'
import type { Category } from '../rules.ts'
import { categoryForm } from '../schema.ts'
import { CATEGORIES, categoryPath, RESOURCES, resourcesView } from '../views.ts'

export const crumbs = (words: Words) => manageCrumbs(words, { href: RESOURCES, label: words.t('resources.list') })

export const listPage = viewPage({
  path: RESOURCES,
  access: permission('view_resource'),
  show: async ({ context: { db, words, actor } }) => ({
    title: words.t('resources.list'),
    breadcrumb: manageCrumbs(words),
    main: resourcesView({
      words,
      categories: await findCategories(db),
      resources: await findResources(db),
      may: { add: hasPermission(actor, 'add_resource'), change: hasPermission(actor, 'change_resource') },
    }),
  }),
})

export const newCategoryPage = formPage({
  path: `${CATEGORIES}new/`,
  access: permission('add_resource'),
  form: categoryForm.schema,
  show: async ({ context: { words }, csrfToken }, refused) => {
    const title = words.t('resources.category_new')
    const form = categoryForm.view({
      words,
      csrfToken,
      action: `${CATEGORIES}new/`,
      state: refused ?? categoryForm.state({}),
      submit: words.t('resources.save'),
      cancel: { href: RESOURCES },
    })
    return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    await createResourceCategory(commandContext, form)
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.name }) } }
  },
})

async function requireCategory({ context, path }: PageRequest<{ id: number }>): Promise<Category> {
  return requireFound((await findCategories(context.db)).find(({ id }) => id === path.id))
}

export const categoryPage = formPage({
  path: `${CATEGORIES}{id}/`,
  access: permission('change_resource'),
  form: categoryForm.schema,
  show: async (request, refused) => {
    const { words, actor } = request.context
    const category = await requireCategory(request)
    const title = words.t('resources.edit', { name: category.name })
    const form = categoryForm.view({
      words,
      csrfToken: request.csrfToken,
      action: categoryPath(category.id),
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(category.version) } }
        : categoryForm.state(category),
      submit: words.t('resources.save'),
      cancel: { href: RESOURCES },
      extra:
        hasPermission(actor, 'delete_resource') &&
        linkButtonView({
          href: `${categoryPath(category.id)}delete/`,
          label: words.t('resources.category_delete'),
          kind: 'quiet',
          icon: 'trash-2',
        }),
    })
    return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeResourceCategory(commandContext, path.id, form))
    if (!outcome.ok) return { refused: [{ text: words.t('resources.outdated') }], status: 409 }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.name }) } }
  },
})

export const deleteCategoryPage = formPage({
  path: `${CATEGORIES}{id}/delete/`,
  access: permission('delete_resource'),
  form: emptyForm,
  show: async (request, refused) => {
    const { words } = request.context
    const { id, name, count } = await requireCategory(request)
    const title = words.t('resources.delete_title', { name })
    const isUsed = count > 0 || refused !== undefined
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${categoryPath(id)}delete/`,
      submit: words.t('resources.category_delete'),
      cancel: { href: categoryPath(id) },
      consequences: [words.t(isUsed ? 'resources.category_in_use' : 'resources.category_delete_effect')],
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (request) => {
    const { words } = request.context
    const { id, name } = await requireCategory(request)
    const outcome = await deleteResourceCategory(request.commandContext, id)
    if (outcome === 'gone') throw new Problem('not_found')
    if (outcome === 'in_use') return { refused: [{ text: words.t('resources.category_in_use') }], status: 409 }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.deleted', { name }) } }
  },
})
