import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import type { FieldRenderer } from '#platform/ui/define-form.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fieldsetView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ListedType } from '../queries/event-types.ts'
import { TYPE_COLOURS } from '../rules/type-colours.ts'
import { eventTypeForm, moveEventsForm, newEventTypeForm, PARTICIPANT_DATA_MODES } from '../schema/event-types.ts'

export const TYPES = '/manage/event-types/'
export const typePath = (id: number, what = ''): string => `${TYPES}${id}/${what && `${what}/`}`

export type TypeRights = { add: boolean; change: boolean; move: boolean; delete: boolean }

/** Shown instead of the confirmation while events still use the type. */
export function typeInUseView({ words, type, rights }: { words: Words; type: UsedType; rights: TypeRights }): Html {
  const move = linkButtonView({ href: typePath(type.id, 'move'), label: words.t('event_type.move'), kind: 'primary' })
  const back = linkButtonView({ href: typePath(type.id), label: words.t('ui.cancel'), kind: 'quiet' })
  return html`${pageHeadView({ title: words.t('event_type.delete_title', { title: type.title }) })}
<p>${words.t('event_type.delete_used', { count: type.eventCount })}</p>
<div class="button-row">${rights.move && move}${back}</div>`
}
type UsedType = { id: number; title: string; eventCount: number }

type Mode = (typeof PARTICIPANT_DATA_MODES)[number]
const isMode = (mode: number): mode is Mode => (PARTICIPANT_DATA_MODES as readonly number[]).includes(mode)

export function typeListView(words: Words, types: readonly ListedType[], rights: TypeRights): Html {
  const add =
    rights.add && linkButtonView({ href: `${TYPES}new/`, label: words.t('event_type.new'), kind: 'primary', icon: 'plus' })
  const head = pageHeadView({
    title: words.t('event_type.list'),
    facts: words.t('event_type.intro'),
    actions: types.length ? [add] : [],
  })
  if (!types.length) return html`${head}${emptyView({ icon: 'tag', text: words.t('event_type.empty'), action: add })}`
  const table = tableView<ListedType>({
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

const stateView = (words: Words, { archivedAt }: Pick<ListedType, 'archivedAt'>): Html =>
  archivedAt
    ? badgeView({ tone: 'quiet', text: words.t('event_type.archived') })
    : badgeView({ tone: 'good', text: words.t('event_type.in_use') })

type FormData = { words: Words; csrfToken: string; state: FormState }

export function newTypeView({ words, csrfToken, state }: FormData): Html {
  return html`${pageHeadView({ title: words.t('event_type.new') })}${newEventTypeForm.view({
    words,
    csrfToken,
    state,
    action: `${TYPES}new/`,
    submit: words.t('event_type.create'),
    cancel: { href: TYPES },
  })}`
}

type Choice = { id: number; label: string; help?: string | undefined }
type TypeFormData = FormData & {
  type: ListedType
  rights: TypeRights
  choices: { groups: readonly Choice[]; qualifications: readonly Choice[]; people: readonly Choice[] }
  /** E-mail addresses that the browser may complete; empty for users who may not see others. */
  names: readonly string[]
}
type Field = FieldRenderer<keyof typeof eventTypeForm.schema.shape>

export function typeView(data: TypeFormData): Html {
  const { words, csrfToken, state, type, rights } = data
  const form = eventTypeForm.view({
    words,
    csrfToken,
    state,
    action: typePath(type.id),
    submit: words.t('event_type.save'),
    cancel: { href: TYPES },
    layout: (field) => [field('version'), lookFields(words, field), peopleFields(data, field), defaultFields(data, field)],
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

const lookFields = (words: Words, field: Field): Html =>
  fieldsetView({
    legend: words.t('event_type.section_look'),
    fields: html`${field('title')}${field('color', { attributes: { list: 'type-colours' } })}${datalistView('type-colours', TYPE_COLOURS)}`,
  })

const peopleFields = ({ words, choices }: TypeFormData, field: Field): Html =>
  fieldsetView({
    legend: words.t('event_type.section_people'),
    fields: [
      field('show_participant_data'),
      choicesView(field, 'required_qualifications', {
        choices: choices.qualifications,
        label: words.t('event_type.required'),
        none: words.t('event_type.no_qualifications'),
      }),
    ],
  })

function defaultFields({ words, choices, names }: TypeFormData, field: Field): Html {
  const groups = (name: 'audience_groups' | 'responsible_groups') =>
    choicesView(field, name, {
      choices: choices.groups,
      label: words.t(`event_type.${name}`),
      none: words.t('event_type.no_groups'),
    })
  return fieldsetView({
    legend: words.t('event_type.section_defaults'),
    help: words.t('event_type.section_defaults_help'),
    fields: [
      field('default_description'),
      field('audience'),
      groups('audience_groups'),
      groups('responsible_groups'),
      choicesView(field, 'responsible_users', {
        choices: choices.people,
        label: words.t('event_type.responsible_users'),
        none: words.t('event_type.responsible_none'),
      }),
      field('add_responsible', { attributes: { list: names.length ? 'people-names' : undefined } }),
      names.length > 0 && datalistView('people-names', names),
    ],
  })
}

const datalistView = (id: string, values: readonly string[]): Html =>
  html`<datalist id="${id}">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`

type ChoicesData = { choices: readonly Choice[]; label: string; none: string }
type ChoicesName = Extract<Parameters<Field>[0], `${string}_groups` | 'responsible_users' | 'required_qualifications'>

/** Checkboxes in columns, or the sentence `none` if there is nothing to choose. */
function choicesView(field: Field, name: ChoicesName, { choices, label, none }: ChoicesData): Html {
  if (!choices.length) return html`<div class="field"><p class="field-name">${label}</p><p class="help">${none}</p></div>`
  const options = choices.map(({ id, label, help }) => ({ value: id, label, help }))
  return html`<div class="columns">${field(name, { options })}</div>`
}

export function moveView({
  words,
  csrfToken,
  state,
  type,
  others,
}: FormData & { type: ListedType; others: readonly ListedType[] }): Html {
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
  return html`${pageHeadView({ title })}<h2>${words.t('ui.consequences')}</h2><ul>${consequences.map((each) => html`<li>${each}</li>`)}</ul>${moveEventsForm.view(
    {
      words,
      csrfToken,
      state,
      action: typePath(type.id, 'move'),
      submit: words.t('event_type.move_submit'),
      cancel: { href: typePath(type.id) },
      layout: (field) => field('to', { options: others.map(({ id, title }) => ({ value: id, label: title })) }),
    },
  )}`
}
