import type { z } from 'zod'
import { isMessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { ErrorCode } from './error-codes.ts'
import { type InputError, Problem } from './problem.ts'

/** Issue messages of form schemas are message keys, their `params` fill them; issues without a key get a general text. */
export function formErrors(error: z.ZodError, words: Words): FormError[] {
  const seen = new Set<string>()
  return error.issues.flatMap((issue) => {
    const field = issue.path.length ? String(issue.path[0]) : undefined
    // One error per field: the first one.
    if (field !== undefined && seen.has(field)) return []
    if (field !== undefined) seen.add(field)
    return [{ field, text: issueText(issue, words) }]
  })
}

type BodyOptions = {
  words: Words
  /** Keys of the body by the names of fields; a field that is missing here has the same name. */
  keys?: Readonly<Record<string, string>>
}

/**
 * Judges values of a write by the schema of the form on the pages, so that both have the same rules. The code of an error is the last
 * part of its message key.
 */
export function parseLikeForm<T>(schema: z.ZodType<T>, values: Record<string, unknown>, { words, keys = {} }: BodyOptions): T {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue): InputError => {
    const field = String(issue.path[0] ?? '')
    const code = isMessageKey(issue.message) ? (issue.message.split('.').at(-1)! as ErrorCode) : issue.code
    return { pointer: field === '' ? '' : `/${keys[field] ?? field}`, code, detail: issueText(issue, words) }
  })
  throw new Problem('invalid_input', {
    errors: errors.filter(({ pointer }, at) => errors.findIndex((one) => one.pointer === pointer) === at),
  })
}

function issueText(issue: z.core.$ZodIssue, words: Words): string {
  const params = issue.code === 'custom' ? issue.params : undefined
  if (isMessageKey(issue.message)) return words.t(issue.message as 'form.whole_number', params as { min: number; max: number })
  if (issue.code === 'invalid_type') return words.t('form.missing')
  return words.t('form.invalid')
}
