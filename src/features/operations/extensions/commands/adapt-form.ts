import { z } from 'zod'
import type { Context, FieldValues, FormField, FormSection, Reader } from '#extension'
import type { FormSection as CoreSection } from '#features/planning/planning/points.ts'
import { transact } from '#platform/db/transaction.ts'
import { type Html, html } from '#platform/html/html.ts'
import { formErrors } from '#platform/http/form-errors.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxField, hiddenField, numberField, selectField, textareaField, textField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView } from '#platform/ui/form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'
import { errorOf, type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { moduleOf } from '../rules/names.ts'
import type { Host } from './adapt-requests.ts'
import { contextFor, readerOf, textsOf } from './contexts.ts'
import { within } from './guard.ts'

const SWITCHED_ON = 'on'
const MAX_LENGTH = 2000

function schemaOf({ kind, options = [], isRequired }: FormField): z.ZodType<string> {
  const text = (kind === 'textarea' ? formLines : formLine).refine((value) => [...value].length <= MAX_LENGTH, 'form.invalid')
  const fits = (value: string): boolean => {
    if (value === '') return true
    if (kind === 'number') return Number.isFinite(Number(value.replace(',', '.')))
    if (kind === 'choice') return options.some((option) => option.value === value)
    return kind !== 'switch' || value === SWITCHED_ON
  }
  const checked = text.refine((value) => !isRequired || value !== '', 'form.missing').refine(fits, 'form.invalid')
  return kind === 'number' ? checked.transform((value) => value.replace(',', '.')).default('') : checked.default('')
}

/** The names of its fields begin with its own name. Undefined input: the form did not show the section. */
export function adaptFormSection(
  { name, guard, budgets }: Host,
  form: 'event form' | 'shift form',
  section: FormSection,
): CoreSection<FieldValues | undefined> {
  const { title, fields, read, save } = section
  const marker = `${moduleOf(name)}_shown`
  const fieldName = (field: string) => `${moduleOf(name)}__${field}`
  const fieldSchema = z.object(Object.fromEntries(fields.map((field) => [fieldName(field.name), schemaOf(field)])))
  const schema = z.record(z.string(), z.unknown()).transform((values, refused): FieldValues | undefined => {
    if (values[marker] === undefined) return undefined
    const parsed = fieldSchema.safeParse(values)
    for (const { path, message } of parsed.error?.issues ?? []) refused.addIssue({ code: 'custom', path, message })
    const given = (parsed.data ?? {}) as Record<string, string>
    return Object.fromEntries(
      fields.flatMap((field) => {
        const value = given[fieldName(field.name)] ?? ''
        return value === '' ? [] : [[field.name, value]]
      }),
    )
  })
  return {
    schema,
    show: async ({ context }, id, typed) => {
      const { words } = context
      const stored =
        typed || id === undefined
          ? {}
          : await guard.omit(form, budgets.sectionMs, async () =>
              z.record(z.string(), z.string()).parse(await read(contextFor(name, context), { id })),
            )
      // Without the stored values, saving would replace them by nothing.
      if (!stored) return html``
      const parsed = typed && schema.safeParse(typed)
      const values: FormValues =
        typed ?? Object.fromEntries(Object.entries(stored).map(([field, value]) => [fieldName(field), value]))
      const errors = parsed?.error ? formErrors(parsed.error, words) : []
      const t = textsOf(name, words)
      return html`${hiddenField(marker, '1')}${fieldsetView({
        legend: t(title),
        fields: fields.map((field) => fieldView(words, { ...field, name: fieldName(field.name) }, { t, values, errors })),
      })}`
    },
    save: async (tx, _context, id, values) => {
      if (!values) return
      await guard.omit(form, budgets.requestMs, () =>
        transact(tx, async (part) => {
          let isOver = false
          // Its code may go on after its time, but not in the transaction of the form.
          const query: Reader['query'] = async (statement, given) => {
            if (isOver) throw new Error('the transaction is over')
            return readerOf(part).query(statement, given)
          }
          try {
            await within(budgets.sectionMs, () => save({ query }, { id }, values))
          } finally {
            isOver = true
          }
        }),
      )
    },
  }
}

type Shown = { t: Context['t']; values: FormValues; errors: readonly FormError[] }

function fieldView(words: Words, { name, label, help, kind, options = [], isRequired }: FormField, shown: Shown): Html {
  const { t, values, errors } = shown
  const value = fieldValue(values, name)
  const field = {
    words,
    name,
    label: t(label),
    help: help === undefined ? undefined : t(help),
    error: errorOf(errors, name),
    required: isRequired,
  }
  switch (kind) {
    case 'switch':
      return checkboxField({ ...field, checked: value === SWITCHED_ON, value: SWITCHED_ON })
    case 'choice':
      return selectField({ ...field, value, options: options.map((option) => ({ value: option.value, label: t(option.label) })) })
    case 'number':
      return numberField({ ...field, value, step: 'any' })
    case 'textarea':
      return textareaField({ ...field, value })
    case 'text':
      return textField({ ...field, value })
  }
}
