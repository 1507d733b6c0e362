import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type HandbookMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends HandbookMessages {}
}

export const handbookWords: FeatureWords = { en, de }
