import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_PLACEHOLDER_NAME_LENGTH, numberedNames } from './placeholder-names.ts'

describe('numbered names of placeholders', () => {
  test('count from one', () => {
    assert.deepEqual(numberedNames('Former guest of Nord', 2, new Set()), [
      'Former guest of Nord (1)',
      'Former guest of Nord (2)',
    ])
  })

  test('skip names that are taken', () => {
    const taken = new Set(['Helper (1)', 'Helper (3)', 'Somebody'])
    assert.deepEqual(numberedNames('Helper', 3, taken), ['Helper (2)', 'Helper (4)', 'Helper (5)'])
  })

  test('fit for any length and alphabet of the base', () => {
    for (const letter of ['x', 'ß', '👩‍🚒', '𝒩']) {
      const names = numberedNames(letter.repeat(300), 12, new Set())
      assert.equal(new Set(names).size, 12)
      for (const [index, name] of names.entries()) {
        assert.equal([...name].length, MAX_PLACEHOLDER_NAME_LENGTH)
        assert.ok(name.endsWith(`… (${index + 1})`))
        assert.ok(name.isWellFormed())
      }
    }
  })

  test('keep a base that just fits', () => {
    const base = 'x'.repeat(MAX_PLACEHOLDER_NAME_LENGTH - 4)
    assert.deepEqual(numberedNames(base, 1, new Set()), [`${base} (1)`])
  })

  test('of long bases with the same beginning differ by the number', () => {
    const [first] = numberedNames('x'.repeat(400), 1, new Set())
    assert.notEqual(numberedNames('x'.repeat(500), 1, new Set([first!]))[0], first)
  })
})
