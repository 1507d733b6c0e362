import type { Message, Messages, Placeholders } from './message.ts'
import { de } from './words.de.ts'
import { en } from './words.en.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

type SharedMessages = typeof en

/** All English messages. Each feature adds its own by declaration merging in its `words.ts`. */
export interface AllMessages extends SharedMessages {}

export type MessageKey = keyof AllMessages
export type ParamsOf<K extends MessageKey> = { [P in Placeholders<AllMessages[K]>]: string | number }

/** The messages of one feature. `words.de.ts` is typed by `words.en.ts`, so a missing or extra key does not compile. */
export type FeatureWords = Record<Language, Messages>

const catalogues: Record<Language, Map<string, Message>> = { en: new Map(), de: new Map() }

/** `features.ts` registers the words of every feature once, before the first request. */
export function registerWords(features: readonly FeatureWords[]): void {
  for (const words of features) {
    for (const language of LANGUAGES) {
      for (const [key, message] of Object.entries(words[language])) {
        if (catalogues[language].has(key)) throw new Error(`Message key ${key} is defined twice (${language})`)
        catalogues[language].set(key, message)
      }
    }
  }
}

registerWords([{ en, de }])

export function messageFor(language: Language, key: MessageKey): Message {
  const message = catalogues[language].get(key)
  if (message === undefined)
    throw new Error(`Message key ${key} is not registered: does feature.ts of its feature name its words?`)
  return message
}

export const isMessageKey = (text: string): text is MessageKey => catalogues.en.has(text)

/** For tests that compare the languages. */
export const messagesIn = (language: Language): ReadonlyMap<string, Message> => catalogues[language]

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}
