import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { open, signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { type Asked, ask, openHttpServer, SITE } from '#test/support/http-server.ts'

const server = await openHttpServer()
after(server.close)
const get = (url: string, asked?: Asked) => ask(server, url, asked)
const codeOf = async (url: string, asked?: Asked) => {
  const answer = await get(url, asked)
  return `${answer.status} ${answer.json().code}`
}

const BAD = '/api/things/none/?letters=9'
const XML = { accept: 'application/xml' }
/** Each line mends what the line before was refused for. */
const ORDER: [expected: string, url: string, asked: Asked][] = [
  ['406 not_acceptable', BAD, { method: 'DELETE', headers: XML }],
  ['401 not_authenticated', BAD, { method: 'DELETE' }],
  ['401 invalid_token', BAD, { method: 'DELETE', token: 'unknown' }],
  ['403 insufficient_scope', BAD, { method: 'DELETE', token: 'confidential' }],
  ['405 method_not_allowed', BAD, { method: 'DELETE', token: 'reads' }],
  ['400 invalid_input', BAD, { token: 'reads' }],
  ['404 not_found', '/api/things/none/', { token: 'reads' }],
  ['404 not_found', '/api/things/99/', { token: 'reads' }],
]
for (const [expected, url, asked] of ORDER)
  test(`checks in order: ${expected}`, async () => assert.equal(await codeOf(url, asked), expected))

test('a refusal for a missing scope names it, in words and as a member', async () => {
  const { required_scope, detail } = (await get('/api/things/', { token: 'confidential' })).json()
  assert.deepEqual(
    [required_scope, detail],
    ['PUBLIC_READ', 'The access token lacks the scope PUBLIC_READ, which this request needs.'],
  )
  assert.equal('required_scope' in (await get('/api/things/', { token: 'unknown' })).json(), false)
})

const ACCESS: [url: string, asked: Asked, status: number, challenge?: string][] = [
  ['/api/things/', {}, 401, 'Bearer realm="turnout"'],
  ['/api/things/', { token: 'unknown' }, 401, 'Bearer realm="turnout", error="invalid_token"'],
  ['/api/things/', { token: 'confidential' }, 403, 'Bearer realm="turnout", error="insufficient_scope", scope="PUBLIC_READ"'],
  ['/api/things/', { token: 'partner' }, 403],
  ['/api/things/', { token: 'reads' }, 200],
  ['/api/things/', { session: 'ann' }, 200],
  ['/api/things/', { session: 'unknown' }, 401, 'Bearer realm="turnout"'],
  ['/api/things/', { session: 'ann', token: 'unknown' }, 401, 'Bearer realm="turnout", error="invalid_token"'],
  ['/api/secrets/', { token: 'confidential' }, 403],
  ['/api/secrets/', { token: 'reads-all' }, 200],
  ['/api/secrets/', { session: 'ann' }, 403],
  ['/api/mine/', { token: 'confidential' }, 200],
  ['/api/mine/', { token: 'partner' }, 403],
  ['/api/mine/', {}, 401, 'Bearer realm="turnout"'],
  ['/api/shared/', { token: 'partner' }, 200],
  ['/api/shared/', {}, 403],
  ['/api/shared/', { token: 'unknown' }, 403],
  ['/api/shared/', { token: 'reads-all' }, 403],
  ['/api/open/', {}, 200],
  ['/api/open/', { token: 'unknown' }, 200],
  ['/api/things/?access_token=reads', {}, 401, 'Bearer realm="turnout"'],
  ['/api/things/', { token: 'x'.repeat(1_001) }, 401, 'Bearer realm="turnout", error="invalid_token"'],
  ['/api/things/', { headers: { authorization: 'bearer   reads  ' } }, 200],
  ['/api/things/', { headers: { authorization: 'Bearer' } }, 401, 'Bearer realm="turnout", error="invalid_token"'],
  ['/api/things/', { headers: { authorization: 'Bearer reads more' } }, 401, 'Bearer realm="turnout", error="invalid_token"'],
  ['/api/things/', { headers: { authorization: 'Basic cmVhZHM6' } }, 401, 'Bearer realm="turnout"'],
]
for (const [url, asked, status, challenge] of ACCESS) {
  test(`${url} with ${JSON.stringify(asked).slice(0, 60)} is ${status}`, async () => {
    const answer = await get(url, asked)
    assert.equal(answer.status, status)
    assert.equal(answer.headers['www-authenticate'], challenge)
  })
}

for (const [url, asked] of [
  ['/api/things/', { token: 'reads' }],
  ['/api/things/3/', { token: 'reads' }],
  ['/api/things/?limit=2', { token: 'reads' }],
  ['/api/things/', {}],
  ['/api/things/99/', { token: 'reads' }],
  ['/api/things/?letters=9', { token: 'reads' }],
  ['/api/things/', { token: 'reads', headers: { accept: 'application/json; indent=4' } }],
  ['/api/nothing/', {}],
  ['/api/redeem/', {}],
  ['/', {}],
  ['/mine/', {}],
  ['/nothing', {}],
] as const) {
  test(`HEAD ${url} is GET without a body`, async () => {
    const [whole, head] = [await get(url, asked), await get(url, { ...asked, method: 'HEAD' })]
    assert.equal(head.body, '')
    assert.equal(head.status, whole.status)
    const own = new Set(['x-request-id', 'date', 'content-security-policy'])
    if (!whole.body) own.add('content-length')
    const comparable = ({ headers }: typeof head) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))
    assert.deepEqual(comparable(head), comparable(whole))
    if (whole.body) assert.equal(head.headers['content-length'], String(Buffer.byteLength(whole.body)))
  })
}

test('OPTIONS describes the endpoint to callers with access', async () => {
  const answer = await get('/api/things/', { method: 'OPTIONS', token: 'reads' })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), {
    name: 'Thing List',
    description: '',
    renders: ['application/json'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  })
  assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
  assert.equal((await get('/api/things/', { method: 'OPTIONS' })).status, 401)
})

for (const [url, methods, allow] of [
  ['/api/open/', ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'], 'GET, HEAD, OPTIONS'],
  ['/api/redeem/', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'], 'POST, OPTIONS'],
] as const) {
  for (const method of methods) {
    test(`${method} ${url} is 405 with Allow: ${allow}`, async () => {
      const answer = await get(url, { method })
      assert.deepEqual([answer.status, answer.headers.allow], [405, allow])
    })
  }
}

const SLASHES: [url: string, location: string][] = [
  ['/api/things', '/api/things/'],
  ['/api/things?x=%zz&y', '/api/things/?x=%zz&y'],
  ['/api/things?', '/api/things/?'],
  ['/api/things/3', '/api/things/3/'],
  ['/api/names/a%2Fb%3Fc', '/api/names/a%2Fb%3Fc/'],
  ['/mine?next=/x', '/mine/?next=/x'],
  ['http://plan.example/api/things?x', '/api/things/?x'],
]
for (const [url, location] of SLASHES) {
  test(`${url} redirects to ${location} for every method`, async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await get(url, { method })
      assert.deepEqual([answer.status, answer.headers.location, answer.body], [301, location, ''], method)
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await get(url, { method })
      const isApi = location.startsWith('/api/')
      const address = isApi ? `https://plan.example${location}` : location
      assert.deepEqual([answer.status, answer.headers.location], [308, address], method)
      if (isApi) assert.deepEqual([answer.json().code, answer.json().location], ['moved', address])
      else assert.equal(answer.body, '')
    }
  })
}

test('a path that ends without a slash is not found with one, for every method', async (t) => {
  const table = viewPage({ path: '/{id}/table.csv', access: open('a test'), show: async () => ({ title: 'Table', main: '' }) })
  const other = await openHttpServer({ pages: [table] })
  t.after(other.close)
  assert.equal((await ask(other, '/1/table.csv')).status, 200)
  assert.equal((await ask(other, '/1/table.csv', { method: 'PUT' })).status, 405)
  for (const method of ['GET', 'POST', 'PUT']) assert.equal((await ask(other, '/1/table.csv/', { method })).status, 404, method)
})

test('other methods are refused by the access of the page that the path leads to', async (t) => {
  const show = async () => ({ title: 'Page', main: '' })
  const other = await openHttpServer({
    pages: [
      viewPage({ path: '/things/{name}/', access: open('a test'), show }),
      viewPage({ path: '/things/own/', access: signedIn, show }),
    ],
  })
  t.after(other.close)
  assert.equal((await ask(other, '/things/other/', { method: 'DELETE' })).status, 405)
  assert.equal((await ask(other, '/things/own/', { method: 'DELETE' })).status, 303)
  assert.equal((await ask(other, '/things/', { method: 'DELETE' })).status, 404)
})

test('the redirect to a trailing slash stays on this host', async (t) => {
  const anything = viewPage({
    path: '/{section}/{name}/',
    access: open('a test'),
    show: async () => ({ title: 'Any', main: '' }),
  })
  const other = await openHttpServer({ pages: [anything] })
  t.after(other.close)
  for (const path of [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/\\\\evil.example/x',
    '//evil.example/x',
    'http://evil.example//evil.example',
  ]) {
    const { headers } = await ask(other, path)
    const target = new URL(headers.location ?? '/', `${SITE}${path.startsWith('/') ? '/' : ''}`)
    assert.equal(target.origin, SITE, `${path} leads to ${headers.location}`)
  }
})

const FORMS: [url: string, status: number][] = [
  ['/api/things.json', 200],
  ['/api/things.json/', 200],
  ['/api/things.api?limit=1', 200],
  ['/api/things/3.json', 200],
  ['/api/things/?format=json', 200],
  ['/api/things/?format=api', 200],
  ['/api/things/?format=', 200],
  ['/api/things/?format=xml', 404],
  ['/api/things.xml', 404],
  ['/api/things.json.json', 404],
  ['/api/mine.json', 404],
  ['/api/things/?x=%zz', 400],
  ['/api/things/%zz/', 400],
  ['/api/%zz', 400],
  ['/%zz', 400],
  ['/api/names/%00/', 200],
  [`/api/names/${'x'.repeat(700)}/`, 414],
  [`/api/things/?x=${'y'.repeat(8_000)}`, 414],
  [`/api/things/?x=${'y'.repeat(7_900)}`, 200],
  ['/api/things/03/', 200],
  ['/api/things/%203/', 200],
  ['/api/things/3.0/', 404],
  ['/api/things/-3/', 404],
  ['/api/things/99999999999999999999999999999/', 404],
  ['/api/things/9007199254740993/', 404],
  ['/api', 404],
  ['/api/', 404],
]
for (const [url, status] of FORMS)
  test(`${url.slice(0, 40)} is ${status}`, async () => assert.equal((await get(url, { token: 'reads' })).status, status))

test('a list is one page of records with links, in compact JSON without a charset', async () => {
  const answer = await get('/api/things/?limit=2&offset=1&letters=a', { token: 'reads' })
  const base = `${SITE}/api/things/`
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.equal(
    answer.body,
    `{"count":5,"next":"${base}?letters=a&limit=2&offset=3","previous":"${base}?letters=a&limit=2","results":[{"id":2,"name":"thing 2 – ü"},{"id":3,"name":"thing 3 – ü"}]}`,
  )
  assert.equal(answer.headers.link, `<${base}?letters=a&limit=2&offset=3>; rel="next", <${base}?letters=a&limit=2>; rel="prev"`)
})

test('links use the requested host if it is allowed', async () => {
  const answer = await get('/api/open/?limit=1', { headers: { host: 'also.example' } })
  assert.equal(answer.json().next, 'http://also.example/api/open/?limit=1&offset=1')
  const absolute = await get('http://evil.example/api/open/?limit=1', {})
  assert.equal(absolute.status, 421)
  const own = await get('https://plan.example/api/open/?limit=1', {})
  assert.equal(own.json().next, `${SITE}/api/open/?limit=1&offset=1`)
})

for (const url of ['/api/open/', '/api/open/?limit=2', '/api/marked/', '/api/names/x/']) {
  test(`${url} is 304 for a matching ETag`, async () => {
    const first = await get(url)
    const tag = String(first.headers.etag)
    // One record; the others are lists.
    assert.match(tag, url === '/api/names/x/' ? /^"/ : /^W\//)
    for (const method of ['GET', 'HEAD']) {
      const again = await get(url, { method, headers: { 'if-none-match': `"old", ${tag}` } })
      assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', tag])
      assert.equal(again.headers['cache-control'], 'private, no-cache')
    }
    assert.equal((await get(url, { headers: { 'if-none-match': 'W/"old"' } })).status, 200)
  })
}

test('ETags differ between pages of a list and between languages', async () => {
  const tags = await Promise.all([
    get('/api/marked/?limit=1'),
    get('/api/marked/?limit=2'),
    get('/api/marked/?limit=1', { headers: { 'accept-language': 'de' } }),
  ])
  assert.equal(new Set(tags.map(({ headers }) => headers.etag)).size, 3)
})

test('a deprecated parameter adds deprecation headers to the Link header', async () => {
  const answer = await get('/api/open/?limit=1&old_letters=a')
  assert.match(String(answer.headers.deprecation), /^@\d+$/)
  assert.match(String(answer.headers.link), /rel="deprecation".*rel="next"/)
  assert.equal((await get('/api/open/?letters=a')).headers.deprecation, undefined)
})

test('problems are in the requested language, codes are not translated', async () => {
  const answer = await get('/api/things/', { headers: { 'accept-language': 'fr, de;q=0.5' } })
  assert.deepEqual(
    [answer.headers['content-language'], answer.json().code, answer.json().detail],
    ['de', 'not_authenticated', 'Anmeldedaten fehlen.'],
  )
})

test('all bad parameters are listed', async () => {
  const { errors } = (await get('/api/open/?letters=1&old_letters=2')).json()
  assert.deepEqual(
    errors.map(({ parameter }: { parameter: string }) => parameter),
    ['letters', 'old_letters'],
  )
})

test('a body that no handler reads keeps no timer alive, which would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const headers = { host: new URL(SITE).host }
  const { statusCode } = await server.app.inject({ method: 'POST', url: '/api/things/', payload: 'unread', headers })
  assert.equal(statusCode, 401)
  assert.equal(timers(), before)
})
