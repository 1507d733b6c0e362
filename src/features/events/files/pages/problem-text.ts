import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FileProblem, MAX_FILES, typeName } from '../rules.ts'
import { sizeText } from '../views.ts'

export function problemText(words: Words, problem: FileProblem, maxBytes: number): string {
  if (!('name' in problem))
    return problem.reason === 'none' ? words.t('files.refused_none') : words.t('files.refused_many', { count: MAX_FILES })
  const { name } = problem
  if (problem.reason === 'large') return words.t('files.refused_large', { name, limit: sizeText(words, maxBytes) })
  if (problem.reason === 'misnamed') return words.t('files.refused_misnamed', { name, type: typeName(problem.type) })
  return words.t(`files.refused_${problem.reason}`, { name })
}

export const errorOf = (text: string): { refused: FormError[] } => ({ refused: [{ field: 'files', text }] })
