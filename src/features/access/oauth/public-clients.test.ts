import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as web from 'oauth4webapi'
import { asked, CALLBACK, openInstance, pkce, type TestClient } from '#test/support/instance.ts'
import { ANN, OLGA } from '#test/support/people.ts'

const LOOPBACK = 'http://127.0.0.1/back'
const APP = 'org.example.rota:/back'

describe('public applications', async () => {
  const instance = await openInstance()
  const redirectUris = [CALLBACK, LOOPBACK, APP]
  const client = await instance.addClient({ isPublic: true, redirectUris, name: 'Rota app' })
  const redeem = (form: Record<string, string>, of: TestClient = client) =>
    instance.token({ grant_type: 'authorization_code', client_id: of.clientId, redirect_uri: CALLBACK, ...form })

  test('oauth4webapi signs in, refreshes and revokes without a secret', async () => {
    const issuer = new URL(instance.base)
    const insecure = { [web.allowInsecureRequests]: true }
    const server = await web.processDiscoveryResponse(issuer, await web.discoveryRequest(issuer, insecure))
    const own: web.Client = { client_id: client.clientId }
    const verifier = web.generateRandomCodeVerifier()
    const url = new URL(server.authorization_endpoint!)
    const challenge = await web.calculatePKCECodeChallenge(verifier)
    url.search = String(new URLSearchParams(asked(client, challenge, { scope: 'openid ME_READ offline_access', state: 's' })))
    const browser = await instance.browserOf(ANN)
    const answer = await browser.authorize(Object.fromEntries(url.searchParams))
    const params = web.validateAuthResponse(server, own, new URL(answer.headers.location!), 's')
    const none = web.None()
    const granted = await web.authorizationCodeGrantRequest(server, own, none, params, CALLBACK, verifier, insecure)
    const tokens = await web.processAuthorizationCodeResponse(server, own, granted)
    assert.deepEqual([tokens.scope, await instance.me(tokens.access_token)], ['openid ME_READ', 200])
    const again = await web.refreshTokenGrantRequest(server, own, none, tokens.refresh_token!, insecure)
    const fresh = await web.processRefreshTokenResponse(server, own, again)
    assert.deepEqual([await instance.me(tokens.access_token), await instance.me(fresh.access_token)], [401, 200])
    await web.processRevocationResponse(await web.revocationRequest(server, own, none, fresh.refresh_token!, insecure))
    assert.equal(await instance.me(fresh.access_token), 401)
  })

  test('must use PKCE', async () => {
    const browser = await instance.browserOf(ANN)
    const answer = await browser.authorize(asked(client, '', { code_challenge: undefined, code_challenge_method: undefined }))
    assert.match(answer.headers.location!, /error=invalid_request/)
    const { code } = await browser.code(client)
    for (const form of [{ code }, { code, code_verifier: pkce().verifier }])
      assert.equal((await redeem(form)).status, 400, JSON.stringify(form))
  })

  test('cannot redeem codes of other applications, and applications with a secret must send it', async () => {
    const other = await instance.addClient()
    const browser = await instance.browserOf(ANN)
    const foreign = await browser.code(other)
    const refused = await redeem({ code: foreign.code, code_verifier: foreign.verifier })
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'])
    const without = await redeem({ code: foreign.code, code_verifier: foreign.verifier }, other)
    assert.deepEqual([without.status, without.json.error], [401, 'invalid_client'])
    const own = await browser.code(client)
    const secret = { client_secret: 'a secret' }
    assert.equal((await redeem({ code: own.code, code_verifier: own.verifier, ...secret })).json.error, 'invalid_client')
  })

  test('learn nothing by introspection', async () => {
    const { code, verifier } = await (await instance.browserOf(ANN)).code(client)
    const { access_token: token } = (await redeem({ code, code_verifier: verifier })).json
    const answer = await instance.form('/api/oauth/introspect/', { token, client_id: client.clientId })
    assert.deepEqual(answer.json, { active: false })
  })

  test('listen on any port of the same device', async () => {
    const redirect_uri = 'http://127.0.0.1:51004/back'
    const { code, verifier, url } = await (await instance.browserOf(ANN)).code(client, { redirect_uri })
    assert.equal(url.origin, 'http://127.0.0.1:51004')
    const answer = await redeem({ code, code_verifier: verifier, redirect_uri })
    assert.equal(answer.status, 200, answer.text)
    const elsewhere = 'http://127.0.0.1:51004/elsewhere'
    const refused = await (await instance.browserOf(ANN)).ask(asked(client, pkce().challenge, { redirect_uri: elsewhere }))
    assert.equal(refused.status, 400)
    const secret = await instance.addClient({ redirectUris: [LOOPBACK] })
    const asks = asked(secret, pkce().challenge, { redirect_uri })
    assert.equal((await (await instance.browserOf(ANN)).ask(asks)).status, 400)
  })

  test('open an app by its own scheme; the page names the app', async () => {
    const browser = await instance.browserOf(ANN)
    const page = await browser.ask(asked(client, pkce().challenge, { redirect_uri: APP }))
    assert.match(page.text, /<strong>the app “org\.example\.rota” on this device<\/strong>/)
    assert.match(page.headers['content-security-policy']!, /form-action[^;]* org\.example\.rota:/)
    const { url } = await browser.code(client, { redirect_uri: APP })
    assert.equal(url.protocol, 'org.example.rota:')
  })

  test('are asked about each time, if another program could listen', async () => {
    const browser = await instance.browserOf(ANN)
    const CASES: [redirectUri: string, isAskedAgain: boolean][] = [
      [CALLBACK, false],
      [LOOPBACK, true],
      [APP, true],
    ]
    for (const [redirect_uri, isAskedAgain] of CASES) {
      await browser.code(client, { redirect_uri })
      const again = await browser.ask(asked(client, pkce().challenge, { redirect_uri }))
      assert.equal(/Allow Rota app to use your account/.test(again.text), isAskedAgain, redirect_uri)
    }
  })
})

describe('registering a public application', async () => {
  const instance = await openInstance()
  const olga = await instance.browserOf(OLGA)
  const NEW = '/manage/applications/new/'
  const FORM = { name: 'Rota', client_type: 'public', redirect_uris: APP, allowed_scopes: 'ME_READ' }
  const rows = () => instance.db.read.selectFrom('oauth_application').selectAll().orderBy('id').execute()

  test('shows a client id and no secret, and requires PKCE', async () => {
    await olga.go(NEW)
    const { status, text } = await olga.post(NEW, FORM)
    assert.equal(status, 200)
    assert.match(text, /id="client-id"/)
    assert.doesNotMatch(text, /id="client-secret"/)
    const [row] = await rows()
    assert.deepEqual([row!.is_public, row!.require_pkce, row!.client_secret_hash], [true, true, ''])
    const page = await olga.go(`/manage/applications/${row!.id}/`)
    assert.doesNotMatch(page.text, /New secret|name="trusted"|name="require_pkce"|name="client_type"/)
    assert.match(page.text, /without a secret/)
  })

  test('cannot be trusted; the type stays', async () => {
    const { id } = (await rows())[0]!
    await olga.go(NEW)
    const trusted = await olga.post(NEW, { ...FORM, trusted: 'on' })
    assert.match(trusted.text, /Any program can pretend to be/)
    const path = `/manage/applications/${id}/`
    await olga.go(path)
    assert.match((await olga.post(path, { ...FORM, trusted: 'on' })).text, /Any program can pretend to be/)
    assert.equal((await olga.post(path, { ...FORM, name: 'Rota 2', client_type: 'confidential' })).status, 303)
    const [row] = await rows()
    assert.deepEqual([row!.name, row!.is_public, row!.require_pkce, row!.trusted], ['Rota 2', true, true, false])
    await olga.go(path)
    assert.equal((await olga.post(`${path}secret/`, {})).status, 404)
    assert.equal((await rows())[0]!.client_secret_hash, '')
  })
})
