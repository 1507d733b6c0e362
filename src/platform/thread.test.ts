import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { mapInTurns, runThread } from './thread.ts'

test('computations in turns let other work run between any two of them', async () => {
  const order: string[] = []
  let isDone = false
  const beat = () => {
    if (order.at(-1) !== 'turn') order.push('turn')
    if (!isDone) globalThis.setImmediate(beat)
  }
  globalThis.setImmediate(beat)
  const results = await mapInTurns([1, 2, 3], (item, index) => {
    order.push(`item ${item}`)
    return item * 10 + index
  })
  isDone = true
  assert.deepEqual(results, [10, 21, 32])
  assert.deepEqual(order.slice(order.indexOf('item 1'), order.indexOf('item 3') + 1), [
    'item 1',
    'turn',
    'item 2',
    'turn',
    'item 3',
  ])
})

describe('a thread', () => {
  /** `runThread` adds the ending of a file, which is part of a comment here. */
  const moduleOf = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}//`)
  const post = (value: string, isFinal: boolean) =>
    `(await import('node:worker_threads')).parentPort.postMessage(${JSON.stringify({ isFinal, value })});`
  const run = (source: string) => runThread<string>({ module: moduleOf(source), cpuLimitMs: 300, memoryLimitMb: 32 })

  for (const [name, source, expected] of [
    ['that has its result and goes on', `${post('all', true)} setInterval(() => {}, 1e6);`, { isFinal: true, value: 'all' }],
    ['that ends before its result is final', post('part', false), { isFinal: false, value: 'part' }],
    ['that ends without a word', '', undefined],
    ['that calls exit', 'process.exit(0);', undefined],
  ] as const)
    test(`${name} is not waited for`, async () => {
      const started = once(process, 'worker')
      const outcome = run(source)
      const [thread] = (await started) as [Worker]
      await once(thread, 'exit')
      assert.deepEqual(await Promise.race([outcome, setImmediate('still waits')]), expected)
    })

  test('that computes too long is ended, and what it posted counts', async () =>
    assert.deepEqual(await run(`${post('part', false)} for (;;);`), { isFinal: false, value: 'part' }))

  test('that needs too much memory is ended', async () =>
    assert.equal(await run('const all = []; for (;;) all.push(Array(1e5).fill(all.length));'), undefined))

  test('that throws fails with its error', () => assert.rejects(run('throw new Error("broken");'), /broken/))
})
