import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { html } from '#platform/html/html.ts'
import { type Asked, ask, COOKIES, openHttpServer, SITE } from '#test/support/http-server.ts'
import { open } from './access.ts'
import { recordEndpoint } from './endpoint.ts'
import { viewPage } from './page.ts'

/** Each fails in its own way; the words must never reach the client. */
const FAILURES: Record<string, (db: Awaited<ReturnType<typeof openHttpServer>>['db']['read']) => Promise<unknown>> = {
  bug: async () => {
    throw new TypeError('canary: the bug')
  },
  text: async () => {
    throw 'canary: not even an error'
  },
  number: (db) => sql`select ${'canary'}::int`.execute(db),
  twice: (db) => sql`insert into audience (group_ids) values ('{}')`.execute(db),
  check: (db) => sql`insert into user_profile (email, display_name) values ('canary@a.example', '')`.execute(db),
  missing: (db) => sql`select canary from event`.execute(db),
  slow: (db) => sql`do $$ begin raise exception 'canary' using errcode = '57014'; end $$`.execute(db),
  lost: (db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db),
  shutdown: (db) => sql`do $$ begin raise exception 'canary' using errcode = '57P01'; end $$`.execute(db),
}
const failing = recordEndpoint({
  name: 'Failing',
  operationId: 'failing',
  summary: '',
  tag: 'tests',
  path: '/api/failing/{way}/',
  access: open('a test'),
  record: z.unknown(),
  parameters: {},
  get: async ({ db }, { way }) => FAILURES[way]?.(db),
  present: (row) => row,
})
const failingPage = viewPage({
  path: '/failing/{way}/',
  access: open('a test'),
  show: async ({ context: { db }, path }) => {
    await FAILURES[path.way!]!(db)
    return { title: 'Never', main: html`<h1>Never</h1>` }
  },
})

const server = await openHttpServer({ endpoints: [failing], pages: [failingPage] })
after(server.close)
const get = (url: string, asked?: Asked) => ask(server, url, asked)

const OUTCOMES: [way: string, status: number, code: string][] = [
  ['bug', 500, 'internal_error'],
  ['text', 500, 'internal_error'],
  ['missing', 500, 'internal_error'],
  ['check', 500, 'internal_error'],
  ['number', 400, 'bad_request'],
  ['twice', 409, 'conflict'],
  ['slow', 503, 'unavailable'],
  ['shutdown', 503, 'unavailable'],
  ['lost', 503, 'unavailable'],
]
for (const [way, status, code] of OUTCOMES) {
  test(`a handler that fails by ${way} is ${status} for API and pages, without details`, async () => {
    const answer = await get(`/api/failing/${way}/`)
    assert.deepEqual([answer.status, answer.json().code], [status, code])
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(answer.headers['retry-after'], status === 503 ? '2' : undefined)
    const page = await get(`/failing/${way}/`)
    assert.equal(page.status, status)
    assert.match(page.headers['content-type']!, /^text\/html/)
    for (const { body, headers } of [answer, page]) {
      assert.doesNotMatch(body, /canary|TypeError|\bat \/|node_modules|audience|user_profile/)
      assert.ok(body.includes(headers['x-request-id']!))
    }
  })
}

test('the log contains the request id and cause of a failure, and no row data', async () => {
  const answer = await get('/api/failing/bug/')
  const { request_id: id } = answer.json()
  assert.equal(id, answer.headers['x-request-id'])
  const line = server.lines().find((each) => each.requestId === id && each.level === 50)!
  assert.match(JSON.stringify(line.err), /canary: the bug.*server-faults\.test\.ts/)
  assert.equal(line.route, '/api/failing/:way/')
  await get('/api/failing/check/')
  assert.doesNotMatch(JSON.stringify(server.lines()), /canary@a\.example/)
})

test('a client that goes away while it sends its request is no error in the log', async () => {
  const { port } = server.app.server.address() as AddressInfo
  const seen = server.lines().length
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  socket.write(
    `POST /api/redeem/ HTTP/1.1\r\nHost: ${new URL(SITE).host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"code"`,
  )
  await once(server.app.server, 'request')
  socket.destroy()
  const noted = () =>
    server
      .lines()
      .slice(seen)
      .filter(({ msg, level }) => /aborted/.test(String(msg)) || Number(level) > 30)
  while (noted().length === 0) await setImmediate()
  assert.deepEqual(
    noted().map(({ msg, level }) => [level, msg]),
    [[30, 'the client aborted the request']],
  )
})

test('every response has its own request id', async () => {
  const answers = await Promise.all(['/', '/api/open/', '/api/nothing/', '/%zz', '/healthz'].map((path) => get(path)))
  const ids = answers.map(({ headers }) => headers['x-request-id']!)
  for (const id of ids) assert.match(id, /^[\w-]{20,}$/)
  assert.equal(new Set(ids).size, ids.length)
  assert.notEqual((await get('/', { headers: { 'x-request-id': 'mine' } })).headers['x-request-id'], 'mine')
})

test('logs contain the route, but no URL, cookie or token', async () => {
  const before = server.lines().length
  const secret = {
    authorization: 'Bearer canary-token',
    cookie: `${COOKIES.session}=canary-session`,
    'user-agent': 'canary-agent',
  }
  for (const url of [
    '/api/names/canary@a.example/?q=canary-query',
    '/canary-path',
    '/api/canary',
    '/people/canary/',
    '/api/failing/bug/?canary',
    '/%zz-canary',
    '/api/names/canary',
    `/api/names/${'canary'.repeat(200)}/`,
  ])
    await get(url, { headers: secret })
  await get('/api/redeem/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...secret },
    payload: '{"code":"canary-code"}',
  })
  await get('/api/redeem/', { method: 'POST', headers: { 'content-type': 'application/json', ...secret }, payload: '{canary' })
  const lines = server.lines().slice(before)
  assert.ok(lines.some(({ route }) => route === '/api/names/:name/'))
  assert.ok(lines.length >= 8)
  assert.doesNotMatch(JSON.stringify(lines).replaceAll('canary: the bug', ''), /canary/)
})

const ALWAYS = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
}
const EVERYWHERE: [url: string, asked: Asked][] = [
  ['/api/open/', {}],
  ['/api/things/', {}],
  ['/api/things', {}],
  ['/api/nothing/', {}],
  ['/api/%zz/', {}],
  [`/api/names/${'x'.repeat(700)}/`, {}],
  [`/api/?${'x'.repeat(8_001)}`, {}],
  ['/api/failing/bug/', {}],
  ['/', {}],
  ['/mine/', {}],
  ['/nothing', {}],
  ['/%zz', {}],
  ['/file/', {}],
  ['/healthz', {}],
  ['/readyz', {}],
  ['/metrics', {}],
  ['/api/open/', { method: 'PROPFIND' }],
  ['/api/open/', { headers: { host: 'evil.example' } }],
  ['/api/redeem/', { method: 'POST', headers: { 'content-type': 'nonsense' }, payload: 'x' }],
]
for (const [url, asked] of EVERYWHERE) {
  test(`${asked.method ?? 'GET'} ${url.slice(0, 30)} ${asked.headers ? JSON.stringify(asked.headers) : ''} has the security headers`, async () => {
    const { headers } = await get(url, asked)
    for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers[name], value, name)
    assert.match(headers['content-security-policy']!, /^default-src 'none';.*frame-ancestors 'none'/)
    assert.equal(headers['access-control-allow-origin'], undefined)
    assert.equal(headers.server ?? headers['x-powered-by'], undefined)
  })
}

test('unknown paths under /api get a problem, others a page', async () => {
  const answer = await get('/api/nothing/', { headers: { accept: 'text/html' } })
  assert.deepEqual([answer.status, answer.json().code], [404, 'not_found'])
  assert.deepEqual(Object.keys(answer.json()), ['type', 'title', 'status', 'detail', 'code', 'request_id'])
})

for (const [host, status] of [
  ['plan.example', 200],
  ['also.example:8443', 200],
  ['evil.example', 421],
  ['127.0.0.1', 421],
] as const) {
  test(`Host: ${host} is ${status} for API and pages`, async () => {
    for (const url of ['/api/open/', '/']) assert.equal((await get(url, { headers: { host } })).status, status)
  })
}

test('health checks accept any host and HEAD; metrics require the token', async () => {
  for (const method of ['GET', 'HEAD'])
    for (const url of ['/healthz', '/readyz'])
      assert.equal((await get(url, { method, headers: { host: '10.0.0.1' } })).status, 200)
  assert.deepEqual((await get('/readyz')).json(), { status: 'ready', parts: { database: true, accepting: true } })
  assert.equal((await get('/metrics')).status, 404)
  assert.equal((await get('/metrics', { token: 'wrong' })).status, 404)
  const metrics = await get('/metrics', { token: 'm'.repeat(16) })
  assert.match(metrics.body, /turnout_http_request_seconds_count\{method="GET",route="\/healthz",status="200"\} \d/)
  assert.doesNotMatch(metrics.body, /canary/)
})

const PARTS = 'multipart/form-data; boundary=x'
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

const BODIES: [what: string, headers: Record<string, string>, payload: string, status: number][] = [
  ['JSON', { 'content-type': 'application/json' }, '{"code":"a","count":2}', 201],
  ['JSON with a charset', { 'content-type': 'application/JSON; charset=utf-8' }, '{"code":"ü"}', 201],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'code=a&count=2', 201],
  ['nothing', { 'content-type': 'application/json' }, '', 400],
  ['broken JSON', { 'content-type': 'application/json' }, '{"code":', 400],
  ['JSON of another kind', { 'content-type': 'application/json' }, '[]', 400],
  ['null', { 'content-type': 'application/json' }, 'null', 400],
  ['a missing field', { 'content-type': 'application/json' }, '{}', 400],
  ['bytes that are no UTF-8', { 'content-type': 'application/json' }, '{"code":"\uD800"}', 201],
  ['parts', { 'content-type': PARTS }, `${part('code', 'ü')}${part('count', '2')}--x--\r\n`, 201],
  ['parts with a file in place of a field', { 'content-type': PARTS }, `${part('code', 'a', '; filename="a"')}--x--\r\n`, 400],
  [
    'parts with a file in place of a field that may be missing',
    { 'content-type': PARTS },
    `${part('code', 'a')}${part('count', '2', '; filename="a"')}--x--\r\n`,
    201,
  ],
  ['parts without an end', { 'content-type': PARTS }, part('code', 'a'), 400],
  ['parts without a boundary', { 'content-type': 'multipart/form-data' }, part('code', 'a'), 400],
  ['text', { 'content-type': 'text/plain' }, 'code=a', 415],
  ['a type that is none', { 'content-type': 'nonsense' }, 'code=a', 415],
  ['no type', {}, 'code=a', 415],
  ['exactly the most', { 'content-type': 'application/x-www-form-urlencoded' }, `code=${'x'.repeat(256 * 1024 - 5)}`, 201],
  ['one byte more', { 'content-type': 'application/x-www-form-urlencoded' }, `code=${'x'.repeat(256 * 1024 - 4)}`, 413],
]
for (const [what, headers, payload, status] of BODIES) {
  test(`a body of ${what} is ${status}`, async () => {
    const answer = await get('/api/redeem/', { method: 'POST', headers, payload })
    assert.equal(answer.status, status, answer.body)
    if (status === 201) assert.equal(answer.headers['x-made'], 'yes')
  })
}

test('an invalid body is reported by field', async () => {
  const answer = await get('/api/redeem/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    payload: '{"count":"x"}',
  })
  assert.deepEqual(
    answer.json().errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/code', '/count'],
  )
})

test('an action by session needs a CSRF token, by bearer token it does not', async () => {
  const cookie = `${COOKIES.device}=${'D'.repeat(32)}; ${COOKIES.session}=ann`
  const remove = (headers: Record<string, string>) => get('/api/mine/delete/', { method: 'DELETE', headers })
  const page = await get('/notes/new/', { headers: { cookie } })
  const token = /name="csrf_token" value="([^"]+)"/.exec(page.body)![1]!
  assert.equal((await remove({ cookie })).status, 403)
  assert.equal((await remove({ cookie, 'x-csrf-token': 'x' })).status, 403)
  assert.equal((await remove({ cookie, 'x-csrf-token': token, origin: 'https://evil.example' })).status, 403)
  assert.equal((await remove({ cookie, 'x-csrf-token': token, origin: SITE })).status, 204)
  assert.equal((await get('/api/mine/delete/', { method: 'DELETE', token: 'reads' })).status, 204)
})
