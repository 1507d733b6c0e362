import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type StatusMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends StatusMessages {}
}

export const statusWords: FeatureWords = { en, de }
