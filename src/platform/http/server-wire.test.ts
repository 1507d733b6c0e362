import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { z } from 'zod'
import { openDatabase } from '#platform/db/pool.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { ask, openHttpServer, type TestHttpServer } from '#test/support/http-server.ts'
import { open } from './access.ts'
import { recordEndpoint } from './endpoint.ts'
import { formPage } from './page.ts'
import { Problem, type ProblemCode, problemDetail, statusOf } from './problem.ts'
import { CLIENT_TIMEOUTS } from './server.ts'

const portOf = ({ app }: TestHttpServer) => (app.server.address() as AddressInfo).port

/** Sends bytes as they are, and reads until the server closes. */
async function sendRaw(server: TestHttpServer, bytes: string): Promise<string> {
  const socket = connect(portOf(server), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

const HEAD = 'HTTP/1.1\r\nHost: plan.example\r\n'
const BIG = `X-Big: ${'x'.repeat(20_000)}\r\n`
const MALFORMED: [what: string, bytes: string, code: ProblemCode, isPage?: boolean][] = [
  ['headers that are too large', `GET /api/open/ ${HEAD}${BIG}\r\n`, 'headers_too_large'],
  ['headers of a page that are too large', `GET /apiary/ ${HEAD}${BIG}\r\n`, 'headers_too_large', true],
  ['something that is no HTTP', 'hello\r\n\r\n', 'bad_request'],
  ['a method that does not exist', `FROB /api/open/ ${HEAD}\r\n`, 'bad_request'],
  ['two lengths', `POST /api/redeem/ ${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`, 'bad_request'],
  ['a length and chunks', `POST /api ${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 'bad_request'],
  ['a page with a bad header', `GET / ${HEAD}a b: c\r\n\r\n`, 'bad_request', true],
  ['no host', 'GET /api/open/ HTTP/1.1\r\nConnection: close\r\n\r\n', 'bad_request'],
  ['an empty host', 'GET /api/open/ HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 'misdirected_request'],
]
test('malformed requests get a problem without a stack, and the server keeps running', async (t) => {
  const server = await openHttpServer()
  t.after(server.close)
  for (const [what, bytes, code, isPage] of MALFORMED) {
    const [head = '', body = ''] = (await sendRaw(server, bytes)).split(/\r\n\r\n(.*)/s)
    const status = statusOf(code)
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} \\w`), what)
    assert.match(head, /\r\nx-content-type-options: nosniff\r\n/i, what)
    assert.match(head, /\r\nconnection: close(\r\n|$)/i, what)
    assert.equal(Number(/content-length: (\d+)/i.exec(head)?.[1]), Buffer.byteLength(body), what)
    const type = isPage ? 'text/plain; charset=utf-8' : 'application/problem+json'
    assert.match(head, new RegExp(`\r\ncontent-type: ${type.replace('+', '\\+')}\r\n`), what)
    assert.doesNotMatch(body, /node_modules|\bat /, what)
    if (isPage) assert.equal(body, `${problemDetail(new Problem(code), wordsFor('en', 'UTC'))}\n`)
    else {
      const { type, title, status: told, detail, request_id: id } = JSON.parse(body)
      assert.deepEqual([type, told], [`urn:turnout:problem:${code}`, status], what)
      assert.ok(title && detail && head.includes(`x-request-id: ${id}`), what)
    }
  }
  assert.equal((await ask(server, '/api/open/')).status, 200)
})

test('a host may be missing in HTTP 1.0 only; expectations that nobody knows are ignored', async (t) => {
  const server = await openHttpServer()
  t.after(server.close)
  assert.match(await sendRaw(server, 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  assert.match(await sendRaw(server, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /)
  const expecting = `GET /api/open/ ${HEAD}Expect: a-cake\r\nConnection: close\r\n\r\n`
  assert.match(await sendRaw(server, expecting), /^HTTP\/1\.1 200 /)
})

test('a request whose headers come slowly gets a problem', async (t) => {
  const clientTimeouts = { headersMs: 50, requestMs: 60_000, uploadMs: 60_000, readingMs: 60_000, idleMs: 60_000 }
  const server = await openHttpServer({ clientTimeouts })
  t.after(server.close)
  assert.match(await sendRaw(server, `GET /api/open/ ${HEAD}`), /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
})

test('two authorization headers do not authenticate', async (t) => {
  const server = await openHttpServer()
  t.after(server.close)
  const twice = 'Authorization: Bearer reads\r\nAuthorization: Bearer reads\r\n'
  const answer = await sendRaw(server, `GET /api/things/ HTTP/1.1\r\nHost: plan.example\r\n${twice}Connection: close\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 401 [\s\S]*invalid_token/)
})

test('slow clients are disconnected after seconds', async (t) => {
  const { app, close } = await openHttpServer({ clientTimeouts: CLIENT_TIMEOUTS })
  t.after(close)
  const { headersTimeout, keepAliveTimeout } = app.server
  for (const [name, value, most] of [
    ['headers', headersTimeout, 12_000],
    ['idle', keepAliveTimeout, 60_000],
  ] as const)
    assert.ok(value > 0 && value <= most, `${name}: ${value} ms`)
})

test('a client that sends its body slowly is disconnected, unless it uploads a file', async (t) => {
  const upload = formPage({
    path: '/upload/',
    access: open('a test'),
    form: z.object({}),
    uploads: { maxBytes: 100 },
    show: async () => ({ title: 'Upload', main: '' }),
    submit: async () => ({ redirect: '/' }),
  })
  const clientTimeouts = { headersMs: 60_000, requestMs: 50, uploadMs: 60_000, readingMs: 60_000, idleMs: 60_000 }
  const server = await openHttpServer({ pages: [upload], clientTimeouts })
  t.after(server.close)
  const begin = (path: string) => {
    const socket = connect(portOf(server), '127.0.0.1')
    const head = `POST ${path} HTTP/1.1\r\nHost: plan.example\r\nOrigin: https://plan.example\r\nConnection: close\r\n`
    socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\ncode=`)
    return { socket, answer: text(socket) }
  }
  const uploading = begin('/upload/')
  const other = begin('/api/redeem/')
  assert.match(await other.answer, /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
  uploading.socket.write('12345')
  assert.match(await uploading.answer, /^HTTP\/1\.1 403 /)
})

test('a client that does not read its response is disconnected', async (t) => {
  const large = recordEndpoint({
    name: 'Large',
    operationId: 'large',
    summary: 'Large',
    tag: 'things',
    path: '/api/large/',
    access: open('a test'),
    record: z.object({ text: z.string() }),
    parameters: {},
    get: async () => ({ text: 'x'.repeat(32 * 1024 * 1024) }),
    present: (row) => row,
  })
  const clientTimeouts = { headersMs: 60_000, requestMs: 60_000, uploadMs: 60_000, readingMs: 100, idleMs: 60_000 }
  const server = await openHttpServer({ endpoints: [large], clientTimeouts })
  t.after(server.close)
  const accepted = once(server.app.server, 'connection')
  const socket = connect(portOf(server), '127.0.0.1')
  // The system may report the end as a reset.
  const ended = new Promise<void>((done) => socket.on('error', () => {}).once('close', () => done()))
  socket.write('GET /api/large/ HTTP/1.1\r\nHost: plan.example\r\n\r\n')
  const [connection] = (await accepted) as [Socket]
  await once(connection, 'close')
  socket.resume()
  await ended
  assert.ok(socket.bytesRead < 32 * 1024 * 1024)
})

test('every response has the rate limit headers, requests over the limit are 429, and each credential has its own limit', async (t) => {
  const server = await openHttpServer({ readsPerMinute: 2 })
  t.after(server.close)
  const first = await ask(server, '/api/things/', { token: 'reads' })
  assert.deepEqual([first.headers['ratelimit-policy'], first.headers.ratelimit], ['"reads";q=2;w=60', '"reads";r=1;t=60'])
  await ask(server, '/api/things/', { token: 'reads' })
  const third = await ask(server, '/api/things/', { token: 'reads' })
  assert.deepEqual([third.status, third.json().code, third.headers['retry-after']], [429, 'too_many_requests', '60'])
  assert.equal((await ask(server, '/api/secrets/', { token: 'reads-all' })).status, 200)
  assert.equal((await ask(server, '/api/open/')).status, 200)
  assert.equal((await ask(server, '/')).status, 200)
  const page = await ask(server, '/')
  assert.deepEqual([page.status, page.headers['retry-after']], [429, '60'])
  assert.equal((await ask(server, '/healthz')).status, 200)
})

test('the client address comes from the configured number of proxies', async (t) => {
  for (const [trustProxy, expected] of [
    [0, 429],
    [1, 200],
  ] as const) {
    const server = await openHttpServer({ readsPerMinute: 1, trustProxy })
    t.after(server.close)
    await ask(server, '/api/open/', { headers: { 'x-forwarded-for': '192.0.2.1' } })
    assert.equal((await ask(server, '/api/open/', { headers: { 'x-forwarded-for': '192.0.2.2' } })).status, expected)
    const forged = { 'x-forwarded-for': '198.51.100.9, 192.0.2.1' }
    assert.equal((await ask(server, '/api/open/', { headers: forged })).status, 429)
  }
})

test('without its database the server answers 503 with Retry-After', async (t) => {
  const asking = recordEndpoint({
    name: 'Asking',
    operationId: 'asking',
    summary: '',
    tag: 'tests',
    path: '/api/asking/',
    access: open('a test'),
    record: z.unknown(),
    parameters: {},
    get: ({ db }) => db.selectFrom('audience').select('id').executeTakeFirst(),
    present: (row) => row,
  })
  // Nothing listens on that port.
  const db = openDatabase({ url: 'postgresql://127.0.0.1:1/none' })
  const server = await openHttpServer({ endpoints: [asking], db })
  t.after(server.close)
  const answer = await ask(server, '/api/asking/')
  assert.deepEqual([answer.status, answer.json().code, answer.headers['retry-after']], [503, 'unavailable', '2'])
})

/** A planted endpoint that answers when it is told to. */
function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const endpoint = recordEndpoint({
    name: 'Gate',
    operationId: 'gate',
    summary: '',
    tag: 'tests',
    path: '/api/gate/',
    access: open('a test'),
    record: z.object({ done: z.boolean() }),
    parameters: {},
    get: async () => {
      reached.resolve()
      await opened.promise
      return { done: true }
    },
    present: (row) => row,
  })
  return { endpoint, reached: reached.promise, let: opened.resolve }
}

test('a stopping server is not ready, closes connections after responses, and finishes running requests', async (t) => {
  const { endpoint, reached, let: letPass } = gate()
  const server = await openHttpServer({ endpoints: [endpoint] })
  t.after(server.close)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const running = ask(server, '/api/gate/')
  await reached
  assert.equal((await ask(server, '/readyz')).status, 200)
  const grace = Promise.withResolvers<void>()
  const stopping = server.stop({ grace: grace.promise })
  const ready = await ask(server, '/readyz')
  assert.deepEqual([ready.status, ready.json().parts], [503, { database: true, accepting: false }])
  const outgoing = request({
    port: portOf(server),
    host: '127.0.0.1',
    path: '/api/open/',
    headers: { host: 'plan.example' },
    agent,
  })
  outgoing.end()
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  await text(answer)
  assert.deepEqual([answer.statusCode, answer.headers.connection], [200, 'close'])
  grace.resolve()
  letPass()
  assert.deepEqual((await running).json(), { done: true })
  await stopping
  assert.equal(server.app.server.listening, false)
})

test('a request that arrives while the server accepts its last connections waits until it does not listen any more', async (t) => {
  const reached = Promise.withResolvers<AbortSignal>()
  const listening = (path: `/api/${string}/`, onRequest: (signal: AbortSignal) => Promise<unknown>) =>
    recordEndpoint({
      name: path,
      operationId: path,
      summary: path,
      tag: 'things',
      path,
      access: open('a test'),
      record: z.object({ isListening: z.boolean() }),
      parameters: {},
      get: async (_context, _path, _query, connection) => {
        await onRequest(connection.signal)
        return { isListening: server.app.server.listening }
      },
      present: (row) => row,
    })
  const server = await openHttpServer({
    endpoints: [
      listening('/api/late/', async () => {}),
      listening('/api/early/', async (signal) => {
        reached.resolve(signal)
        await once(signal, 'abort')
      }),
    ],
  })
  t.after(server.close)
  const early = ask(server, '/api/early/')
  const signal = await reached.promise
  const late = once(signal, 'abort').then(() => server.app.inject({ url: '/api/late/', headers: { host: 'plan.example' } }))
  await server.stop({ grace: Promise.resolve() })
  assert.deepEqual((await late).json(), { isListening: false })
  assert.equal((await early).status, 200)
})

test('a closing server does not wait for a connection that never sends a request', async () => {
  const server = await openHttpServer()
  const silent = connect(portOf(server), '127.0.0.1')
  await once(silent, 'connect')
  // Accepted: a later connection has been answered.
  await ask(server, '/api/open/')
  const ended = once(silent, 'close')
  await server.close()
  await ended
})
