import { z } from 'zod'
import type { Words } from '#platform/i18n/words.ts'
import { checkbox, defineForm, type Form, number, type PlainKey, radios, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

type Keys = { label: PlainKey; help?: PlainKey }
/** `default`: the value until an administrator stores another one. */
type Setting<Value, Field> = { default: Value; field: Field }

export const onOff = ({ default: otherwise = false, ...keys }: Keys & { default?: boolean }) => ({
  default: otherwise,
  field: checkbox(keys),
})

type NumberKeys = Keys & { default: number; min: number; max: number }
export const wholeNumber = ({ default: otherwise, min, max, ...keys }: NumberKeys) => {
  const isValid = (value: string) => /^\d{0,5}$/.test(value) && Number(value) >= min && Number(value) <= max
  const typed = z.string().trim().default(String(otherwise))
  const schema = typed.refine(isValid, { error: 'form.whole_number', params: { min, max } }).transform(Number)
  return { default: otherwise, field: number({ ...keys, min, max, schema }) }
}

type ChoiceKeys<Value extends string> = Keys & {
  default: Value
  values: readonly Value[]
  optionLabel: (words: Words, value: Value) => string
}
export const choice = <const Value extends string>(
  setting: ChoiceKeys<Value>,
): Setting<Value, ReturnType<typeof radios<z.ZodType<Value>>>> => {
  const { default: otherwise, values, optionLabel, ...keys } = setting
  const options = (words: Words) => values.map((value) => ({ value, label: optionLabel(words, value) }))
  const schema = z.enum(values, 'form.invalid').default(otherwise as never) as unknown as z.ZodType<Value>
  return { default: otherwise, field: radios({ ...keys, options, schema }) }
}

type TextKeys = Keys & { maxLength: number; tooLong: PlainKey; autocomplete?: string }
export const line = ({ maxLength, tooLong, autocomplete, ...keys }: TextKeys) => ({
  default: '',
  field: text({ ...keys, attributes: { autocomplete }, schema: formLine.max(maxLength, tooLong).default('') }),
})

export const page = ({ maxLength, tooLong, ...keys }: TextKeys) => ({
  default: '',
  field: textarea({ ...keys, rows: 8, schema: formLines.refine((value) => value.length <= maxLength, tooLong).default('') }),
})

// biome-ignore lint/suspicious/noExplicitAny: each setting has its own field
type Definition = Record<string, Setting<unknown, any>>
/** Settings of any feature. */
// biome-ignore lint/suspicious/noExplicitAny: each setting has its own field
export type Settings = { fields: Record<string, any>; defaults: Record<string, unknown> }
type FieldsOf<D extends Definition> = { [Name in keyof D]: D[Name]['field'] }

/** Settings as one value: the fields of the page, defaults, reading (`getSettings`) and SQL (`settingValue`) follow from it. */
export function defineSettings<D extends Definition>(definition: D) {
  const names = Object.keys(definition) as (keyof D & string)[]
  const map = (read: (name: keyof D & string) => unknown) => Object.fromEntries(names.map((name) => [name, read(name)]))
  return {
    fields: map((name) => definition[name]!.field) as FieldsOf<D>,
    defaults: map((name) => definition[name]!.default) as z.infer<Form<FieldsOf<D>>['schema']>,
  }
}

/** One form with the fields of all of them. */
export function mergeSettings(all: readonly Settings[]) {
  const fields: Settings['fields'] = Object.assign({}, ...all.map((each) => each.fields))
  const defaults: Settings['defaults'] = Object.assign({}, ...all.map((each) => each.defaults))
  return { form: defineForm(fields), defaults }
}
