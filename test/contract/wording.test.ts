import '#app'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import type { Message } from '#platform/i18n/message.ts'

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')
const table = glossary
  .slice(glossary.indexOf('## Words on pages'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string])

/** Words that stand in texts in other forms than in the table. */
const FORMS: [english: string, german: string, englishForms: RegExp, germanForms: RegExp][] = [
  ['confirmed', 'bestätigt', /confirm/i, /bestätig/i],
  ['declined', 'abgesagt', /declin/i, /absag|abgesagt/i],
  ['cancelled', 'fällt aus', /cancel/i, /fällt aus|ausf[aä]ll/i],
  ['preview', 'Vorschau', /preview/i, /vorschau/i],
]
/** The button that leaves a form says the same word in English. */
const OTHER_MEANING = new Set(['ui.cancel'])

const textOf = (message: Message): string =>
  (typeof message === 'string' ? message : `${message.one} ${message.other}`).replace(/\{\w+\}/g, '')
const [english, german] = [messagesIn('en'), messagesIn('de')]

describe('words on pages follow the glossary', () => {
  test('the table has the words that this test looks for', () => {
    for (const [word, translation] of FORMS)
      assert.ok(
        table.some(([, one, other]) => one === word && other === translation),
        word,
      )
  })

  for (const [word, translation, englishForms, germanForms] of FORMS)
    test(`${word} is ${translation} in German, and ${translation} is ${word} in English`, () => {
      for (const [key, message] of english) {
        if (OTHER_MEANING.has(key)) continue
        const [here, there] = [textOf(message), textOf(german.get(key)!)]
        assert.equal(germanForms.test(there), englishForms.test(here), `${key}: ${here} / ${there}`)
      }
    })

  for (const [, word, , , avoided] of table)
    for (const other of avoided.split(', ').filter(Boolean))
      test(`no text says ${other} for ${word}`, () => {
        const pattern = new RegExp(`(?<!\\p{L})${other}(?!\\p{L})`, 'iu')
        for (const language of SOURCE_LANGUAGES)
          for (const [key, message] of messagesIn(language)) assert.doesNotMatch(textOf(message), pattern, key)
      })

  test('a Termin is a date, and never an event', () => {
    for (const [key, message] of german)
      if (/(?<!\p{L})Termin(e|en|s)?(?!\p{L})/u.test(textOf(message))) assert.match(textOf(english.get(key)!), /\bdates?\b/i, key)
  })

  test('people who are asked are „gefragt“, because „angefragt“ is what they ask for', () => {
    for (const [key, message] of english)
      if (/\b(is|are|was|were|been|be|people) asked\b/i.test(textOf(message)))
        assert.doesNotMatch(textOf(german.get(key)!), /angefragt|Anfrage/i, key)
  })

  /** Sentences that nobody says, which came from a word-by-word translation, or from a name that a text repeats. */
  const UNNATURAL = [
    /Tausche und/,
    /zeitweise fehl/,
    /Voll: Anmeldung/,
    /du passt und bist/,
    /you fit and are free/,
    /Mitglieder von \{(group|name)\}, |^Mitglieder von \{name\}$/,
    /\bA responsible\b/,
  ]
  test('no text has a sentence that nobody says', () => {
    for (const language of SOURCE_LANGUAGES)
      for (const [key, message] of messagesIn(language))
        for (const text of typeof message === 'string' ? [message] : Object.values(message))
          for (const sentence of UNNATURAL) assert.doesNotMatch(text, sentence, key)
  })

  test('German texts quote „so“ and English texts “so”', () => {
    for (const [messages, opening, closing] of [
      [german, '„', '“'],
      [english, '“', '”'],
    ] as const)
      for (const [key, message] of messages) {
        const marks = textOf(message).replace(/[^"„“”«»]/g, '')
        assert.equal(marks, (opening + closing).repeat(marks.length / 2), key)
      }
  })

  test('German texts say du', () => {
    for (const [key, message] of german) {
      // The reference sends this sentence.
      if (key === 'problem.permission_denied.detail') continue
      assert.doesNotMatch(textOf(message), /[\p{Ll},] (Sie|Ihnen|Ihr\p{Ll}*)(?!\p{L})/u, key)
    }
  })
})
