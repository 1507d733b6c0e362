import { hasPermission } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { changeCategory, createCategory, deleteCategory } from '../commands/categories.ts'
import { type Category, findCategories } from '../queries.ts'
import { categoryForm, nothing } from '../schema.ts'
import { CATEGORIES, type CategoryFields, categoryFormView, categoryPath, QUALIFICATIONS } from '../views/qualifications.ts'
import { crumbs, one } from './qualifications.ts'

async function requireCategory({ context, path }: PageRequest): Promise<Category> {
  const category = (await findCategories(context.db)).find(({ id }) => String(id) === path.id)
  if (!category) throw new Problem('not_found')
  return category
}

function fieldsOf(category: Category | undefined, refused: Refused | undefined): CategoryFields {
  if (!refused) return category ? { ...category, rank: String(category.rank) } : { title: '', showWithUser: true, rank: '0' }
  const { values } = refused
  return { title: one(values, 'title'), showWithUser: values.show_with_user !== undefined, rank: one(values, 'rank') }
}

function show({ context: { words, actor }, csrfToken }: PageRequest, category?: Category, refused?: Refused): PageBody {
  const title = category
    ? words.t('qualification.category_edit', { title: category.title })
    : words.t('qualification.category_new')
  const main = categoryFormView({
    words,
    csrfToken,
    errors: refused?.errors ?? [],
    category,
    fields: fieldsOf(category, refused),
    mayDelete: hasPermission(actor, 'delete_qualification'),
  })
  return { title, breadcrumb: crumbs(words), main }
}

const newPage = formPage({
  path: `${CATEGORIES}new/`,
  access: permission('add_qualification'),
  form: categoryForm,
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
  form: categoryForm,
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
  form: nothing,
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
