import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInOrder } from './in-order.ts'

test('tasks of one name run one after another, also after one that failed, and other names do not wait', async () => {
  const events: string[] = []
  const gates = ['a', 'b', 'c', 'other'].map(() => Promise.withResolvers<void>())
  const start = (index: number, name: string, label: string) =>
    runInOrder(name, async () => {
      events.push(`${label} began`)
      await gates[index]!.promise
      events.push(`${label} ended`)
      if (label === 'a') throw new Error('a failed')
      return label
    })
  const [a, b, c] = [start(0, 'record 1', 'a'), start(1, 'record 1', 'b'), start(2, 'record 1', 'c')]
  const other = start(3, 'record 2', 'other')
  for (const gate of gates.toReversed()) gate.resolve()
  await assert.rejects(a, /a failed/)
  assert.deepEqual(await Promise.all([b, c, other]), ['b', 'c', 'other'])
  const own = events.filter((event) => !event.startsWith('other'))
  assert.deepEqual(own, ['a began', 'a ended', 'b began', 'b ended', 'c began', 'c ended'])
  assert.ok(events.indexOf('other began') < events.indexOf('a ended'))
  assert.equal(await runInOrder('record 1', async () => 'afterwards'), 'afterwards')
})
