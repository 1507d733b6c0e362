import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { changeQualification, createQualification, deleteQualification, type SaveRefusal } from '../commands/qualifications.ts'
import {
  findCategories,
  findIncluding,
  findQualifications,
  findShiftsRequiring,
  findUses,
  type Qualification,
} from '../queries.ts'
import { deleteForm, qualificationForm } from '../schema.ts'
import {
  deleteView,
  listView,
  QUALIFICATIONS,
  qualificationPath,
  qualificationView,
  type Rights,
} from '../views/qualifications.ts'

const getRights = (actor: Actor): Rights => ({
  add: hasPermission(actor, 'add_qualification'),
  change: hasPermission(actor, 'change_qualification'),
  delete: hasPermission(actor, 'delete_qualification'),
})

export const crumbs = (words: Words, qualification?: { id: number; title: string }) =>
  manageCrumbs(
    words,
    { href: QUALIFICATIONS, label: words.t('qualification.list') },
    ...(qualification ? [{ href: qualificationPath(qualification.id), label: qualification.title }] : []),
  )

const styles = () => html`<link rel="stylesheet" href="${assetUrl('catalogue.css')}">`

const listPage = viewPage({
  path: QUALIFICATIONS,
  access: permission('view_qualification'),
  show: async ({ context: { words, db, actor, now } }) => {
    const [categories, qualifications] = await Promise.all([findCategories(db), findQualifications(db, now)])
    return {
      title: words.t('qualification.list'),
      breadcrumb: manageCrumbs(words),
      main: listView({ words, categories, qualifications, rights: getRights(actor) }),
    }
  },
})

type FoundQualification = { qualification: Qualification; all: Qualification[] }

async function requireQualification({ context, path }: PageRequest<{ id: number }>): Promise<FoundQualification> {
  const all = await findQualifications(context.db, context.now)
  const qualification = requireFound(all.find(({ id }) => id === path.id))
  return { qualification, all }
}

const storedState = (qualification: Qualification): FormState =>
  qualificationForm.state({ ...qualification, category: qualification.categoryId, valid_months: qualification.validMonths ?? '' })

async function showForm(request: PageRequest, found: Partial<FoundQualification>, refused?: Refused): Promise<PageBody> {
  const { words, db, actor, now } = request.context
  const { qualification } = found
  const all = found.all ?? (await findQualifications(db, now))
  const categories = await findCategories(db)
  // Preselect the only category.
  const onlyCategory = categories.length === 1 ? categories[0]!.id : undefined
  const empty = qualificationForm.state({ category: onlyCategory })
  const above = qualification ? await findIncluding(db, qualification.id) : new Set<number>()
  const main = qualificationView({
    words,
    csrfToken: request.csrfToken,
    state: refused ?? (qualification ? storedState(qualification) : empty),
    qualification,
    rights: getRights(actor),
    categories,
    others: all.filter(({ id }) => id !== qualification?.id).map((other) => ({ ...other, isAbove: above.has(other.id) })),
  })
  return { title: qualification?.title ?? words.t('qualification.new'), breadcrumb: crumbs(words), main, head: styles() }
}

function refusalErrors(refusal: SaveRefusal, words: Words): FormError[] {
  if (refusal.reason === 'gone') throw new Problem('not_found')
  if (refusal.reason === 'changed_meanwhile') return [{ text: words.t('qualification.changed_meanwhile') }]
  if (refusal.reason === 'cycle')
    return [{ field: 'includes', text: words.t('qualification.cycle', { path: refusal.path.join(' → ') }) }]
  const field = refusal.reason === 'no_category' ? 'category' : 'includes'
  return [{ field, text: words.t(`qualification.${refusal.reason}`) }]
}

const newPage = formPage({
  path: `${QUALIFICATIONS}new/`,
  access: permission('add_qualification'),
  form: qualificationForm.schema,
  show: (request, refused) => showForm(request, {}, refused),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createQualification(commandContext, form)
    if (!outcome.ok) return { refused: refusalErrors(outcome, words) }
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text: words.t('qualification.created', { title: form.title }) } }
  },
})

const editPage = formPage({
  path: `${QUALIFICATIONS}{id}/`,
  access: permission('change_qualification'),
  form: qualificationForm.schema,
  show: async (request, refused) => showForm(request, await requireQualification(request), refused),
  submit: async (request, form) => {
    const { qualification } = await requireQualification(request)
    const { words } = request.context
    const outcome = await changeQualification(request.commandContext, qualification.id, form)
    if (!outcome.ok) {
      const isLate = outcome.reason === 'changed_meanwhile'
      return { refused: refusalErrors(outcome, words), ...(isLate ? { status: 409 } : {}) }
    }
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text: words.t('qualification.saved', { title: form.title }) } }
  },
})

const deletePage = formPage({
  path: `${QUALIFICATIONS}{id}/delete/`,
  access: permission('delete_qualification'),
  form: deleteForm.schema,
  show: async (request, refused) => {
    const { qualification, all } = await requireQualification(request)
    const { words, db, now, actor } = request.context
    const titlesOf = (ids: (one: Qualification) => boolean) => all.filter(ids).map(({ title }) => title)
    const main = deleteView({
      words,
      csrfToken: request.csrfToken,
      state: refused ?? deleteForm.state({ keep_transitivity: true }),
      qualification,
      uses: await findUses(db, qualification.id, now),
      named: hasPermission(actor, 'view_event') ? await findShiftsRequiring(db, qualification.id, now) : [],
      now,
      above: titlesOf(({ includes }) => includes.includes(qualification.id)),
      below: titlesOf(({ id }) => qualification.includes.includes(id)),
      others: all.filter(({ id }) => id !== qualification.id),
    })
    return {
      title: words.t('qualification.delete_title', { title: qualification.title }),
      breadcrumb: crumbs(words, qualification),
      main,
      head: styles(),
    }
  },
  submit: async (request, form) => {
    const { qualification } = await requireQualification(request)
    const { words } = request.context
    const input = { keepTransitivity: form.keep_transitivity, moveTo: form.move_to }
    const outcome = await deleteQualification(request.commandContext, qualification.id, input)
    if (outcome.ok) {
      const { title, moved: count } = outcome
      const text = count ? words.t('qualification.deleted_moved', { title, count }) : words.t('qualification.deleted', { title })
      return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
    }
    if (outcome.reason === 'gone') throw new Problem('not_found')
    if (outcome.reason === 'no_target') return { refused: [{ field: 'move_to', text: words.t('qualification.no_target') }] }
    return { refused: [{ text: words.t('qualification.delete_needed', { count: outcome.uses.shifts }) }], status: 409 }
  },
})

export const qualificationPages: Page[] = [listPage, newPage, editPage, deletePage]
