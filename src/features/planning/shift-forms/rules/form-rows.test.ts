import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Words } from '#platform/i18n/words.ts'
import { faultText, findRows, nextRow, readIds, readNumber, renameRow, withoutRow } from './form-rows.ts'

const FORM = {
  's10-on': '1',
  's2-on': '1',
  's2-on-site': 'x',
  's2-t0-on': '1',
  's2-t0-title': 'A',
  's20-title': 'B',
  't3-on': '1',
  'sx-on': '1',
}

describe('rows of a form', () => {
  test('are found by their marks, in the order of their numbers', () => {
    assert.deepEqual(findRows(FORM, 's'), [2, 10])
    assert.deepEqual(findRows(FORM, 's2-t'), [0])
    assert.deepEqual(findRows(FORM, 's9-t'), [])
  })
  test('a new row comes after the last one', () => {
    assert.deepEqual(
      ['s', 's2-t', 's9-t'].map((prefix) => nextRow(FORM, prefix)),
      [11, 1, 0],
    )
  })
  test('a row is removed with everything in it, and no other', () => {
    assert.deepEqual(Object.keys(withoutRow(FORM, 's2')), ['s10-on', 's20-title', 't3-on', 'sx-on'])
  })
  test('a row is copied under another name, without the rest of the form', () => {
    assert.deepEqual(renameRow(FORM, 's2-t0-', 's3-t1-'), { 's3-t1-on': '1', 's3-t1-title': 'A' })
  })
  test('ids are read once each; other texts are ignored', () => {
    assert.deepEqual(readIds({ ids: ['4', '2', '4', 'x', '-1', '', '1234567890123456'] }, 'ids'), [4, 2])
    assert.deepEqual(readIds({}, 'ids'), [])
  })
  for (const [text, expected] of [
    ['', null],
    [' ', null],
    [' 12 ', 12],
    ['999999', 999_999],
    ['1000000', undefined],
    ['-1', undefined],
    ['1.5', undefined],
  ] as const)
    test(`“${text}” as a number of people: ${expected}`, () => assert.equal(readNumber(text), expected))

  test('a time that the clocks skip is explained like in other forms', () => {
    const words = { t: (key: string) => key } as unknown as Words
    assert.deepEqual(
      (['skipped', 'ambiguous', 'no_team'] as const).map((code) => faultText(words, code)),
      ['form.time_skipped', 'form.time_ambiguous', 'plan.fault.no_team'],
    )
  })
})
