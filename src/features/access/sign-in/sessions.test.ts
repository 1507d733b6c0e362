import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Browser, type BrowserResponse, LOGIN, PASSWORD } from '#test/support/http-browser.ts'
import { SITE, serve, TRY_OUT, useSignInServer } from '#test/support/sign-in-server.ts'

describe('session security', () => {
  const setup = useSignInServer()
  const sessions = () => setup.db.write.selectFrom('session').selectAll().execute()

  describe('forged requests', () => {
    const credentials = { email: 'ann@example.org', password: PASSWORD }
    const refused = async (response: BrowserResponse, why: string) => {
      assert.equal(response.statusCode, 403, why)
      assert.equal((await sessions()).length, 0, why)
    }

    test('cannot sign a browser in to another account', async () => {
      const attacker = new Browser(setup.server)
      await attacker.get(LOGIN)
      const victim = new Browser(setup.server)
      await victim.get(LOGIN)
      await refused(await victim.post(LOGIN, { form: credentials, token: undefined }), 'without a token')
      await refused(await victim.post(LOGIN, { form: credentials, token: attacker.token }), 'with the token of another browser')
      await refused(await victim.post(LOGIN, { form: credentials, token: `${victim.token}x` }), 'with a changed token')
      await refused(await new Browser(setup.server).post(LOGIN, { form: credentials, token: attacker.token }), 'without cookies')
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${SITE}:8443` },
      ]) {
        await refused(await victim.post(LOGIN, { form: credentials, headers }), JSON.stringify(headers))
      }
      assert.equal(setup.hashes, 0)
      const own = await victim.post(LOGIN, { form: credentials, headers: { origin: SITE, 'sec-fetch-site': 'same-origin' } })
      assert.equal(own.statusCode, 303)
    })

    test('cannot use a token from before the sign-in, from another session or from before the sign-out', async () => {
      const browser = new Browser(setup.server)
      await browser.get(LOGIN)
      const before = browser.token
      await browser.signIn()
      await browser.get('/change/')
      const during = browser.token
      assert.notEqual(during, before)
      assert.equal((await browser.post('/change/', { token: before })).statusCode, 403)
      assert.equal((await browser.post('/change/')).headers.location, '/changed/')
      const other = new Browser(setup.server)
      await other.signIn()
      await other.get('/change/')
      assert.equal((await browser.post('/change/', { token: other.token })).statusCode, 403)
      await browser.post('/accounts/logout/', { token: during })
      await browser.signIn()
      assert.equal((await browser.post('/change/', { token: during })).statusCode, 403)
    })

    test('cannot sign a person out', async () => {
      const browser = new Browser(setup.server)
      await browser.signIn()
      await browser.get('/change/')
      assert.equal((await browser.get('/accounts/logout/')).statusCode, 405)
      assert.equal((await browser.post('/accounts/logout/', { token: undefined })).statusCode, 403)
      assert.equal((await browser.post('/accounts/logout/', { headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
      assert.equal((await sessions()).length, 1)
    })
  })

  describe('the session', () => {
    test('has a new id after every sign-in and never one chosen by the client', async () => {
      const browser = new Browser(setup.server)
      const planted = 'planted0planted0planted0planted0planted0abc'
      browser.cookies.set('__Host-turnout_session', planted)
      await browser.signIn()
      const first = browser.session!
      assert.match(first, /^[A-Za-z0-9]{43}$/)
      assert.notEqual(first, planted)
      const attacker = new Browser(setup.server)
      attacker.cookies.set('__Host-turnout_session', planted)
      assert.equal((await attacker.get('/')).statusCode, 303)
      await browser.get('/change/')
      await browser.post('/accounts/logout/')
      await browser.signIn()
      assert.notEqual(browser.session, first)
    })

    test('uses a __Host- cookie on https', async () => {
      const response = await new Browser(setup.server).signIn()
      const cookie = response.cookies.find((line) => line.includes('session'))!
      const [pair, ...attributes] = cookie.split('; ')
      assert.match(pair!, /^__Host-turnout_session=/)
      assert.deepEqual(attributes.sort(), ['HttpOnly', `Max-Age=${60 * 24 * 3600}`, 'Path=/', 'SameSite=Lax', 'Secure'])
    })

    test('uses a cookie named after the port in try-out mode on http', async () => {
      const tryOut = await serve(setup, { url: TRY_OUT })
      const browser = new Browser(tryOut, { host: 'localhost:8123' })
      const response = await browser.signIn()
      const cookie = response.cookies.find((line) => line.includes('session'))!
      assert.match(cookie, /^turnout_session_8123=\w{43}; .*HttpOnly/)
      assert.doesNotMatch(cookie, /Secure/)
      assert.equal((await browser.get('/')).statusCode, 200)
    })

    test('ends by signing out: the row is deleted, and the cookie is refused', async () => {
      const browser = new Browser(setup.server)
      await browser.signIn()
      const thief = new Browser(setup.server)
      thief.cookies.set('__Host-turnout_session', browser.session!)
      assert.equal((await thief.get('/')).statusCode, 200)
      await browser.get('/change/')
      const out = await browser.post('/accounts/logout/')
      assert.deepEqual([out.statusCode, out.headers.location, browser.session], [303, LOGIN, undefined])
      assert.deepEqual(await sessions(), [])
      assert.equal((await thief.get('/')).statusCode, 303)
      assert.ok((await browser.get(LOGIN)).body.includes('You are signed out.'))
      const again = await browser.post('/accounts/logout/')
      assert.deepEqual([again.statusCode, again.headers.location], [303, LOGIN])
    })

    test('ends when it is idle although an open page polls for updates', async () => {
      const start = setup.now
      const daysLater = (days: number) => new Date(start.getTime() + days * 24 * 3600_000)
      const browser = new Browser(setup.server)
      await browser.signIn()
      const look = async (days: number) => {
        setup.now = daysLater(days)
        return (await browser.get('/', { headers: { 'x-poll': '1' } })).statusCode
      }
      for (const days of [1, 7, 13]) assert.equal(await look(days), 200, `day ${days}`)
      assert.deepEqual((await sessions())[0]!.last_seen_at, start)
      assert.equal(await look(14), 303)
      setup.now = start
    })

    test('ends when it is idle, when it is too old, and when the person is deactivated', async () => {
      const start = setup.now
      const daysLater = (days: number) => new Date(start.getTime() + days * 24 * 3600_000)
      const browser = new Browser(setup.server)
      const status = async (at: Date) => {
        setup.now = at
        return (await browser.get('/')).statusCode
      }
      await browser.signIn()
      assert.equal(await status(daysLater(14)), 303)
      for (const day of [13, 26, 39, 52]) {
        assert.equal(await status(daysLater(day)), 200, `day ${day}`)
        assert.deepEqual((await sessions())[0]!.last_seen_at, setup.now)
      }
      assert.equal(await status(daysLater(60)), 303)
      assert.equal(await status(daysLater(59)), 200)
      await setup.db.write.updateTable('user_profile').set({ is_active: false }).where('id', '=', setup.ann).execute()
      assert.equal(await status(daysLater(59)), 303)
    })
  })
})
