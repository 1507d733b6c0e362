import { z } from 'zod'
import type { Words } from '#platform/i18n/words.ts'
import { checkbox, defineForm, type Form, number, type PlainKey, radios, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

/** Parts of the page of the organisation. */
export const SECTIONS = ['about', 'accounts', 'families', 'rules', 'legal'] as const
type Section = (typeof SECTIONS)[number]

type Keys = { label: PlainKey; help?: PlainKey; section?: Section }
/** `default`: the value until an administrator stores another one. `section`: where the page shows the field. */
type Setting<Value, Field> = { section?: Section | undefined; default: Value; field: Field }

export const onOff = ({ section, default: otherwise = false, ...keys }: Keys & { default?: boolean }) => ({
  section,
  default: otherwise,
  field: checkbox(keys),
})

type NumberKeys = Keys & { default: number; min: number; max: number }
export const wholeNumber = ({ section, default: otherwise, min, max, ...keys }: NumberKeys) => {
  const isValid = (value: string) => /^\d{0,5}$/.test(value) && Number(value) >= min && Number(value) <= max
  const typed = z.string().trim().default(String(otherwise))
  const schema = typed.refine(isValid, { error: 'form.whole_number', params: { min, max } }).transform(Number)
  return { section, default: otherwise, field: number({ ...keys, min, max, schema }) }
}

type ChoiceKeys<Value extends string> = Keys & {
  default: Value
  values: readonly Value[]
  optionLabel: (words: Words, value: Value) => string
}
export const choice = <const Value extends string>(
  setting: ChoiceKeys<Value>,
): Setting<Value, ReturnType<typeof radios<z.ZodType<Value>>>> => {
  const { section, default: otherwise, values, optionLabel, ...keys } = setting
  const options = (words: Words) => values.map((value) => ({ value, label: optionLabel(words, value) }))
  const schema = z.enum(values, 'form.invalid').default(otherwise as never) as unknown as z.ZodType<Value>
  return { section, default: otherwise, field: radios({ ...keys, options, schema }) }
}

type TextKeys = Keys & { maxLength: number; tooLong: PlainKey; autocomplete?: string }
export const line = ({ section, maxLength, tooLong, autocomplete, ...keys }: TextKeys) => ({
  section,
  default: '',
  field: text({ ...keys, attributes: { autocomplete }, schema: formLine.max(maxLength, tooLong).default('') }),
})

export const page = ({ section, maxLength, tooLong, ...keys }: TextKeys) => ({
  section,
  default: '',
  field: textarea({ ...keys, rows: 8, schema: formLines.refine((value) => value.length <= maxLength, tooLong).default('') }),
})

// biome-ignore lint/suspicious/noExplicitAny: each setting has its own field
type Definition = Record<string, Setting<unknown, any>>
type FieldsOf<D extends Definition> = { [Name in keyof D]: D[Name]['field'] }

/** Settings as one value: form, defaults and sections of the page follow from it. */
export function defineSettings<D extends Definition>(definition: D) {
  const names = Object.keys(definition) as (keyof D & string)[]
  const map = (read: (name: keyof D & string) => unknown) => Object.fromEntries(names.map((name) => [name, read(name)]))
  return {
    form: defineForm(map((name) => definition[name]!.field) as FieldsOf<D>),
    defaults: map((name) => definition[name]!.default) as z.infer<Form<FieldsOf<D>>['schema']>,
    namesIn: (section: Section) => names.filter((name) => definition[name]!.section === section),
  }
}
