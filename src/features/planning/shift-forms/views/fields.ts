import type { PlainField } from '#features/events/events/rules/plain-fields.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import {
  checkboxField,
  checkboxGroup,
  dateField,
  dateTimeField,
  numberField,
  type Option,
  selectField,
  textareaField,
  textField,
  timeField,
  whichTimeField,
} from '#platform/ui/fields.ts'
import { buttonView, type FormError } from '#platform/ui/form.ts'
import { errorOf, type FormValues, fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'
import type { IconName } from '#platform/ui/icon.ts'
import { type Fault, faultText } from '../rules/form-rows.ts'
import { whichField } from '../rules/shift-form.ts'

/** Values and errors of a form whose fields have computed names. */
export type FormContext = { words: Words; values: FormValues; errors: readonly FormError[] }

export type ShiftChoices = {
  qualifications: readonly Option[]
  blocks: readonly Option[]
  /** Slugs that can be chosen, including one that only this shift still uses. */
  flows: readonly string[]
  structures: readonly string[]
  leaders: readonly Option[]
  /** People may bring others. */
  canBring: boolean
  questions: readonly { id: number; name: string; text: string; isArchived: boolean }[]
}
export type ShiftFormData = FormContext & {
  row: number
  title: string
  isRemovable: boolean
  choices: ShiftChoices
  /** A row that unfolds to the fields; undefined if the fields are always shown. */
  folded?: { facts: string; isOpen: boolean } | undefined
}

type More = { help?: Child; required?: boolean; attributes?: Record<string, string | number | boolean | undefined> }

/** Field views by name, with the value and the error of that name. */
export function makeFields({ words, values, errors }: FormContext) {
  const shared = (name: string, label: string, more: More) => ({
    words,
    name,
    label,
    value: fieldValue(values, name),
    error: errorOf(errors, name),
    ...more,
  })
  /** Only for a time that occurs twice, because the clocks are set back. */
  const which = (name: string) => {
    const value = fieldValue(values, whichField(name))
    const isAsked = errorOf(errors, name) === words.t('form.time_ambiguous')
    return (value !== '' || isAsked) && whichTimeField({ words, name: whichField(name), value })
  }
  return {
    text: (name: string, label: string, more: More = {}) => textField(shared(name, label, more)),
    area: (name: string, label: string, more: More & { rows?: number } = {}) => textareaField(shared(name, label, more)),
    number: (name: string, label: string, more: More & { min?: number; max?: number } = {}) =>
      numberField(shared(name, label, more)),
    date: (name: string, label: string, more: More = {}) => dateField(shared(name, label, more)),
    time: (name: string, label: string, more: More = {}) => html`${timeField(shared(name, label, more))}${which(name)}`,
    dateTime: (name: string, label: string, more: More = {}) => html`${dateTimeField(shared(name, label, more))}${which(name)}`,
    select: (name: string, label: string, options: readonly Option[], more: More & { placeholder?: string | false } = {}) =>
      selectField({
        placeholder: false as string | false,
        ...shared(name, label, more),
        options: withCurrent(words, options, fieldValue(values, name)),
      }),
    check: (name: string, label: string, more: More = {}) => {
      const { value: _text, ...rest } = shared(name, label, more)
      return checkboxField({ ...rest, checked: isChecked(values, name) })
    },
    checks: (name: string, label: string, options: readonly Option[], more: More = {}) =>
      checkboxGroup({ ...shared(name, label, more), values: fieldValues(values, name), options }),
    is: (name: string, wanted: string) => fieldValues(values, name).includes(wanted),
    hasErrorIn: (prefixes: readonly string[]) =>
      errors.some(({ field }) => field !== undefined && prefixes.some((prefix) => field.startsWith(prefix))),
  }
}

export function plainFieldView(
  context: FormContext,
  field: PlainField,
  { name, label, help }: { name: string; label: string; help?: string },
): Html {
  const { text, area, number, check } = makeFields(context)
  if (field.type === 'flag') return check(name, label, { help })
  if (field.type === 'number') return number(name, label, { help, min: field.min, max: field.max })
  if (field.type === 'lines') return area(name, label, { help })
  return text(name, label, { help, required: field.isRequired === true, attributes: { maxlength: field.maxLength } })
}

/** Keep a stored value selectable that is no longer offered. */
function withCurrent(words: Words, options: readonly Option[], current: string): readonly Option[] {
  if (current === '' || options.some(({ value }) => String(value) === current)) return options
  return [...options, { value: current, label: words.t('plan.unknown', { slug: current }) }]
}

/** Fields that apply only to some values of the field `of`. Hidden panels keep their values. */
export function panelView({
  of,
  when,
  isShown,
  body,
}: {
  of: string
  when: readonly string[]
  isShown: boolean
  body: Child
}): Html {
  return html`<div class="plan-panel" ${attrs({ 'data-panel': of, 'data-when': when.join(' '), hidden: !isShown })}>${body}</div>`
}

/** Submits the form to apply one step, such as adding a row, and shows it again without saving. */
export function stepView({
  label,
  step,
  icon,
  kind = 'secondary',
  name,
}: {
  label: string
  step: string
  icon?: IconName
  kind?: 'secondary' | 'quiet'
  name?: string
}): Html {
  return buttonView({
    label,
    kind,
    icon,
    small: true,
    name: 'do',
    value: step,
    attributes: { formnovalidate: true, 'data-step': true, 'aria-label': name },
  })
}

/** Without JavaScript, this button shows the fields of the chosen value. */
export const changeView = (words: Words): Html =>
  html`<noscript>${buttonView({ label: words.t('plan.change'), kind: 'secondary', small: true, name: 'do', value: 'refresh' })}</noscript>`

type MoreData = {
  title: string
  /** What a folded part says about the fields with this name. The script keeps it up to date. */
  chosen?: { of: string; text: string }
  isOpen: boolean
  body: Child
}

export function moreView({ title, chosen, isOpen, body }: MoreData): Html {
  const said = chosen && html`<span class="plan-chosen" data-chosen="${chosen.of}">${chosen.text}</span>`
  return html`<details class="plan-more" ${attrs({ open: isOpen })}><summary>${title}${said}</summary><div class="plan-more-body">${body}</div></details>`
}

export const faultErrors = (words: Words, faults: readonly Fault[]): FormError[] =>
  faults.map(({ field, code }) => ({ field, text: faultText(words, code) }))
