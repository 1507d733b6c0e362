import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { basic, openInstance, type TestClient } from '#test/support/instance.ts'
import { ANN, BEN, NORD } from '#test/support/people.ts'

describe('refreshing', async () => {
  const instance = await openInstance()
  const client = await instance.addClient()
  const other = await instance.addClient()
  const refresh = (refresh_token: string, whose: TestClient = client, more = {}) =>
    instance.token({ grant_type: 'refresh_token', refresh_token, ...more }, whose)
  const refused = async (answer: ReturnType<typeof refresh>, error = 'invalid_grant') => {
    const { status, json } = await answer
    assert.deepEqual([status, json.error], [400, error])
  }

  test('issues new tokens and revokes the old ones', async () => {
    const first = await instance.tokens(ANN, client)
    const second = await refresh(first.refresh_token)
    assert.equal(second.status, 200, second.text)
    assert.notEqual(second.json.refresh_token, first.refresh_token)
    assert.equal(await instance.me(first.access_token), 401)
    assert.equal(await instance.me(second.json.access_token), 200)
    await refused(refresh(first.refresh_token))
    assert.equal(await instance.me(second.json.access_token), 200, 'a repeated request within the grace period revokes nothing')
  })

  test('revokes all tokens of the grant if an old refresh token is reused', async () => {
    const first = await instance.tokens(ANN, client)
    const second = (await refresh(first.refresh_token)).json
    instance.pass(11)
    await refused(refresh(first.refresh_token))
    assert.equal(await instance.me(second.access_token), 401)
    await refused(refresh(second.refresh_token))
  })

  test('can reduce the scopes but not extend them', async () => {
    const { refresh_token } = await instance.tokens(ANN, client, 'ME_READ PUBLIC_READ')
    await refused(refresh(refresh_token, client, { scope: 'ME_READ CONFIDENTIAL_READ' }), 'invalid_scope')
    const less = await refresh(refresh_token, client, { scope: 'PUBLIC_READ' })
    assert.equal(less.json.scope, 'PUBLIC_READ')
    assert.equal(await instance.me(less.json.access_token), 403)
    await refused(refresh(less.json.refresh_token, client, { scope: 'CONFIDENTIAL_READ' }), 'invalid_scope')
  })

  test('works for the own client only', async () => {
    const { refresh_token, access_token } = await instance.tokens(ANN, client)
    await refused(refresh(refresh_token, other))
    assert.equal(await instance.me(access_token), 200)
    assert.equal((await refresh(refresh_token)).status, 200)
  })

  test('refuses other kinds of tokens and a missing token', async () => {
    const { access_token } = await instance.tokens(ANN, client)
    await refused(refresh(access_token))
    await refused(refresh('x'))
    await refused(refresh(''), 'invalid_request')
  })

  test('expires after 90 days', async () => {
    const { refresh_token } = await instance.tokens(ANN, client)
    instance.pass(90 * 86_400 + 1)
    await refused(refresh(refresh_token))
  })

  test('is refused while the person is inactive or the client is disabled', async () => {
    const { refresh_token } = await instance.tokens(BEN, other)
    await instance.setActive(BEN, false)
    await refused(refresh(refresh_token, other))
    await instance.setActive(BEN, true)
    const disabled = (at: Date | null) =>
      instance.db.write.updateTable('oauth_application').set({ disabled_at: at }).where('id', '=', other.id).execute()
    await disabled(new Date())
    assert.equal((await refresh(refresh_token, other)).status, 401)
    await disabled(null)
    assert.equal((await refresh(refresh_token, other)).status, 200)
  })
})

describe('refreshing without a grace period', async () => {
  const instance = await openInstance({ refreshGraceSeconds: '0' })
  const client = await instance.addClient({ trusted: true })
  const refresh = (refresh_token: string) => instance.token({ grant_type: 'refresh_token', refresh_token }, client)

  test('revokes the family if an old refresh token is reused at once', async () => {
    const first = await instance.tokens(ANN, client)
    const second = (await refresh(first.refresh_token)).json
    assert.equal((await refresh(first.refresh_token)).json.error, 'invalid_grant')
    assert.equal(await instance.me(second.access_token), 401)
  })

  test('revokes the family if a refresh token is used in parallel', async () => {
    const { refresh_token } = await instance.tokens(ANN, client)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    assert.equal(await instance.me(won[0]!.json.access_token), 401)
  })
})

describe('introspection and revocation', async () => {
  const instance = await openInstance()
  const client = await instance.addClient()
  const other = await instance.addClient()
  const introspect = (token: string, whose?: TestClient, more = {}) =>
    instance.form('/api/oauth/introspect/', { token, ...more }, whose)
  const revoke = (token: string, whose?: TestClient, more = {}) =>
    instance.form('/api/oauth/revoke_token/', { token, ...more }, whose)
  const inactive = async (token: string, whose = client) =>
    assert.deepEqual((await introspect(token, whose)).json, { active: false })

  test('describe tokens of the client', async () => {
    const { access_token, refresh_token } = await instance.tokens(ANN, client, 'ME_READ PUBLIC_READ')
    for (const token of [access_token, refresh_token]) {
      const { json, status } = await introspect(token, client)
      const { exp, ...rest } = json
      assert.equal(status, 200)
      assert.deepEqual(rest, { active: true, scope: 'ME_READ PUBLIC_READ', client_id: client.clientId, username: ANN.email })
      assert.ok(exp > Date.now() / 1000)
    }
  })

  test('describe neither tokens of others nor invalid or unknown ones', async () => {
    const { access_token, refresh_token } = await instance.tokens(ANN, client)
    const personal = `turnout_pat_${randomSecret(40)}`
    const values = { token_hash: hashSecret(personal), kind: 'personal', user_id: ANN.id, created_at: new Date() }
    await instance.db.write.insertInto('access_token').values(values).execute()
    for (const token of [access_token, refresh_token]) await inactive(token, other)
    for (const token of ['x', personal, '\u0000', 'x'.repeat(10_000)]) await inactive(token)
    await instance.setActive(ANN, false)
    for (const token of [access_token, refresh_token]) await inactive(token)
    await instance.setActive(ANN, true)
    instance.pass(3601)
    await inactive(access_token)
  })

  test('require client credentials and a token', async () => {
    const { access_token } = await instance.tokens(ANN, client)
    for (const ask of [introspect, revoke]) {
      for (const whose of [undefined, { ...client, secret: 'wrong' }, { ...client, clientId: 'nobody' }]) {
        const answer = await ask(access_token, whose)
        assert.deepEqual([answer.status, answer.json.error], [401, 'invalid_client'])
      }
      assert.deepEqual([(await ask('', client)).status, (await ask('', client)).json.error], [400, 'invalid_request'])
    }
    assert.equal(await instance.me(access_token), 200)
    assert.equal(
      (await instance.send(`/api/oauth/introspect/?token=${access_token}`, { headers: { authorization: basic(client) } })).status,
      405,
    )
  })

  test('of either token revokes both', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      for (const hint of [{}, { token_type_hint: which }, { token_type_hint: 'nonsense' }]) {
        const pair = await instance.tokens(ANN, client)
        const answer = await revoke(pair[which], client, hint)
        assert.deepEqual([answer.status, answer.text], [200, '{}'])
        assert.match(answer.headers['content-type']!, /^application\/json/)
        assert.equal(await instance.me(pair.access_token), 401)
        assert.equal(
          (await instance.token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }, client)).json.error,
          'invalid_grant',
        )
        await inactive(pair.refresh_token)
      }
    }
  })

  test('by another client changes nothing, with the same response as for unknown tokens', async () => {
    const pair = await instance.tokens(ANN, client)
    for (const token of [pair.access_token, pair.refresh_token, 'unknown', '\u0000']) {
      const answer = await revoke(token, other)
      assert.deepEqual([answer.status, answer.text], [200, '{}'])
    }
    assert.equal(await instance.me(pair.access_token), 200)
    assert.equal((await instance.token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }, client)).status, 200)
  })

  test('logs no errors for refused requests', () =>
    assert.deepEqual(
      instance.logLines.filter((line) => line.includes('"level":50')),
      [],
    ))
})

describe('an access token', async () => {
  const instance = await openInstance()
  const client = await instance.addClient()
  const { access_token: token } = await instance.tokens(ANN, client, 'openid email ME_READ')
  const status = async (headers: Record<string, string | string[]>, path = '/api/users/me/') =>
    (await instance.send(path, { headers })).status
  const USERINFO = '/api/oauth/userinfo/'
  /** On a separate connection, because the server closes it. */
  const large = (path: string) =>
    new Promise<number | 'closed' | undefined>((done) => {
      const headers = { authorization: `Bearer ${'x'.repeat(100_000)}` }
      const sent = request(`${instance.base}${path}`, { agent: false, headers }, (answer) => done(answer.resume().statusCode))
      sent.on('error', () => done('closed'))
      sent.end()
    })

  for (const path of ['/api/users/me/', USERINFO]) {
    test(`at ${path} works in the Authorization header only`, async () => {
      assert.equal(await status({ authorization: `Bearer ${token}` }, path), 200)
      assert.equal(await status({ authorization: `bearer ${token}` }, path), 200)
      assert.equal(await status({}, `${path}?access_token=${token}`), 401)
      const posted = await instance.form(path, { access_token: token })
      assert.ok([401, 403, 405].includes(posted.status), String(posted.status))
      assert.equal(await status({ authorization: `Bearer ${'x'.repeat(10_000)}` }, path), 401)
      assert.ok([431, 'closed', undefined].includes(await large(path)))
      assert.ok([400, 401].includes(await status({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }, path)))
      assert.equal(await status({ authorization: 'Bearer unknown' }, path), 401)
      assert.ok([400, 401].includes(await status({ authorization: 'Bearer' }, path)))
    })
  }

  test('that is invalid causes a 401, even with a valid session cookie', async () => {
    const browser = await instance.browserOf(ANN)
    const answer = await browser.go('/api/users/me/', { headers: { authorization: 'Bearer unknown' } })
    assert.equal(answer.status, 401)
    assert.match(answer.headers['www-authenticate']!, /error="invalid_token"/)
  })

  test('is invalid after an hour and without its grant, application or person', async () => {
    const deaths: [what: string, die: () => Promise<unknown>, live: () => Promise<unknown>][] = [
      ['person', () => instance.setActive(ANN, false), () => instance.setActive(ANN, true)],
      [
        'application',
        () =>
          instance.db.write
            .updateTable('oauth_application')
            .set({ disabled_at: new Date() })
            .where('id', '=', client.id)
            .execute(),
        () => instance.db.write.updateTable('oauth_application').set({ disabled_at: null }).where('id', '=', client.id).execute(),
      ],
      [
        'grant',
        () => instance.db.write.updateTable('oauth_grant').set({ revoked_at: new Date() }).execute(),
        () => instance.db.write.updateTable('oauth_grant').set({ revoked_at: null }).execute(),
      ],
    ]
    for (const [what, die, live] of deaths) {
      await die()
      for (const path of ['/api/users/me/', USERINFO])
        assert.equal(await status({ authorization: `Bearer ${token}` }, path), 401, what)
      await live()
      assert.equal(await status({ authorization: `Bearer ${token}` }), 200, what)
    }
    instance.pass(3601)
    for (const path of ['/api/users/me/', USERINFO]) assert.equal(await status({ authorization: `Bearer ${token}` }, path), 401)
  })

  test('of a partner cannot read data of a person, and vice versa', async () => {
    const partner = randomSecret(64)
    const values = { token_hash: hashSecret(partner), kind: 'federation', federated_guest_id: NORD.id, created_at: new Date() }
    await instance.db.write.insertInto('access_token').values(values).execute()
    const fresh = (await instance.tokens(ANN, client)).access_token
    assert.equal(await status({ authorization: `Bearer ${partner}` }), 403)
    assert.equal(await status({ authorization: `Bearer ${partner}` }, USERINFO), 401)
    assert.equal(await status({ authorization: `Bearer ${fresh}` }, '/api/federation/events/'), 403)
    assert.equal(await status({ authorization: `Bearer ${fresh}` }, '/api/users/'), 403)
  })

  test('returns userinfo according to its scopes, and nothing without openid', async () => {
    const info = async (scope: string) => {
      const { access_token } = await instance.tokens(BEN, client, scope)
      return instance.send(USERINFO, { headers: { authorization: `Bearer ${access_token}` } })
    }
    assert.deepEqual((await info('openid')).json, { sub: String(BEN.id) })
    assert.deepEqual((await info('openid profile email')).json, {
      sub: String(BEN.id),
      name: 'Ben',
      preferred_username: BEN.email,
      locale: 'en',
      email: BEN.email,
      email_verified: true,
    })
    assert.equal((await info('ME_READ')).status, 403)
  })
})
