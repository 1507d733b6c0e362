import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PageWork, type WorkControl } from './page-work.ts'

/** Longer than any test; a result that is there is not waited for. */
const LONG_MS = 600_000

/** Work that ends when the test says so. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const started: WorkControl[] = []
  const start = (control: WorkControl) => {
    started.push(control)
    return promise
  }
  return { start, started, resolve, reject }
}

describe('work that pages wait for', () => {
  test('says how far it is, goes on, and gives its result out once', async () => {
    const works = new PageWork<string>()
    const { start, started, resolve } = makeWork()
    assert.deepEqual(await works.take('a', 0, start), { isDone: false, progress: undefined })
    started[0]!.report({ done: 3, total: 10 })
    assert.deepEqual(await works.take('a', 0, start), { isDone: false, progress: { done: 3, total: 10 } })
    resolve('found')
    assert.deepEqual(await works.take('a', LONG_MS, start), { isDone: true, result: 'found' })
    assert.equal(started.length, 1, 'the work was started once')
    const again = await works.take('a', LONG_MS, async () => 'found again')
    assert.deepEqual(again, { isDone: true, result: 'found again' })
  })

  test('is told apart by key', async () => {
    const works = new PageWork<string>()
    const first = makeWork()
    await works.take('a', 0, first.start)
    assert.deepEqual(await works.take('b', LONG_MS, async () => 'other'), { isDone: true, result: 'other' })
    assert.equal(works.cancel('c'), false)
    assert.equal(first.started[0]!.signal.aborted, false)
  })

  test('ends when it is cancelled, and begins anew for the next request', async () => {
    const works = new PageWork<string>()
    const first = makeWork()
    const waiting = works.take('a', LONG_MS, first.start)
    await Promise.resolve()
    assert.equal(works.cancel('a'), true)
    assert.equal(first.started[0]!.signal.aborted, true)
    first.reject(first.started[0]!.signal.reason)
    assert.deepEqual(await waiting, { isDone: false, progress: undefined }, 'who waits learns that there is no result')
    assert.deepEqual(await works.take('a', LONG_MS, async () => 'anew'), { isDone: true, result: 'anew' })
    assert.equal(works.cancel('a'), false)
  })

  test('tells of a failure once', async () => {
    const works = new PageWork<string>()
    const { start, reject } = makeWork()
    await works.take('a', 0, start)
    reject(new TypeError('broken'))
    await assert.rejects(works.take('a', LONG_MS, start), { message: 'broken' })
    assert.deepEqual(await works.take('a', LONG_MS, async () => 'whole'), { isDone: true, result: 'whole' })
  })

  test('ends when nobody asks for it any more', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const works = new PageWork<string>()
    const { start, started } = makeWork()
    const asked = works.take('a', 0, start)
    t.mock.timers.tick(0)
    await asked
    t.mock.timers.tick(29_999)
    assert.equal(started[0]!.signal.aborted, false)
    const again = works.take('a', 10, start)
    t.mock.timers.tick(10)
    await again
    t.mock.timers.tick(29_999)
    assert.equal(started[0]!.signal.aborted, false, 'each request prolongs it')
    t.mock.timers.tick(1)
    assert.equal(started[0]!.signal.aborted, true)
  })
})
