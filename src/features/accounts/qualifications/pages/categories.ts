import { hasPermission } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { changeCategory, createCategory, deleteCategory } from '../commands/categories.ts'
import { type Category, findCategories } from '../queries.ts'
import { categoryForm } from '../schema.ts'
import { CATEGORIES, categoryFormView, categoryPath, QUALIFICATIONS } from '../views/qualifications.ts'
import { crumbs } from './qualifications.ts'

async function requireCategory({ context, path }: PageRequest<{ id: number }>): Promise<Category> {
  return requireFound((await findCategories(context.db)).find(({ id }) => id === path.id))
}

const storedState = (category: Category | undefined): FormState =>
  category
    ? categoryForm.state({ title: category.title, show_with_user: category.showWithUser, rank: category.rank })
    : categoryForm.state({ show_with_user: true, rank: 0 })

function show({ context: { words, actor }, csrfToken }: PageRequest, category?: Category, refused?: Refused): PageBody {
  const title = category
    ? words.t('qualification.category_edit', { title: category.title })
    : words.t('qualification.category_new')
  const main = categoryFormView({
    words,
    csrfToken,
    state: refused ?? storedState(category),
    category,
    mayDelete: hasPermission(actor, 'delete_qualification'),
  })
  return { title, breadcrumb: crumbs(words), main }
}

const newPage = formPage({
  path: `${CATEGORIES}new/`,
  access: permission('add_qualification'),
  form: categoryForm.schema,
  show: async (request, refused) => show(request, undefined, refused),
  submit: async ({ context, commandContext }, form) => {
    await createCategory(commandContext, form)
    const text = context.words.t('qualification.category_created', { title: form.title })
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
  },
})

const editPage = formPage({
  path: `${CATEGORIES}{id}/`,
  access: permission('change_qualification'),
  form: categoryForm.schema,
  show: async (request, refused) => show(request, await requireCategory(request), refused),
  submit: async (request, form) => {
    const { id } = await requireCategory(request)
    if (!(await changeCategory(request.commandContext, id, form))) throw new Problem('not_found')
    const text = request.context.words.t('qualification.category_saved', { title: form.title })
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
  },
})

const deletePage = formPage({
  path: `${CATEGORIES}{id}/delete/`,
  access: permission('delete_qualification'),
  form: emptyForm,
  show: async (request, refused) => {
    const { id, title: name, count } = await requireCategory(request)
    const { words } = request.context
    const title = words.t('qualification.category_delete_title', { title: name })
    const isUsed = count > 0 || refused
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: categoryPath(id, 'delete'),
      consequences: [words.t(isUsed ? 'qualification.category_in_use' : 'qualification.category_delete_first')],
      submit: words.t('qualification.category_delete'),
      cancel: { href: categoryPath(id) },
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (request) => {
    const { id, title } = await requireCategory(request)
    const { words } = request.context
    const outcome = await deleteCategory(request.commandContext, id)
    if (outcome === 'gone') throw new Problem('not_found')
    if (outcome === 'in_use') return { refused: [{ text: words.t('qualification.category_in_use') }], status: 409 }
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text: words.t('qualification.category_deleted', { title }) } }
  },
})

export const categoryPages: Page[] = [newPage, editPage, deletePage]
