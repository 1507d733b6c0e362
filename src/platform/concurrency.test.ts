import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { limitConcurrency } from './concurrency.ts'

test('runs at most the given number at a time, in order, and continues after failures', async () => {
  const limited = limitConcurrency(3)
  const started: number[] = []
  const ends: (() => void)[] = []
  let running = 0
  let max = 0
  const all = Array.from({ length: 10 }, (_, n) =>
    limited(async () => {
      started.push(n)
      max = Math.max(max, ++running)
      await new Promise<void>((end) => ends.push(end))
      running--
      if (n % 4 === 0) throw new Error(`piece ${n}`)
      return n
    }),
  )
  const outcomes = Promise.allSettled(all)
  for (let n = 0; n < 10; n++) {
    await settle()
    assert.equal(started.length, Math.min(10, n + 3))
    ends[n]!()
  }
  assert.deepEqual(
    (await outcomes).map(({ status }) => status === 'fulfilled'),
    Array.from({ length: 10 }, (_, n) => n % 4 !== 0),
  )
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(max, 3)
  assert.equal(await limited(async () => 'still going'), 'still going')
})
