import type { z } from 'zod'
import { isMessageKey, type MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'

/** Issue messages of form schemas are message keys; issues without a key get a general text. */
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

function issueText(issue: z.core.$ZodIssue, words: Words): string {
  if (isMessageKey(issue.message)) return words.t(issue.message as 'form.invalid' & MessageKey)
  if (issue.code === 'invalid_type') return words.t('form.missing')
  return words.t('form.invalid')
}
