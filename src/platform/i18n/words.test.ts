import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { registerWords } from './catalogue.ts'
import { wordsFor } from './words.ts'

describe('words', () => {
  test('fills placeholders and writes numbers in the reader’s way', () => {
    assert.equal(wordsFor('en', 'UTC').t('ui.page_of', { page: 1, pages: 1200 }), 'Page 1 of 1,200')
    assert.equal(wordsFor('de', 'UTC').t('ui.page_of', { page: 1, pages: 1200 }), 'Seite 1 von 1.200')
  })

  test('chooses singular and plural by count', () => {
    const { t } = wordsFor('de', 'UTC')
    assert.deepEqual(
      [0, 1, 2].map((count) => t('ui.unread_notifications', { count })),
      ['0 ungelesene Benachrichtigungen', '1 ungelesene Benachrichtigung', '2 ungelesene Benachrichtigungen'],
    )
  })

  test('joins lists', () => {
    assert.equal(wordsFor('en', 'UTC').list(['Ann', 'Ben', 'Cem']), 'Ann, Ben and Cem')
    assert.equal(wordsFor('de', 'UTC').list(['Ann', 'Ben', 'Cem']), 'Ann, Ben und Cem')
  })

  test('rejects a key that is registered already', () => {
    const words = { en: { 'ui.skip': 'x' }, de: { 'ui.skip': 'x' } }
    assert.throws(() => registerWords([words]), /ui\.skip is defined twice/)
  })
})
