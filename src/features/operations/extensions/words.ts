import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type ExtensionsMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends ExtensionsMessages {}
}

export const extensionsWords: FeatureWords = { en, de }
