import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Browser, type BrowserResponse, LOGIN, PASSWORD } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { contextIn, serve, useSignInServer } from '#test/support/sign-in-server.ts'
import { createFirstAdministratorLink } from './commands/administrators.ts'

const WRONG = 'Email address or password is wrong. Please check both.'
const bodyOf = ({ body }: BrowserResponse) =>
  body.replaceAll(/nonce(="|-)[^"']+/g, '').replaceAll(/name="csrf_token" value="[^"]+"/g, '')

describe('the sign-in pages', () => {
  const setup = useSignInServer()

  describe('the form', () => {
    test('has valid markup in both languages: empty and refused', async () => {
      for (const [language, title] of [
        ['en', 'Sign in'],
        ['de', 'Einloggen'],
      ] as const) {
        const browser = new Browser(setup.server, { language })
        const empty = await browser.get(LOGIN)
        assert.equal(empty.statusCode, 200)
        assert.ok(empty.body.includes(`<h1>${title}</h1>`))
        const refused = await browser.post(LOGIN, { form: { email: '"><script>', password: '' } })
        assert.equal(refused.statusCode, 422)
        assert.ok(refused.body.includes('value="&quot;&gt;&lt;script&gt;"'))
        for (const { body } of [empty, refused]) assert.deepEqual(checkMarkup(body), [])
      }
    })

    test('signs in and redirects to the requested page', async () => {
      const browser = new Browser(setup.server)
      const away = await browser.get('/change/?a=1&b=2')
      assert.deepEqual([away.statusCode, away.headers.location], [303, '/accounts/login/?next=%2Fchange%2F%3Fa%3D1%26b%3D2'])
      const form = await browser.get(String(away.headers.location))
      const action = /<form[^>]* action="([^"]+)"/.exec(form.body)![1]!.replaceAll('&amp;', '&')
      const inside = await browser.post(action, { form: { email: 'ann@example.org', password: PASSWORD } })
      assert.deepEqual([inside.statusCode, inside.headers.location], [303, '/change/?a=1&b=2'])
      assert.ok((await browser.get('/')).body.includes('Home of Ann'))
    })

    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%2fevil.example', '/%09/evil.example']) {
      test(`never redirects to ${next}`, async () => {
        const url = `${LOGIN}?next=${encodeURIComponent(next)}`
        const browser = new Browser(setup.server)
        assert.ok(!(await browser.get(url)).body.includes('evil'))
        assert.equal((await browser.signIn(PASSWORD, 'ann@example.org', url)).headers.location, '/')
        assert.equal((await browser.get(url)).headers.location, '/')
      })
    }

    test('redirects people who are already signed in', async () => {
      const browser = new Browser(setup.server)
      await browser.signIn()
      const response = await browser.get(`${LOGIN}?next=/change/`)
      assert.deepEqual([response.statusCode, response.headers.location], [303, '/change/'])
    })

    test('never contains the submitted password', async () => {
      const response = await new Browser(setup.server).signIn('my secret mistake')
      assert.ok(response.body.includes('value="ann@example.org"'))
      assert.ok(!response.body.includes('my secret mistake'))
    })
  })

  describe('refusals', () => {
    test('are the same for a wrong password, an unknown address and an inactive person, and cause the same work', async () => {
      const bodies = new Set<string>()
      const wrong = await new Browser(setup.server).signIn('wrong', 'same@example.org')
      bodies.add(bodyOf(wrong))
      await setup.db.write.updateTable('user_profile').set({ email: 'same@example.org' }).execute()
      bodies.add(bodyOf(await new Browser(setup.server).signIn('wrong', 'same@example.org')))
      await setup.db.write.updateTable('user_profile').set({ is_active: false }).execute()
      bodies.add(bodyOf(await new Browser(setup.server).signIn(PASSWORD, 'same@example.org')))
      assert.equal(bodies.size, 1)
      assert.ok(wrong.body.includes(WRONG))
      assert.equal(wrong.statusCode, 422)
      assert.equal(setup.hashes, 3)
      assert.equal((await setup.db.write.selectFrom('session').selectAll().execute()).length, 0)
    })

    test('of too many attempts contain the time of the next attempt, for known and unknown accounts', async () => {
      for (const email of ['ann@example.org', 'nobody@example.org']) {
        setup.hashes = 0
        for (let i = 0; i < 10; i++)
          assert.equal((await new Browser(setup.server, { ip: `192.0.2.${i}` }).signIn('wrong', email)).statusCode, 422)
        const late = await new Browser(setup.server, { ip: '192.0.2.99' }).signIn(PASSWORD, email)
        assert.equal(late.statusCode, 429)
        // A quarter past noon UTC, and the seconds rounded up.
        assert.ok(late.body.includes('Try again at 14:16'))
        assert.deepEqual(checkMarkup(late.body), [])
        assert.equal(setup.hashes, 10)
      }
    })

    test('do not affect the owner on a known device', async () => {
      const owner = new Browser(setup.server)
      await owner.signIn()
      await owner.get('/change/')
      assert.equal((await owner.post('/accounts/logout/')).statusCode, 303)
      for (let i = 0; i < 11; i++) await new Browser(setup.server, { ip: `192.0.2.${i}` }).signIn('wrong')
      assert.equal((await new Browser(setup.server, { ip: '192.0.2.99' }).signIn()).statusCode, 429)
      assert.equal((await owner.signIn()).statusCode, 303)
    })

    test('follow after 20 failures when 100 attempts are made in parallel', async () => {
      const browser = new Browser(setup.server)
      await browser.get(LOGIN)
      const guess = (at: number) => browser.post(LOGIN, { form: { email: `p${at}@example.org`, password: 'wrong' } })
      const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(at)))
      const statuses = Map.groupBy(answers, ({ statusCode }) => statusCode)
      assert.deepEqual([statuses.get(422)?.length, statuses.get(429)?.length], [20, 80])
      assert.equal(setup.hashes, 20)
    })

    test('follow after 20 failures per minute from one IP address, for that address only', async () => {
      for (let i = 0; i < 20; i++) {
        assert.equal((await new Browser(setup.server).signIn('wrong', `nobody${i}@example.org`)).statusCode, 422)
      }
      const late = await new Browser(setup.server).signIn()
      assert.equal(late.statusCode, 429)
      assert.match(late.body, /Too many failed attempts from your network\. Try again in 60 seconds\./)
      assert.equal(setup.hashes, 20)
      assert.equal((await new Browser(setup.server, { ip: '192.0.2.2' }).signIn()).statusCode, 303)
      setup.now = new Date(setup.now.getTime() + 60_000)
      assert.equal((await new Browser(setup.server).signIn()).statusCode, 303)
    })

    test('count failures only: forty people behind one router can sign in', async () => {
      for (let i = 0; i < 40; i++) assert.equal((await new Browser(setup.server).signIn()).statusCode, 303)
    })

    test('respect the factor of the rate limits', async () => {
      const strict = await serve(setup, { factor: 0.1 })
      for (let i = 0; i < 2; i++) await new Browser(strict).signIn('wrong', `nobody${i}@example.org`)
      assert.equal((await new Browser(strict).signIn()).statusCode, 429)
    })

    test('of long passwords happen before anything is hashed or counted', async () => {
      const browser = new Browser(setup.server)
      await browser.get(LOGIN)
      const long = await browser.post(LOGIN, { form: { email: 'ann@example.org', password: 'x'.repeat(1_001) } })
      assert.equal(long.statusCode, 422)
      assert.ok(long.body.includes('This password is too long.'))
      const huge = await browser.post(LOGIN, { form: { email: 'ann@example.org', password: 'x'.repeat(1_000_000) } })
      assert.equal(huge.statusCode, 413)
      assert.equal(setup.hashes, 0)
      assert.deepEqual(await setup.db.write.selectFrom('sign_in_attempt').selectAll().execute(), [])
    })
  })

  describe('the first administrator', () => {
    const link = async () => `/accounts/first-administrator/${(await createFirstAdministratorLink(contextIn(setup)))!.token}/`
    const OLGA = { name: 'Olga <b>', email: 'olga@example.org', password: PASSWORD, password_again: PASSWORD }

    test('creates an account in their language and is signed in', async () => {
      const url = await link()
      const browser = new Browser(setup.server, { language: 'de' })
      const form = await browser.get(url)
      assert.equal(form.statusCode, 200)
      assert.deepEqual(checkMarkup(form.body), [])
      const done = await browser.post(url, { form: OLGA })
      assert.deepEqual([done.statusCode, done.headers.location], [303, '/'])
      const home = await browser.get('/')
      assert.ok(home.body.includes('Home of Olga &lt;b&gt;'))
      assert.ok(home.body.includes('Willkommen, Olga &lt;b&gt;.'))
      const olga = await setup.db.write
        .selectFrom('user_profile')
        .selectAll()
        .where('is_staff', '=', true)
        .executeTakeFirstOrThrow()
      assert.equal(olga.preferred_language, 'de')
    })

    test('sees all errors at once; the form keeps the input except passwords', async () => {
      const url = await link()
      const browser = new Browser(setup.server)
      await browser.get(url)
      const CASES: [Partial<typeof OLGA>, string[]][] = [
        [{ password_again: `${PASSWORD}!` }, ['The passwords do not match.']],
        [{ name: ' ', email: 'olga' }, ['Please enter your name.', 'Please enter a complete email address']],
        [{ password: 'short', password_again: 'short' }, ['Please choose a password of at least 10 characters.']],
        [{ password: 'password2026', password_again: 'password2026' }, ['most common passwords']],
        [{ email: 'ANN@example.org' }, ['An account with this email address already exists.']],
      ]
      for (const [change, texts] of CASES) {
        const response = await browser.post(url, { form: { ...OLGA, ...change } })
        assert.equal(response.statusCode, 422)
        for (const text of texts) assert.ok(response.body.includes(text), text)
        assert.ok(response.body.includes(`value="${change.email ?? OLGA.email}"`))
        assert.ok(!response.body.includes(change.password ?? PASSWORD))
        assert.deepEqual(checkMarkup(response.body), [])
      }
      assert.equal((await browser.post(url, { form: OLGA })).statusCode, 303)
    })

    test('sees an explanation if the link is used, expired or unknown', async () => {
      const [used, expired] = [await link(), await link()]
      const browser = new Browser(setup.server)
      await browser.get(used)
      await browser.post(used, { form: OLGA })
      await setup.db.write.updateTable('user_profile').set({ is_active: false }).where('is_staff', '=', true).execute()
      const stranger = new Browser(setup.server)
      assert.equal((await stranger.get(expired)).statusCode, 200)
      setup.now = new Date(setup.now.getTime() + 24 * 3600_000)
      for (const url of [used, expired, '/accounts/first-administrator/invented/']) {
        for (const response of [
          await stranger.get(url),
          await stranger.post(url, { form: { ...OLGA, email: 'eve@example.org' } }),
        ]) {
          assert.equal(response.statusCode, 404, url)
          assert.ok(response.body.includes('This link no longer works'))
          assert.deepEqual(checkMarkup(response.body), [])
        }
      }
      assert.equal(
        (await setup.db.write.selectFrom('user_profile').selectAll().where('email', '=', 'eve@example.org').execute()).length,
        0,
      )
    })

    test('cannot be forged', async () => {
      const url = await link()
      const browser = new Browser(setup.server)
      await browser.get(url)
      assert.equal((await browser.post(url, { form: OLGA, token: undefined })).statusCode, 403)
      assert.equal((await browser.post(url, { form: OLGA, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
    })
  })
})
