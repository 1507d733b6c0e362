import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { ANN, HELPERS } from '#test/support/people.ts'
import { addressOf, clientOf, type Fetch, losingAnswers, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld } from '#test/support/world.ts'
import { ConnectionError, ProblemError, type RetryOptions, TurnoutClient } from '../../clients/typescript/src/client.ts'
import { backoffMs, DEFAULT_RETRY, makeIdempotencyKey, readRetryAfter } from '../../clients/typescript/src/retry.ts'

const OWN = '/api/users/me/participations/{id}/'

describe('a lost answer', async () => {
  const world = await openWorld(REACHABLE)
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}, {}, {}, {}] })
  const ann = await clientOf(world, ANN, ['ME_READ', 'ME_WRITE'])
  const losing = (fetch: Fetch) => clientOf(world, ANN, ['ME_READ', 'ME_WRITE'], { fetch })
  const signUp = (index: number) => ann.post('/api/shifts/{id}/signup/', { path: { id: shifts[index]! } })
  const commentsOf = async (id: number) => (await ann.get(OWN, { path: { id } })).comments.map(({ text }) => text)
  /** A POST that writes again when it is repeated. */
  const addComment = (id: number) => ({
    body: {
      operations: [
        { method: 'PATCH' as const, path: `/api/users/me/participations/${id}/`, body: { comment: 'van' }, if_match: '*' },
      ],
    },
  })

  test('to a POST is asked for again, and the request is carried out once', async () => {
    const { id } = await signUp(0)
    const keys: (string | null)[] = []
    const watching: Fetch = (input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return globalThis.fetch(input, init)
    }
    const client = await losing(losingAnswers(2, watching))
    const answer = await client.request('POST', '/api/batch/', addComment(id))
    assert.deepEqual([answer.status, answer.isReplayed], [200, true])
    assert.deepEqual(await commentsOf(id), ['van'])
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
  })

  test('twin: without the key, each attempt is carried out', async () => {
    const { id } = await signUp(1)
    const withoutKey: Fetch = (input, init = {}) => {
      const headers = new Headers(init.headers)
      headers.delete('idempotency-key')
      return globalThis.fetch(input, { ...init, headers })
    }
    const client = await losing(losingAnswers(2, withoutKey))
    const answer = await client.request('POST', '/api/batch/', addComment(id))
    assert.equal(answer.isReplayed, false)
    assert.deepEqual(await commentsOf(id), ['van', 'van', 'van'])
  })

  test('can be asked for later, with the key that the error tells', async () => {
    const { id } = await signUp(2)
    const client = await losing(losingAnswers(DEFAULT_RETRY.attempts))
    const error = await client.post('/api/batch/', addComment(id)).catch((reason) => reason)
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /^POST \/api\/batch\/ got no answer in 5 attempts: fetch failed \(socket hang up\)$/)
    const later = await ann.request('POST', '/api/batch/', { ...addComment(id), idempotencyKey: error.request.idempotencyKey! })
    assert.equal(later.isReplayed, true)
    assert.deepEqual(await commentsOf(id), ['van'])
  })

  test('to another write is asked for again; the version keeps it from being carried out twice', async () => {
    const { id } = await signUp(3)
    const { etag } = await ann.request('GET', OWN, { path: { id } })
    const client = await losing(losingAnswers(1))
    const writing = client.patch(OWN, { path: { id }, ifMatch: etag!, body: { comment: 'bus' } })
    await assert.rejects(writing, (error: ProblemError) => error.status === 412 && error.request.isUncertain)
    assert.deepEqual(await commentsOf(id), ['bus'])
  })

  test('to a read is asked for again', async () => {
    const client = await losing(losingAnswers(4))
    assert.equal((await client.get('/api/users/me/participations/')).count, 4)
  })
})

describe('retries', () => {
  /** Answers in this order; then with an empty list. */
  const answering = (responses: (Response | Error)[], retry: Partial<RetryOptions> = {}) => {
    const waits: number[] = []
    const sent = { count: 0 }
    const fetch: Fetch = async () => {
      const next = responses[sent.count++] ?? Response.json({ count: 0, next: null, previous: null, results: [] })
      if (next instanceof Error) throw next
      return next
    }
    const wait = async (ms: number) => void waits.push(ms)
    return { client: new TurnoutClient({ url: 'https://plan.example', fetch, retry: { wait, ...retry } }), waits, sent }
  }
  const refused = (status: number, headers: Record<string, string> = {}) =>
    Response.json({ code: 'a_code', detail: 'text' }, { status, headers })

  for (const status of [429, 502, 503, 504])
    test(`follow the status ${status}`, async () => {
      const { client, sent } = answering([refused(status)])
      await client.get('/api/events/')
      assert.equal(sent.count, 2)
    })

  for (const status of [400, 401, 403, 404, 409, 412, 422, 428, 500])
    test(`do not follow the status ${status}`, async () => {
      const { client, sent } = answering([refused(status)])
      await assert.rejects(client.get('/api/events/'), { status, code: 'a_code' })
      assert.equal(sent.count, 1)
    })

  test('follow a conflict with other requests that passes', async () => {
    const { client, sent } = answering([refused(409, { 'retry-after': '1' })])
    await client.get('/api/events/')
    assert.equal(sent.count, 2)
  })

  test('wait as long as the server asks for', async () => {
    const { client, waits } = answering([refused(429, { 'retry-after': '7' }), refused(503, { 'retry-after': '30' })])
    await client.get('/api/events/')
    assert.deepEqual(waits, [7_000, 30_000])
  })

  test('end when the server asks for too long', async () => {
    const { client, sent } = answering([refused(429, { 'retry-after': '3600' })])
    await assert.rejects(client.get('/api/events/'), { status: 429, retryAfterMs: 3_600_000 })
    assert.equal(sent.count, 1)
  })

  test('wait longer after each failure, and end with the last problem', async () => {
    const { client, waits, sent } = answering(Array.from({ length: 9 }, () => refused(503)))
    await assert.rejects(client.get('/api/events/'), ProblemError)
    assert.equal(sent.count, 5)
    for (const [index, ms] of waits.entries()) assert.ok(ms >= 0 && ms <= 500 * 2 ** index, `${waits}`)
  })

  test('can be switched off', async () => {
    const { client } = answering([new TypeError('fetch failed')], { attempts: 1 })
    await assert.rejects(client.get('/api/events/'), /got no answer in one attempt: fetch failed$/)
  })

  test('follow an attempt that takes too long', async () => {
    let attempts = 0
    const fetch: Fetch = (_, init) => {
      if (++attempts === 2) return Promise.resolve(Response.json({ results: [] }))
      return new Promise((_, fail) => init?.signal?.addEventListener('abort', () => fail(init.signal?.reason)))
    }
    const client = new TurnoutClient({ url: 'https://plan.example', fetch, retry: { wait: async () => {} } })
    await client.get('/api/events/', { timeoutMs: 1 })
    assert.equal(attempts, 2)
    attempts = 2
    const error = await client.get('/api/events/', { timeoutMs: 1 }).catch((reason) => reason)
    assert.ok(error instanceof ConnectionError)
    assert.deepEqual([(error.cause as Error).name, attempts], ['TimeoutError', 7])
  })

  test('do not hide a mistake of the caller', async () => {
    const { client, sent } = answering([])
    await assert.rejects(client.get('/api/events/', { headers: { 'x y': '1' } }), TypeError)
    assert.equal(sent.count, 0)
  })

  test('read Retry-After in seconds and as a date', () => {
    const now = Date.parse('2031-05-01T10:00:00Z')
    assert.equal(readRetryAfter('12', now), 12_000)
    assert.equal(readRetryAfter('Thu, 01 May 2031 10:01:00 GMT', now), 60_000)
    assert.equal(readRetryAfter('Thu, 01 May 2031 09:00:00 GMT', now), 0)
    assert.equal(readRetryAfter('soon', now), undefined)
    assert.equal(readRetryAfter(null, now), undefined)
  })

  test('double the wait up to a limit', () => {
    const most = (failures: number) => Math.max(...Array.from({ length: 200 }, () => backoffMs(failures, DEFAULT_RETRY)))
    assert.ok(most(1) <= 500 && most(3) > 1_000 && most(3) <= 2_000 && most(30) <= 20_000)
  })

  test('have different keys for different requests, also without crypto', () => {
    const crypto = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
    for (const value of [globalThis.crypto, undefined]) {
      Object.defineProperty(globalThis, 'crypto', { value, configurable: true })
      try {
        const keys = Array.from({ length: 1_000 }, makeIdempotencyKey)
        assert.equal(new Set(keys).size, 1_000)
        for (const key of keys) assert.match(key, /^[\w-]{20,40}$/)
      } finally {
        Object.defineProperty(globalThis, 'crypto', crypto)
      }
    }
  })
})

test('a server that is not there is an error of the connection', async () => {
  const world = await openWorld(REACHABLE)
  const url = addressOf(world)
  await world.app.app.close()
  const client = new TurnoutClient({ url, retry: { attempts: 2, wait: async () => {} } })
  await assert.rejects(
    client.get('/api/events/'),
    (error: Error) => error instanceof ConnectionError && /ECONNREFUSED/.test(error.message),
  )
})

test('a redirect is not followed, since it would turn a write into a read', async () => {
  const methods: string[] = []
  const server = createServer((request, response) => {
    methods.push(request.method!)
    response.writeHead(301, { location: '/elsewhere/' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const client = new TurnoutClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    await assert.rejects(client.post('/api/shifts/{id}/signup/', { path: { id: 1 } }), {
      status: 301,
      detail: /redirects to \/elsewhere\//,
    })
    assert.deepEqual(methods, ['POST'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
