import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import {
  checkboxField,
  dateField,
  dateTimeField,
  numberField,
  type Option,
  selectField,
  textareaField,
  textField,
  timeField,
} from '#platform/ui/fields.ts'
import { buttonView, type FormError } from '#platform/ui/form.ts'
import type { IconName } from '#platform/ui/icon.ts'
import { type FormValues, isOn, many, one } from '../rules/form-values.ts'

/** What is typed, and what is wrong with it. Every field of the form is filled from here. */
export type Typed = { words: Words; values: FormValues; errors: readonly FormError[] }

type More = { help?: Child; required?: boolean; attributes?: Record<string, string | number | boolean | undefined> }

/** Fields by their name: value and mistake come by themselves. */
export function fieldsOf({ words, values, errors }: Typed) {
  const shared = (name: string, label: string, more: More) => ({
    words,
    name,
    label,
    value: one(values, name),
    error: errors.find(({ field }) => field === name)?.text,
    ...more,
  })
  return {
    text: (name: string, label: string, more: More = {}) => textField(shared(name, label, more)),
    area: (name: string, label: string, more: More & { rows?: number } = {}) => textareaField(shared(name, label, more)),
    number: (name: string, label: string, more: More & { min?: number; max?: number } = {}) =>
      numberField(shared(name, label, more)),
    date: (name: string, label: string, more: More = {}) => dateField(shared(name, label, more)),
    time: (name: string, label: string, more: More = {}) => timeField(shared(name, label, more)),
    dateTime: (name: string, label: string, more: More = {}) => dateTimeField(shared(name, label, more)),
    select: (name: string, label: string, options: readonly Option[], more: More & { placeholder?: string | false } = {}) =>
      selectField({
        placeholder: false as string | false,
        ...shared(name, label, more),
        options: withCurrent(words, options, one(values, name)),
      }),
    check: (name: string, label: string, more: More = {}) => {
      const { value: _text, ...rest } = shared(name, label, more)
      return checkboxField({ ...rest, checked: isOn(values, name) })
    },
    is: (name: string, wanted: string) => many(values, name).includes(wanted),
    hasErrorIn: (prefixes: readonly string[]) =>
      errors.some(({ field }) => field !== undefined && prefixes.some((prefix) => field.startsWith(prefix))),
  }
}

/** Something that is stored and is not offered any more stays chosen until somebody chooses otherwise. */
function withCurrent(words: Words, options: readonly Option[], current: string): readonly Option[] {
  if (current === '' || options.some(({ value }) => String(value) === current)) return options
  return [...options, { value: current, label: words.t('plan.unknown', { slug: current }) }]
}

/** Fields that belong to some choices of a field above; the others stay in the form, out of sight, with what was typed. */
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

/** Sends the whole form and comes back with it, one step further; never saves. */
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

/** Without the script, a choice shows its fields after one more click. */
export const changeView = (words: Words): Html =>
  html`<noscript>${buttonView({ label: words.t('plan.change'), kind: 'secondary', small: true, name: 'do', value: 'refresh' })}</noscript>`

export function moreView({ title, isOpen, body }: { title: string; isOpen: boolean; body: Child }): Html {
  return html`<details class="plan-more" ${attrs({ open: isOpen })}><summary>${title}</summary><div class="plan-more-body">${body}</div></details>`
}
