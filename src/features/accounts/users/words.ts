import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type UsersMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends UsersMessages {}
}

export const usersWords: FeatureWords = { en, de }
