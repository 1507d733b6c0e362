import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type ShiftTableMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends ShiftTableMessages {}
}

export const shiftTableWords: FeatureWords = { en, de }
