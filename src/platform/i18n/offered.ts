import { LANGUAGES, type Language, SOURCE_LANGUAGES } from './languages.ts'

/** In the settings of the instance. */
type Chosen = { languages?: readonly Language[] | undefined; defaultLanguage?: Language }

/** Languages that people of an instance can choose: those that an administrator has chosen, else those of the code. */
export function offeredLanguages({ languages, defaultLanguage }: Chosen): Language[] {
  const wanted = new Set<Language>([
    ...(languages ?? SOURCE_LANGUAGES),
    ...(defaultLanguage === undefined ? [] : [defaultLanguage]),
  ])
  return LANGUAGES.filter((language) => wanted.has(language))
}

/** Of the language, in the language itself: people find theirs on pages in another one. */
export function nameOfLanguage(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** `current`: stays a choice although the instance no longer offers it. */
export const languageOptions = (offered: readonly Language[], current?: Language): { value: Language; label: string }[] =>
  LANGUAGES.filter((language) => offered.includes(language) || language === current).map((value) => ({
    value,
    label: nameOfLanguage(value),
  }))
