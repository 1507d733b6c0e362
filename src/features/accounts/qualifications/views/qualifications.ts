import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fieldRowView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Qualification } from '../queries.ts'
import { formStateOf } from '../rules/form-state.ts'
import { categoryForm, deleteForm, qualificationForm } from '../schema.ts'

export const QUALIFICATIONS = '/manage/qualifications/'
export const CATEGORIES = `${QUALIFICATIONS}categories/`
export const qualificationPath = (id: number, what = ''): string => `${QUALIFICATIONS}${id}/${what && `${what}/`}`
export const categoryPath = (id: number, what = ''): string => `${CATEGORIES}${id}/${what && `${what}/`}`

type QualificationRow = Pick<
  Qualification,
  'id' | 'title' | 'abbreviation' | 'categoryId' | 'isImported' | 'validMonths' | 'includes' | 'holders'
>

type CategoryRow = { id: number; title: string; showWithUser: boolean; rank: number; count: number }
export type Rights = { add: boolean; change: boolean; delete: boolean }

type ListData = {
  words: Words
  categories: readonly CategoryRow[]
  qualifications: readonly QualificationRow[]
  rights: Rights
}

export function listView({ words, categories, qualifications, rights }: ListData): Html {
  const link = (
    path: string,
    label: string,
    kind: 'primary' | 'secondary' | 'quiet',
    icon: 'plus' | 'upload' | 'download' | 'award',
  ) => linkButtonView({ href: `${QUALIFICATIONS}${path}`, label, kind, icon })
  const category = rights.add && link('categories/new/', words.t('qualification.category_new'), 'secondary', 'plus')
  const importing = rights.add && link('import/', words.t('qualification.import'), 'quiet', 'upload')
  const starters = (kind: 'primary' | 'quiet') =>
    rights.add && link('starters/', words.t('qualification.starters'), kind, 'award')
  const head = (actions: (Html | false)[]) =>
    pageHeadView({ title: words.t('qualification.list'), facts: words.t('qualification.intro'), actions })
  if (!categories.length) {
    const action = html`<div class="button-row">${starters('primary')}${category}${importing}</div>`
    return html`${head([])}${emptyView({ icon: 'award', text: words.t('qualification.empty'), action })}`
  }
  const titles = new Map(qualifications.map(({ id, title }) => [id, title]))
  const actions = [category, rights.add && link('new/', words.t('qualification.new'), 'primary', 'plus')]
  const exchange = html`<div class="button-row">${starters('quiet')}${importing}${qualifications.length > 0 && link('export/', words.t('qualification.export'), 'quiet', 'download')}</div>`
  return html`${head(actions)}${categories.map((each) =>
    categoryView({
      words,
      category: each,
      titles,
      rights,
      lines: qualifications.filter(({ categoryId }) => categoryId === each.id),
    }),
  )}${exchange}`
}

function categoryView({
  words,
  category,
  titles,
  rights,
  lines,
}: {
  words: Words
  category: CategoryRow
  titles: ReadonlyMap<number, string>
  rights: Rights
  lines: readonly QualificationRow[]
}): Html {
  const table = tableView<QualificationRow>({
    caption: category.title,
    rows: lines,
    columns: [
      {
        label: words.t('qualification.title'),
        main: true,
        cell: ({ id, title }) => (rights.change ? html`<a href="${qualificationPath(id)}">${title}</a>` : title),
      },
      { label: words.t('qualification.abbreviation'), cell: ({ abbreviation }) => abbreviation || '–' },
      {
        label: words.t('qualification.includes'),
        cell: ({ includes }) => includes.flatMap((id) => titles.get(id) ?? []).join(', ') || '–',
      },
      { label: words.t('qualification.valid_months'), cell: ({ validMonths }) => validMonths ?? '–', numeric: true },
      { label: words.t('qualification.holders'), cell: ({ holders }) => words.number(holders), numeric: true },
    ],
  })
  const edit =
    rights.change &&
    linkButtonView({
      href: categoryPath(category.id),
      label: words.t('qualification.category_edit', { title: category.title }),
      kind: 'quiet',
      icon: 'pencil',
      small: true,
    })
  return cardView({
    title: category.title,
    aside: html`${!category.showWithUser && badgeView({ tone: 'quiet', text: words.t('qualification.hidden'), icon: 'eye-off' })}${edit}`,
    body: lines.length ? table : html`<p class="help">${words.t('qualification.empty_category')}</p>`,
  })
}

type FormData = { words: Words; csrfToken: string; state: FormState }

type QualificationFormData = FormData & {
  /** Undefined for a new qualification. */
  qualification?: QualificationRow | undefined
  categories: readonly CategoryRow[]
  /** Qualifications to include; `isAbove`: already includes this one, so including it would create a cycle. */
  others: readonly (QualificationRow & { isAbove: boolean })[]
  rights: Rights
}

export function qualificationView(data: QualificationFormData): Html {
  const { words, csrfToken, state, qualification, categories, others, rights } = data
  const title = qualification?.title ?? words.t('qualification.new')
  if (!categories.length) {
    const action = linkButtonView({ href: `${CATEGORIES}new/`, label: words.t('qualification.category_new'), kind: 'primary' })
    return html`${pageHeadView({ title })}${emptyView({ icon: 'award', text: words.t('qualification.needs_category'), action })}`
  }
  const categoryTitles = new Map(categories.map(({ id, title }) => [id, title]))
  const includable = others.map(({ id, title, categoryId, isAbove }) => ({
    value: id,
    label: title,
    help: isAbove ? words.t('qualification.above') : categoryTitles.get(categoryId),
    disabled: isAbove,
  }))
  const form = qualificationForm.view({
    words,
    csrfToken,
    // After a conflict, too: saving again overwrites the other change.
    state: qualification ? { ...state, values: { ...state.values, seen: formStateOf(qualification) } } : state,
    action: qualification ? qualificationPath(qualification.id) : `${QUALIFICATIONS}new/`,
    submit: words.t(qualification ? 'qualification.save' : 'qualification.create'),
    cancel: { href: QUALIFICATIONS },
    layout: (field) => [
      qualification && field('seen'),
      fieldRowView(field('title'), field('abbreviation')),
      fieldRowView(
        field('category', { options: categories.map(({ id, title }) => ({ value: id, label: title })) }),
        field('valid_months'),
      ),
      others.length > 0 && html`<div class="columns">${field('includes', { options: includable })}</div>`,
    ],
  })
  const facts = qualification && words.t('qualification.holder_count', { count: qualification.holders })
  const badge = qualification?.isImported && badgeView({ tone: 'info', text: words.t('qualification.imported') })
  const remove =
    qualification &&
    rights.delete &&
    cardView({
      title: words.t('qualification.more'),
      body: linkButtonView({
        href: qualificationPath(qualification.id, 'delete'),
        label: words.t('qualification.delete'),
        kind: 'danger',
      }),
    })
  return html`${pageHeadView({ title, facts, badge })}${form}${remove}`
}

type DeleteData = FormData & {
  qualification: QualificationRow
  uses: { shifts: number; eventTypes: readonly string[]; blocks: readonly string[] }
  /** Shifts that require it and that the caller may see. */
  named: readonly { eventId: number; title: string; label: string; startTime: Date; endTime: Date }[]
  now: Date
  above: readonly string[]
  below: readonly string[]
  others: readonly QualificationRow[]
}

export function deleteView({ words, csrfToken, state, qualification, uses, named, now, above, below, others }: DeleteData): Html {
  const title = words.t('qualification.delete_title', { title: qualification.title })
  if (uses.shifts) {
    const back = linkButtonView({ href: qualificationPath(qualification.id), label: words.t('ui.cancel'), kind: 'secondary' })
    const list = html`<ul class="touched-shifts">${named.map(
      (shift) =>
        html`<li><span class="shift-time">${words.span(shift.startTime, shift.endTime, now)}</span> <a href="/events/${shift.eventId}/">${shift.title}</a>${shift.label && html` · ${shift.label}`}</li>`,
    )}</ul>`
    return html`${pageHeadView({ title })}<p>${words.t('qualification.delete_needed', { count: uses.shifts })}</p>${named.length > 0 && list}${back}`
  }
  const consequences = [
    qualification.holders
      ? words.t('qualification.delete_holders', { count: qualification.holders })
      : words.t('qualification.delete_nobody'),
    ...(uses.eventTypes.length ? [words.t('qualification.delete_types', { list: words.list(uses.eventTypes) })] : []),
    ...(uses.blocks.length ? [words.t('qualification.delete_blocks', { list: words.list(uses.blocks) })] : []),
    words.t('qualification.delete_final'),
  ]
  const keepHelp = words.t('qualification.keep_help', { above: words.list(above), below: words.list(below) })
  return html`${pageHeadView({ title })}<h2>${words.t('ui.consequences')}</h2><ul>${consequences.map((each) => html`<li>${each}</li>`)}</ul>
${deleteForm.view({
  words,
  csrfToken,
  state,
  action: qualificationPath(qualification.id, 'delete'),
  submit: { label: words.t('qualification.delete_submit'), kind: 'danger' },
  cancel: { href: qualificationPath(qualification.id) },
  layout: (field) => [
    above.length > 0 && below.length > 0 && field('keep_transitivity', { help: keepHelp }),
    qualification.holders > 0 && field('move_to', { options: others.map(({ id, title }) => ({ value: id, label: title })) }),
  ],
})}`
}

export function categoryFormView({
  words,
  csrfToken,
  state,
  category,
  mayDelete,
}: FormData & { category?: CategoryRow | undefined; mayDelete: boolean }): Html {
  const title = category
    ? words.t('qualification.category_edit', { title: category.title })
    : words.t('qualification.category_new')
  const form = categoryForm.view({
    words,
    csrfToken,
    state,
    action: category ? categoryPath(category.id) : `${CATEGORIES}new/`,
    submit: words.t(category ? 'qualification.category_save' : 'qualification.category_create'),
    cancel: { href: QUALIFICATIONS },
  })
  const remove =
    category && mayDelete && category.count === 0
      ? cardView({
          title: words.t('qualification.more'),
          body: linkButtonView({
            href: categoryPath(category.id, 'delete'),
            label: words.t('qualification.category_delete'),
            kind: 'danger',
          }),
        })
      : false
  return html`${pageHeadView({ title })}${form}${remove}`
}
