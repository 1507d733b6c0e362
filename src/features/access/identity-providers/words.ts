import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type IdentityProvidersMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends IdentityProvidersMessages {}
}

export const identityProvidersWords: FeatureWords = { en, de }
