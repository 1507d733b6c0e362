import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FixedPerson } from './rules/chosen.ts'
import type { FormerProposal } from './rules/former.ts'
import { readFormer, writeFormer } from './schema.ts'

const on = (placeId: string, id: number): FixedPerson => ({ placeId, who: { kind: 'local', id } })

describe('a former proposal in an address', () => {
  const former: FormerProposal = {
    pool: 'everyone',
    isOptionalFilled: true,
    people: [on('7-a', 1), on('8-x y', 2), { placeId: '8-b', who: { kind: 'guest', id: 3 } }],
    fixed: [on('7-a', 1)],
  }
  test('is read as it was written', () => {
    assert.deepEqual(readFormer(writeFormer(former)!), former)
    const open = { ...former, pool: undefined }
    assert.deepEqual(readFormer(writeFormer(open)!), open)
  })
  test('has room for a festival, and is left out if it is longer or empty', () => {
    const many = (count: number) =>
      writeFormer({ ...former, people: Array.from({ length: count }, (_, n) => on(`${400 + n}-team`, (n * 7919) % 100_003)) })
    assert.ok(many(300)!.length <= 3_500)
    assert.equal(many(5_000), undefined)
    assert.equal(many(0), undefined)
  })
  for (const text of [null, '', 'x', '!', 'a'.repeat(5_000), 'q1YqyM9PUrJSKi0oys8BAA'])
    test(`is nothing if it cannot be read: ${String(text).slice(0, 30)}`, () => assert.equal(readFormer(text), undefined))
})
