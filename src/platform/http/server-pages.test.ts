import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assetUrl } from '#platform/ui/assets.ts'
import { type Answer, type Asked, ask, COOKIES, openHttpServer, SITE } from '#test/support/http-server.ts'

const server = await openHttpServer()
after(server.close)
const get = (url: string, asked?: Asked) => ask(server, url, asked)
const DEVICE = 'D'.repeat(32)
const cookieOf = (more: Record<string, string> = {}) =>
  Object.entries({ [COOKIES.device]: DEVICE, ...more })
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
const tokenIn = ({ body }: Answer) => /name="csrf_token" value="([^"]+)"/.exec(body)![1]!
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A browser with its cookies, at the form. */
async function open(more: Record<string, string> = {}) {
  const cookie = cookieOf(more)
  const token = tokenIn(await get('/notes/new/', { headers: { cookie } }))
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}, url = '/notes/new/') =>
    get(url, { method: 'POST', headers: { ...FORM, cookie, ...headers }, payload: String(new URLSearchParams(fields)) })
  return { token, post }
}

const ENTRY: [url: string, asked: Asked, status: number, location?: string][] = [
  ['/', {}, 200],
  ['/mine/', {}, 303, '/accounts/login/?next=%2Fmine%2F'],
  ['/mine/?a=1&b=2', {}, 303, '/accounts/login/?next=%2Fmine%2F%3Fa%3D1%26b%3D2'],
  ['/mine/', { method: 'POST' }, 303, '/accounts/login/'],
  ['/mine/', { session: 'ann' }, 200],
  ['/mine/', { session: 'unknown' }, 303, '/accounts/login/?next=%2Fmine%2F'],
  ['/mine/', { token: 'reads' }, 303, '/accounts/login/?next=%2Fmine%2F'],
  ['/mine/', { token: 'partner' }, 303, '/accounts/login/?next=%2Fmine%2F'],
  ['/staff/', { token: 'olgas' }, 303, '/accounts/login/?next=%2Fstaff%2F'],
  ['/staff/', { session: 'ann' }, 403],
  ['/staff/', { session: 'olga' }, 200],
  ['/people/1/', { session: 'ann' }, 403],
  ['/people/1/', { session: 'olga' }, 200],
  ['/mine/', { session: 'ann', method: 'POST' }, 405],
  ['/mine/', { session: 'ann', method: 'DELETE' }, 405],
  ['/notes/delete/', { session: 'ann' }, 405],
  ['/notes/delete/', {}, 303, '/accounts/login/?next=%2Fnotes%2Fdelete%2F'],
]
for (const [url, asked, status, location] of ENTRY) {
  test(`${asked?.method ?? 'GET'} ${url} by ${JSON.stringify({ ...asked, method: undefined })} is ${status}`, async () => {
    const answer = await get(url, asked)
    assert.deepEqual([answer.status, answer.headers.location], [status, location])
  })
}

test('browsers store pages only for readers without a session', async () => {
  const stored = async (url: string, asked?: Asked) => (await get(url, asked)).headers['cache-control']
  assert.equal(await stored('/'), 'private, no-cache')
  for (const url of ['/', '/mine/', '/notes/new/']) assert.equal(await stored(url, { session: 'ann' }), 'no-store', url)
})

test('a bearer token does not authenticate on pages, public ones included', async () => {
  assert.match((await get('/notes/new/', { token: 'olgas' })).body, /Note for anonymous/)
  assert.match((await get('/notes/new/', { session: 'ann' })).body, /Note for user/)
})

test('pages use the language of the person, or else of the browser', async () => {
  const german = { 'accept-language': 'de' }
  assert.equal((await get('/mine/', { session: 'ann', headers: german })).headers['content-language'], 'en')
  assert.equal((await get('/mine/', { session: 'olga' })).headers['content-language'], 'de')
  assert.match((await get('/', { headers: german })).body, /<html lang="de">/)
})

test('every response has its own nonce, in its policy and on its scripts only', async () => {
  const pages = await Promise.all([get('/'), get('/'), get('/nothing'), get('/nothing')])
  const nonces = pages.map(({ headers, body }) => {
    const nonce = /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy']!)![1]!
    for (const [tag] of body.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    assert.doesNotMatch(headers['content-security-policy']!, /unsafe|\*/)
    return nonce
  })
  assert.equal(new Set(nonces).size, 4)
})

test('a browser gets a device cookie once', async () => {
  const [cookie] = (await get('/')).cookies
  assert.match(cookie!, new RegExp(`^${COOKIES.device}=[A-Za-z0-9]{32}; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$`))
  assert.deepEqual((await get('/', { headers: { cookie: cookieOf() } })).cookies, [])
  assert.equal((await get('/', { headers: { cookie: `${COOKIES.device}=planted` } })).cookies.length, 1)
})

test('a valid form redirects with 303 and shows its message once', async () => {
  const { token, post } = await open()
  const answer = await post({ csrf_token: token, text: 'hello' })
  assert.deepEqual([answer.status, answer.headers.location, answer.body], [303, '/', ''])
  const flash = answer.cookies.find((cookie) => cookie.startsWith(COOKIES.flash))!
  assert.match(flash, /HttpOnly; Secure; SameSite=Lax/)
  const value = /=([^;]+)/.exec(flash)![1]!
  const shown = await get('/', { headers: { cookie: cookieOf({ [COOKIES.flash]: value }) } })
  assert.match(shown.body, /Kept &lt;hello&gt;/)
  assert.match(shown.cookies.join(), new RegExp(`${COOKIES.flash}=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)`))
  assert.doesNotMatch((await get('/', { headers: { cookie: cookieOf() } })).body, /Kept/)
})

test('a forged flash is not shown', async () => {
  const body = Buffer.from(JSON.stringify({ kind: 'bad', text: 'Call this number' })).toString('base64url')
  for (const value of [body, `${body}.`, `${body}.${'A'.repeat(43)}`, 'x.y.z', '%'])
    assert.doesNotMatch((await get('/', { headers: { cookie: cookieOf({ [COOKIES.flash]: value }) } })).body, /Call this number/)
})

test('an invalid form is shown again with its input and 422', async () => {
  const { token, post } = await open()
  const answer = await post({ csrf_token: token, text: '"<' })
  assert.equal(answer.status, 422)
  assert.match(answer.body, /name="text" value="&quot;&lt;"/)
  assert.match(answer.body, /class="error"/)
})

test('a form that a rule rejects is shown again with the reason and its status', async () => {
  const { token, post } = await open()
  const answer = await post({ csrf_token: token, text: 'taken' })
  assert.equal(answer.status, 409)
  assert.match(answer.body, /value="taken".*Already there\./s)
})

const FORGED: [what: string, fields: (token: string) => Record<string, string>, headers: Record<string, string>][] = [
  ['without a token', () => ({}), {}],
  ['with a wrong token', () => ({ csrf_token: 'x' }), {}],
  ['from another site', (token) => ({ csrf_token: token }), { 'sec-fetch-site': 'cross-site' }],
  ['from a sister site', (token) => ({ csrf_token: token }), { 'sec-fetch-site': 'same-site' }],
  ['from another origin', (token) => ({ csrf_token: token }), { origin: 'https://evil.example' }],
  ['from a hidden origin', (token) => ({ csrf_token: token }), { origin: 'null' }],
  ['of another browser', (token) => ({ csrf_token: token }), { cookie: `${COOKIES.device}=${'E'.repeat(32)}` }],
  ['of before the sign-in', (token) => ({ csrf_token: token }), { cookie: cookieOf({ [COOKIES.session]: 'ann' }) }],
]
for (const [what, fields, headers] of FORGED) {
  test(`refuses a form ${what}`, async () => {
    const { token, post } = await open()
    const answer = await post({ text: 'hello', ...fields(token) }, headers)
    assert.equal(answer.status, 403)
    assert.deepEqual(
      answer.cookies.filter((cookie) => cookie.startsWith(COOKIES.flash)),
      [],
    )
  })
}

test('accepts a form from its own origin', async () => {
  const { token, post } = await open()
  const answer = await post({ csrf_token: token, text: 'hello' }, { origin: SITE, 'sec-fetch-site': 'same-origin' })
  assert.equal(answer.status, 303)
})

test('a CSRF token of another person is rejected', async () => {
  const ann = await open({ [COOKIES.session]: 'ann' })
  assert.equal((await ann.post({ csrf_token: ann.token, text: 'hello' })).status, 303)
  const olga = { cookie: cookieOf({ [COOKIES.session]: 'olga' }) }
  assert.equal((await ann.post({ csrf_token: ann.token, text: 'hello' }, olga)).status, 403)
})

test('a button posts, and an invalid value is 400', async () => {
  const { token, post } = await open({ [COOKIES.session]: 'ann' })
  assert.equal((await post({ csrf_token: token, id: '7' }, {}, '/notes/delete/')).status, 303)
  assert.equal((await post({ csrf_token: token, id: 'x' }, {}, '/notes/delete/')).status, 400)
})

const BODIES: [what: string, headers: Record<string, string>, payload: string, status: number][] = [
  ['JSON', { 'content-type': 'application/json' }, '{}', 415],
  ['no type', {}, 'text=x', 415],
  ['a type that is none', { 'content-type': 'nonsense' }, 'text=x', 415],
  ['a file', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415],
  ['too much', FORM, `text=${'x'.repeat(256 * 1024)}`, 413],
]
for (const [what, headers, payload, status] of BODIES) {
  test(`a form page rejects ${what}`, async () => {
    const answer = await get('/notes/new/', { method: 'POST', headers: { ...headers, cookie: cookieOf() }, payload })
    assert.equal(answer.status, status)
  })
}

test('a download is sent unchanged', async () => {
  const answer = await get('/file/')
  assert.deepEqual([answer.status, answer.headers['content-type'], answer.body], [200, 'text/csv; charset=utf-8', 'a;b\n'])
  assert.equal(answer.headers['content-disposition'], 'attachment')
})

test('a static file of another version is answered with the one of this version, which is not cached', async () => {
  const own = assetUrl('app.css')
  const { body } = await get(own)
  const other = await get(own.replace(/\.[^.]+\.css$/, '.abcdefghijkl.css'))
  assert.deepEqual([other.status, other.headers['cache-control'], other.body === body], [200, 'no-store', true])
  assert.equal(other.headers['content-type'], 'text/css; charset=utf-8')
  for (const path of ['/assets/app.css', '/assets/none.abcdefghijkl.css', '/assets/..%2f..%2fpackage.json'])
    assert.deepEqual([path, (await get(path)).status], [path, 404])
})

test('unknown paths get an HTML page with a request id', async () => {
  for (const path of ['/nothing', '/nothing/', '/apiary/', '/assets/none.css', '/.env', '/mine/../../etc/passwd']) {
    const answer = await get(path)
    assert.deepEqual([path, answer.status, answer.headers['content-type']], [path, 404, 'text/html; charset=utf-8'])
    assert.ok(answer.body.includes(answer.headers['x-request-id']!))
  }
})
