import { type AttributeValue, attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { DayFaults } from '#platform/i18n/filter-days.ts'
import { readFieldDay, readFieldMoment, readTypedTime } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import { fieldId } from './form.ts'
import { iconView } from './icon.ts'

type FieldData = {
  words: Words
  name: string
  label: string
  help?: Child
  error?: string | undefined
  required?: boolean | undefined
  /** Needed only if a page has two fields of the same name. */
  id?: string | undefined
  attributes?: Record<string, AttributeValue> | undefined
}
type InputData = FieldData & { value?: string | number | null | undefined }
export type Option = { value: string | number; label: string; help?: string | undefined; disabled?: boolean | undefined }

export const textField = (data: InputData & { type?: 'text' | 'search' | 'tel' | 'url' | 'color' }): Html =>
  input(data.type ?? 'text', data)
export const emailField = (data: InputData): Html =>
  input('email', data, { autocomplete: 'email', autocapitalize: 'none', spellcheck: 'false' })
/** Never shows a submitted password again. */
export const passwordField = (data: FieldData & { autocomplete: 'current-password' | 'new-password' }): Html =>
  input('password', data, { autocomplete: data.autocomplete })
export const numberField = (
  data: InputData & { min?: number | undefined; max?: number | undefined; step?: number | 'any' },
): Html =>
  input('number', data, {
    min: data.min,
    max: data.max,
    step: data.step,
    inputmode: data.step === undefined ? 'numeric' : 'decimal',
  })
export const dateField = (data: InputData & { min?: string | undefined; max?: string | undefined }): Html =>
  input('date', { ...data, value: readFieldDay(String(data.value ?? '')) ?? data.value }, { min: data.min, max: data.max })
/** One of the days that a list is filtered by; what was typed and cannot be read stays, with the reason below. */
export function filterDayField({ faults, ...data }: InputData & { faults: DayFaults }): Html {
  const fault = faults[data.name]
  if (!fault) return dateField(data)
  const { words } = data
  const example = words.date(new Date('2026-11-14T12:00:00Z'))
  return dateField({ ...data, value: fault.text, error: words.t(`form.day_${fault.code}`, { text: fault.text, example }) })
}
export const timeField = (data: InputData): Html =>
  input('time', { ...data, value: readTypedTime(String(data.value ?? '')) ?? data.value })
export const dateTimeField = (data: InputData & { min?: string | undefined; max?: string | undefined }): Html =>
  input(
    'datetime-local',
    { ...data, value: readFieldMoment(String(data.value ?? '')) ?? data.value },
    { min: data.min, max: data.max },
  )

/** Asks which of two equal local times is meant, after the clocks were set back. */
export const whichTimeField = ({ words, name, value }: { words: Words; name: string; value: string }): Html =>
  selectField({
    words,
    name,
    value,
    label: words.t('form.which'),
    options: [
      { value: 'earlier', label: words.t('form.which_earlier') },
      { value: 'later', label: words.t('form.which_later') },
    ],
  })

/** `sizeLimit`: a larger file is refused with this message before it is uploaded; without scripts only the server refuses it. */
export function fileField(data: FieldData & { accept?: string; sizeLimit?: SizeLimit | undefined }): Html {
  const { accept, sizeLimit, words, name, id = fieldId(name) } = data
  const control = (shared: Record<string, AttributeValue>) =>
    html`<input ${attrs({ type: 'file', accept, 'data-max-bytes': sizeLimit?.maxBytes, ...shared })}>`
  const tooLarge = sizeLimit && html`<template data-too-large>${errorView(words, id, sizeLimit.message)}</template>`
  return field(data, control, tooLarge)
}
export type SizeLimit = { maxBytes: number; message: string }

export function hiddenField(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

export function textareaField(data: InputData & { rows?: number | undefined }): Html {
  // The HTML parser drops the first newline, so add one to keep a leading newline of the text.
  return field(
    data,
    (shared) => html`<textarea ${attrs({ rows: data.rows ?? 4, ...shared })}>${'\n'}${data.value ?? ''}</textarea>`,
  )
}

export function selectField(data: InputData & { options: readonly Option[]; placeholder?: string | false | undefined }): Html {
  const chosen = String(data.value ?? '')
  const placeholder = data.placeholder === false ? false : (data.placeholder ?? data.words.t('ui.choose'))
  // Without an empty choice there is nothing that a browser could require.
  const isOpen = placeholder !== false
  return field(
    data,
    (shared) =>
      html`<select ${attrs({ ...shared, required: isOpen && shared.required })}>${isOpen && html`<option value="">${placeholder}</option>`}${data.options.map(
        ({ value, label, disabled }) =>
          html`<option ${attrs({ value, selected: String(value) === chosen, disabled })}>${label}</option>`,
      )}</select>`,
  )
}

export function radioGroup(data: InputData & { options: readonly Option[] }): Html {
  const chosen = String(data.value ?? '')
  return group(data, (option) => ({ type: 'radio', checked: String(option.value) === chosen, required: data.required }))
}

export function checkboxGroup(
  data: FieldData & { values?: readonly (string | number)[] | undefined; options: readonly Option[] },
): Html {
  const chosen = new Set((data.values ?? []).map(String))
  return group(data, (option) => ({ type: 'checkbox', checked: chosen.has(String(option.value)) }))
}

export function checkboxField(data: FieldData & { checked?: boolean | undefined; value?: string | undefined }): Html {
  const { id, describedBy } = idsOf(data)
  const box = { type: 'checkbox', id, name: data.name, value: data.value ?? 'on', checked: data.checked, required: data.required }
  return html`<div class="field${data.error && ' wrong'}"><label class="choice" for="${id}"><input ${attrs({ ...box, ...state(data, describedBy), ...data.attributes })}><span>${data.label}${requiredMark(data)}</span></label>${below(data, id)}</div>`
}

function input(type: string, data: InputData, more: Record<string, AttributeValue> = {}): Html {
  return field(data, (shared) => html`<input ${attrs({ type, value: data.value, ...more, ...shared })}>`)
}

function field(data: FieldData, control: (shared: Record<string, AttributeValue>) => Html, after?: Html): Html {
  const { id, describedBy } = idsOf(data)
  const shared = { id, name: data.name, required: data.required, ...state(data, describedBy), ...data.attributes }
  return html`<div class="field${data.error && ' wrong'}"><label for="${id}">${data.label}${requiredMark(data)}</label>${control(shared)}${below(data, id)}${after}</div>`
}

function group(
  data: FieldData & { options: readonly Option[] },
  stateOf: (option: Option) => Record<string, AttributeValue>,
): Html {
  const { id, describedBy } = idsOf(data)
  return html`<fieldset class="field group${data.error && ' wrong'}" ${attrs({ 'data-field': id, 'aria-describedby': describedBy, ...data.attributes })}><legend>${data.label}${requiredMark(data)}</legend>${data.options.map(
    (option, index) => {
      // The first option has the id of the field, which the error summary links to.
      const optionId = index === 0 ? id : `${id}-${index}`
      const helpId = option.help && `${optionId}-option-help`
      const shared = { id: optionId, name: data.name, value: option.value, disabled: option.disabled, 'aria-describedby': helpId }
      return html`<label class="choice" for="${optionId}"><input ${attrs({ ...stateOf(option), ...shared, 'aria-invalid': data.error ? 'true' : undefined })}><span>${option.label}${option.help && html`<small ${attrs({ id: helpId })}>${option.help}</small>`}</span></label>`
    },
  )}${below(data, id)}</fieldset>`
}

function idsOf(data: FieldData): { id: string; describedBy: string | undefined } {
  const id = data.id ?? fieldId(data.name)
  const parts = [data.error && `${id}-error`, data.help && `${id}-help`].filter(Boolean)
  return { id, describedBy: parts.length > 0 ? parts.join(' ') : undefined }
}

function state(data: FieldData, describedBy: string | undefined): Record<string, AttributeValue> {
  return { 'aria-describedby': describedBy, 'aria-invalid': data.error ? 'true' : undefined }
}

function requiredMark(data: FieldData): Html | false {
  return data.required === true && html` <span class="required">${data.words.t('ui.required')}</span>`
}

function below(data: FieldData, id: string): Html {
  return html`${data.error && errorView(data.words, id, data.error)}${data.help && html`<p class="help" id="${id}-help">${data.help}</p>`}`
}

const errorView = (words: Words, id: string, error: string): Html =>
  html`<p class="field-error" id="${id}-error">${iconView('circle-alert', { size: 16 })}<span><span class="sr-only">${words.t('ui.label', { label: words.t('ui.error') })} </span>${error}</span></p>`
