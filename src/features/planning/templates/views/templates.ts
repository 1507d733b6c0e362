import { datesView, ruleFieldsView } from '#features/planning/series/views/rule.ts'
import { type FormContext, makeFields } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import type { Option } from '#platform/ui/fields.ts'
import { buttonView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { TemplateLine } from '../queries.ts'
import { TEMPLATE_PARTS } from '../rules/content.ts'
import { STARTERS_PATH, type StartersData, starterChoicesView } from './starters.ts'

export const TEMPLATES = '/planning/templates/'
export const templatePath = (id: number, what?: 'use' | 'delete' | 'restore'): string =>
  what ? `${TEMPLATES}${id}/${what}/` : `${TEMPLATES}${id}/`

type ListData = { words: Words; now: Date; csrfToken: string; templates: readonly TemplateLine[] }

export function templatesView({ words, now, csrfToken, templates, starters }: ListData & { starters: StartersData }): Html {
  const kept = templates.filter(({ deletedAt }) => deletedAt === null)
  const binned = templates.filter(({ deletedAt }) => deletedAt !== null)
  const toStarters = linkButtonView({ href: STARTERS_PATH, label: words.t('template.starters'), icon: 'layers' })
  const head = pageHeadView({
    title: words.t('template.templates'),
    facts: kept.length > 0 ? words.t('template.intro') : undefined,
    actions: kept.length > 0 ? [toStarters] : [],
  })
  const list = kept.length
    ? keptTemplatesView({ words, now, csrfToken, templates: kept })
    : html`<p>${words.t('template.none')}</p>${starterChoicesView(starters)}`
  return html`${head}${list}${binned.length > 0 && binView({ words, now, csrfToken, templates: binned })}`
}

const keptTemplatesView = ({ words, now, csrfToken, templates }: ListData): Html =>
  tableView<TemplateLine>({
    caption: words.t('template.templates'),
    rows: templates,
    rowId: ({ id }) => `template-${id}`,
    columns: [
      {
        label: words.t('template.name'),
        main: true,
        cell: ({ id, name, description }) =>
          html`<a href="${templatePath(id, 'use')}">${name}</a>${description && html`<br><span class="muted">${description}</span>`}`,
      },
      { label: words.t('plan.field.type_id'), cell: ({ type }) => type ?? '–' },
      { label: words.t('event.shifts'), numeric: true, cell: ({ shifts }) => words.number(shifts) },
      {
        label: words.t('template.last_used'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? words.relative(lastUsedAt, now) : words.t('template.never')),
      },
      { label: words.t('ui.actions'), actions: true, cell: (template) => actionsView(words, csrfToken, template) },
    ],
  })

const actionsView = (words: Words, csrfToken: string, { id, name }: TemplateLine): Html =>
  html`${linkButtonView({
    href: templatePath(id),
    label: words.t('template.edit'),
    kind: 'quiet',
    small: true,
    icon: 'pencil',
    attributes: { 'aria-label': words.t('template.edit_named', { name }) },
  })}${postButtonView({
    action: templatePath(id, 'delete'),
    id: `delete-template-${id}`,
    csrfToken,
    label: words.t('template.delete'),
    kind: 'quiet',
    small: true,
    icon: 'trash-2',
    attributes: { 'aria-label': words.t('template.delete_named', { name }) },
  })}`

const binView = ({ words, csrfToken, templates }: ListData): Html =>
  html`<h2>${words.t('plan.bin')}</h2><p>${words.t('template.bin_intro')}</p>${tableView<TemplateLine>({
    caption: words.t('plan.bin'),
    rows: templates,
    rowId: ({ id }) => `binned-template-${id}`,
    columns: [
      { label: words.t('template.name'), main: true, cell: ({ name }) => name },
      { label: words.t('plan.bin_deleted'), cell: ({ deletedAt }) => words.date(deletedAt!) },
      {
        label: words.t('ui.actions'),
        actions: true,
        cell: ({ id, name }) =>
          postButtonView({
            action: templatePath(id, 'restore'),
            id: `restore-template-${id}`,
            csrfToken,
            label: words.t('plan.restore'),
            kind: 'secondary',
            small: true,
            icon: 'undo-2',
            attributes: { 'aria-label': words.t('plan.restore_named', { title: name }) },
          }),
      },
    ],
  })}`

type TextData = FormContext & { csrfToken: string; action: string; back: string; title: string; submit: string }

const textFields = (data: FormContext): Html => {
  const { text, area } = makeFields(data)
  const { words } = data
  return html`${text('name', words.t('template.name'), { required: true })}${area('description', words.t('template.description'), { help: words.t('template.description_help'), rows: 2 })}`
}

/** Saves an event as a template. */
export function saveTemplateView(data: TextData & { facts: string; templates: readonly Option[] }): Html {
  const { words, errors, csrfToken, action, back, title, submit, templates } = data
  const { checks, select } = makeFields(data)
  return html`${pageHeadView({ title, facts: data.facts })}<p>${words.t('template.save_intro')}</p>
${formView({
  words,
  csrfToken,
  errors,
  action,
  cancel: { href: back },
  submit,
  fields: html`${textFields(data)}${checks(
    'parts',
    words.t('template.parts'),
    TEMPLATE_PARTS.map((value) => ({ value, label: words.t(`template.part.${value}`) })),
  )}${templates.length > 0 && select('replaces', words.t('template.replaces'), [{ value: '', label: words.t('template.replaces_none') }, ...templates], { help: words.t('template.replaces_help') })}`,
})}`
}

export function editTemplateView(data: TextData): Html {
  const { words, errors, csrfToken, action, back, title, submit } = data
  return html`${pageHeadView({ title })}<p>${words.t('template.edit_intro')}</p>
${formView({ words, csrfToken, errors, action, cancel: { href: back }, submit, fields: textFields(data) })}`
}

type UseData = FormContext & {
  csrfToken: string
  action: string
  name: string
  types: readonly Option[]
  dates: readonly string[]
  rule: string | undefined
}

/** Without a type, no event can be made. */
export const noTypesView = (words: Words): Html =>
  html`${pageHeadView({ title: words.t('template.use') })}${emptyView({ icon: 'calendar-plus', text: words.t('plan.no_types') })}`

export function useTemplateView(data: UseData): Html {
  const { words, errors, csrfToken, action } = data
  const { text, select, check } = makeFields(data)
  return html`${pageHeadView({ title: words.t('template.use'), facts: data.name })}
<div class="plan"><div class="plan-main"><p>${words.t('template.use_intro')}</p>${formView({
    words,
    csrfToken,
    errors,
    action,
    cancel: { href: TEMPLATES },
    id: 'plan',
    attributes: { 'data-plan': true },
    submit: { label: words.t('template.use_submit'), name: 'do', value: 'make' },
    extra: buttonView({ label: words.t('series.look'), kind: 'secondary', name: 'do', value: 'look' }),
    fields: html`<button class="plan-default" name="do" value="look" tabindex="-1" aria-hidden="true">${words.t('series.look')}</button>
<div id="plan-body">${text('title', words.t('plan.field.title'), { required: true })}${text('location', words.t('plan.field.location'), { required: true })}${select('type', words.t('plan.field.type_id'), data.types, { required: true })}${ruleFieldsView(data, { firstHelp: words.t('series.first_help') })}
${check('linked', words.t('series.link'), { help: words.t('series.link_help') })}</div>`,
  })}</div>
${datesView(data)}</div>`
}
