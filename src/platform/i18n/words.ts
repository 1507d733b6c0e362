import { type Language, type MessageKey, messageFor, type ParamsOf } from './catalogue.ts'
import { fillMessage } from './message.ts'
import { localeOf, type Times, timesFor } from './times.ts'

export type { Language, MessageKey }

export type Words = Times & {
  readonly language: Language
  readonly timeZone: string
  /** The sentence of that key; numbers among the parameters are written in the reader's way. */
  t<K extends MessageKey>(key: K, ...params: keyof ParamsOf<K> extends never ? [] : [ParamsOf<K>]): string
  number(value: number): string
  /** "Ann, Ben and Cem" */
  list(items: readonly string[]): string
}

const made = new Map<string, Words>()

/** Formatters are costly to make, so each language and zone has one set for the life of the process. */
export function wordsFor(language: Language, timeZone: string): Words {
  const key = `${language} ${timeZone}`
  let words = made.get(key)
  if (!words) {
    words = makeWords(language, timeZone)
    made.set(key, words)
  }
  return words
}

function makeWords(language: Language, timeZone: string): Words {
  const locale = localeOf(language)
  const numbers = new Intl.NumberFormat(locale)
  const plurals = new Intl.PluralRules(locale)
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    ...timesFor(language, timeZone),
    language,
    timeZone,
    t: (key, ...[params]) => {
      const message = messageFor(language, key)
      const values: Record<string, string | number> = params ?? {}
      const text =
        typeof message === 'string' ? message : plurals.select(Number(values.count)) === 'one' ? message.one : message.other
      return fillMessage(text, (name) => {
        const value = values[name]
        return typeof value === 'number' ? numbers.format(value) : (value ?? `{${name}}`)
      })
    },
    number: (value) => numbers.format(value),
    list: (items) => lists.format(items),
  }
}
