import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from './problem.ts'
import { addressKey, RateLimiter } from './rate-limiter.ts'

function limiterAt(perMinute: number, factor = 1) {
  let now = Date.parse('2031-05-04T08:00:00Z')
  const limiter = new RateLimiter({ now: () => new Date(now) }, 'reads', perMinute, factor)
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return { limiter, pass }
}

test('counts down to the limit, then rejects, and resets after a minute', () => {
  const { limiter, pass } = limiterAt(3)
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => limiter.take('a').allowed),
    [true, true, true, false, false],
  )
  pass(59)
  assert.equal(limiter.take('a').resetSeconds, 1)
  assert.equal(limiter.take('a').allowed, false)
  pass(1)
  assert.deepEqual(limiter.take('a'), { allowed: true, limit: 3, remaining: 2, resetSeconds: 60 })
})

test('a clock that is set back does not lengthen the wait', () => {
  let [now, monotonic] = [Date.parse('2031-05-04T08:00:00Z'), 5_000]
  const limiter = new RateLimiter({ now: () => new Date(now), monotonicMs: () => monotonic }, 'reads', 1, 1)
  limiter.take('a')
  now -= 3_600_000
  assert.deepEqual([limiter.take('a').allowed, limiter.take('a').resetSeconds], [false, 60])
  monotonic += 60_000
  assert.equal(limiter.take('a').allowed, true)
})

test('keys are counted separately', () => {
  const { limiter } = limiterAt(1)
  assert.deepEqual(
    ['a', 'b', 'a', 'b'].map((key) => limiter.take(key).allowed),
    [true, true, false, false],
  )
})

/** Number of attempts of 100 concurrent ones that were made. */
async function attemptsMade(limiter: Pick<RateLimiter, 'reserve'>, failed: boolean): Promise<number> {
  let made = 0
  const attempt = async () => {
    const { allowed, settle } = await limiter.reserve('a')
    if (!allowed) return
    made++
    await new Promise((done) => setImmediate(done))
    settle({ failed })
  }
  await Promise.all(Array.from({ length: 100 }, attempt))
  return made
}

test('of 100 concurrent attempts that fail, as many are made as failures are allowed', async () => {
  const { limiter, pass } = limiterAt(20)
  assert.equal(await attemptsMade(limiter, true), 20)
  assert.equal(await attemptsMade(limiter, true), 0)
  pass(60)
  assert.equal(await attemptsMade(limiter, true), 20)
})

test('of 100 concurrent attempts that succeed, all are made, and none is counted', async () => {
  const { limiter } = limiterAt(20)
  assert.equal(await attemptsMade(limiter, false), 100)
  assert.equal(await attemptsMade(limiter, true), 20)
})

test('counter-check: without a reservation, all concurrent attempts are made', async () => {
  let failures = 0
  const looksFirst: Pick<RateLimiter, 'reserve'> = {
    reserve: async () => ({
      allowed: failures < 20,
      limit: 20,
      remaining: 0,
      resetSeconds: 60,
      settle: ({ failed }) => {
        if (failed) failures++
      },
    }),
  }
  assert.equal(await attemptsMade(looksFirst, true), 100)
})

test('attempts that wait are made in their order as others succeed, and refused after the last allowed failure', async () => {
  const { limiter } = limiterAt(2)
  const [first, second] = [await limiter.reserve('a'), await limiter.reserve('a')]
  const order: string[] = []
  const waiting = ['third', 'fourth'].map(async (name) => {
    const { allowed, settle } = await limiter.reserve('a')
    order.push(`${name} ${allowed}`)
    if (allowed) settle({ failed: true })
  })
  first.settle({ failed: false })
  second.settle({ failed: true })
  await Promise.all(waiting)
  assert.deepEqual(order, ['third true', 'fourth false'])
})

test('headers contain the policy, the remaining requests and the time of the reset', () => {
  const { limiter, pass } = limiterAt(2, 1.5)
  assert.deepEqual(limiter.headers(limiter.take('a')), { 'ratelimit-policy': '"reads";q=3;w=60', ratelimit: '"reads";r=2;t=60' })
  for (let n = 0; n < 3; n++) limiter.take('a')
  pass(18)
  const verdict = limiter.take('a')
  const expected = { 'ratelimit-policy': '"reads";q=3;w=60', ratelimit: '"reads";r=0;t=42', 'retry-after': '42' }
  assert.deepEqual(limiter.headers(verdict), expected)
  assert.throws(
    () => limiter.check(verdict),
    (error) => error instanceof Problem && error.status === 429 && error.headers['retry-after'] === '42',
  )
})

test('when switched off, all requests pass without headers', () => {
  const { limiter } = limiterAt(1, Number.POSITIVE_INFINITY)
  limiter.take('a')
  const verdict = limiter.take('a')
  assert.equal(limiter.isOff, true)
  assert.deepEqual([verdict.allowed, limiter.headers(verdict)], [true, {}])
})

test('the number of stored keys is bounded', () => {
  const { limiter } = limiterAt(1)
  limiter.take('first')
  assert.equal(limiter.take('first').allowed, false)
  for (let n = 0; n < 100_000; n++) limiter.take(`key ${n}`)
  assert.equal(limiter.take('first').allowed, true)
})

test('keys whose minute is over make room for new ones, and the others stay counted', () => {
  const { limiter, pass } = limiterAt(1)
  for (let n = 1; n < 100_000; n++) limiter.take(`key ${n}`)
  pass(30)
  limiter.take('kept')
  pass(30)
  limiter.take('new')
  assert.equal(limiter.take('kept').allowed, false)
})

const ADDRESSES: [ip: string, key: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4'],
]
for (const [ip, key] of ADDRESSES) test(`${ip} counts as ${key}`, () => assert.equal(addressKey(ip), key))
