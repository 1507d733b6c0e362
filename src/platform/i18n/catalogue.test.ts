import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogues, LANGUAGES, ROOMS } from './catalogue.ts'
import { type Message, placeholdersOf } from './message.ts'
import { wordsFor } from './words.ts'

describe('catalogues', () => {
  const english = catalogues.en as Record<string, Message>

  for (const language of LANGUAGES) {
    const other = catalogues[language] as Record<string, Message>

    test(`${language} has exactly the keys of English`, () => {
      assert.deepEqual(Object.keys(other).sort(), Object.keys(english).sort())
    })

    test(`${language} has the placeholders and plurals of English`, () => {
      for (const [key, message] of Object.entries(english)) {
        const translated = other[key]!
        assert.equal(typeof translated, typeof message, key)
        assert.deepEqual(placeholdersOf(translated), placeholdersOf(message), key)
      }
    })

    test(`${language} leaves no message empty and no brace open`, () => {
      for (const [key, message] of Object.entries(other)) {
        for (const text of typeof message === 'string' ? [message] : [message.one, message.other]) {
          assert.ok(text.trim() === text && text !== '', key)
          assert.doesNotMatch(text.replace(/\{\w+\}/g, ''), /[{}]/, key)
        }
      }
    })

    test(`${language} has every room, and no key twice`, () => {
      assert.equal(ROOMS[language].length, ROOMS.en.length)
      const keys = ROOMS[language].flatMap((room) => Object.keys(room))
      assert.equal(new Set(keys).size, keys.length)
      assert.equal(keys.length, Object.keys(other).length)
    })
  }

  test('fills placeholders and writes numbers in the reader’s way', () => {
    assert.equal(wordsFor('en', 'UTC').t('ui.pageOf', { page: 1, pages: 1200 }), 'Page 1 of 1,200')
    assert.equal(wordsFor('de', 'UTC').t('ui.pageOf', { page: 1, pages: 1200 }), 'Seite 1 von 1.200')
  })

  test('chooses singular and plural by count', () => {
    const { t } = wordsFor('de', 'UTC')
    assert.deepEqual(
      [0, 1, 2].map((count) => t('ui.shifts', { count })),
      ['0 Schichten', '1 Schicht', '2 Schichten'],
    )
  })

  test('joins lists', () => {
    assert.equal(wordsFor('en', 'UTC').list(['Ann', 'Ben', 'Cem']), 'Ann, Ben and Cem')
    assert.equal(wordsFor('de', 'UTC').list(['Ann', 'Ben', 'Cem']), 'Ann, Ben und Cem')
  })
})
