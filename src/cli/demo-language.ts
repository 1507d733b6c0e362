import { UsageError } from '#platform/command-line/command.ts'
import type { Config } from '#platform/config.ts'
import { isLanguage, LANGUAGES, type Language } from '#platform/i18n/catalogue.ts'

/** For commands that load sample data. */
export const LANGUAGE_OPTION = {
  type: 'string',
  hint: 'en|de',
  help: 'Language of the sample data; without it DEFAULT_LANGUAGE, or the language of this system',
} as const

export function chosenLanguage({ sampleLanguage }: Config, { language }: Record<string, unknown>): Language {
  if (language === undefined) return sampleLanguage
  if (typeof language === 'string' && isLanguage(language)) return language
  throw new UsageError(`--language must be one of ${LANGUAGES.join(', ')}`)
}
