import assert from 'node:assert/strict'
import { get } from 'node:http'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assetUrl } from '#platform/ui/assets.ts'
import { openInstance, type Sending } from '#test/support/instance.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { chooseEncoding, mayBeChosenElsewhere } from './compression.ts'

describe('the encoding of a response', () => {
  const CASES: [header: string | undefined, expected: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0', undefined],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['brotli', undefined],
  ]
  for (const [header, expected] of CASES)
    test(`“${header ?? 'no header'}”: ${expected ?? 'none'}`, () => assert.equal(chooseEncoding(header), expected))
})

describe('what another site may have chosen', () => {
  const CASES: [what: string, headers: Record<string, string>, url: string, expected: boolean][] = [
    ['a link on an own page', { 'sec-fetch-site': 'same-origin' }, '/search/?q=a', false],
    ['the address bar', { 'sec-fetch-site': 'none' }, '/search/?q=a', false],
    ['a link on another site', { 'sec-fetch-site': 'cross-site' }, '/search/?q=a', true],
    ['a link on another site, without a query', { 'sec-fetch-site': 'cross-site' }, '/events/', true],
    ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }, '/events/', true],
    ['an old browser, with a query', {}, '/search/?q=a', true],
    ['an old browser, without one', {}, '/events/', false],
    ['a program with a token', { authorization: 'Bearer x' }, '/api/events/?limit=50', false],
  ]
  for (const [what, headers, url, expected] of CASES)
    test(`${what}: ${expected ? 'possible' : 'no'}`, () => assert.equal(mayBeChosenElsewhere(headers, url), expected))
})

describe('responses', async () => {
  const instance = await openInstance()
  const olga = await instance.browserOf(OLGA)
  // The first page sets the cookie that tokens of forms belong to.
  await olga.go('/events/')
  const fetchRaw = async (path: string, headers: Record<string, string>, { as = olga, method = 'GET' } = {}) => {
    const cookie = [...as.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(instance.base + path, { method, headers: { cookie, ...headers } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const OWN = { 'sec-fetch-site': 'same-origin' }
  const sent = (path: string, headers: Sending['headers'] = {}) =>
    new Promise<{ encoding: string | undefined; vary: string; bytes: Buffer }>((done, fail) => {
      const cookie = [...olga.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
      get(instance.base + path, { headers: { cookie, ...headers } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          done({
            encoding: response.headers['content-encoding'],
            vary: response.headers.vary ?? '',
            bytes: Buffer.concat(chunks),
          }),
        )
      }).on('error', fail)
    })

  test('pages are compressed as the client likes, with the same content', async () => {
    const plain = await sent('/events/', OWN)
    assert.equal(plain.encoding, undefined)
    const brotli = await sent('/events/', { ...OWN, 'accept-encoding': 'gzip, br' })
    const gzipped = await sent('/events/', { ...OWN, 'accept-encoding': 'gzip' })
    assert.deepEqual([brotli.encoding, gzipped.encoding], ['br', 'gzip'])
    const withoutNonces = (bytes: Buffer) => bytes.toString().replaceAll(/nonce="[^"]+"/g, '')
    assert.equal(withoutNonces(brotliDecompressSync(brotli.bytes)), withoutNonces(plain.bytes))
    assert.equal(withoutNonces(gunzipSync(gzipped.bytes)), withoutNonces(plain.bytes))
    assert.ok(brotli.bytes.length < plain.bytes.length / 2)
    assert.match(brotli.vary, /Accept-Encoding/)
  })

  test('pages that another site leads to are not compressed', async () => {
    const encoding = async (path: string, headers: Record<string, string>) =>
      (await sent(path, { 'accept-encoding': 'br', ...headers })).encoding
    assert.equal(await encoding('/events/?q=a', OWN), 'br')
    assert.equal(await encoding('/events/?q=a', { 'sec-fetch-site': 'cross-site' }), undefined)
    assert.equal(await encoding('/events/', { 'sec-fetch-site': 'cross-site' }), undefined)
    assert.equal(await encoding('/events/?q=a', {}), undefined)
  })

  test('lists of the API are compressed for tokens, and a 304 needs no body', async () => {
    const people = Array.from({ length: 20 }, (_, n) => ({ display_name: `Person ${n}`, email: `person${n}@a.example` }))
    await instance.db.write.insertInto('user_profile').values(people).execute()
    const client = await instance.addClient()
    const { access_token: token } = await instance.tokens(OLGA, client, 'CONFIDENTIAL_READ')
    const authorization = `Bearer ${token}`
    const plain = await sent('/api/users/?limit=50', { authorization })
    const small = await sent('/api/users/?limit=50', { authorization, 'accept-encoding': 'br' })
    assert.equal(small.encoding, 'br')
    assert.equal(brotliDecompressSync(small.bytes).toString(), plain.bytes.toString())
    const first = await fetchRaw('/api/users/?limit=50', { authorization, 'accept-encoding': 'gzip' })
    const again = await fetchRaw('/api/users/?limit=50', {
      authorization,
      'accept-encoding': 'br',
      'if-none-match': first.headers.get('etag')!,
    })
    assert.deepEqual([again.status, again.text, again.headers.get('content-encoding')], [304, '', null])
  })

  test('compressed bytes of a record have an ETag of their own, which a 304 repeats', async () => {
    const client = await instance.addClient()
    const { access_token: token } = await instance.tokens(OLGA, client, 'ME_READ')
    const authorization = `Bearer ${token}`
    const path = '/api/me/capabilities/'
    const [plain, small] = await Promise.all([
      fetchRaw(path, { authorization, 'accept-encoding': 'identity' }),
      fetchRaw(path, { authorization, 'accept-encoding': 'br' }),
    ])
    const etag = plain.headers.get('etag')!
    assert.match(etag, /^"[\w-]+"$/)
    assert.deepEqual([small.headers.get('content-encoding'), small.headers.get('etag')], ['br', etag.replace(/"$/, ':br"')])
    const again = await fetchRaw(path, { authorization, 'accept-encoding': 'br', 'if-none-match': small.headers.get('etag')! })
    assert.deepEqual([again.status, again.headers.get('etag')], [304, small.headers.get('etag')])
  })

  test('files are compressed for everybody, and caches are told', async () => {
    const url = assetUrl('app.css')
    const plain = await sent(url)
    const small = await sent(url, { 'accept-encoding': 'br', 'sec-fetch-site': 'cross-site' })
    assert.equal(small.encoding, 'br')
    assert.ok(small.bytes.length < plain.bytes.length / 2)
    assert.deepEqual([plain.vary, small.vary], ['Accept-Encoding', 'Accept-Encoding'])
    const picture = await sent(assetUrl('icon-192.png'), { 'accept-encoding': 'br' })
    assert.deepEqual([picture.encoding, picture.vary], [undefined, ''])
  })

  test('small responses and HEAD stay as they are', async () => {
    const client = await instance.addClient()
    const { access_token: token } = await instance.tokens(ANN, client, 'ME_READ')
    const authorization = `Bearer ${token}`
    assert.equal((await sent('/api/users/me/', { authorization, 'accept-encoding': 'br' })).encoding, undefined)
    const head = await fetchRaw('/events/', { ...OWN, 'accept-encoding': 'br' }, { method: 'HEAD' })
    assert.equal(head.headers.get('content-encoding'), null)
  })
})
