import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'
import type { Database } from '../db/pool.ts'
import { RateLimiter } from './rate-limiter.ts'
import { deleteEndedCounts, SharedCounts } from './shared-counts.ts'

const START = Date.parse('2031-05-04T08:00:00Z')

describe('nodes with limits on one database', () => {
  let database: TestDatabase
  let db: Database
  let ahead = 0
  let made = 0
  const now = () => new Date(START + ahead * 1000)
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: 8 })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  /** A node reports only when the test says so, or when it has used a quarter of what was left. */
  const makeNodes = (perMinute: number, { shares = true } = {}) => {
    const name = `limit ${++made}`
    const shared = {
      counts: new SharedCounts({ db: db.write, now, onError: (error) => assert.fail(error) }),
      reportEveryMs: 1e6,
    }
    return [0, 1].map(() => new RateLimiter({ now }, name, perMinute, 1, ...(shares ? [shared] : []))) as [
      RateLimiter,
      RateLimiter,
    ]
  }
  const takeMany = (node: RateLimiter, count: number) =>
    Array.from({ length: count }, () => node.take('a')).filter(({ allowed }) => allowed).length

  /** How many requests both nodes let pass that are asked in turn, with reports in between. */
  async function askInTurn(nodes: RateLimiter[]): Promise<number> {
    let passed = 0
    for (let n = 0; n < 120; n++) {
      passed += takeMany(nodes[n % 2]!, 1)
      if (n % 10 === 9) for (const node of nodes) await node.report()
    }
    return passed
  }

  test('let pass as many requests together as the limit allows', async () => {
    const passed = await askInTurn(makeNodes(60))
    assert.ok(passed >= 60 && passed <= 65, `${passed} passed`)
  })

  test('counter-check: nodes that do not share let pass twice as many', async () => {
    assert.equal(await askInTurn(makeNodes(60, { shares: false })), 120)
  })

  test('send nothing for keys that are far from the limit', async () => {
    const [node] = makeNodes(600)
    takeMany(node, 11)
    await node.report()
    const { rows } = await db.writePool.query('select from rate_count where count = 11')
    assert.equal(rows.length, 0)
    takeMany(node, 1)
    await node.report()
    assert.equal((await db.writePool.query('select from rate_count where count = 12')).rows.length, 1)
  })

  test('begin again together when the minute is over, counted from the first request', async () => {
    const [first, second] = makeNodes(10)
    takeMany(first, 10)
    await first.report()
    ahead += 50
    takeMany(second, 1)
    await second.report()
    assert.deepEqual([second.take('a').allowed, second.take('a').resetSeconds], [false, 10])
    ahead += 10
    assert.deepEqual([second.take('a').allowed, first.take('a').allowed], [true, true])
    await first.report()
    await second.report()
    assert.equal(second.take('a').remaining, 7)
  })

  test('go on with their own counts while the database cannot be written, and report them afterwards', async () => {
    const state = { isDown: true, failed: 0 }
    class Counts extends SharedCounts {
      override add(reports: Parameters<SharedCounts['add']>[0]): ReturnType<SharedCounts['add']> {
        return state.isDown ? Promise.reject(new Error('down')) : super.add(reports)
      }
    }
    const counts = new Counts({ db: db.write, now, onError: () => void state.failed++ })
    const [node, other] = [0, 1].map(() => new RateLimiter({ now }, 'down', 40, 1, { counts, reportEveryMs: 1e6 }))
    takeMany(node!, 30)
    await node!.report()
    assert.ok(state.failed > 0)
    state.isDown = false
    await node!.report()
    takeMany(other!, 1)
    await other!.report()
    assert.equal(other!.take('a').remaining, 8)
  })

  /** How many of 100 concurrent attempts were made on two nodes. */
  async function attemptsMade(nodes: RateLimiter[], failed: boolean): Promise<number> {
    let attempts = 0
    const attempt = async (n: number) => {
      const { allowed, settle } = await nodes[n % 2]!.reserve('a')
      if (!allowed) return
      attempts++
      await new Promise((done) => setImmediate(done))
      settle({ failed })
    }
    await Promise.all(Array.from({ length: 100 }, (_, n) => attempt(n)))
    return attempts
  }

  test('of 100 concurrent attempts that fail, make as many as failures are allowed, until the minute is over', async () => {
    const nodes = makeNodes(20)
    assert.equal(await attemptsMade(nodes, true), 20)
    assert.equal(await attemptsMade(nodes, true), 0)
    ahead += 60
    assert.equal(await attemptsMade(nodes, true), 20)
  })

  test('counter-check: without sharing, each makes as many failing attempts as allowed', async () => {
    assert.equal(await attemptsMade(makeNodes(20, { shares: false }), true), 40)
  })

  test('make all attempts that succeed, and count none', async () => {
    const nodes = makeNodes(20)
    assert.equal(await attemptsMade(nodes, false), 100)
    assert.equal(await attemptsMade(nodes, true), 20)
  })

  test('a place that a killed node holds is free again when the minute is over', async () => {
    const [killed, other] = makeNodes(1)
    await killed.reserve('a')
    let answered = false
    const waiting = other.reserve('a').then((place) => {
      answered = true
      return place
    })
    await db.writePool.query('select 1')
    assert.equal(answered, false)
    ahead += 60
    assert.equal((await waiting).allowed, true)
  })

  test('count rare requests exactly', async () => {
    const nodes = makeNodes(10)
    const results = await Promise.all(Array.from({ length: 40 }, (_, n) => nodes[n % 2]!.takeShared('a')))
    assert.equal(results.filter(({ allowed }) => allowed).length, 10)
  })

  test('counter-check: without sharing, each lets pass as many rare requests as allowed', async () => {
    const nodes = makeNodes(10, { shares: false })
    const results = await Promise.all(Array.from({ length: 40 }, (_, n) => nodes[n % 2]!.takeShared('a')))
    assert.equal(results.filter(({ allowed }) => allowed).length, 20)
  })

  test('a job deletes counts a minute after their end, and no others', async () => {
    const [node] = makeNodes(10)
    await node.takeShared('old')
    ahead += 121
    await node.takeShared('new')
    await deleteEndedCounts(db.write, now())
    const { rows } = await db.writePool.query<{ left: number }>(
      'select extract(epoch from ends_at - $1)::int as left from rate_count',
      [now()],
    )
    assert.deepEqual(rows, [{ left: 60 }])
  })
})

describe('two nodes of an instance', () => {
  test('see at once what the other one has revoked, also where they have cached it', async () => {
    const first = await openInstance()
    const second = await openInstance({ beside: first })
    const { access_token: token } = await first.tokens(ANN, await first.addClient())
    assert.deepEqual([await first.me(token), await second.me(token), await second.me(token)], [200, 200, 200])
    await first.db.write.deleteFrom('access_token').execute()
    assert.deepEqual([await first.me(token), await second.me(token)], [401, 401])
  })

  test('refuse together: passwords, client secrets and requests by token', async () => {
    // One wrong password or client secret a minute, and 30 requests.
    const first = await openInstance({ rateLimit: '0.05' })
    const second = await openInstance({ rateLimit: '0.05', beside: first })
    const guess = async (node: typeof first) => {
      const browser = await node.browserOf()
      await browser.go('/accounts/login/')
      return (await browser.post('/accounts/login/', { email: 'nobody@example.org', password: 'seven quiet lamps' })).status
    }
    assert.deepEqual([await guess(first), await guess(second)], [422, 429])

    const client = await first.addClient()
    const stolen = { ...client, secret: 'guessed' }
    const exchange = async (node: typeof first) => (await node.token({ grant_type: 'client_credentials' }, stolen)).status
    assert.deepEqual([await exchange(first), await exchange(second)], [401, 429])

    const headers = { 'user-agent': 'a test' }
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) statuses.push((await [first, second][n % 2]!.send('/api/', { headers })).status)
    const passed = statuses.filter((status) => status !== 429).length
    assert.ok(passed >= 20 && passed <= 34, `${passed} of 60 passed`)
  })
})
