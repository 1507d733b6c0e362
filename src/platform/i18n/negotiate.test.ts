import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiateLanguage } from './negotiate.ts'

const OFFERED = ['en', 'de']
const cases: [string | undefined, string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr,de;q=0.5,en;q=0.4', 'de'],
  ['fr, EN-us;q=0.7, de;q=0.3', 'en'],
  ['de;q=0, en;q=0.1', 'en'],
  ['fr;q=1, *;q=0.5', 'en'],
  ['de;q=0.5,en;q=0.5', 'de'],
  ['de;q=nonsense', 'en'],
  ['de;q=9', 'en'],
  [';;,,;q=', 'en'],
]

for (const [header, expected] of cases) {
  test(`${header ?? 'no header'} gives ${expected}`, () => assert.equal(negotiateLanguage(header, 'en', OFFERED), expected))
}

test('falls back to the language of the instance', () => {
  assert.equal(negotiateLanguage('fr', 'de', OFFERED), 'de')
})

test('chooses only what is offered', () => {
  assert.equal(negotiateLanguage('fr, en;q=0.5', 'de', ['de', 'en', 'fr']), 'fr')
  assert.equal(negotiateLanguage('fr-CA', 'de', ['de', 'fr']), 'fr')
  assert.equal(negotiateLanguage('en', 'de', ['de', 'fr']), 'de')
  assert.equal(negotiateLanguage('*', 'de', ['de', 'fr']), 'de')
})
