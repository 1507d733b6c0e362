import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { ask, openHttpServer, type TestHttpServer } from '#test/support/http-server.ts'
import type { MountedRequest } from './mount.ts'
import { Problem } from './problem.ts'

describe('a route that a library serves', () => {
  let server: TestHttpServer
  let asked: MountedRequest | undefined
  let check: () => Promise<void>
  let handle: (response: ServerResponse) => Promise<void>
  before(async () => {
    const routes = [
      { path: '/library/', methods: ['GET', 'POST'], kind: 'json' },
      { path: '/library/{part}/page/', methods: ['GET'], kind: 'page' },
    ] as const
    const mount = {
      routes,
      check: async (mounted: MountedRequest) => {
        asked = mounted
        await check()
      },
      handle: (_request: unknown, response: ServerResponse) => handle(response),
    }
    server = await openHttpServer({ mounts: [mount] })
  })
  after(() => server.close())

  const good = async () => {}
  const answer = async (response: ServerResponse) => void response.writeHead(201, { 'x-made': 'yes' }).end('made')
  const get = (path = '/library/', more = {}) => ask(server, path, more)

  test('answers by itself, and nothing keeps a copy', async () => {
    ;[check, handle] = [good, answer]
    const { status, body, headers } = await get()
    assert.deepEqual([status, body, headers['x-made']], [201, 'made', 'yes'])
    assert.deepEqual([headers['cache-control'], headers.pragma, headers.allow], ['no-store', 'no-cache', 'GET, POST'])
  })

  test('knows the person of a session on pages only, and the parts of its path', async () => {
    ;[check, handle] = [good, answer]
    await get('/library/seven/page/', { session: 'ann' })
    assert.deepEqual([asked?.person?.userId, asked?.parameters.part], [7, 'seven'])
    await get('/library/', { session: 'ann' })
    assert.equal(asked?.person, undefined)
    await get('/library/seven/page/', { token: 'reads' })
    assert.equal(asked?.person, undefined)
  })

  test('is not asked with another method or with two credentials', async () => {
    check = handle = () => assert.fail('asked')
    const put = await get('/library/', { method: 'PUT' })
    assert.deepEqual([put.status, put.json().error, put.headers.allow], [405, 'invalid_request', 'GET, POST'])
    const both = await get('/library/', { headers: { authorization: ['Basic YTpi', 'Basic YTpj'] } })
    assert.deepEqual([both.status, both.json().error], [400, 'invalid_request'])
    assert.equal(both.headers['cache-control'], 'no-store')
  })

  const FAILURES: [what: string, error: Error, status: number, code: string][] = [
    ['a refusal', new Problem('too_many_requests', { headers: { 'retry-after': '9' } }), 429, 'temporarily_unavailable'],
    ['a database that is away', Object.assign(new Error('ended'), { code: '57P01' }), 503, 'temporarily_unavailable'],
  ]
  for (const [what, error, status, code] of FAILURES)
    for (const place of ['check', 'handle'] as const)
      test(`${what} in its ${place} is answered with ${status}, for programs and on pages`, async () => {
        const fail = () => Promise.reject(error)
        ;[check, handle] = place === 'check' ? [fail, () => assert.fail('asked')] : [good, fail]
        const json = await get()
        assert.deepEqual([json.status, json.json().error], [status, code])
        assert.equal(json.headers['retry-after'], status === 429 ? '9' : '2')
        const page = await get('/library/seven/page/')
        assert.deepEqual([page.status, page.headers['content-type']], [status, 'text/html; charset=utf-8'])
      })

  test('a mistake in it is answered and logged', async () => {
    ;[check, handle] = [good, () => Promise.reject(new Error('no such thing'))]
    assert.equal((await get()).status, 500)
    assert.match(JSON.stringify(server.lines()), /no such thing/)
  })

  test('a mistake after the beginning of its answer ends the connection, and the server goes on', async () => {
    check = good
    handle = async (response) => {
      response.writeHead(200, { 'content-length': '100' })
      await new Promise((done) => response.write('half', done))
      throw new Error('no second half')
    }
    await assert.rejects(get(), /aborted|hang up|ECONNRESET/)
    assert.match(JSON.stringify(server.lines()), /no second half/)
    handle = answer
    assert.equal((await get()).status, 201)
  })
})
