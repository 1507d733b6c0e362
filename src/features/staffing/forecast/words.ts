import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type ForecastMessages = typeof en

declare module '#platform/i18n/catalogue.ts' {
  interface AllMessages extends ForecastMessages {}
}

export const forecastWords: FeatureWords = { en, de }
