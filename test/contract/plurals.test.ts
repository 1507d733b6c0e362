import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import '../../src/features.ts'

/** Where rules of plurals differ: zero, the teens, numbers that end like one to four, and a fraction. */
const NUMBERS = [0, 1, 2, 3, 4, 5, 11, 12, 14, 21, 22, 25, 100, 101]
const FEW = [2, 3, 4, 22]
const MANY = [0, 5, 11, 12, 14, 25, 100]
type Texts = Record<string, readonly number[]>
/** In Polish, 21 and 101 go with five; in Ukrainian, with one. Hours can be fractions. */
const polish = (one: string, few: string, many: string, fractions: number[] = []): Texts => ({
  [one]: [1],
  [few]: [...FEW, ...fractions],
  [many]: [...MANY, 21, 101],
})
const ukrainian = (one: string, few: string, many: string, fractions: number[] = []): Texts => ({
  [one]: [1, 21, 101],
  [few]: [...FEW, ...fractions],
  [many]: MANY,
})

type Key =
  | 'ui.free_count'
  | 'ui.unread_notifications'
  | 'hours.shift_count'
  | 'shortages.free'
  | 'notification.hours_before'
  | 'factor.codes_left'
  | 'companions.left'

/** Feminine, neuter and masculine nouns, nouns after a preposition, and verbs that agree. */
const TABLE: [language: string, key: Key, texts: Texts][] = [
  ['pl', 'ui.free_count', polish('# wolne miejsce', '# wolne miejsca', '# wolnych miejsc')],
  [
    'pl',
    'ui.unread_notifications',
    polish('# nieprzeczytane powiadomienie', '# nieprzeczytane powiadomienia', '# nieprzeczytanych powiadomień'),
  ],
  ['pl', 'hours.shift_count', polish('# dyżur', '# dyżury', '# dyżurów')],
  ['pl', 'shortages.free', polish('# osoba', '# osoby', '# osób')],
  ['pl', 'notification.hours_before', polish('# godzinę przed', '# godziny przed', '# godzin przed', [1.5])],
  [
    'pl',
    'companions.left',
    polish('Możliwa jest jeszcze jedna osoba.', 'Możliwe są jeszcze # osoby.', 'Możliwych jest jeszcze # osób.'),
  ],
  ['uk', 'ui.free_count', ukrainian('# вільне місце', '# вільні місця', '# вільних місць')],
  [
    'uk',
    'ui.unread_notifications',
    ukrainian('# непрочитане сповіщення', '# непрочитані сповіщення', '# непрочитаних сповіщень'),
  ],
  ['uk', 'shortages.free', ukrainian('# особа', '# особи', '# осіб')],
  ['uk', 'notification.hours_before', ukrainian('за # годину', 'за # години', 'за # годин', [1.5])],
  ['uk', 'companions.left', ukrainian('Можлива ще # особа.', 'Можливі ще # особи.', 'Можливі ще # осіб.')],
  // “Encore un code” is for one alone, though 0 is singular in French, too.
  [
    'fr',
    'factor.codes_left',
    {
      'Encore un code non utilisé, au cas où vous perdriez votre téléphone.': [1],
      'Encore # codes non utilisés, au cas où vous perdriez votre téléphone.': NUMBERS.filter((count) => count !== 1),
    },
  ],
  ['fr', 'hours.shift_count', { '# créneau': [0, 1, 1.5], '# créneaux': NUMBERS.filter((count) => count > 1) }],
]

describe('texts about numbers', () => {
  for (const [language, key, texts] of TABLE)
    test(`${language}: ${key}`, () => {
      const words = wordsFor(language, 'UTC')
      for (const [text, counts] of Object.entries(texts))
        for (const count of counts) assert.equal(words.t(key, { count }), text.replace('#', words.number(count)), String(count))
      const covered = Object.values(texts).flat()
      assert.deepEqual(
        NUMBERS.filter((count) => !covered.includes(count)),
        [],
      )
    })
})
