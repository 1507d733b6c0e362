import { EVENT_FIELDS, type EventFieldName, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type FormContext, makeFields, moreView, plainFieldView, stepView } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup, hiddenField } from '#platform/ui/fields.ts'
import { fieldRowView, fieldsetView } from '#platform/ui/form.ts'
import { errorOf, fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'

type EventChoices = {
  types: readonly { id: number; title: string }[]
  groups: readonly { id: number; name: string; members: number; isPublishable: boolean }[]
  /** Groups that see the event and that the caller may not publish for. */
  locked: readonly number[]
  people: readonly { id: number; label: string }[]
  /** People without an account can take part. */
  hasGuests: boolean
}
export type EventFormData = FormContext & { choices: EventChoices }

/** Fields with a place of their own; others follow them. */
const LAID_OUT: readonly EventFieldName[] = ['title', 'location', 'description', 'guests_see_names']

export function eventFieldsView(data: EventFormData & { isNew: boolean }): Html {
  const { words, choices, isNew } = data
  const { text, area, select } = makeFields(data)
  const types = choices.types.map(({ id, title }) => ({ value: id, label: title }))
  const type = select('type', words.t('plan.type'), types, {
    placeholder: words.t('ui.choose'),
    help: !isNew && words.t('plan.type_help'),
  })
  return fieldsetView({
    legend: words.t('plan.what'),
    fields: html`${text('title', words.t('plan.title'), { required: true, attributes: { maxlength: EVENT_FIELDS.title.maxLength, autocomplete: 'off' } })}
${fieldRowView(text('location', words.t('plan.location'), { required: true, attributes: { maxlength: EVENT_FIELDS.location.maxLength } }), type)}
${area('description', words.t('plan.description'), { help: words.t('plan.description_help'), rows: 3 })}
${eventFields.names.filter((name) => !LAID_OUT.includes(name)).map((name) => plainFieldView(data, eventFields.fields[name], { name, label: words.t(`plan.${name}`) }))}`,
  })
}

const AUDIENCE = ['groups', 'responsible_groups', 'responsible_users', 'add_user', 'guests_see_names']

/** Folded if groups are chosen, as those of the type are for a new event. */
export function audienceView(data: EventFormData): Html {
  const { words, values, choices } = data
  const { hasErrorIn } = makeFields(data)
  const publishable = choices.groups.filter(({ isPublishable }) => isPublishable)
  const locked = choices.groups.filter(({ id, isPublishable }) => !isPublishable && choices.locked.includes(id))
  const chosen = publishable.filter(({ id }) => fieldValues(values, 'groups').includes(String(id))).map(({ name }) => name)
  return moreView({
    title: words.t('plan.who'),
    chosen: { of: 'groups', text: chosen.join(', ') },
    isOpen: !chosen.length || hasErrorIn(AUDIENCE) || fieldValue(values, 'add_user') !== '',
    body: html`${
      publishable.length
        ? groupsView(data, 'groups', words.t('plan.groups'), publishable, words.t('plan.groups_help'))
        : html`<p class="help">${words.t('plan.no_groups')}</p>`
    }
${locked.length > 0 && html`<p class="side-note">${iconView('lock', { size: 16 })}<span>${words.t('plan.locked', { groups: words.list(locked.map(({ name }) => name)) })}</span></p>`}
${groupsView(data, 'responsible_groups', words.t('plan.responsible_groups'), choices.groups, words.t('plan.responsible_help'))}
${peopleView(data)}
${guestsView(data)}`,
  })
}

/** While the module is off, the event keeps what was chosen. */
function guestsView(data: EventFormData): Html | false {
  const { words, values, choices } = data
  const name = 'guests_see_names'
  if (choices.hasGuests)
    return makeFields(data).check(name, words.t('plan.guests_see_names'), { help: words.t('plan.guests_see_names_help') })
  return isChecked(values, name) && hiddenField(name, fieldValue(values, name))
}

function groupsView(data: EventFormData, name: string, label: string, groups: EventChoices['groups'], help: string): Html {
  const { words, values, errors } = data
  const options = groups.map((group) => ({
    value: group.id,
    label: group.name,
    help: words.t('plan.members', { count: group.members }),
  }))
  const error = errorOf(errors, name)
  return html`<div class="plan-scroll">${checkboxGroup({ words, name, label, help, values: fieldValues(values, name), options, error })}</div>`
}

const MOST_MATCHES = 20
const foldText = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase().replaceAll('ß', 'ss')

/** Unticking removes a chosen person; others are added by name, or by ticking one of those whose name contains what was typed. */
function peopleView(data: EventFormData): Html {
  const { words, values, choices } = data
  const { text } = makeFields(data)
  const chosen = new Set(fieldValues(values, 'responsible_users'))
  const typed = foldText(fieldValue(values, 'add_user'))
  const isOffered = ({ id, label }: { id: number; label: string }) =>
    chosen.has(String(id)) || (typed !== '' && foldText(label).includes(typed))
  const options = choices.people
    .filter(isOffered)
    .slice(0, chosen.size + MOST_MATCHES)
    .map(({ id, label }) => ({ value: id, label }))
  return html`${options.length > 0 && checkboxGroup({ words, name: 'responsible_users', label: words.t('plan.responsible_users'), values: [...chosen], options })}
<div class="plan-choice">${text('add_user', words.t('plan.add_user'), {
    attributes: { list: 'plan-people', autocomplete: 'off' },
    help: words.t('plan.add_user_help'),
  })}${stepView({ label: words.t('plan.add_person'), step: 'refresh', icon: 'user-plus' })}</div>
<datalist id="plan-people">${choices.people.filter(({ id }) => !chosen.has(String(id))).map(({ label }) => html`<option value="${label}"></option>`)}</datalist>`
}

export const getShiftTitle = (words: Words, values: FormContext['values'], prefix: string, number: number): string => {
  const label = fieldValue(values, `${prefix}label`).trim()
  return label ? words.t('plan.shift_named', { number, label }) : words.t('plan.shift', { number })
}
