import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const FOLDER = fileURLToPath(new URL('../../../languages/', import.meta.url))
const FILE = /^([a-z]{2,3}(?:-[A-Z][A-Za-z]{1,3})?)\.po$/

/** The languages of the files in the folder. */
export function findTranslations(folder = FOLDER): string[] {
  try {
    return readdirSync(folder)
      .flatMap((file) => FILE.exec(file)?.[1] ?? [])
      .sort()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

/** Written with the code, and typed by it. The API answers in these. */
export const SOURCE_LANGUAGES = ['en', 'de'] as const
export type SourceLanguage = (typeof SOURCE_LANGUAGES)[number]

/** Those of the code, and one for each file of translators. */
export const LANGUAGES: readonly [Language, ...Language[]] = [...SOURCE_LANGUAGES, ...findTranslations()]
/** An ISO 639 code, with a script or region where it is needed. */
export type Language = string

export const isSourceLanguage = (text: string): text is SourceLanguage => (SOURCE_LANGUAGES as readonly string[]).includes(text)

/** For what exists in the languages of the code only: the handbook, the API, sample data. */
export const sourceLanguageOf = (language: Language): SourceLanguage => (isSourceLanguage(language) ? language : 'en')

export const isLanguage = (text: string): boolean => LANGUAGES.includes(text)

/** For the element `html`; undefined, from left to right, is the default. */
export function directionOf(language: Language): 'rtl' | undefined {
  let direction = directions.get(language)
  if (direction === undefined) {
    direction = (new Intl.Locale(language) as LocaleWithText).getTextInfo().direction
    directions.set(language, direction)
  }
  return direction === 'rtl' ? 'rtl' : undefined
}

/** ECMA-402 of 2025, which Node has and the types of this edition do not. */
type LocaleWithText = Intl.Locale & { getTextInfo(): { direction: string } }

const directions = new Map<Language, string>()
