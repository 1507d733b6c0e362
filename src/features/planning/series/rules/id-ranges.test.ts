import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIdRanges, writeIdRanges } from './id-ranges.ts'

describe('ranges of ids', () => {
  for (const [ids, text] of [
    [[], ''],
    [[7], '7'],
    [[12, 13, 14, 21], '12-14,21'],
    [[21, 13, 12], '12-13,21'],
  ] as [number[], string][])
    test(`${text || 'nothing'} is read as it was written`, () => {
      assert.equal(writeIdRanges(ids), text)
      assert.deepEqual(
        readIdRanges(text, 1000),
        [...ids].sort((a, b) => a - b),
      )
    })

  test('invalid parts are left out, and the number is bounded', () => {
    assert.deepEqual(readIdRanges('x,3-1,4,-5,6-,1e3', 1000), [4])
    assert.equal(readIdRanges('1-999999999999999', 1000).length, 1000)
    assert.deepEqual(readIdRanges('5,5-6', 1000), [5, 6])
  })
})
