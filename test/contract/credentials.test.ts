import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { methodOf } from '#platform/http/endpoint.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const ME = '/api/users/me/'
const DAY = 24 * 3600 * 1000

describe('bearer tokens', async () => {
  const world = await openWorld()
  const token = await world.token(ANN, SCOPES)
  const benCookie = await world.sessionCookie(BEN)
  const whoIs = async (headers: Record<string, string | string[]>) => {
    const { status, body } = await world.with(headers).get(ME)
    return status === 200 ? body.display_name : body.code
  }

  const HEADERS: [what: string, headers: Record<string, string | string[]>, expected: string][] = [
    ['a token', { authorization: `Bearer ${token}` }, 'Ann'],
    ['the scheme in lower case', { authorization: `bearer ${token}` }, 'Ann'],
    ['the scheme in upper case', { authorization: `BEARER ${token}` }, 'Ann'],
    ['more blanks', { authorization: `Bearer    ${token}  ` }, 'Ann'],
    ['nothing', {}, 'not_authenticated'],
    ['no token', { authorization: 'Bearer' }, 'invalid_token'],
    ['a blank token', { authorization: 'Bearer ' }, 'invalid_token'],
    ['two tokens in one header', { authorization: `Bearer ${token} ${token}` }, 'invalid_token'],
    ['a list in one header', { authorization: `Bearer ${token}, Bearer ${token}` }, 'invalid_token'],
    ['another scheme', { authorization: `Token ${token}` }, 'not_authenticated'],
    ['Basic', { authorization: `Basic ${Buffer.from(`ann:${token}`).toString('base64')}` }, 'not_authenticated'],
    ['the token alone', { authorization: token }, 'not_authenticated'],
    ['no blank behind the scheme', { authorization: `Bearer${token}` }, 'not_authenticated'],
    ['one letter less', { authorization: `Bearer ${token.slice(0, -1)}` }, 'invalid_token'],
    ['one letter more', { authorization: `Bearer ${token}x` }, 'invalid_token'],
    ['another case', { authorization: `Bearer ${token.toUpperCase()}` }, 'invalid_token'],
    ['in quotes', { authorization: `Bearer "${token}"` }, 'invalid_token'],
    ['ten thousand letters', { authorization: `Bearer ${'x'.repeat(10_000)}` }, 'invalid_token'],
    ['non-ASCII characters', { authorization: 'Bearer \u00e4\u00f6\u00fc' }, 'invalid_token'],
    ['the stored hash', { authorization: `Bearer ${hashSecret(token).toString('hex')}` }, 'invalid_token'],
    // A bearer token takes precedence over a session.
    ['a token and a session', { authorization: `Bearer ${token}`, cookie: benCookie }, 'Ann'],
    ['an unknown token and a session', { authorization: 'Bearer unknown', cookie: benCookie }, 'invalid_token'],
    ['an empty token and a session', { authorization: 'Bearer', cookie: benCookie }, 'invalid_token'],
    ['another scheme and a session', { authorization: 'Basic eDp5', cookie: benCookie }, 'Ben'],
    ['a session', { cookie: benCookie }, 'Ben'],
    ['other headers', { 'x-authorization': `Bearer ${token}`, 'proxy-authorization': `Bearer ${token}` }, 'not_authenticated'],
    ['a token as a cookie', { cookie: `${cookieNames(SITE_URL).session}=${token}` }, 'not_authenticated'],
    ['a session as a token', { authorization: `Bearer ${benCookie.split('=')[1]}` }, 'invalid_token'],
  ]
  for (const [what, headers, expected] of HEADERS)
    test(`${what}: ${expected}`, async () => assert.equal(await whoIs(headers), expected))

  test('refuses two Authorization headers', async () => {
    for (const second of [token, await world.token(BEN, SCOPES), 'unknown'])
      assert.equal(await whoIs({ authorization: [`Bearer ${token}`, `Bearer ${second}`] }), 'invalid_token')
  })
  test('refuses a header of 100,000 characters', async () => {
    // The server may close the connection before the client reads the response; only a different response is a failure.
    const said = await new Promise<string>((done) => {
      let text = ''
      const socket = connect(world.line.port, '127.0.0.1')
      socket.on('data', (chunk) => (text += chunk))
      socket.on('error', () => {})
      socket.on('close', () => done(text))
      socket.write(`GET ${ME} HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer ${'x'.repeat(100_000)}\r\n\r\n`)
    })
    assert.match(said, /^(HTTP\/1\.1 431 .*)?$/s)
    assert.equal(await whoIs({ authorization: `Bearer ${token}` }), 'Ann')
  })
  for (const name of ['access_token', 'token', 'bearer_token', 'authorization', 'api_key'])
    test(`the parameter ${name} is not accepted as a credential`, async () => {
      assert.equal(await world.nobody.status(ME, { query: { [name]: token } }), 401)
      assert.equal(await world.nobody.status(ME, { query: { [name]: `Bearer ${token}` } }), 401)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const posted = await world.nobody.request('POST', '/api/events/', { body: `${name}=${token}`, headers })
      assert.equal(posted.status, 401)
      const ended = await world.nobody.request('DELETE', '/api/federation/guest/delete/', {
        body: `${name}=${await world.partnerToken(NORD)}`,
        headers,
      })
      assert.equal(ended.status, 403)
    })

  test('a token is invalid from the instant at which it expires', async () => {
    const expires = new Date(world.now.getTime() + 1_000)
    const short = await world.makeToken(PAUL, ['ME_READ'], { expires })
    const before = world.now
    world.now = new Date(expires.getTime() - 1)
    assert.equal(await whoIs({ authorization: `Bearer ${short}` }), 'Paul')
    world.now = expires
    assert.equal(await whoIs({ authorization: `Bearer ${short}` }), 'invalid_token')
    world.now = before
  })
  test('an imported token without an expiry date works', async () => {
    assert.equal(await whoIs({ authorization: `Bearer ${await world.makeToken(PAUL, ['ME_READ'], { expires: null })}` }), 'Paul')
  })
  test('tokens and sessions do not work while their user is inactive', async () => {
    const person = await world.addPerson({ name: 'Rita' })
    const own = { authorization: `Bearer ${await world.token(person, SCOPES)}` }
    const session = { cookie: await world.sessionCookie(person) }
    assert.deepEqual([await whoIs(own), await whoIs(session)], ['Rita', 'Rita'])
    await world.setActive(person, false)
    assert.deepEqual([await whoIs(own), await whoIs(session)], ['invalid_token', 'not_authenticated'])
    await world.setActive(person, true)
    assert.equal(await whoIs(own), 'Rita')
  })
  test('a token of an application works like a personal one until the grant is deleted or the application is disabled', async () => {
    const { write } = world.db
    const application = await write
      .insertInto('oauth_application')
      .values({
        client_id: 'c',
        client_secret_hash: 'h',
        name: 'App',
        redirect_uris: ['https://c.example/'],
        allowed_scopes: ['ME_READ'],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const grant = await write
      .insertInto('oauth_grant')
      .values({ id_hash: Buffer.alloc(32), application_id: application.id, user_id: ANN.id, scopes: ['ME_READ'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secret = randomSecret(40)
    const ids = { user_id: ANN.id, application_id: application.id, grant_id: grant.id }
    await write
      .insertInto('access_token')
      .values({ token_hash: hashSecret(secret), kind: 'oauth', ...ids, scopes: ['ME_READ'], created_at: world.now })
      .execute()
    const headers = { authorization: `Bearer ${secret}` }
    assert.equal(await whoIs(headers), 'Ann')
    assert.equal((await world.with(headers).get('/api/events/')).body.code, 'insufficient_scope')
    await write.updateTable('oauth_application').set({ disabled_at: world.now }).execute()
    assert.equal(await whoIs(headers), 'invalid_token')
    await write.updateTable('oauth_application').set({ disabled_at: null }).execute()
    assert.equal(await whoIs(headers), 'Ann')
    await write.updateTable('oauth_grant').set({ revoked_at: world.now }).execute()
    assert.equal(await whoIs(headers), 'invalid_token')
  })
})

describe('sessions', async () => {
  const world = await openWorld()
  const name = cookieNames(SITE_URL).session
  test('need no scope, and end when they expire, are idle too long or are deleted', async () => {
    const ann = world.withSession(ANN)
    for (const path of [ME, '/api/events/', '/api/participations/', '/api/users/me/participations/'])
      assert.equal(await ann.status(path), 200)
    const before = world.now
    world.now = new Date(before.getTime() + 15 * DAY)
    assert.equal((await ann.get(ME)).body.code, 'not_authenticated')
    world.now = before
    assert.equal(await ann.status(ME), 200)
    await world.db.write.deleteFrom('session').where('user_id', '=', ANN.id).execute()
    assert.equal(await ann.status(ME), 401)
  })
  for (const value of ['', 'x', 'x'.repeat(2_000), '%00', '%zz', '"quoted"', 'a; b', 'null', "' or 1=1 --"])
    test(`the cookie ${JSON.stringify(value.slice(0, 20))} is not a session`, async () => {
      const { status, headers } = await world.with({ cookie: `${name}=${value}` }).get(ME)
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="turnout"'])
    })
})

describe('tokens of partners', async () => {
  const world = await openWorld()
  await world.addEvent({ seenBy: [HELPERS], sharedWith: [NORD], shifts: [{}] })
  const GARBAGE: Record<string, string | string[]>[] = [
    {},
    { authorization: 'Bearer' },
    { authorization: 'Bearer unknown' },
    { authorization: 'Basic eDp5' },
    { authorization: `Bearer ${'x'.repeat(5_000)}` },
    { authorization: ['Bearer a', 'Bearer b'] },
    { cookie: await world.sessionCookie(OLGA) },
    { authorization: `Bearer ${await world.token(OLGA, SCOPES)}` },
    { authorization: `Bearer ${await world.makeToken(OLGA, SCOPES, { revoked: true })}` },
  ]
  for (const endpoint of ENDPOINTS.filter(({ access }) => access.kind === 'partner'))
    for (const [index, headers] of GARBAGE.entries())
      test(`${endpoint.path} answers 403, never 401, to garbage ${index}`, async () => {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', methodOf(endpoint)]) {
          const answer = await world.with(headers).request(method, endpoint.path as string)
          assert.deepEqual([answer.status, answer.headers['www-authenticate']], [403, undefined], method)
        }
      })
  for (const endpoint of ENDPOINTS.filter(({ access }) => access.kind === 'scope' || access.kind === 'any-user'))
    test(`${methodOf(endpoint)} ${endpoint.path} refuses partners`, async () => {
      const path = (endpoint.path as string).replace(/\{(id|user)\}/g, '1').replace('{email}', ANN.email)
      const { status, body, headers } = await world.partner(NORD).request(methodOf(endpoint), path)
      assert.deepEqual([status, body.code, headers['www-authenticate']], [403, 'permission_denied', undefined])
    })
  test('a link that ended on our side answers 403', async () => {
    const partner = world.partner(NORD)
    assert.equal(await partner.status('/api/federation/events/'), 200)
    await world.db.write.updateTable('access_token').set({ revoked_at: world.now }).where('kind', '=', 'federation').execute()
    const { status, body } = await partner.get('/api/federation/events/')
    assert.deepEqual([status, body.code], [403, 'permission_denied'])
    assert.equal(await partner.status('/api/events/'), 401)
  })
})
