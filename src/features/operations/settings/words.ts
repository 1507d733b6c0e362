import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type InstanceMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends InstanceMessages {}
}

export const instanceWords: FeatureWords = { en, de }
