import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldName, fieldsOf, progressOf, readText } from './rules.ts'

const ORIGINALS = { text: 'Which size?', explanation: '', choices: 'Small\nLarge' }
const field = (name: FieldName) => fieldsOf('question', ORIGINALS).find((each) => each.name === name)!

describe('texts that are translated', () => {
  test('are those that have been written', () =>
    assert.deepEqual(
      fieldsOf('question', ORIGINALS).map(({ name }) => name),
      ['text', 'choices'],
    ))

  const TYPED: [what: string, name: FieldName, typed: string, expected: object][] = [
    ['spaces', 'text', '  Quelle\r\n taille ? ', { text: 'Quelle taille ?' }],
    ['nothing', 'text', ' ', { text: '' }],
    ['as long as allowed', 'text', 'é'.repeat(250), { text: 'é'.repeat(250) }],
    ['one character more', 'text', 'é'.repeat(251), { fault: { code: 'too_long' } }],
    ['as many choices', 'choices', ' Petit \n\n Grand', { text: 'Petit\nGrand' }],
    ['no choices', 'choices', '', { text: '' }],
    ['one choice too few', 'choices', 'Petit', { fault: { code: 'choices_count', count: 2 } }],
    ['one choice too many', 'choices', 'a\nb\nc', { fault: { code: 'choices_count', count: 2 } }],
  ]
  for (const [what, name, typed, expected] of TYPED)
    test(`typed: ${what}`, () => assert.deepEqual(readText(field(name), typed), expected))

  const of = (name: string, original: string) => ({ language: 'fr', field: name, original, text: 'x' })
  const PROGRESS: [expected: string, stored: ReturnType<typeof of>[]][] = [
    ['missing', []],
    ['partly', [of('text', 'Which size?')]],
    ['done', [of('text', 'Which size?'), of('choices', 'Small\nLarge')]],
    ['partly', [of('text', 'Which size?'), of('choices', 'Small\nMedium')]],
  ]
  for (const [expected, stored] of PROGRESS)
    test(`${stored.length} stored: ${expected}`, () => assert.equal(progressOf(ORIGINALS, 'question', stored), expected))
})
