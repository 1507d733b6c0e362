import { isMessageKey, type MessageKey, messageFor, type ParamsOf, translationOf } from './catalogue.ts'
import type { Language } from './languages.ts'
import { fillMessage } from './message.ts'
import { pluralFor } from './plural.ts'
import { localeOf, type Times, timesFor } from './times.ts'

export type { Language, MessageKey }

export type Words = Times & {
  readonly language: Language
  readonly timeZone: string
  /** The sentence of that key; numbers among the parameters are written in the reader's way. */
  t<K extends ChosenKey>(key: K, ...params: keyof ParamsOf<K> extends never ? [] : [ParamsOf<K>]): string
  number(value: number): string
  /** "Ann, Ben and Cem" */
  list(items: readonly string[]): string
}

/** A message without parameters. */
export type PlainKey = { [K in ChosenKey]: keyof ParamsOf<K> extends never ? K : never }[ChosenKey]
/** Variants for servers without mail and for guardians are chosen by `t`. Code that asks for one by its key would clash with that. */
type ChosenKey = Exclude<MessageKey, `${string}${typeof NO_MAIL_SUFFIX}` | `${string}${typeof CHILD_SUFFIX}`>

const made = new Map<string, Words>()
const englishPlurals = new Intl.PluralRules('en')

/** `isMailOff`: texts that promise a mail are replaced by their variant, the key with this suffix. */
type WordsOptions = { isMailOff?: boolean | undefined }
export const NO_MAIL_SUFFIX = '_no_mail'
/** Of texts that a guardian reads about a child: they name the `{child}` instead of saying you. */
export const CHILD_SUFFIX = '_of_child'

/** Formatters are costly to make, so each language and zone has one set for the life of the process. */
export function wordsFor(language: Language, timeZone: string, { isMailOff = false }: WordsOptions = {}): Words {
  const key = `${language} ${timeZone}${isMailOff ? NO_MAIL_SUFFIX : ''}`
  let words = made.get(key)
  if (!words) {
    words = makeWords(language, timeZone, isMailOff)
    made.set(key, words)
  }
  return words
}

/** For pages and mails that a guardian reads about a child. */
export function wordsAboutChild(words: Words, child: string): Words {
  // The types of variants are those of their texts with one more parameter.
  const t = words.t as (key: string, params?: Record<string, string | number>) => string
  return {
    ...words,
    t: (key, ...[params]) => {
      const variant = `${key}${CHILD_SUFFIX}`
      return isMessageKey(variant) ? t(variant, { ...params, child }) : t(key, params)
    },
  }
}

function makeWords(language: Language, timeZone: string, isMailOff: boolean): Words {
  const locale = localeOf(language)
  const numbers = new Intl.NumberFormat(locale)
  const plurals = new Intl.PluralRules(locale)
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    ...timesFor(language, timeZone),
    language,
    timeZone,
    t: (key, ...[params]) => {
      const variant = `${key}${NO_MAIL_SUFFIX}`
      const chosen = isMailOff && isMessageKey(variant) ? variant : key
      const translated = translationOf(language, chosen)
      const message = translated ?? messageFor('en', chosen)
      const values: Record<string, string | number> = params ?? {}
      const text =
        typeof message === 'string'
          ? message
          : pluralFor(message, translated === undefined ? englishPlurals : plurals, Number(values.count))
      return fillMessage(text, (name) => {
        const value = values[name]
        return typeof value === 'number' ? numbers.format(value) : (value ?? `{${name}}`)
      })
    },
    number: (value) => numbers.format(value),
    list: (items) => lists.format(items),
  }
}
