import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type QualificationsMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends QualificationsMessages {}
}

export const qualificationsWords: FeatureWords = { en, de }
