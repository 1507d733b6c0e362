import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type TranslationsMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends TranslationsMessages {}
}

export const translationsWords: FeatureWords = { en, de }
