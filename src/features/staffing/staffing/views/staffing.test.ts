import '#app'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { staffingState, staffingText } from './staffing.ts'

const words = wordsFor('en', 'Europe/Berlin')

test('staffing shows missing, free and full', () => {
  const say = (confirmed: number, minimum: number, maximum: number | null, requested = 0) => [
    staffingState(words, { confirmed, requested, minimum, maximum }).text,
    staffingText(words, { confirmed, requested, minimum, maximum }),
  ]
  assert.deepEqual(say(6, 8, 8, 3), ['2 missing', '6 of 8 · 3 requested'])
  assert.deepEqual(say(4, 4, 6), ['2 places free', '4 of 6'])
  assert.deepEqual(say(8, 6, 8), ['full', '8 of 8'])
  assert.deepEqual(say(9, 6, 8), ['full', '9 confirmed'])
  assert.deepEqual(say(3, 2, null), ['enough people', '3 confirmed'])
  assert.deepEqual(say(3, 0, null), ['open to all', '3 confirmed'])
  const extra = { confirmed: 0, extra: 1, requested: 0, minimum: 3, maximum: 3 }
  assert.deepEqual([staffingState(words, extra).text, staffingText(words, extra)], ['3 missing', '0 of 3 + 1 extra'])
  const atTimes = { confirmed: 3, requested: 0, minimum: 2, maximum: null, shortfall: 1 }
  assert.deepEqual(staffingState(words, atTimes), { tone: 'bad', text: '1 missing at times' })
})
