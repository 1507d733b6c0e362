import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { emptyView } from '#platform/ui/empty.ts'
import {
  checkboxGroup,
  hiddenField,
  type Option,
  radioGroup,
  selectField,
  textareaField,
  textField,
} from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { TYPE_COLOURS } from '../rules/type-colours.ts'

export const TYPES = '/manage/event-types/'
export const typePath = (id: number, what = ''): string => `${TYPES}${id}/${what && `${what}/`}`

export type TypeLine = {
  id: number
  title: string
  color: string
  showParticipantData: number
  archivedAt: Date | null
  eventCount: number
}
/** What the person may do here, besides looking. */
/** Instead of the question whether to delete it. */
export function typeInUseView({ words, type, rights }: { words: Words; type: UsedType; rights: TypeRights }): Html {
  const move = linkButtonView({ href: typePath(type.id, 'move'), label: words.t('event_type.move'), kind: 'primary' })
  const back = linkButtonView({ href: typePath(type.id), label: words.t('ui.cancel'), kind: 'quiet' })
  return html`${pageHeadView({ title: words.t('event_type.delete_title', { title: type.title }) })}
<p>${words.t('event_type.delete_used', { count: type.eventCount })}</p>
<div class="button-row">${rights.move && move}${back}</div>`
}
type UsedType = { id: number; title: string; eventCount: number }

export type TypeRights = { add: boolean; change: boolean; move: boolean; delete: boolean }

const SHOWS = [0, 1, 2, 3] as const
const isMode = (mode: number): mode is (typeof SHOWS)[number] => (SHOWS as readonly number[]).includes(mode)

export function typeListView(words: Words, types: readonly TypeLine[], rights: TypeRights): Html {
  const add =
    rights.add && linkButtonView({ href: `${TYPES}new/`, label: words.t('event_type.new'), kind: 'primary', icon: 'plus' })
  const head = pageHeadView({
    title: words.t('event_type.list'),
    facts: words.t('event_type.intro'),
    actions: types.length ? [add] : [],
  })
  if (!types.length) return html`${head}${emptyView({ icon: 'tag', text: words.t('event_type.empty'), action: add })}`
  const table = tableView<TypeLine>({
    caption: words.t('event_type.list'),
    rows: types,
    columns: [
      {
        label: words.t('event_type.title'),
        main: true,
        cell: ({ id, title, color }) =>
          html`<span class="dotted">${dotView(color)}${rights.change ? html`<a href="${typePath(id)}">${title}</a>` : title}</span>`,
      },
      {
        label: words.t('event_type.participants'),
        cell: ({ showParticipantData: mode }) => isMode(mode) && words.t(`event_type.short_${mode}`),
      },
      { label: words.t('event_type.state'), cell: (type) => stateView(words, type) },
      { label: words.t('event_type.events'), cell: ({ eventCount }) => words.number(eventCount), numeric: true },
    ],
  })
  return html`${head}${table}`
}

const stateView = (words: Words, { archivedAt }: Pick<TypeLine, 'archivedAt'>): Html =>
  archivedAt
    ? badgeView({ tone: 'quiet', text: words.t('event_type.archived') })
    : badgeView({ tone: 'good', text: words.t('event_type.in_use') })

type FormBasis = { words: Words; csrfToken: string; errors: readonly FormError[] }
const errorOf = (errors: readonly FormError[], name: string) => errors.find(({ field }) => field === name)?.text

export function newTypeView({ words, csrfToken, errors, title }: FormBasis & { title: string }): Html {
  const fields = textField({
    words,
    name: 'title',
    value: title,
    label: words.t('event_type.title'),
    help: words.t('event_type.new_help'),
    error: errorOf(errors, 'title'),
    required: true,
    attributes: { maxlength: 254, autofocus: true },
  })
  return html`${pageHeadView({ title: words.t('event_type.new') })}${formView({
    words,
    csrfToken,
    errors,
    fields,
    action: `${TYPES}new/`,
    submit: words.t('event_type.create'),
    cancel: { href: TYPES },
  })}`
}

export type TypeFields = {
  title: string
  color: string
  showParticipantData: string
  defaultDescription: string
  audience: string
  audienceGroups: readonly string[]
  responsibleGroups: readonly string[]
  responsibleUsers: readonly string[]
  addResponsible: string
  requiredQualifications: readonly string[]
  version: string
}
type Choice = { id: number; label: string; help?: string | undefined }
export type TypeFormData = FormBasis & {
  type: TypeLine
  rights: TypeRights
  fields: TypeFields
  choices: { groups: readonly Choice[]; qualifications: readonly Choice[]; people: readonly Choice[] }
  /** E-mail addresses that the browser may complete; empty for whoever may not see people. */
  names: readonly string[]
}

const optionsOf = (choices: readonly Choice[]): Option[] => choices.map(({ id, label, help }) => ({ value: id, label, help }))

export function typeView(data: TypeFormData): Html {
  const { words, csrfToken, errors, type, fields, rights } = data
  const form = formView({
    words,
    csrfToken,
    errors,
    action: typePath(type.id),
    submit: words.t('event_type.save'),
    cancel: { href: TYPES },
    fields: html`${hiddenField('version', fields.version)}${lookFields(data)}${peopleFields(data)}${defaultFields(data)}`,
  })
  const link = (what: 'archive' | 'move' | 'delete', label: string) =>
    linkButtonView({ href: typePath(type.id, what), label, kind: what === 'delete' ? 'danger' : 'secondary' })
  const archive = type.archivedAt
    ? postButtonView({ action: typePath(type.id, 'restore'), csrfToken, label: words.t('event_type.restore'), kind: 'secondary' })
    : link('archive', words.t('event_type.archive'))
  const more = html`<div class="button-row">${archive}${rights.move && type.eventCount > 0 && link('move', words.t('event_type.move'))}${rights.delete && type.eventCount === 0 && link('delete', words.t('event_type.delete'))}</div>`
  return html`${pageHeadView({
    title: type.title,
    badge: type.archivedAt ? stateView(words, type) : undefined,
    facts: html`<span class="dotted">${dotView(type.color)}${words.t('event_type.event_count', { count: type.eventCount })}</span>`,
  })}
${form}
${cardView({ title: words.t('event_type.more'), body: more })}`
}

function lookFields({ words, errors, fields }: TypeFormData): Html {
  return fieldsetView({
    legend: words.t('event_type.section_look'),
    fields: html`${textField({
      words,
      name: 'title',
      value: fields.title,
      label: words.t('event_type.title'),
      error: errorOf(errors, 'title'),
      required: true,
      attributes: { maxlength: 254 },
    })}${textField({
      words,
      type: 'color',
      name: 'color',
      value: fields.color,
      label: words.t('event_type.color'),
      help: words.t('event_type.color_help'),
      error: errorOf(errors, 'color'),
      attributes: { list: 'type-colours' },
    })}<datalist id="type-colours">${TYPE_COLOURS.map((colour) => html`<option value="${colour}"></option>`)}</datalist>`,
  })
}

function peopleFields({ words, errors, fields, choices }: TypeFormData): Html {
  return fieldsetView({
    legend: words.t('event_type.section_people'),
    fields: html`${radioGroup({
      words,
      name: 'show_participant_data',
      value: fields.showParticipantData,
      label: words.t('event_type.shows'),
      help: words.t('event_type.shows_help'),
      error: errorOf(errors, 'show_participant_data'),
      options: SHOWS.map((mode) => ({ value: mode, label: words.t(`event_type.shows_${mode}`) })),
    })}${choiceGroup(words, {
      name: 'required_qualifications',
      label: words.t('event_type.required'),
      help: words.t('event_type.required_help'),
      error: errorOf(errors, 'required_qualifications'),
      values: fields.requiredQualifications,
      choices: choices.qualifications,
      none: words.t('event_type.no_qualifications'),
    })}`,
  })
}

function defaultFields({ words, errors, fields, choices, names }: TypeFormData): Html {
  const groups = (name: 'audience_groups' | 'responsible_groups', values: readonly string[]) =>
    choiceGroup(words, {
      name,
      values,
      choices: choices.groups,
      none: words.t('event_type.no_groups'),
      label: words.t(`event_type.${name}`),
      error: errorOf(errors, name),
    })
  return fieldsetView({
    legend: words.t('event_type.section_defaults'),
    help: words.t('event_type.section_defaults_help'),
    fields: html`${textareaField({
      words,
      name: 'default_description',
      value: fields.defaultDescription,
      label: words.t('event_type.description'),
      help: words.t('event_type.description_help'),
      error: errorOf(errors, 'default_description'),
      rows: 5,
    })}${radioGroup({
      words,
      name: 'audience',
      value: fields.audience,
      label: words.t('event_type.audience'),
      error: errorOf(errors, 'audience'),
      options: [
        { value: 'all', label: words.t('event_type.audience_all') },
        { value: 'chosen', label: words.t('event_type.audience_chosen') },
      ],
    })}${groups('audience_groups', fields.audienceGroups)}${groups('responsible_groups', fields.responsibleGroups)}${choiceGroup(
      words,
      {
        name: 'responsible_users',
        label: words.t('event_type.responsible_users'),
        values: fields.responsibleUsers,
        choices: choices.people,
        none: words.t('event_type.responsible_none'),
      },
    )}${textField({
      words,
      name: 'add_responsible',
      value: fields.addResponsible,
      label: words.t('event_type.add_responsible'),
      help: words.t('event_type.add_responsible_help'),
      error: errorOf(errors, 'add_responsible'),
      attributes: { list: names.length ? 'people-names' : undefined, autocomplete: 'off' },
    })}${names.length > 0 && html`<datalist id="people-names">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`}`,
  })
}

type GroupData = {
  name: string
  label: string
  help?: string
  error?: string | undefined
  values: readonly string[]
  choices: readonly Choice[]
  none: string
}

/** Boxes in columns; where there is nothing to choose, a sentence says so. */
function choiceGroup(words: Words, { choices, none, name, ...data }: GroupData): Html {
  if (!choices.length) return html`<div class="field"><p class="field-name">${data.label}</p><p class="help">${none}</p></div>`
  return html`<div class="columns">${checkboxGroup({ words, name, ...data, options: optionsOf(choices) })}</div>`
}

export function moveView({
  words,
  csrfToken,
  errors,
  type,
  others,
  to,
}: FormBasis & { type: TypeLine; others: readonly TypeLine[]; to: string }): Html {
  const title = words.t('event_type.move_title', { title: type.title })
  const back = linkButtonView({ href: typePath(type.id), label: words.t('ui.cancel'), kind: 'secondary' })
  if (!type.eventCount || !others.length) {
    const text = words.t(type.eventCount ? 'event_type.move_nowhere' : 'event_type.move_none')
    return html`${pageHeadView({ title })}${emptyView({ icon: 'tag', text, action: back })}`
  }
  const consequences = [
    words.t('event_type.move_count', { count: type.eventCount }),
    words.t('event_type.move_shows'),
    words.t('event_type.move_stays'),
  ]
  return html`${pageHeadView({ title })}<h2>${words.t('ui.consequences')}</h2><ul>${consequences.map((each) => html`<li>${each}</li>`)}</ul>${formView(
    {
      words,
      csrfToken,
      errors,
      action: typePath(type.id, 'move'),
      submit: words.t('event_type.move_submit'),
      cancel: { href: typePath(type.id) },
      fields: selectField({
        words,
        name: 'to',
        value: to,
        label: words.t('event_type.move_to'),
        error: errorOf(errors, 'to'),
        required: true,
        options: others.map(({ id, title }) => ({ value: id, label: title })),
      }),
    },
  )}`
}
