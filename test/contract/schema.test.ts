import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { ENDPOINTS } from '#endpoints'
import { addPartner, addPerson, addSession, addToken, ask, openTestApp, type TestApp } from '../support/federation-setup.ts'

const SCHEMA = '/api/schema/'
const PAGE = '/api/schema/swagger-ui/'
const YAML = 'application/vnd.oai.openapi; charset=utf-8'

describe('the description of the API', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp({ ALLOWED_HOSTS: 'inside.example' })
  })
  after(() => testApp.close())

  const accepting = (accept: string, path = SCHEMA, method = 'GET') => ask(testApp, path, { method, headers: { accept } })

  test('is served in four media types, chosen by Accept or by format', async () => {
    const table: [path: string, accept: string | undefined, contentType: string][] = [
      [SCHEMA, undefined, YAML],
      [SCHEMA, '*/*', YAML],
      [SCHEMA, 'application/*', YAML],
      [SCHEMA, 'application/vnd.oai.openapi', YAML],
      [SCHEMA, 'text/html,application/xhtml+xml,*/*;q=0.8', YAML],
      [SCHEMA, 'application/yaml', 'application/yaml; charset=utf-8'],
      [SCHEMA, 'application/vnd.oai.openapi+json', 'application/vnd.oai.openapi+json'],
      [SCHEMA, 'application/json', 'application/json'],
      [SCHEMA, '*/*, application/json;q=0.1', 'application/json'],
      [`${SCHEMA}?format=yaml`, undefined, YAML],
      [`${SCHEMA}?format=`, undefined, YAML],
      [`${SCHEMA}?format=json`, '*/*', 'application/vnd.oai.openapi+json'],
      [`${SCHEMA}?format=json`, 'application/json', 'application/json'],
    ]
    // Reading one as YAML takes a second, and most answers have the same bytes.
    const texts = { json: new Set<string>(), yaml: new Set<string>() }
    for (const [path, accept, contentType] of table) {
      const answer = await ask(testApp, path, accept === undefined ? {} : { headers: { accept } })
      const request = `${path} ${accept}`
      assert.equal(answer.statusCode, 200, request)
      assert.equal(answer.headers['content-type'], contentType, request)
      const isJson = contentType.endsWith('json')
      assert.equal(answer.headers['content-disposition'], `inline; filename="Turnout.${isJson ? 'json' : 'yaml'}"`)
      texts[isJson ? 'json' : 'yaml'].add(answer.body)
    }
    const documents = [...[...texts.json].map((text) => JSON.parse(text)), ...[...texts.yaml].map((text) => parse(text))]
    assert.equal(new Set(documents.map((document) => JSON.stringify(document))).size, 1, 'all are the same document')
    const [document] = documents
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual(Object.keys(document.paths), [...new Set(ENDPOINTS.map(({ path }) => path))])
  })

  test('is not served in other media types', async () => {
    for (const accept of ['text/html', 'text/plain', 'image/png']) assert.equal((await accepting(accept)).statusCode, 406, accept)
    assert.equal((await accepting('application/yaml', `${SCHEMA}?format=json`)).statusCode, 406)
    for (const path of [`${SCHEMA}?format=xml`, `${SCHEMA}?format=api`, '/api/schema.json', '/api/schema/swagger-ui.json'])
      assert.equal((await ask(testApp, path)).statusCode, 404, path)
    assert.match(String((await accepting('text/html')).headers['content-type']), /^application\/problem\+json/)
  })

  test('needs no credentials and ignores invalid ones', async () => {
    for (const token of ['unknown', (await addPartner(testApp, 'Nord')).token])
      for (const path of [SCHEMA, PAGE]) assert.equal((await ask(testApp, path, { token })).statusCode, 200)
  })

  test('names the host of the request as the server', async () => {
    const serversAt = async (host: string, path: string) => (await ask(testApp, path, { headers: { host } })).body
    assert.match(await serversAt('turnout.example', SCHEMA), /^servers:\n {2}- url: https:\/\/turnout\.example$/m)
    assert.match(await serversAt('inside.example:81', SCHEMA), /^servers:\n {2}- url: http:\/\/inside\.example:81$/m)
    assert.match(await serversAt('inside.example', `${SCHEMA}?format=json`), /"servers":\[\{"url":"http:\/\/inside\.example"\}\]/)
    for (const path of [SCHEMA, PAGE])
      assert.equal((await ask(testApp, path, { headers: { host: 'elsewhere.example' } })).statusCode, 421)
  })

  test('supports ETag, 304, HEAD, OPTIONS and the redirect to the slash like every endpoint', async () => {
    const { headers, body } = await ask(testApp, SCHEMA)
    assert.match(String(headers.etag), /^W\/"/)
    const again = await ask(testApp, SCHEMA, { headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    assert.notEqual((await ask(testApp, `${SCHEMA}?format=json`)).headers.etag, headers.etag)
    const head = await ask(testApp, SCHEMA, { method: 'HEAD' })
    const response = [
      head.statusCode,
      head.body,
      head.headers.etag,
      Number(head.headers['content-length']),
      head.headers['content-type'],
    ]
    assert.deepEqual(response, [200, '', headers.etag, Buffer.byteLength(body), YAML])
    const bare = await ask(testApp, '/api/schema?format=json')
    assert.deepEqual([bare.statusCode, bare.headers.location], [301, '/api/schema/?format=json'])
    const post = await ask(testApp, SCHEMA, { method: 'POST' })
    assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
    const options = (await ask(testApp, SCHEMA, { method: 'OPTIONS' })).json()
    assert.deepEqual([options.name, options.renders.length], ['Schema', 4])
    for (const name of ['x-frame-options', 'content-security-policy', 'vary', 'x-request-id']) assert.ok(headers[name], name)
  })

  test('has a page, only as HTML, with a new nonce for each response', async () => {
    const first = await accepting('text/html', PAGE)
    const second = await ask(testApp, PAGE)
    for (const { statusCode, headers, body } of [first, second]) {
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const nonce = /script-src 'nonce-([\w+/=]+)'/.exec(String(headers['content-security-policy']))![1]!
      const scripts = [...body.matchAll(/<script([^>]*)>/g)]
      assert.equal(scripts.length, 2)
      for (const [, attributes] of scripts) assert.ok(attributes!.includes(`nonce="${nonce}"`))
      // A cached body with a new policy would have its scripts blocked.
      assert.equal(headers.etag, undefined)
    }
    assert.notEqual(first.headers['content-security-policy'], second.headers['content-security-policy'])
    assert.equal((await accepting('application/json', PAGE)).statusCode, 406)
    assert.equal((await accepting('*/*', PAGE)).statusCode, 200)
    assert.equal((await ask(testApp, '/api/schema/swagger-ui')).headers.location, PAGE)
    const head = await ask(testApp, PAGE, { method: 'HEAD' })
    assert.deepEqual([head.statusCode, head.body], [200, ''])
    assert.equal((await ask(testApp, PAGE, { method: 'DELETE' })).statusCode, 405)
  })

  test('loads scripts and styles from the same origin, cached without expiry', async () => {
    const { body } = await ask(testApp, PAGE)
    const files = [...body.matchAll(/(?:src|href)="(\/[^"]*\.(?:js|css|svg))"/g)].map(([, url]) => url!)
    assert.equal(files.length, 5)
    for (const url of files) {
      const { statusCode, headers } = await ask(testApp, url)
      assert.deepEqual([statusCode, headers['cache-control']], [200, 'public, max-age=31536000, immutable'], url)
    }
  })
})

describe('the root of the API', () => {
  let testApp: TestApp
  let token: string
  let cookie: string
  before(async () => {
    testApp = await openTestApp({ ALLOWED_HOSTS: 'inside.example' })
    const ann = await addPerson(testApp, 'Ann')
    token = await addToken(testApp, ann, 'ME_WRITE')
    cookie = await addSession(testApp, ann)
  })
  after(() => testApp.close())

  const PATHS = ['events', 'shifts', 'participations', 'participations-userinfo', 'users', 'users/me/participations']
  const listing = (origin: string, end: string) =>
    JSON.stringify(Object.fromEntries(PATHS.map((path) => [path, `${origin}/api/${path}${end}`])))

  test('lists URLs with the host and suffix of the request', async () => {
    const table: [path: string, host: string, expected: string][] = [
      ['/api/', 'turnout.example', listing('https://turnout.example', '/')],
      ['/api/?format=json', 'turnout.example', listing('https://turnout.example', '/')],
      ['/api/', 'inside.example:8080', listing('http://inside.example:8080', '/')],
      ['/api/.json', 'turnout.example', listing('https://turnout.example', '.json')],
      ['/api/.json/', 'turnout.example', listing('https://turnout.example', '.json')],
      ['/api/.api', 'turnout.example', listing('https://turnout.example', '.api')],
    ]
    for (const [path, host, expected] of table) {
      const answer = await ask(testApp, path, { token, headers: { host } })
      assert.deepEqual([answer.statusCode, answer.body], [200, expected], `${path} at ${host}`)
      assert.equal(answer.headers['content-type'], 'application/json')
    }
  })

  test('links to lists that exist', async () => {
    for (const suffix of ['', '.json']) {
      const links: string[] = Object.values((await ask(testApp, `/api/${suffix}`, { token })).json())
      for (const link of links) assert.equal((await ask(testApp, new URL(link).pathname)).statusCode, 401, link)
    }
  })

  test('is readable for every user with any token or a session', async () => {
    assert.equal((await ask(testApp, '/api/', { headers: { cookie } })).statusCode, 200)
    const anonymous = await ask(testApp, '/api/')
    assert.deepEqual([anonymous.statusCode, anonymous.headers['www-authenticate']], [401, 'Bearer realm="turnout"'])
    assert.equal((await ask(testApp, '/api/', { token: 'unknown' })).statusCode, 401)
    assert.equal((await ask(testApp, '/api/', { token: (await addPartner(testApp, 'Nord')).token })).statusCode, 403)
  })

  test('supports OPTIONS and the redirect to the slash, and refuses POST', async () => {
    assert.equal((await ask(testApp, '/api/', { method: 'OPTIONS', token })).json().name, 'Api Root')
    const post = await ask(testApp, '/api/', { method: 'POST', token })
    assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
    const bare = await ask(testApp, '/api', { token })
    assert.deepEqual([bare.statusCode, bare.headers.location], [301, '/api/'])
    assert.equal((await ask(testApp, '/api/.xml', { token })).statusCode, 404)
  })
})
