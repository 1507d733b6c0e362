import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { priceOf } from './discount.ts'
import { writePrice } from './price-words.ts'

const steps: string[] = []
before(() => steps.push('before'))
after(() => assert.equal(steps.at(-1), 'after each'))

test('small orders of members', () => assert.equal(priceOf(2, true), 8))

describe('other orders', async () => {
  await null
  beforeEach(() => steps.push('before each'))
  afterEach(() => steps.push('after each'))

  test('large orders', (t) => {
    t.after(() => steps.push('after this'))
    assert.equal(priceOf(20, false), 80)
  })
  test('in words', () => assert.equal(writePrice(2), '10 €'))
  test('hooks', () =>
    assert.deepEqual(steps, ['before', 'before each', 'after each', 'after this', 'before each', 'after each', 'before each']))
  test('that are skipped', { skip: 'counted by the worker as by node:test' }, () => assert.fail())
})
