import type { Language } from './languages.ts'
import { localeOf } from './times.ts'

const separators = new Map<Language, ',' | '.'>()

/** Between whole numbers and fractions. */
export function decimalSeparatorOf(language: Language): ',' | '.' {
  const known = separators.get(language) ?? (new Intl.NumberFormat(localeOf(language)).format(1.5).includes(',') ? ',' : '.')
  separators.set(language, known)
  return known
}

/** As people type it: without a separator of thousands. */
export const writeDecimal = (text: string, language: Language): string => text.replace('.', decimalSeparatorOf(language))
