import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asked,
  authorizeUrl,
  CALLBACK,
  openInstance,
  pkce,
  type Reply,
  type TestBrowser,
  type TestClient,
} from '#test/support/instance.ts'
import { ANN, BEN } from '#test/support/people.ts'

const { challenge, verifier } = pkce()

/** The error in the redirect, which must contain the issuer and the state. */
function errorOf(answer: Reply, issuer: string): string | null {
  assert.equal(answer.status, 303, answer.text)
  const url = new URL(answer.headers.location!)
  assert.equal(url.origin + url.pathname, CALLBACK)
  // Response types that use the fragment are refused in the fragment.
  const said = new URLSearchParams(url.search || url.hash.slice(1))
  assert.equal(said.get('code'), null)
  assert.equal(said.get('state'), 'a state')
  assert.equal(said.get('iss'), issuer)
  return said.get('error')
}

function assertOwnPage(answer: Reply): void {
  assert.equal(answer.status, 400, answer.headers.location)
  assert.match(answer.headers['content-type']!, /^text\/html/)
  assert.equal(answer.headers.location, undefined)
  assert.match(answer.headers['content-security-policy']!, /form-action 'self';/)
  assert.match(answer.text, /<h1>/)
}

describe('the authorization endpoint', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ scopes: ['openid', 'PUBLIC_READ', 'ME_READ'] })
  const ask = async (more: Record<string, string | undefined>, whose: TestClient = client, person = ANN) =>
    (await instance.browserOf(person)).authorize(asked(whose, challenge, more))

  test('shows an error page for an unknown client', async () => {
    for (const client_id of ['nobody', '', 'x'.repeat(300), undefined]) assertOwnPage(await ask({ client_id }))
  })

  test('shows an error page for a disabled client', async () => {
    const disabled = await instance.addClient()
    await instance.db.write
      .updateTable('oauth_application')
      .set({ disabled_at: new Date() })
      .where('id', '=', disabled.id)
      .execute()
    assertOwnPage(await ask({}, disabled))
  })

  const ELSEWHERE: [what: string, uri: string][] = [
    ['an added slash', `${CALLBACK}/`],
    ['an added query', `${CALLBACK}?next=1`],
    ['an added fragment', `${CALLBACK}#x`],
    ['another case of the path', 'https://app.example/Callback'],
    ['another case of the host', 'https://APP.example/callback'],
    ['dot segments', 'https://app.example/x/../callback'],
    ['escaped dot segments', 'https://app.example/x/%2e%2e/callback'],
    ['another port', 'https://app.example:8443/callback'],
    ['the usual port', 'https://app.example:443/callback'],
    ['another host', 'https://app.example.evil.example/callback'],
    ['a host before it', 'https://evil.example/https://app.example/callback'],
    ['user info', 'https://app.example@evil.example/callback'],
    ['its own user info', 'https://me@app.example/callback'],
    ['another scheme', 'http://app.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['a path alone', '/callback'],
    ['a blank behind it', `${CALLBACK} `],
  ]
  for (const [what, redirect_uri] of ELSEWHERE) {
    test(`does not redirect to a URI with ${what}`, async () => assertOwnPage(await ask({ redirect_uri })))
  }

  test('does not redirect to another port of a loopback address', async () => {
    const local = await instance.addClient({ redirectUris: ['http://127.0.0.1:9/cb'] })
    assertOwnPage(await ask({ redirect_uri: 'http://127.0.0.1:10/cb' }, local))
  })

  test('requires the redirect URI if several are registered', async () => {
    const two = await instance.addClient({ redirectUris: [CALLBACK, `${CALLBACK}2`] })
    assertOwnPage(await ask({ redirect_uri: undefined }, two))
  })

  test('uses the only registered redirect URI if the request has none', async () => {
    const answer = await ask({ redirect_uri: undefined })
    assert.ok(new URL(answer.headers.location!).searchParams.get('code'))
  })

  for (const name of ['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'response_type']) {
    test(`refuses a repeated ${name}`, async () => {
      const browser = await instance.browserOf(ANN)
      const params = asked(client, challenge)
      const answer = await browser.go(`${authorizeUrl(params)}&${name}=${encodeURIComponent(params[name]!)}`)
      assert.equal(answer.headers.location?.includes('code='), answer.headers.location ? false : undefined)
      if (['client_id', 'redirect_uri'].includes(name)) assertOwnPage(answer)
      else assert.equal(new URL(answer.headers.location!).searchParams.get('error'), 'invalid_request')
    })
  }

  const REFUSED: [what: string, more: Record<string, string | undefined>, error: string][] = [
    ['response_type token', { response_type: 'token' }, 'unauthorized_client'],
    ['response_type id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['a missing scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: '' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'ME_READ EVERYTHING' }, 'invalid_scope'],
    ['a scope in lower case', { scope: 'me_read' }, 'invalid_scope'],
    ['a scope that the application may not request', { scope: 'ME_READ CONFIDENTIAL_READ' }, 'invalid_scope'],
    ['offline access', { scope: 'ME_READ offline_access' }, 'invalid_scope'],
    ['a missing code_challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain code_challenge', { code_challenge: verifier, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a code_challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['an unknown code_challenge_method', { code_challenge_method: 'S512' }, 'invalid_request'],
    ['a malformed code_challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a code_challenge with odd characters', { code_challenge: `${challenge.slice(0, 42)}!` }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'maybe' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ]
  for (const [what, more, error] of REFUSED) {
    test(`refuses ${what}`, async () => assert.equal(errorOf(await ask(more), instance.base), error))
  }

  test('accepts requests without PKCE if the application does not require it', async () => {
    const old = await instance.addClient({ pkce: false })
    const answer = await ask({ code_challenge: undefined, code_challenge_method: undefined }, old)
    assert.ok(new URL(answer.headers.location!).searchParams.get('code'))
    const plain = await ask({ code_challenge: verifier, code_challenge_method: 'plain' }, old)
    assert.equal(errorOf(plain, instance.base), 'invalid_request')
  })

  test('responds to prompt=none with login_required without a session', async () => {
    const nobody = await instance.browserOf()
    assert.equal(
      errorOf(await nobody.go(authorizeUrl(asked(client, challenge, { prompt: 'none' }))), instance.base),
      'login_required',
    )
  })

  test('responds to prompt=none with consent_required before the consent and with a code afterwards', async () => {
    const fresh = await instance.addClient()
    const browser = await instance.browserOf(ANN)
    const silently = (scope: string) => browser.go(authorizeUrl(asked(fresh, challenge, { prompt: 'none', scope })))
    assert.equal(errorOf(await silently('ME_READ'), instance.base), 'consent_required')
    await browser.code(fresh, { scope: 'ME_READ' })
    assert.ok(new URL((await silently('ME_READ')).headers.location!).searchParams.get('code'))
    assert.equal(errorOf(await silently('ME_READ PUBLIC_READ'), instance.base), 'consent_required')
  })

  test('redirects to the sign-in page without a session', async () => {
    const answer = await (await instance.browserOf()).ask(asked(client, challenge))
    assert.equal(answer.status, 200)
    assert.match(answer.text, /name="password"/)
  })

  test('refuses POST, with and without a session', async () => {
    for (const browser of [await instance.browserOf(), await instance.browserOf(ANN)]) {
      const answer = await browser.post('/api/oauth/authorize/', {
        ...asked(client, challenge),
        allow: 'Authorize',
        decision: 'allow',
      })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.location, undefined)
    }
  })

  test('refuses NUL characters', async () => {
    const browser = await instance.browserOf(ANN)
    for (const name of ['client_id', 'state', 'scope', 'nonce', 'redirect_uri', 'login_hint']) {
      const answer = await browser.go(`${authorizeUrl(asked(client, challenge, { [name]: undefined }))}&${name}=a%00b`)
      assertOwnPage(answer)
    }
  })

  test('issues the code for the current person, not for a previous one', async () => {
    const both = await instance.addClient()
    const browser = await instance.browserOf(ANN)
    await browser.code(both)
    await browser.go('/')
    assert.equal((await browser.post('/accounts/logout/', {})).status, 303)
    const signedOut = await browser.ask(asked(both, challenge))
    assert.match(signedOut.text, /name="password"/)
    await browser.signIn(BEN)
    const { code, verifier: own } = await browser.code(both)
    const { json } = await instance.token({ grant_type: 'authorization_code', code, code_verifier: own }, both)
    const me = await instance.send('/api/users/me/', { headers: { authorization: `Bearer ${json.access_token}` } })
    assert.equal(me.json.email, BEN.email)
  })

  test('issues no code for a deactivated account', async () => {
    const person = { ...BEN, id: 77, email: 'gone@a.example' }
    await instance.db.write.insertInto('user_profile').values({ id: 77, display_name: 'Gone', email: person.email }).execute()
    const browser: TestBrowser = await instance.browserOf(person)
    const started = await browser.go(authorizeUrl(asked(client, challenge)))
    await browser.go(started.headers.location!)
    const allowed = await browser.post(started.headers.location!, { decision: 'allow' })
    await instance.setActive(person, false)
    const resumed = await browser.go(allowed.headers.location!)
    assert.ok(resumed.status < 500, resumed.text)
    assert.ok(!resumed.headers.location?.includes('code='))
  })

  test('logs no errors for refused requests', () =>
    assert.deepEqual(
      instance.logLines.filter((line) => line.includes('"level":50')),
      [],
    ))
})
