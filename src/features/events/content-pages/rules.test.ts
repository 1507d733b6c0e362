import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legalPageOf, suggestSlug } from './rules.ts'

for (const [title, expected] of [
  ['Häufige Fragen!', 'häufige-fragen'],
  ['  2030: Sommer – Fest ', '2030-sommer-fest'],
  ['!?', ''],
  ['x'.repeat(251), 'x'.repeat(250)],
  [`${'x'.repeat(249)} y`, 'x'.repeat(249)],
] as const) {
  test(`the slug of "${title.slice(0, 30)}"`, () => assert.equal(suggestSlug(title), expected))
}

for (const [slug, expected] of [
  ['imprint', 'imprint'],
  ['Impressum', 'imprint'],
  ['privacy-policy', 'privacy'],
  ['datenschutzerklärung', 'privacy'],
  ['privacy-faq', undefined],
] as const) {
  test(`the slug ${slug} means ${expected}`, () => assert.equal(legalPageOf(slug), expected))
}
