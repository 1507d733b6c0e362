import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type TokensMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends TokensMessages {}
}

export const tokensWords: FeatureWords = { en, de }
