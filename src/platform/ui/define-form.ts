import { z } from 'zod'
import type { AttributeValue, Child, Html } from '#platform/html/html.ts'
import type { MessageKey, ParamsOf } from '#platform/i18n/catalogue.ts'
import { readFieldDay, readFieldMoment } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import {
  checkboxField,
  checkboxGroup,
  dateField,
  dateTimeField,
  emailField,
  fileField,
  hiddenField,
  numberField,
  type Option,
  passwordField,
  radioGroup,
  type SizeLimit,
  selectField,
  textareaField,
  textField,
} from './fields.ts'
import { type FormViewData, formView } from './form.ts'
import { formCheckbox, formIds, formText, inOneLine } from './form-schemas.ts'
import { errorOf, type FormState, fieldValue, fieldValues } from './form-values.ts'

/** Messages without parameters: a field can name them before a request exists. */
export type PlainKey = { [K in MessageKey]: keyof ParamsOf<K> extends never ? K : never }[MessageKey]

/** What depends on the request is given when the field is rendered. */
export type FieldDetails = {
  label?: string | undefined
  help?: Child
  options?: readonly Option[] | undefined
  placeholder?: string | false | undefined
  required?: boolean | undefined
  min?: string | undefined
  max?: string | undefined
  /** Of a file. */
  sizeLimit?: SizeLimit | undefined
  attributes?: Record<string, AttributeValue> | undefined
}

type Shown = FieldDetails & {
  words: Words
  name: string
  label: string
  error: string | undefined
  value: string
  values: string[]
}

/** One field of a form: how it is read, how it is shown and how a stored value becomes a form value. */
type FormField<Schema extends z.ZodType = z.ZodType, Stored = unknown> = {
  schema: Schema
  label?: PlainKey | undefined
  details: (words: Words) => FieldDetails
  view: (shown: Shown) => Html
  write: (stored: Stored) => string | string[] | undefined
}

type Settings<Schema> = {
  label: PlainKey
  help?: PlainKey | undefined
  /** The error of an empty field; `true` only marks it, for schemas that name the error themselves. */
  required?: PlainKey | true | undefined
  attributes?: Record<string, AttributeValue> | undefined
  schema?: Schema | undefined
}
type TextSettings<Schema> = Settings<Schema> & { max?: number | undefined; tooLong?: PlainKey | undefined }
type ChoiceSettings<Schema> = Settings<Schema> & {
  options?: ((words: Words) => readonly Option[]) | undefined
  placeholder?: PlainKey | false | undefined
}
type StoredText = string | number | null | undefined

const writeText = (stored: StoredText): string => String(stored ?? '')

function detailsOf({ help, required, attributes, max }: Omit<TextSettings<unknown>, 'label'>): FormField['details'] {
  return (words) => ({
    help: help && words.t(help as 'ui.choose'),
    required: required !== undefined,
    attributes: max === undefined ? attributes : { maxlength: max, ...attributes },
  })
}

function textSchema({ required, max, tooLong }: TextSettings<unknown>): z.ZodType<string> {
  let schema = formText.trim()
  if (required) schema = schema.min(1, required === true ? 'form.missing' : required)
  if (max !== undefined) schema = schema.max(max, tooLong ?? 'form.invalid')
  return required ? schema : schema.default('')
}

function makeText<Schema extends z.ZodType>(
  settings: TextSettings<Schema>,
  view: (shown: Shown) => Html,
  { hasLines = false } = {},
): FormField<Schema, StoredText> {
  const schema = settings.schema ?? (textSchema(settings) as unknown as Schema)
  return {
    schema: hasLines ? schema : inOneLine(schema),
    label: settings.label,
    details: detailsOf(settings),
    view,
    write: writeText,
  }
}

/** The schema of a field without one of its own. `NoInfer` below keeps it from being widened where a form is defined. */
type Text = z.ZodType<string>

export const text = <Schema extends z.ZodType = Text>({
  type = 'text',
  ...settings
}: TextSettings<Schema> & { type?: 'text' | 'tel' | 'url' | 'color' }): FormField<NoInfer<Schema>, StoredText> =>
  makeText(settings, (shown) => textField({ ...shown, type }))

export const textarea = <Schema extends z.ZodType = Text>({
  rows,
  ...settings
}: TextSettings<Schema> & { rows?: number }): FormField<NoInfer<Schema>, StoredText> =>
  makeText(settings, (shown) => textareaField({ ...shown, rows }), { hasLines: true })

export const email = <Schema extends z.ZodType = Text>(settings: TextSettings<Schema>): FormField<NoInfer<Schema>, StoredText> =>
  makeText(settings, emailField)

export const number = <Schema extends z.ZodType = Text>({
  min,
  max,
  ...settings
}: Settings<Schema> & { min?: number; max?: number }): FormField<NoInfer<Schema>, StoredText> =>
  makeText(settings, (shown) => numberField({ ...shown, min, max }))

/** What people typed where their browser has no field for dates is read as what such a field sends. */
function asBrowsersWrite<Schema extends z.ZodType>(
  settings: TextSettings<Schema>,
  read: (text: string) => string | undefined,
): TextSettings<Schema> {
  const inner = settings.schema ?? (textSchema(settings) as unknown as Schema)
  const schema = z.preprocess((value) => (typeof value === 'string' ? (read(value) ?? value) : value), inner)
  return { ...settings, schema: schema as unknown as Schema }
}

export const date = <Schema extends z.ZodType = Text>(settings: Settings<Schema>): FormField<NoInfer<Schema>, StoredText> =>
  makeText(asBrowsersWrite(settings, readFieldDay), dateField)

export const dateTime = <Schema extends z.ZodType = Text>(settings: Settings<Schema>): FormField<NoInfer<Schema>, StoredText> =>
  makeText(asBrowsersWrite(settings, readFieldMoment), dateTimeField)

/** A file; the form needs `enctype: 'multipart/form-data'`, and its page `uploads`. Browsers do not keep a chosen file. */
export const file = <Schema extends z.ZodType>(
  settings: Settings<Schema> & { schema: Schema },
): FormField<NoInfer<Schema>, undefined> => ({
  schema: settings.schema,
  label: settings.label,
  details: detailsOf(settings),
  view: ({ value: _value, ...shown }) => fileField(shown),
  write: () => undefined,
})

/** Passwords are never trimmed, stored or shown again. */
export const password = <Schema extends z.ZodType = Text>({
  autocomplete,
  ...settings
}: Settings<Schema> & { autocomplete: 'current-password' | 'new-password' }): FormField<NoInfer<Schema>, undefined> => ({
  schema: settings.schema ?? (z.string() as unknown as Schema),
  label: settings.label,
  details: detailsOf(settings),
  view: ({ value: _value, ...shown }) => passwordField({ ...shown, autocomplete }),
  write: () => undefined,
})

function choiceDetails(settings: ChoiceSettings<unknown>): FormField['details'] {
  const details = detailsOf(settings)
  const { options, placeholder } = settings
  return (words) => ({
    ...details(words),
    options: options?.(words),
    placeholder: placeholder ? words.t(placeholder as 'ui.choose') : placeholder,
  })
}

export const select = <Schema extends z.ZodType = Text>(
  settings: ChoiceSettings<Schema>,
): FormField<NoInfer<Schema>, StoredText> => ({
  ...makeText(settings, (shown) => selectField({ ...shown, options: shown.options ?? [] })),
  details: choiceDetails(settings),
})

export const radios = <Schema extends z.ZodType = Text>(
  settings: ChoiceSettings<Schema>,
): FormField<NoInfer<Schema>, StoredText> => ({
  ...makeText(settings, (shown) => radioGroup({ ...shown, options: shown.options ?? [] })),
  details: choiceDetails(settings),
})

export const checkboxes = <Schema extends z.ZodType = typeof formIds>(
  settings: ChoiceSettings<Schema>,
): FormField<NoInfer<Schema>, readonly (string | number)[]> => ({
  schema: settings.schema ?? (formIds as unknown as Schema),
  label: settings.label,
  details: choiceDetails(settings),
  view: (shown) => checkboxGroup({ ...shown, options: shown.options ?? [] }),
  write: (stored) => stored.map(String),
})

export const checkbox = (settings: Settings<never>): FormField<typeof formCheckbox, boolean> => ({
  schema: formCheckbox,
  label: settings.label,
  details: detailsOf(settings),
  view: ({ value, ...shown }) => checkboxField({ ...shown, checked: value !== '' }),
  write: (stored) => (stored ? 'on' : undefined),
})

export const hidden = <Schema extends z.ZodType = Text>(schema?: Schema): FormField<NoInfer<Schema>, StoredText> => ({
  schema: schema ?? (formText.default('') as unknown as Schema),
  details: () => ({}),
  view: ({ name, value }) => hiddenField(name, value),
  write: writeText,
})

// biome-ignore lint/suspicious/noExplicitAny: each field has its own type of stored value
type Fields = Record<string, FormField<any, any>>
type StoredValues<F extends Fields> = { [K in keyof F]?: F[K] extends FormField<z.ZodType, infer Stored> ? Stored : never }
/** Renders one field by its name. */
export type FieldRenderer<Name extends string> = (name: Name, details?: FieldDetails) => Html
type ViewData<Name extends string> = Omit<FormViewData, 'fields' | 'errors'> & {
  state: FormState
  /** Without a layout, all fields are shown in the order of the definition. */
  layout?: ((field: FieldRenderer<Name>) => Child) | undefined
}

export type Form<F extends Fields> = {
  /** Gives the values that a command needs, or errors whose messages are keys of the catalogue. */
  schema: z.ZodObject<{ [K in keyof F]: F[K]['schema'] }>
  /** How the form shows stored values; names that the form does not have are ignored. */
  state: (stored: StoredValues<F>) => FormState
  fields: (words: Words, state: FormState) => FieldRenderer<keyof F & string>
  view: (data: ViewData<keyof F & string>) => Html
}

/**
 * A form as one value: its fields in the order of the page. The schema, the stored values, the submitted values and the
 * place of each error follow from it.
 */
export function defineForm<F extends Fields>(fields: F): Form<F> {
  const names = Object.keys(fields)
  const schemas = Object.fromEntries(names.map((name) => [name, fields[name]!.schema]))
  const renderer = (words: Words, { values, errors }: FormState) => {
    return (name: keyof F & string, given: FieldDetails = {}): Html => {
      const { label, details, view } = fields[name]!
      const own = details(words)
      const text = label ? words.t(label as 'ui.choose') : ''
      return view({
        label: text,
        ...own,
        ...given,
        attributes: { ...own.attributes, ...given.attributes },
        words,
        name,
        error: errorOf(errors, name),
        value: fieldValue(values, name),
        values: fieldValues(values, name),
      } as Shown)
    }
  }
  return {
    schema: z.object(schemas) as Form<F>['schema'],
    state: (stored) => {
      const values = names.flatMap((name) => {
        const value = name in stored ? fields[name]!.write(stored[name]) : undefined
        return value === undefined ? [] : [[name, value]]
      })
      return { values: Object.fromEntries(values), errors: [] }
    },
    fields: renderer,
    view: ({ state, layout = (field) => names.map((name) => field(name)), ...data }) =>
      formView({ ...data, errors: state.errors, fields: layout(renderer(data.words, state)) }),
  }
}
