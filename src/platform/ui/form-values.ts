import type { FormError } from './form.ts'

/** A submitted form: a repeated name becomes a list. A checkbox that is not ticked is absent. */
export type FormValues = Record<string, string | string[]>

/** What a form shows: stored values at first, the submitted ones together with the errors after a refusal. */
export type FormState = { values: FormValues; errors: readonly FormError[] }

export const EMPTY_STATE: FormState = { values: {}, errors: [] }

/** The value of a field that is sent once; the last one if it is repeated, empty if it is absent. */
export const fieldValue = (values: FormValues, name: string): string => fieldValues(values, name).at(-1) ?? ''

export const fieldValues = (values: FormValues, name: string): string[] => [values[name] ?? []].flat()

export const isChecked = (values: FormValues, name: string): boolean => fieldValue(values, name) !== ''

export const errorOf = (errors: readonly FormError[], name: string): string | undefined =>
  errors.find(({ field }) => field === name)?.text
