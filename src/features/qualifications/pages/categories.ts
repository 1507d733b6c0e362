import { may } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type Refused, type Visit } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { changeCategory, createCategory, deleteCategory } from '../commands/categories.ts'
import { type Category, findCategories } from '../queries.ts'
import { categoryForm, nothing } from '../schema.ts'
import { CATEGORIES, type CategoryFields, categoryFormView, categoryPath, QUALIFICATIONS } from '../views/qualifications.ts'
import { crumbs, one } from './qualifications.ts'

async function requireCategory({ ask, path }: Visit): Promise<Category> {
  const category = (await findCategories(ask.db)).find(({ id }) => String(id) === path.id)
  if (!category) throw new Problem('not_found')
  return category
}

function fieldsOf(category: Category | undefined, refused: Refused | undefined): CategoryFields {
  if (!refused) return category ? { ...category, rank: String(category.rank) } : { title: '', showWithUser: true, rank: '0' }
  const { values } = refused
  return { title: one(values, 'title'), showWithUser: values.show_with_user !== undefined, rank: one(values, 'rank') }
}

function show({ ask: { words, actor }, csrfToken }: Visit, category?: Category, refused?: Refused): PageBody {
  const title = category
    ? words.t('qualification.category_edit', { title: category.title })
    : words.t('qualification.category_new')
  const main = categoryFormView({
    words,
    csrfToken,
    errors: refused?.errors ?? [],
    category,
    fields: fieldsOf(category, refused),
    mayDelete: may(actor, 'delete_qualification'),
  })
  return { title, breadcrumb: crumbs(words), main }
}

const newPage = formPage({
  path: `${CATEGORIES}new/`,
  access: permission('add_qualification'),
  form: categoryForm,
  show: async (visit, refused) => show(visit, undefined, refused),
  submit: async ({ ask, doing }, form) => {
    await createCategory(doing, form)
    const text = ask.words.t('qualification.category_created', { title: form.title })
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
  },
})

const editPage = formPage({
  path: `${CATEGORIES}{id}/`,
  access: permission('change_qualification'),
  form: categoryForm,
  show: async (visit, refused) => show(visit, await requireCategory(visit), refused),
  submit: async (visit, form) => {
    const { id } = await requireCategory(visit)
    if (!(await changeCategory(visit.doing, id, form))) throw new Problem('not_found')
    const text = visit.ask.words.t('qualification.category_saved', { title: form.title })
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
  },
})

const deletePage = formPage({
  path: `${CATEGORIES}{id}/delete/`,
  access: permission('delete_qualification'),
  form: nothing,
  show: async (visit, refused) => {
    const { id, title: name, count } = await requireCategory(visit)
    const { words } = visit.ask
    const title = words.t('qualification.category_delete_title', { title: name })
    const isUsed = count > 0 || refused
    const main = confirmView({
      words,
      title,
      csrfToken: visit.csrfToken,
      action: categoryPath(id, 'delete'),
      consequences: [words.t(isUsed ? 'qualification.category_in_use' : 'qualification.category_delete_first')],
      submit: words.t('qualification.category_delete'),
      cancel: { href: categoryPath(id) },
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (visit) => {
    const { id, title } = await requireCategory(visit)
    const { words } = visit.ask
    const outcome = await deleteCategory(visit.doing, id)
    if (outcome === 'gone') throw new Problem('not_found')
    if (outcome === 'in_use') return { refused: [{ text: words.t('qualification.category_in_use') }], status: 409 }
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text: words.t('qualification.category_deleted', { title }) } }
  },
})

export const categoryPages: Page[] = [newPage, editPage, deletePage]
