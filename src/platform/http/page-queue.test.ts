import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PageQueue, QUEUE_LIMITS } from './page-queue.ts'

const SMALL = { ...QUEUE_LIMITS, atOnce: 2, waiting: { least: 3, most: 3 }, held: 2 }

function open() {
  const clock = { ms: 0 }
  return { queue: new PageQueue(SMALL, () => clock.ms), clock }
}
/** Two pages are made, and so many requests wait for their turn. */
function fill(queue: PageQueue, waiting: number) {
  return Array.from({ length: SMALL.atOnce + waiting }, () => queue.take())
}

describe('turns', () => {
  test('begin in the order in which they were taken, as others end', async () => {
    const { queue } = open()
    const turns = fill(queue, 2)
    const begun = () => turns.map(({ hasBegun }) => hasBegun)
    assert.deepEqual(begun(), [true, true, false, false])
    turns[1]!.end()
    // A second call gives nothing more.
    turns[1]!.end()
    assert.deepEqual(begun(), [true, true, true, false])
    turns[0]!.end()
    await turns[3]!.begun
    assert.deepEqual(begun(), [true, true, true, true])
  })

  test('end with the work, also if it fails', async () => {
    const { queue } = open()
    for (let n = 0; n < SMALL.atOnce; n++)
      await assert.rejects(
        queue.inTurn(async () => {
          throw new Error('broken')
        }),
        /broken/,
      )
    assert.equal(await queue.inTurn(async () => 'made'), 'made')
  })
})

describe('numbers', () => {
  test('nobody gets one while there is room', () => {
    const { queue } = open()
    fill(queue, SMALL.waiting.most - 1)
    assert.equal(queue.placeOf(), undefined)
  })

  test('whoever comes when all places are taken gets the next one, and later newcomers do not overtake', () => {
    const { queue } = open()
    const turns = fill(queue, SMALL.waiting.most)
    assert.deepEqual(queue.placeOf(), { number: 1, position: 1, retrySeconds: 2, waitSeconds: 0.2 })
    assert.deepEqual(queue.placeOf(), { number: 2, position: 2, retrySeconds: 2, waitSeconds: 0.4 })
    // Asking again keeps the number.
    assert.deepEqual(queue.placeOf(1), { number: 1, position: 1, retrySeconds: 2, waitSeconds: 0.2 })
    turns[0]!.end()
    // One of those who wait began, so one place is free: for the first number, not for the newcomer.
    assert.deepEqual(queue.placeOf(), { number: 3, position: 2, retrySeconds: 2, waitSeconds: 0.4 })
    assert.equal(queue.placeOf(2)?.position, 1)
    assert.equal(queue.placeOf(1), undefined)
  })

  test('are let in again when those who were let in do not come', () => {
    const { queue, clock } = open()
    const turns = fill(queue, SMALL.waiting.most)
    for (let number = 1; number <= SMALL.waiting.most + 1; number++) queue.placeOf()
    for (const turn of turns) turn.end()
    const last = SMALL.waiting.most + 1
    assert.equal(queue.placeOf(last)?.position, 1)
    clock.ms += 3_999
    assert.equal(queue.placeOf(last)?.position, 1)
    clock.ms += 1
    assert.equal(queue.placeOf(last), undefined)
  })

  test('of another process mean nothing', () => {
    const { queue } = open()
    fill(queue, SMALL.waiting.most)
    assert.equal(queue.placeOf(70)?.number, 1)
  })

  test('those far behind ask less often, after half of the time that it will take', () => {
    const { queue, clock } = open()
    const turns = fill(queue, SMALL.waiting.most)
    for (let number = 1; number < 5_000; number++) queue.placeOf()
    // Nothing is known yet, so five people a second are expected.
    assert.deepEqual(queue.placeOf(), { number: 5_000, position: 5_000, retrySeconds: 30, waitSeconds: 1_000 })
    assert.deepEqual(
      [20, 21, 290, 291, 300].map((number) => queue.placeOf(number)?.retrySeconds),
      [2, 3, 29, 30, 30],
    )
    // 200 pages a second are made, so 50 people a second come in.
    for (let page = 0; page < 200; page++) {
      clock.ms += 5
      turns.push(queue.take())
      turns.shift()!.end()
    }
    assert.deepEqual(
      [201, 1_001].map((number) => queue.placeOf(number)?.retrySeconds),
      [2, 10],
    )
  })
})

describe('people who leave the queue', () => {
  const limits = { ...QUEUE_LIMITS, waiting: { least: 20, most: 20 } }
  /** How many of 4,000 numbers are let in within 100 s, if this part of them asks again every 2 s and the others never do. */
  const letIn = (part: number): number => {
    const clock = { ms: 0 }
    const queue = new PageQueue(limits, () => clock.ms)
    const turns = Array.from({ length: limits.atOnce + limits.waiting.most }, () => queue.take())
    const waiting = new Set(Array.from({ length: 4_000 }, () => queue.placeOf()!.number))
    for (const number of [...waiting]) if ((number * 7) % 100 >= part * 100) waiting.delete(number)
    for (const turn of turns) turn.end()
    for (let second = 0; second < 100; second += 2) {
      clock.ms = second * 1000
      for (const number of waiting) if (!queue.placeOf(number)) waiting.delete(number)
    }
    return 4_000 - (queue.placeOf(4_000)?.position ?? 0)
  }
  test('leave no empty places behind', () => {
    // Without what is remembered of others, 999 of them come in if half come, and 555 if a tenth comes.
    for (const part of [1, 0.5, 0.1]) assert.ok(letIn(part) >= 1_500, `${letIn(part)} if ${part} of them come`)
  })
})

describe('as many wait as get their turn soon', () => {
  const limits = { ...QUEUE_LIMITS, atOnce: 1, waiting: { least: 3, most: 12 } }
  /** After pages of so many milliseconds each: how many newcomers come in when everybody waits. */
  const most = (pageMs: number): number => {
    const clock = { ms: 0 }
    const queue = new PageQueue(limits, () => clock.ms)
    for (let page = 0; page < 60; page++) {
      const turn = queue.take()
      clock.ms += pageMs
      turn.end()
    }
    queue.take()
    let count = 0
    for (; queue.placeOf() === undefined && count < 100; count++) queue.take()
    return count
  }
  for (const [pageMs, count] of [
    [2_000, 3],
    [500, 3],
    // Five a second: those who wait get their turn within 1.5 s.
    [200, 7],
    [50, 12],
  ] as const)
    test(`with pages of ${pageMs} ms, ${count} wait`, () => assert.equal(most(pageMs), count))
})

describe('pages that take long', () => {
  const limits = { ...QUEUE_LIMITS, atOnce: 2, overdue: 3, turnMs: 1_000 }

  test('do not hold up others, but only so many, and count again when they end', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const queue = new PageQueue(limits, () => 0)
    const turns = Array.from({ length: 8 }, () => queue.take())
    const begun = () => turns.filter(({ hasBegun }) => hasBegun).length
    t.mock.timers.tick(999)
    assert.equal(begun(), 2)
    t.mock.timers.tick(1)
    assert.equal(begun(), 4)
    t.mock.timers.tick(1_000)
    // One of the two stands aside, and the other one holds its place.
    assert.equal(begun(), 5)
    t.mock.timers.tick(5_000)
    assert.equal(begun(), 5)
    // Of those that stand aside: nobody waits for its place.
    turns[0]!.end()
    assert.equal(begun(), 5)
    turns[3]!.end()
    assert.equal(begun(), 6)
  })
})

describe('forms that wait', () => {
  const hold = (queue: PageQueue, device = 'a') => {
    const { promise, resolve } = Promise.withResolvers<{ redirect: string }>()
    const turn = queue.take()
    return { turn, resolve, key: queue.hold({ answer: promise, turn, device, pageRequest: {} as never }) }
  }
  const settled = () => new Promise((done) => setImmediate(done))

  test('are found by their browser only, with their position', () => {
    const { queue } = open()
    fill(queue, 1)
    const { key } = hold(queue)
    const found = queue.findForm(key!, 'a')!
    assert.deepEqual([found.isSettled, queue.placeOfForm(found)?.position], [false, 2])
    for (const device of ['b', undefined]) assert.equal(queue.findForm(key!, device), undefined)
  })

  test('give out their answer once', async () => {
    const { queue } = open()
    fill(queue, 0)
    const { key, resolve } = hold(queue)
    resolve({ redirect: '/' })
    await settled()
    assert.deepEqual(await queue.findForm(key!, 'a')?.answer, { redirect: '/' })
    assert.equal(queue.findForm(key!, 'a'), undefined)
  })

  test('are limited; answers that nobody asked for are dropped after five minutes', async () => {
    const { queue, clock } = open()
    fill(queue, 0)
    const forms = [hold(queue), hold(queue)]
    assert.equal(hold(queue).key, undefined)
    forms[0]!.resolve({ redirect: '/' })
    await settled()
    clock.ms += 299_999
    assert.equal(hold(queue).key, undefined)
    clock.ms += 1
    assert.notEqual(hold(queue).key, undefined)
    assert.equal(queue.findForm(forms[0]!.key!, 'a'), undefined)
    assert.notEqual(queue.findForm(forms[1]!.key!, 'a'), undefined)
  })
})
