import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asked, authorizeUrl, openInstance, pkce, type TestBrowser, type TestClient } from '#test/support/instance.ts'
import { ANN, BEN, OLGA } from '#test/support/people.ts'
import { checkRedirectUri } from './rules/addresses.ts'

const { challenge } = pkce()

describe('the consent page', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ name: 'Rota <b>viewer</b>' })
  const begin = async (browser: TestBrowser, more: Record<string, string | undefined> = {}, whose: TestClient = client) => {
    const started = await browser.go(authorizeUrl(asked(whose, challenge, { prompt: 'consent', ...more })))
    const path = started.headers.location!
    return { path, page: await browser.go(path) }
  }
  const grants = async () => (await instance.db.read.selectFrom('oauth_grant').select('id').execute()).length

  test('shows the application, its scopes and the redirect target', async () => {
    const { page } = await begin(
      await instance.browserOf(ANN),
      { scope: 'openid ME_READ PUBLIC_WRITE' },
      await instance.addClient({ name: 'Rota <b>viewer</b>', scopes: ['openid', 'ME_READ', 'PUBLIC_WRITE'] }),
    )
    assert.equal(page.status, 200)
    assert.match(page.text, /Rota &lt;b&gt;viewer/)
    assert.ok(!page.text.includes('<b>viewer'))
    assert.match(page.text, /<strong>app\.example<\/strong>/)
    for (const words of [
      'recognise you',
      'see your profile',
      'create and change events, shifts, event types and building blocks',
      ANN.email,
    ])
      assert.ok(page.text.includes(words), words)
    assert.ok(!page.text.includes('see your email address'))
    assert.match(page.headers['content-security-policy']!, /form-action 'self' https:\/\/app\.example;/)
    assert.equal(page.headers['x-frame-options'], 'DENY')
    assert.match(page.headers['content-security-policy']!, /frame-ancestors 'none'/)
    assert.equal(page.headers['cache-control'], 'no-store')
  })

  test('shows names that imitate other texts as they are, and lookalike hosts as the browser resolves them', async () => {
    const named = (name: string, redirect = 'https://app.example/callback') =>
      instance.addClient({ name, redirectUris: [redirect] }).then(async (whose) => {
        const browser = await instance.browserOf(ANN)
        return (await begin(browser, { redirect_uri: redirect }, whose)).page
      })
    const long = 'W'.repeat(255)
    const shown = await named(long)
    assert.ok(shown.text.includes(long))
    const turned = await named('Wiki \u202eexample.org\u2066\u2069')
    assert.doesNotMatch(turned.text, /[\u202a-\u202e\u2066-\u2069]/)
    // A Cyrillic а in the host: shown in the form that tells it from the real one.
    const lookalike = await named('Wiki', 'https://xn--pple-43d.example/back')
    assert.match(lookalike.text, /<strong>xn--pple-43d\.example<\/strong>/)
    const port = await named('Wiki', 'https://app.example:8443/back')
    assert.match(port.text, /<strong>app\.example:8443<\/strong>/)
    // A registered address cannot begin like another host, or be written in another way.
    for (const uri of ['https://app.example@evil.example/', 'https://аpple.example/', 'https://app.example\\@evil.example/'])
      assert.notEqual(checkRedirectUri(uri), null, uri)
  })

  test('cannot be put into a frame, nor sent by a GET request', async () => {
    const browser = await instance.browserOf(ANN)
    const { path, page } = await begin(browser)
    assert.match(page.headers['content-security-policy']!, /frame-ancestors 'none'/)
    const before = await grants()
    assert.equal((await browser.go(`${path}?decision=allow&csrf_token=${browser.csrf}`)).status, 200)
    assert.equal(await grants(), before)
  })

  test('passes a refusal to the application without further data', async () => {
    const answer = await (await instance.browserOf(ANN)).authorize(asked(client, challenge), 'deny')
    const said = new URL(answer.headers.location!).searchParams
    assert.deepEqual(
      [said.get('error'), said.get('state'), said.get('iss'), said.get('code')],
      ['access_denied', 'a state', instance.base, null],
    )
  })

  const FORGED: [
    what: string,
    forge: (browser: TestBrowser) => Promise<[form: Record<string, string>, headers?: Record<string, string>]>,
  ][] = [
    ['without a CSRF token', async () => [{ csrf_token: '' }]],
    [
      'with a CSRF token of another person',
      async () => {
        const other = await instance.browserOf(BEN)
        await begin(other)
        return [{ csrf_token: other.csrf }]
      },
    ],
    [
      'with a CSRF token from before the sign-in',
      async () => {
        const before = await instance.browserOf()
        await before.go('/accounts/login/')
        return [{ csrf_token: before.csrf }]
      },
    ],
    ['from another origin', async () => [{}, { origin: 'https://evil.example' }]],
    ['from the origin null', async () => [{}, { origin: 'null' }]],
    ['across sites', async () => [{}, { 'sec-fetch-site': 'cross-site' }]],
    ['from a neighbouring site', async () => [{}, { 'sec-fetch-site': 'same-site' }]],
  ]
  for (const [what, forge] of FORGED) {
    test(`refuses a decision ${what}`, async () => {
      const browser = await instance.browserOf(ANN)
      const { path } = await begin(browser)
      const before = await grants()
      const token = browser.csrf
      const [form, headers] = await forge(browser)
      const answer = await browser.post(path, { csrf_token: token, decision: 'allow', ...form }, headers)
      assert.equal(answer.status, 403)
      assert.equal(await grants(), before)
    })
  }

  test('refuses a decision if another person has signed in meanwhile', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    await browser.signIn(BEN)
    const before = await grants()
    assert.equal((await browser.post(path, { decision: 'allow' })).status, 403)
    assert.equal(await grants(), before)
  })

  test('refuses a decision without a session', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    const nobody = await instance.browserOf()
    const answer = await nobody.post(path, { decision: 'allow' })
    assert.match(answer.headers.location!, /^\/accounts\/login\//)
  })

  test('redirects only the person who consented to the application', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    const allowed = await browser.post(path, { decision: 'allow' })
    await browser.signIn(BEN)
    const resumed = await browser.go(allowed.headers.location!)
    assert.equal(resumed.status, 403)
    assert.match(resumed.text, /A different person is signed in/)
    await browser.signIn(ANN)
    const again = await browser.go(allowed.headers.location!)
    assert.equal(again.status, 400, 'it has ended for good')
  })

  test('redirects only the browser that started the request', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    const victim = await instance.browserOf(ANN)
    await victim.go(path)
    const allowed = await victim.post(path, { decision: 'allow' })
    const resumed = await victim.go(allowed.headers.location!)
    assert.equal(resumed.status, 400)
    assert.equal(resumed.headers.location, undefined)
  })

  test('accepts only allow and deny', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    for (const decision of ['', 'maybe', 'ALLOW']) assert.equal((await browser.post(path, { decision })).status, 422)
  })

  test('expires after 30 minutes and is not found for unknown ids', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    assert.equal((await browser.go('/accounts/authorize/unknown/')).status, 404)
    instance.pass(1801)
    // The session is the older one.
    assert.match((await browser.go(path)).headers.location!, /^\/accounts\/confirm\//)
    assert.equal((await (await instance.browserOf(ANN)).go(path)).status, 404)
  })

  test('asks who is there if the person has shown it more than 15 minutes ago, and returns', async () => {
    const browser = await instance.browserOf(ANN)
    const { path } = await begin(browser)
    instance.pass(901)
    const asked = await browser.go(path)
    assert.equal(asked.headers.location, `/accounts/confirm/?next=${encodeURIComponent(path)}`)
  })

  test('is shown once for the same scopes and again for more', async () => {
    const fresh = await instance.addClient()
    const browser = await instance.browserOf(ANN)
    await browser.code(fresh, { scope: 'ME_READ PUBLIC_READ' })
    const again = await browser.go(authorizeUrl(asked(fresh, challenge, { scope: 'ME_READ' })))
    assert.match(again.headers.location!, /^https:\/\/app\.example\/callback\?code=/)
    const more = await browser.ask(asked(fresh, challenge, { scope: 'ME_READ CONFIDENTIAL_READ' }))
    assert.equal(more.status, 200)
    const forced = await browser.ask(asked(fresh, challenge, { prompt: 'consent' }))
    assert.equal(forced.status, 200)
  })

  test('is not shown for trusted applications, also right after signing in', async () => {
    const trusted = await instance.addClient({ trusted: true })
    const signedIn = await (await instance.browserOf(OLGA)).go(authorizeUrl(asked(trusted, challenge)))
    assert.match(signedIn.headers.location!, /code=/)
    const late = await instance.browserOf()
    const started = await late.go(authorizeUrl(asked(trusted, challenge)))
    await late.signIn(OLGA)
    const done = await late.ask(asked(trusted, challenge))
    assert.match(done.headers.location!, /code=/)
    const resumed = await late.go((await late.go(started.headers.location!)).headers.location!)
    assert.match(resumed.headers.location!, /code=/)
  })

  test('requires a new sign-in if prompt=login or max_age demand it', async () => {
    const fresh = await instance.addClient({ trusted: true, scopes: ['openid', 'ME_READ'] })
    for (const more of [{ prompt: 'login' }, { max_age: '60' }, { max_age: '0' }]) {
      const browser = await instance.browserOf(ANN)
      instance.pass(61)
      const started = await browser.go(authorizeUrl(asked(fresh, challenge, { scope: 'openid ME_READ', ...more })))
      const path = started.headers.location!
      assert.match(path, /^\/accounts\/authorize\//, JSON.stringify(more))
      const page = await browser.go(path)
      assert.match(page.text, /sign in again/i)
      assert.match((await browser.post(path, { decision: 'allow' })).headers.location!, /^\/accounts\/authorize\//)
      const out = await browser.post(`${path}again/`, {})
      assert.equal(out.headers.location, `/accounts/login/?next=${encodeURIComponent(path)}`)
      assert.equal(browser.sessionId, '')
      instance.pass(1)
      await browser.signIn(ANN)
      const finished = await browser.go(path)
      const answer = await browser.go(finished.headers.location!)
      assert.match(answer.headers.location!, /code=/)
    }
  })

  test('requires no new sign-in within max_age', async () => {
    const fresh = await instance.addClient({ trusted: true, scopes: ['openid', 'ME_READ'] })
    const browser = await instance.browserOf(ANN)
    instance.pass(50)
    const answer = await browser.go(authorizeUrl(asked(fresh, challenge, { scope: 'openid', max_age: '60' })))
    assert.match(answer.headers.location!, /code=/)
  })
})
