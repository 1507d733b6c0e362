import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as web from 'oauth4webapi'
import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import { CALLBACK, openInstance } from '#test/support/instance.ts'
import { ANN, BEN } from '#test/support/people.ts'

describe('client libraries', async () => {
  const instance = await openInstance()
  const api = async (token: string) =>
    (await instance.send('/api/users/me/', { headers: { authorization: `Bearer ${token}` } })).json
  const through = async (url: URL, person = ANN) => {
    const answer = await (await instance.browserOf(person)).authorize(Object.fromEntries(url.searchParams))
    return new URL(answer.headers.location!)
  }

  test('openid-client signs in, refreshes, introspects and revokes', async () => {
    const { clientId, secret } = await instance.addClient()
    const config = await openid.discovery(new URL(instance.base), clientId, secret, undefined, {
      execute: [openid.allowInsecureRequests],
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email ME_READ',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: 'its state',
      nonce: 'its nonce',
    })
    const back = await through(url, BEN)
    const checks = { pkceCodeVerifier, expectedState: 'its state', expectedNonce: 'its nonce' }
    const tokens = await openid.authorizationCodeGrant(config, back, checks)
    assert.equal(tokens.claims()?.sub, String(BEN.id))
    assert.equal(tokens.claims()?.iss, instance.base)
    const info = await openid.fetchUserInfo(config, tokens.access_token, String(BEN.id))
    assert.deepEqual([info.name, info.email], ['Ben', BEN.email])
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    assert.equal((await api(refreshed.access_token)).email, BEN.email)
    assert.equal((await openid.tokenIntrospection(config, refreshed.access_token)).active, true)
    await openid.tokenRevocation(config, refreshed.access_token)
    assert.equal((await openid.tokenIntrospection(config, refreshed.access_token)).active, false)
  })

  test('oauth4webapi gets a token with credentials in the body', async () => {
    const registered = await instance.addClient()
    const issuer = new URL(instance.base)
    const insecure = { [web.allowInsecureRequests]: true }
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const found = await web.discoveryRequest(issuer, { algorithm, ...insecure })
      const server = await web.processDiscoveryResponse(issuer, found)
      assert.equal(server.token_endpoint, `${instance.base}/api/oauth/token/`)
      const client: web.Client = { client_id: registered.clientId }
      const verifier = web.generateRandomCodeVerifier()
      const url = new URL(server.authorization_endpoint!)
      const challenge = await web.calculatePKCECodeChallenge(verifier)
      const asked = { client_id: client.client_id, response_type: 'code', redirect_uri: CALLBACK, scope: 'ME_READ', state: 's' }
      url.search = String(new URLSearchParams({ ...asked, code_challenge: challenge, code_challenge_method: 'S256' }))
      const params = web.validateAuthResponse(server, client, await through(url), 's')
      const auth = web.ClientSecretPost(registered.secret)
      const answer = await web.authorizationCodeGrantRequest(server, client, auth, params, CALLBACK, verifier, insecure)
      const tokens = await web.processAuthorizationCodeResponse(server, client, answer)
      assert.equal((await api(tokens.access_token)).email, ANN.email)
    }
  })

  test('simple-oauth2 gets a token without PKCE and refreshes it', async () => {
    const registered = await instance.addClient({ pkce: false })
    const client = new AuthorizationCode({
      client: { id: registered.clientId, secret: registered.secret },
      auth: {
        tokenHost: instance.base,
        tokenPath: '/api/oauth/token/',
        authorizePath: '/api/oauth/authorize/',
        revokePath: '/api/oauth/revoke_token/',
      },
    })
    const url = new URL(client.authorizeURL({ redirect_uri: CALLBACK, scope: 'ME_READ', state: 's' }))
    const code = (await through(url)).searchParams.get('code')!
    const token = await client.getToken({ code, redirect_uri: CALLBACK })
    assert.equal((await api(token.token.access_token as string)).email, ANN.email)
    const refreshed = await token.refresh()
    assert.equal((await api(refreshed.token.access_token as string)).email, ANN.email)
    await refreshed.revokeAll()
    assert.equal(await instance.me(refreshed.token.access_token as string), 401)
  })

  test('discovery lists all endpoints', async () => {
    for (const path of ['openid-configuration', 'oauth-authorization-server']) {
      const { json, status } = await instance.send(`/.well-known/${path}`)
      assert.equal(status, 200)
      assert.equal(json.issuer, instance.base)
      assert.deepEqual(json.code_challenge_methods_supported, ['S256'])
      assert.deepEqual(json.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post', 'none'])
      assert.deepEqual(json.response_types_supported, ['code'])
      assert.equal(json.authorization_response_iss_parameter_supported, true)
      const places = {
        authorization: 'authorize',
        token: 'token',
        revocation: 'revoke_token',
        introspection: 'introspect',
        userinfo: 'userinfo',
        device_authorization: 'device',
        end_session: 'logout',
      }
      for (const [name, place] of Object.entries(places))
        assert.equal(json[`${name}_endpoint`], `${instance.base}/api/oauth/${place}/`)
      const { json: keys } = await instance.send(new URL(json.jwks_uri).pathname)
      assert.ok(keys.keys.length > 0)
      for (const key of keys.keys) assert.deepEqual([key.kty, key.d, key.p], ['RSA', undefined, undefined])
    }
  })
})

describe('scripts of other sites', async () => {
  const instance = await openInstance()
  const ORIGIN = 'https://app.example'
  const client = await instance.addClient({ origins: [ORIGIN] })
  const { access_token: token } = await instance.tokens(ANN, client, 'openid ME_READ')
  const allowed = async (path: string, origin: string | undefined, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}`, ...(origin ? { origin } : {}) }
    return (await instance.send(path, { method, headers })).headers['access-control-allow-origin']
  }
  const OPEN = ['/api/users/me/', '/api/oauth/userinfo/', '/api/oauth/jwks/', '/.well-known/openid-configuration']

  test('may call the API and the token endpoints from a registered origin', async () => {
    for (const path of OPEN) assert.equal(await allowed(path, ORIGIN), ORIGIN, path)
    for (const path of ['/api/oauth/token/', '/api/oauth/revoke_token/', '/api/oauth/device/'])
      assert.equal(await allowed(path, ORIGIN, 'POST'), ORIGIN, path)
  })

  test('may not do so from another origin or without one', async () => {
    for (const path of [...OPEN, '/api/oauth/token/', '/api/oauth/revoke_token/'])
      for (const origin of ['https://evil.example', 'http://app.example', `${ORIGIN}.evil.example`, 'null', undefined])
        assert.equal(await allowed(path, origin, path.includes('token') ? 'POST' : 'GET'), undefined, `${path} ${origin}`)
  })

  test('may neither call other pages nor send cookies', async () => {
    for (const path of ['/', '/api/oauth/authorize/', '/api/oauth/introspect/', '/api/oauth/logout/'])
      assert.equal(await allowed(path, ORIGIN, /introspect/.test(path) ? 'POST' : 'GET'), undefined, path)
    const { headers } = await instance.send('/api/users/me/', { headers: { origin: ORIGIN } })
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })

  test('may not do so if the application is disabled', async () => {
    const other = await instance.addClient({ origins: ['https://other.example'] })
    assert.equal(await allowed('/api/users/me/', 'https://other.example'), 'https://other.example')
    await instance.db.write.updateTable('oauth_application').set({ disabled_at: new Date() }).where('id', '=', other.id).execute()
    assert.equal(await allowed('/api/users/me/', 'https://other.example'), undefined)
  })

  test('get preflight responses with the allowed headers', async () => {
    const preflight = (origin: string) =>
      instance.send('/api/users/me/', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      })
    const answer = await preflight(ORIGIN)
    assert.equal(answer.status, 204)
    assert.match(answer.headers['access-control-allow-headers']!, /authorization/)
    const refused = await preflight('https://evil.example')
    assert.equal(refused.headers['access-control-allow-origin'], undefined)
    assert.notEqual(refused.status, 204)
  })
})
