import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { describe, test } from 'node:test'
import { basic, CALLBACK, openInstance, type Reply, type TestClient } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'
import { deleteEndedGrants } from './commands/consents.ts'

function assertRefused(answer: Reply, status: number, error: string): void {
  assert.deepEqual([answer.status, answer.json?.error], [status, error], answer.text)
  assert.match(answer.headers['content-type']!, /^application\/json/)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.pragma, 'no-cache')
  assert.equal(answer.json.access_token, undefined)
}

describe('the token endpoint', async () => {
  const instance = await openInstance()
  const client = await instance.addClient()
  const other = await instance.addClient()
  const codeOf = async (whose: TestClient = client, more = {}) => (await instance.browserOf(ANN)).code(whose, more)
  const redeem = async (more: Record<string, string> = {}, whose: TestClient | undefined = client) => {
    const { code, verifier } = await codeOf()
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, ...more }
    return instance.token(Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '-')), whose)
  }

  test('accepts Basic credentials without redirect_uri and client_id in the body', async () => {
    const { code, verifier } = await codeOf()
    const body = `grant_type=authorization_code&code_verifier=${verifier}&code=${code}`
    const answer = await instance.token(body, client, { accept: 'application/json' })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(typeof answer.json.access_token, 'string')
    assert.equal(answer.json.expires_in, 3600)
    const me = await instance.send('/api/users/me/', { headers: { authorization: `Bearer ${answer.json.access_token}` } })
    for (const field of ['id', 'email', 'display_name', 'date_of_birth', 'qualifications']) assert.ok(field in me.json, field)
  })

  test('accepts credentials in the body and escaped Basic credentials', async () => {
    const { code, verifier } = await codeOf()
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK }
    const inBody = { ...form, client_id: client.clientId, client_secret: client.secret }
    assert.equal((await instance.token(inBody)).status, 200)
  })

  test('verifies imported secrets', async () => {
    const hash = pbkdf2Sync('imported', 'saltsalt', 1000, 32, 'sha256').toString('base64')
    const imported = { ...(await instance.addClient({ secretHash: `pbkdf2_sha256$1000$saltsalt$${hash}` })), secret: 'imported' }
    const { code, verifier } = await codeOf(imported)
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    assertRefused(await instance.token(form, { ...imported, secret: 'other' }), 401, 'invalid_client')
    assert.equal((await instance.token(form, imported)).status, 200)
  })

  test('refuses a wrong, missing or unexpected verifier', async () => {
    assertRefused(await redeem({ code_verifier: 'x'.repeat(43) }), 400, 'invalid_grant')
    assertRefused(await redeem({ code_verifier: '-' }), 400, 'invalid_request')
    assertRefused(await redeem({ code_verifier: 'short' }), 400, 'invalid_request')
    const old = await instance.addClient({ pkce: false })
    const { code } = await codeOf(old, { code_challenge: undefined, code_challenge_method: undefined })
    const form = { grant_type: 'authorization_code', code, code_verifier: 'x'.repeat(43) }
    assertRefused(await instance.token(form, old), 400, 'invalid_grant')
  })

  test('refuses another redirect URI', async () => {
    assertRefused(await redeem({ redirect_uri: `${CALLBACK}/` }), 400, 'invalid_request')
    assertRefused(await redeem({ redirect_uri: 'https://evil.example/' }), 400, 'invalid_request')
  })

  test('requires the redirect URI if several are registered', async () => {
    const two = await instance.addClient({ redirectUris: [CALLBACK, `${CALLBACK}2`] })
    const { code, verifier } = await codeOf(two)
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    assertRefused(await instance.token(form, two), 400, 'invalid_request')
    assertRefused(await instance.token({ ...form, redirect_uri: `${CALLBACK}2` }, two), 400, 'invalid_request')
    assert.equal((await instance.token({ ...form, redirect_uri: CALLBACK }, two)).status, 200)
  })

  test('refuses the code of another client without using it up', async () => {
    const { code, verifier } = await codeOf()
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    assertRefused(await instance.token(form, other), 400, 'invalid_grant')
    assert.equal((await instance.token(form, client)).status, 200)
  })

  test('refuses unknown and empty codes and other kinds of tokens', async () => {
    const { access_token, refresh_token } = await instance.tokens(ANN, client)
    for (const code of ['x', 'x'.repeat(5000), '\u0000', access_token, refresh_token])
      assertRefused(await redeem({ code }), 400, 'invalid_grant')
    assertRefused(await redeem({ code: '' }), 400, 'invalid_request')
    assertRefused(await redeem({ code: '-' }), 400, 'invalid_request')
  })

  const DAY_SECONDS = 86_400
  for (const [when, seconds, verifierOfReplay] of [
    ['at once', 0, undefined],
    ['with a wrong verifier', 0, 'x'.repeat(43)],
    ['after ten seconds', 11, undefined],
    ['after the expiry of the code', 120, undefined],
    ['after the clean-up of expired codes', 3 * DAY_SECONDS, undefined],
  ] as const) {
    test(`accepts a code once; a replay ${when} revokes the tokens of the first use`, async () => {
      const { code, verifier } = await codeOf()
      const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
      const { json } = await instance.token(form, client)
      assert.equal(await instance.me(json.access_token), 200)
      instance.pass(seconds)
      if (seconds > DAY_SECONDS) await deleteEndedGrants(instance.db.write, instance.now)
      assertRefused(await instance.token(form, other), 400, 'invalid_grant')
      const renewed = await instance.token({ grant_type: 'refresh_token', refresh_token: json.refresh_token }, client)
      assert.equal(renewed.status, 200, 'another client cannot revoke')
      assertRefused(await instance.token({ ...form, code_verifier: verifierOfReplay ?? verifier }, client), 400, 'invalid_grant')
      assert.equal(await instance.me(renewed.json.access_token), 401)
      const refresh = { grant_type: 'refresh_token', refresh_token: renewed.json.refresh_token }
      assertRefused(await instance.token(refresh, client), 400, 'invalid_grant')
    })
  }

  test('refuses a code after a minute', async () => {
    const { code, verifier } = await codeOf()
    instance.pass(61)
    assertRefused(
      await instance.token({ grant_type: 'authorization_code', code, code_verifier: verifier }, client),
      400,
      'invalid_grant',
    )
  })

  test('refuses the code of a deactivated person', async () => {
    const { code, verifier } = await codeOf()
    await instance.setActive(ANN, false)
    assertRefused(
      await instance.token({ grant_type: 'authorization_code', code, code_verifier: verifier }, client),
      400,
      'invalid_grant',
    )
    await instance.setActive(ANN, true)
  })

  test('refuses wrong, empty and missing secrets with the same response for known and unknown clients', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', code_verifier: 'x'.repeat(43) }
    const wrong = [
      { ...client, secret: 'wrong' },
      { ...client, secret: '' },
      { ...client, secret: client.secret.toLowerCase() },
      { ...client, secret: other.secret },
      { ...client, secret: 'x'.repeat(5000) },
      { ...client, clientId: 'nobody' },
      { ...client, clientId: '' },
    ]
    for (const credentials of wrong) {
      const answer = await instance.token(form, credentials)
      assertRefused(answer, 401, 'invalid_client')
      assert.match(answer.headers['www-authenticate']!, /^Basic /)
    }
    assertRefused(await instance.token(form), 401, 'invalid_client')
    assertRefused(await instance.token({ ...form, client_id: client.clientId }), 401, 'invalid_client')
    assertRefused(await instance.token({ ...form, client_id: client.clientId, client_secret: 'wrong' }), 401, 'invalid_client')
    assertRefused(await instance.token({ ...form, client_secret: client.secret }), 401, 'invalid_client')
    for (const authorization of [
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
      'Bearer x',
      'Negotiate x',
    ])
      assertRefused(await instance.token(form, undefined, { authorization }), 401, 'invalid_client')
  })

  test('refuses two authentication methods at once', async () => {
    const both = { client_id: client.clientId, client_secret: client.secret }
    assertRefused(await redeem(both), 400, 'invalid_request')
    assertRefused(await redeem({ client_id: other.clientId }), 400, 'invalid_request')
  })

  test('refuses bodies that are not forms', async () => {
    const body = JSON.stringify({ grant_type: 'authorization_code', code: 'x' })
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, authorization: basic(client) }
      assertRefused(await instance.send('/api/oauth/token/', { method: 'POST', headers, body }), 400, 'unsupported_grant_type')
    }
  })

  test('refuses repeated fields', async () => {
    for (const name of ['code', 'grant_type', 'redirect_uri', 'code_verifier', 'client_id', 'client_secret']) {
      const { code, verifier } = await codeOf()
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      })
      const [first, second] = [form.get(name) ?? 'x', form.get(name) ?? 'x']
      form.delete(name)
      const answer = await instance.token(
        `${form}&${name}=${encodeURIComponent(first)}&${name}=${encodeURIComponent(second)}`,
        client,
      )
      assertRefused(answer, 400, 'invalid_request')
    }
  })

  test('refuses other grant types', async () => {
    for (const grant_type of ['password', 'client_credentials', 'implicit'])
      assertRefused(await instance.token({ grant_type, username: 'ann', password: 'x' }, client), 400, 'unauthorized_client')
    const device = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }
    assertRefused(await instance.token(device, client), 400, 'unauthorized_client')
    assertRefused(await instance.token({ grant_type: 'x' }, client), 400, 'unsupported_grant_type')
    assertRefused(await instance.token({}, client), 400, 'unsupported_grant_type')
  })

  test('accepts POST only and limits the body size', async () => {
    const answer = await instance.send('/api/oauth/token/?grant_type=authorization_code')
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'])
    const large = await instance.token({ grant_type: 'authorization_code', code: 'x'.repeat(300_000) }, client)
    assert.ok(large.status >= 400 && large.status < 500, String(large.status))
  })

  test('logs no errors for refused requests', () =>
    assert.deepEqual(
      instance.logLines.filter((line) => line.includes('"level":50')),
      [],
    ))
})

describe('failed attempts at the token endpoint', async () => {
  const instance = await openInstance({ rateLimit: 'on' })

  test('are rate limited, and successful ones are not counted', async () => {
    const client = await instance.addClient({ trusted: true })
    const works = async () => {
      const { access_token } = await instance.tokens(ANN, client)
      return access_token
    }
    for (let i = 0; i < 25; i++) await works()
    const form = { grant_type: 'authorization_code', code: 'x', code_verifier: 'x'.repeat(43) }
    for (let i = 0; i < 20; i++) assert.equal((await instance.token(form, { ...client, secret: 'wrong' })).status, 401)
    const late = await instance.token(form, { ...client, secret: 'wrong' })
    assert.deepEqual([late.status, late.json.error], [429, 'temporarily_unavailable'])
    assert.ok(Number(late.headers['retry-after']) > 0)
    instance.pass(61)
    assert.ok(await works())
  })

  for (const path of ['token', 'revoke_token', 'introspect']) {
    test(`at ${path} are limited when they are made in parallel`, async () => {
      const client = { ...(await instance.addClient()), secret: 'wrong' }
      instance.pass(61)
      const guess = () => instance.form(`/api/oauth/${path}/`, { token: 'x', grant_type: 'refresh_token' }, client)
      const answers = await Promise.all(Array.from({ length: 100 }, guess))
      const statuses = Map.groupBy(answers, ({ status }) => status)
      assert.deepEqual([statuses.get(401)?.length, statuses.get(429)?.length], [20, 80])
    })
  }
})
