import '#app'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { placeholdersOf, textsOf } from '#platform/i18n/message.ts'
import { CHILD_SUFFIX } from '#platform/i18n/words.ts'

describe('messages of all features', () => {
  const english = messagesIn('en')

  for (const language of SOURCE_LANGUAGES) {
    const messages = messagesIn(language)

    test(`${language} has exactly the keys of English`, () => {
      assert.deepEqual([...messages.keys()].sort(), [...english.keys()].sort())
    })

    test(`${language} has the placeholders and plurals of English`, () => {
      for (const [key, message] of english) {
        const translated = messages.get(key)!
        assert.equal(typeof translated, typeof message, key)
        assert.deepEqual(placeholdersOf(translated), placeholdersOf(message), key)
      }
    })

    test(`${language} has no empty message and no unclosed brace`, () => {
      for (const [key, message] of messages) {
        for (const text of textsOf(message)) {
          assert.ok(text.trim() === text && text !== '', key)
          assert.doesNotMatch(text.replace(/\{\w+\}/g, ''), /[{}]/, key)
        }
      }
    })
  }

  test('keys are snake_case after a prefix', () => {
    for (const key of english.keys()) assert.match(key, /^[a-z]+(_[a-z]+)*(\.([a-z0-9]+|[A-Z]+)(_([a-z0-9]+|[A-Z]+))*)+$/, key)
  })
})

test('texts about a child replace a text, name the child and do not speak to it', () => {
  const ADDRESSED = { en: /\b(you|your|yours|yourself)\b/i, de: /\b(du|dich|dir|dein|deine[mnrs]?)\b/i }
  for (const language of ['en', 'de'] as const) {
    const messages = messagesIn(language)
    const variants = [...messages].filter(([key]) => key.endsWith(CHILD_SUFFIX))
    assert.ok(variants.length > 70, `${variants.length} texts`)
    const wrong = variants.filter(
      ([key, message]) => !messages.has(key.slice(0, -CHILD_SUFFIX.length)) || ADDRESSED[language].test(JSON.stringify(message)),
    )
    assert.deepEqual(wrong, [], language)
  }
})

test('what guardians are told about a child names the child', () => {
  const ADDRESSED = { en: /\b(you|your|yours)\b/i, de: /\b(du|dich|dir|dein|deine[mnrs]?)\b/i }
  // For those who plan, decide about requests or have webhooks: more than a child does.
  const others = /^notification\.(request_created|webhook_off|programme_changed|weekly_shortages)\./
  for (const language of ['en', 'de'] as const) {
    const messages = messagesIn(language)
    const missing = [...messages].filter(
      ([key, message]) =>
        /^notification\.\w+\.(subject|line)/.test(key) &&
        !key.endsWith(CHILD_SUFFIX) &&
        !others.test(key) &&
        ADDRESSED[language].test(JSON.stringify(message)) &&
        !messages.has(key + CHILD_SUFFIX),
    )
    assert.deepEqual(missing, [], language)
  }
})
