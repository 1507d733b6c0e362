import { isSourceLanguage, LANGUAGES, type Language, SOURCE_LANGUAGES, type SourceLanguage } from './languages.ts'
import type { Message, Messages, Placeholders } from './message.ts'
import { readTranslation, readTranslationInTurns } from './translations.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

type SharedMessages = typeof en

/** All English messages. Each feature adds its own by declaration merging in its `words.ts`. */
export interface AllMessages extends SharedMessages {}

export type MessageKey = keyof AllMessages
export type ParamsOf<K extends MessageKey> = { [P in Placeholders<AllMessages[K]>]: string | number }

/** The messages of one feature. `words.de.ts` is typed by `words.en.ts`, so a missing or extra key does not compile. */
export type FeatureWords = Record<SourceLanguage, Messages>

const sources: Record<SourceLanguage, Map<string, Message>> = { en: new Map(), de: new Map() }
/** Read while the server starts, or when the first person needs one. */
const translations = new Map<Language, ReadonlyMap<string, Message>>()

/** `features.ts` registers the words of every feature once, before the first request. */
export function registerWords(features: readonly FeatureWords[]): void {
  for (const words of features) {
    for (const language of SOURCE_LANGUAGES) {
      for (const [key, message] of Object.entries(words[language])) {
        if (sources[language].has(key)) throw new Error(`Message key ${key} is defined twice (${language})`)
        sources[language].set(key, message)
      }
    }
  }
}

registerWords([{ en, de }])

const replaceable = new Map<string, FeatureWords>()
/** By language, for the words of an owner. */
type AddedTranslations = Readonly<Record<string, Messages>>
const addedTranslations = new Map<string, AddedTranslations>()

/** Words that are known only when the program runs. Those that the owner has added before are forgotten. */
export function replaceWords(owner: string, words: FeatureWords, translated: AddedTranslations = {}): void {
  for (const language of SOURCE_LANGUAGES)
    for (const key of Object.keys(replaceable.get(owner)?.[language] ?? {})) sources[language].delete(key)
  registerWords([words])
  replaceable.set(owner, words)
  addedTranslations.set(owner, translated)
}

export function messageFor(language: SourceLanguage, key: MessageKey): Message {
  const message = sources[language].get(key)
  if (message === undefined)
    throw new Error(`Message key ${key} is not registered: does feature.ts of its feature name its words?`)
  return message
}

/** Undefined if nobody has translated it yet, or its English text has changed since. */
export const translationOf = (language: Language, key: MessageKey): Message | undefined =>
  isSourceLanguage(language) ? messageFor(language, key) : (messagesIn(language).get(key) ?? addedTranslationOf(language, key))

function addedTranslationOf(language: Language, key: MessageKey): Message | undefined {
  for (const translated of addedTranslations.values()) {
    const message = translated[language]?.[key]
    if (message !== undefined) return message
  }
  return undefined
}

export const isMessageKey = (text: string): text is MessageKey => sources.en.has(text)

/** What exists in a language. Of translations, only what fits the English texts of today. */
export function messagesIn(language: Language): ReadonlyMap<string, Message> {
  if (isSourceLanguage(language)) return sources[language]
  const known = translations.get(language) ?? readTranslation(language, sources.en)
  translations.set(language, known)
  return known
}

/** Without it, the first person of a language waits, and everybody with them. */
export async function prepareTranslations(): Promise<void> {
  for (const language of LANGUAGES)
    if (!isSourceLanguage(language) && !translations.has(language))
      translations.set(language, await readTranslationInTurns(language, sources.en))
}
