import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type RostersMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends RostersMessages {}
}

export const rostersWords: FeatureWords = { en, de }
