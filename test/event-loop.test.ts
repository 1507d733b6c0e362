import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { MOST_BUSY_MS, measureBusy } from '../bench/loop-delay.ts'

test('a page that keeps the event loop busy is noticed, one that waits is not', async (t) => {
  const server = Fastify()
  t.after(() => server.close())
  server.get('/blocks/', async () => {
    // As long as twice the limit, in one go.
    for (const since = performance.now(); performance.now() - since < 2 * MOST_BUSY_MS; );
    return 'done'
  })
  server.get('/waits/', async () => {
    await sleep(20 * MOST_BUSY_MS)
    return 'done'
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const measure = (path: string) => measureBusy(async () => (await fetch(`${address}${path}`)).text())

  const blocked = await measure('/blocks/')
  assert.equal(blocked.value, 'done')
  assert.ok(blocked.longestMs > MOST_BUSY_MS, `${blocked.longestMs} ms`)
  // Other programs may take the processor for a while, but not for half of the time.
  const waited = await measure('/waits/')
  assert.ok(waited.seconds * 1000 >= 19 * MOST_BUSY_MS)
  assert.ok(waited.longestMs < 10 * MOST_BUSY_MS, `${waited.longestMs} ms`)
})
