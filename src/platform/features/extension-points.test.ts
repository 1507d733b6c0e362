import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collectAdditions, extensionPoint, hookPoint } from './extension-points.ts'

const section = extensionPoint<string>('page.section')
const action = extensionPoint<string>('page.action')

describe('an extension point', () => {
  test('has what features add, in the order of the features', () => {
    const added = collectAdditions([
      { adds: [section.add('a'), action.add('x')] },
      {},
      { adds: [section.add('b'), section.add('c')] },
    ])
    assert.deepEqual([added(section), added(action)], [['a', 'b', 'c'], ['x']])
  })

  test('has lower ranks first, and the order of the features among equal ones', () => {
    const added = collectAdditions([
      { adds: [section.add('late', 20), section.add('first', -1)] },
      { adds: [section.add('a'), section.add('later', 20), section.add('b')] },
    ])
    assert.deepEqual(added(section), ['first', 'a', 'b', 'late', 'later'])
  })

  test('is empty if no feature adds to it', () => assert.deepEqual(collectAdditions([{ adds: [action.add('x')] }])(section), []))
})

describe('hooks', () => {
  const calls: string[] = []
  const call = (name: string, result?: number) => async (parameter: number) => {
    calls.push(`${name} ${parameter}`)
    return result
  }
  const point = hookPoint<Record<'none' | 'one' | 'several', (parameter: number) => Promise<number | undefined>>>('account', {
    none: call('default', 1),
    one: call('default', 2),
    several: call('default', 3),
  })
  const added = collectAdditions([
    { adds: [point.add({ several: call('first', 7) })] },
    { adds: [point.add({ one: call('only', 8), several: call('second', 9) })] },
  ])

  test('do what the point says if no feature adds them', async () => {
    calls.length = 0
    assert.equal(await point.of({ added }).none(5), 1)
    assert.deepEqual(calls, ['default 5'])
  })

  test('are those of the feature that adds them', async () => {
    calls.length = 0
    assert.equal(await point.of({ added }).one(5), 8)
    assert.deepEqual(calls, ['only 5'])
  })

  test('of several features run one after the other, and the first result counts', async () => {
    calls.length = 0
    assert.equal(await point.of({ added }).several(5), 7)
    assert.deepEqual(calls, ['first 5', 'second 5'])
  })

  test('after one that fails do not run', async () => {
    calls.length = 0
    const failing = collectAdditions([
      { adds: [point.add({ several: () => Promise.reject(new Error('broken')) })] },
      { adds: [point.add({ several: call('second') })] },
    ])
    await assert.rejects(point.of({ added: failing }).several(5), /broken/)
    assert.deepEqual(calls, [])
  })

  test('belong to the site', async () => {
    assert.equal(await point.of({ added: collectAdditions([]) }).one(5), 2)
    assert.equal(await point.of({ added }).one(5), 8)
  })
})
