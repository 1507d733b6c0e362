import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser, LOGIN, PASSWORD } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { APP, codeAt, codesIn, later, STEP, secretIn, setUpApp, setupIn, wrongCode } from '#test/support/second-factor.ts'
import { serve, useSignInServer } from '#test/support/sign-in-server.ts'
import { FACTOR_GUARD, type FactorGuard } from './commands/second-step.ts'

const SESSION = '__Host-turnout_session'
const PENDING = '__Host-turnout_pending_sign_in'

describe('signing in with a second factor', () => {
  const setup = useSignInServer()

  /** Ann with an app, 60 seconds later, so that the code of the set-up is over. */
  async function withApp(): Promise<{ owner: Browser; secret: string; codes: string[] }> {
    const owner = new Browser(setup.server)
    await owner.signIn()
    const made = await setUpApp(owner, setup.now)
    setup.now = later(setup.now, 60)
    return { owner, ...made }
  }
  /** A browser that has entered the password. */
  async function halfway(server = setup.server, ip = '192.0.2.7'): Promise<Browser> {
    const browser = new Browser(server, { ip })
    const answer = await browser.signIn()
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, STEP])
    await browser.get(STEP)
    return browser
  }
  const sendCode = (browser: Browser, code: string, form = {}) => browser.post(STEP, { form: { method: 'code', code, ...form } })
  const sendRecovery = (browser: Browser, code: string) =>
    browser.post(`${STEP}?with=recovery`, { form: { method: 'recovery', code } })
  const sessions = () => setup.db.write.selectFrom('session').selectAll().execute()

  test('asks for the code after the password, and starts a session with it', async () => {
    const { secret } = await withApp()
    const browser = await halfway()
    const page = await browser.get(STEP)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /autocomplete="one-time-code"/)
    const inside = await sendCode(browser, codeAt(secret, setup.now))
    assert.deepEqual([inside.statusCode, inside.headers.location], [303, '/'])
    assert.ok((await browser.get('/')).body.includes('Home of Ann'))
    assert.equal(browser.cookies.has(PENDING), false)
  })

  test('returns to the page that was wanted, and never to another site', async () => {
    const { secret } = await withApp()
    for (const [next, expected] of [
      ['/change/?a=1', '/change/?a=1'],
      ['//evil.example', '/'],
    ] as const) {
      const browser = new Browser(setup.server)
      const url = `${LOGIN}?next=${encodeURIComponent(next)}`
      assert.equal((await browser.signIn(PASSWORD, 'ann@example.org', url)).headers.location, STEP)
      await browser.get(STEP)
      assert.equal((await sendCode(browser, codeAt(secret, setup.now))).headers.location, expected)
      setup.now = later(setup.now, 60)
    }
  })

  test('does not ask people without a second factor', async () => {
    const browser = new Browser(setup.server)
    assert.equal((await browser.signIn()).headers.location, '/')
  })

  describe('the state between password and code', () => {
    test('gives no access to any page, and its secret is no session', async () => {
      await withApp()
      const before = await sessions()
      const browser = await halfway()
      assert.equal(browser.session, undefined)
      for (const path of ['/', '/change/', APP, '/settings/security/'])
        assert.match(String((await browser.get(path)).headers.location), /^\/accounts\/login\//, path)
      assert.equal((await browser.post('/settings/security/others/')).headers.location, LOGIN)
      browser.cookies.set(SESSION, browser.cookies.get(PENDING)!)
      assert.match(String((await browser.get('/')).headers.location), /^\/accounts\/login\//)
      assert.deepEqual(await sessions(), before)
    })

    test('belongs to the browser that entered the password', async () => {
      const { secret } = await withApp()
      const victim = await halfway()
      const thief = new Browser(setup.server)
      await thief.get(LOGIN)
      thief.cookies.set(PENDING, victim.cookies.get(PENDING)!)
      assert.equal((await thief.get(STEP)).headers.location, LOGIN)
      const stolen = await sendCode(thief, codeAt(secret, setup.now))
      assert.deepEqual([stolen.headers.location, thief.session], [LOGIN, undefined])
    })

    test('ends after ten minutes', async () => {
      const { secret } = await withApp()
      const [early, late] = [await halfway(), await halfway()]
      setup.now = later(setup.now, 599)
      assert.equal((await sendCode(early, codeAt(secret, setup.now))).headers.location, '/')
      setup.now = later(setup.now, 1)
      assert.equal((await sendCode(late, codeAt(secret, later(setup.now, 30)))).headers.location, LOGIN)
      assert.equal(late.session, undefined)
    })

    test('ends with a new password', async () => {
      const { owner, secret } = await withApp()
      const browser = await halfway()
      const form = { current: PASSWORD, password: 'four green umbrellas', password_again: 'four green umbrellas' }
      await owner.get('/settings/security/')
      assert.equal((await owner.post('/settings/security/', { form })).statusCode, 303)
      assert.equal((await sendCode(browser, codeAt(secret, setup.now))).headers.location, LOGIN)
    })

    test('can be cancelled', async () => {
      await withApp()
      const browser = await halfway()
      const kept = browser.cookies.get(PENDING)!
      assert.equal((await browser.post(`${STEP}cancel/`)).headers.location, LOGIN)
      browser.cookies.set(PENDING, kept)
      assert.equal((await browser.get(STEP)).headers.location, LOGIN)
    })
  })

  test('always starts a session with a new id, whatever the browser had before', async () => {
    const { secret } = await withApp()
    const browser = await halfway()
    browser.cookies.set(SESSION, 'F'.repeat(43))
    const pending = browser.cookies.get(PENDING)
    await sendCode(browser, codeAt(secret, setup.now))
    assert.ok(browser.session && browser.session !== 'F'.repeat(43) && browser.session !== pending)
    const known = (await sessions()).map(({ id_hash }) => id_hash.toString('hex'))
    assert.ok(!known.includes(hashSecret('F'.repeat(43)).toString('hex')))
    assert.ok(known.includes(hashSecret(browser.session).toString('hex')))
  })

  describe('a code', () => {
    test('of the last and of the next period is accepted, older and later ones are not', async () => {
      const { secret } = await withApp()
      for (const [seconds, expected] of [
        [-60, 422],
        [60, 422],
        [-30, 303],
      ] as const)
        assert.equal(
          (await sendCode(await halfway(), codeAt(secret, later(setup.now, seconds)))).statusCode,
          expected,
          `${seconds}`,
        )
      setup.now = later(setup.now, 300)
      assert.equal((await sendCode(await halfway(), codeAt(secret, later(setup.now, 30)))).statusCode, 303)
    })

    test('works once: also not the one of the set-up, and not an older one after a newer one', async () => {
      const owner = new Browser(setup.server)
      await owner.signIn()
      const { secret } = await setUpApp(owner, setup.now)
      assert.equal((await sendCode(await halfway(), codeAt(secret, setup.now))).statusCode, 422)
      setup.now = later(setup.now, 60)
      const code = codeAt(secret, setup.now)
      assert.equal((await sendCode(await halfway(), code)).statusCode, 303)
      const replayed = await sendCode(await halfway(), code)
      assert.equal(replayed.statusCode, 422)
      assert.ok(replayed.body.includes('was used before'))
      assert.deepEqual(checkMarkup(replayed.body), [])
      assert.equal((await sendCode(await halfway(), codeAt(secret, later(setup.now, -30)))).statusCode, 422)
    })

    const race = async (guard?: FactorGuard) => {
      const { secret } = await withApp()
      const server = guard ? await serve(setup, { factorGuard: guard }) : setup.server
      const browsers = [await halfway(server), await halfway(server), await halfway(server)]
      const answers = await Promise.all(browsers.map((browser) => sendCode(browser, codeAt(secret, setup.now))))
      return answers.filter(({ statusCode }) => statusCode === 303).length
    }
    test('signs in one of three browsers that send it at the same time', async () => assert.equal(await race(), 1))
    test('would sign in all of them if used periods were not remembered', async () =>
      assert.equal(await race({ ...FACTOR_GUARD, claimStep: async () => true }), 3))

    test('may contain blanks', async () => {
      const { secret } = await withApp()
      const code = codeAt(secret, setup.now)
      assert.equal((await sendCode(await halfway(), ` ${code.slice(0, 3)} ${code.slice(3)} `)).statusCode, 303)
    })

    test('is never shown again', async () => {
      const { secret } = await withApp()
      const answer = await sendCode(await halfway(), wrongCode(secret, setup.now))
      assert.ok(!answer.body.includes(wrongCode(secret, setup.now)))
    })
  })

  describe('guessing', () => {
    test('is limited to ten codes in a quarter of an hour, for the right code, too, and from every address', async () => {
      const { secret } = await withApp()
      for (let i = 0; i < 10; i++) {
        const guess = await sendCode(await halfway(setup.server, `192.0.2.${i}`), wrongCode(secret, setup.now))
        assert.equal(guess.statusCode, 422, `${i}`)
        setup.now = later(setup.now, 61)
      }
      const right = await sendCode(await halfway(setup.server, '192.0.2.200'), codeAt(secret, setup.now))
      assert.equal(right.statusCode, 429)
      assert.ok(right.headers['retry-after'])
      assert.deepEqual(checkMarkup(right.body), [])
      setup.now = later(setup.now, 300)
      assert.equal((await sendCode(await halfway(), codeAt(secret, setup.now))).statusCode, 303)
    })

    test('is limited to ten of thirty codes that reach two nodes at the same time', async () => {
      const { secret } = await withApp()
      const off = { factor: Number.POSITIVE_INFINITY }
      const servers = [await serve(setup, off), await serve(setup, off)]
      const browsers: Browser[] = []
      for (let at = 0; at < 30; at++) browsers.push(await halfway(servers[at % 2], `192.0.2.${at}`))
      const answers = await Promise.all(browsers.map((browser) => sendCode(browser, wrongCode(secret, setup.now))))
      assert.equal(answers.filter(({ statusCode }) => statusCode === 422).length, 10)
    })

    test('is limited by the counter of the minute as well', async () => {
      const { secret } = await withApp()
      const browser = await halfway()
      const answers = await Promise.all(Array.from({ length: 25 }, () => sendCode(browser, wrongCode(secret, setup.now))))
      assert.equal(answers.filter(({ statusCode }) => statusCode === 422).length, 10)
    })
  })

  describe('a recovery code', () => {
    test('replaces the second factor once', async () => {
      const { codes } = await withApp()
      assert.equal(new Set(codes).size, 10)
      const browser = await halfway()
      assert.match((await browser.get(STEP)).body, /with=recovery/)
      const page = await browser.get(`${STEP}?with=recovery`)
      assert.deepEqual(checkMarkup(page.body), [])
      assert.equal((await sendRecovery(browser, codes[0]!.toUpperCase().replaceAll('-', ' '))).statusCode, 303)
      assert.ok((await browser.get('/')).body.includes('Home of Ann'))
      const again = await sendRecovery(await halfway(), codes[0]!)
      assert.equal(again.statusCode, 422)
      assert.deepEqual(checkMarkup(again.body), [])
      assert.equal((await sendRecovery(await halfway(), codes[1]!)).statusCode, 303)
    })

    const race = async (guard?: FactorGuard) => {
      const { codes } = await withApp()
      const server = guard ? await serve(setup, { factorGuard: guard }) : setup.server
      const browsers = [await halfway(server), await halfway(server), await halfway(server)]
      const answers = await Promise.all(browsers.map((browser) => sendRecovery(browser, codes[0]!)))
      return answers.filter(({ statusCode }) => statusCode === 303).length
    }
    test('signs in one of three browsers that send it at the same time', async () => assert.equal(await race(), 1))
    test('would sign in all of them if the row were not claimed', async () =>
      assert.equal(await race({ ...FACTOR_GUARD, claimRecoveryCode: async () => true }), 3))

    test('stays valid if another code has finished the same sign-in', async () => {
      const { codes } = await withApp()
      const browser = await halfway()
      const answers = await Promise.all([sendRecovery(browser, codes[0]!), sendRecovery(browser, codes[1]!)])
      assert.deepEqual(answers.map(({ headers }) => headers.location).sort(), ['/', LOGIN])
      const left = await setup.db.write.selectFrom('recovery_code').select('user_id').where('used_at', 'is', null).execute()
      assert.equal(left.length, 9)
    })

    test('of somebody else does not help', async () => {
      const { codes } = await withApp()
      const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
      await setup.db.write.insertInto('user_profile').values(row).execute()
      const ben = new Browser(setup.server)
      await ben.signIn(PASSWORD, 'ben@example.org')
      await setUpApp(ben, setup.now)
      const browser = new Browser(setup.server)
      await browser.signIn(PASSWORD, 'ben@example.org')
      await browser.get(STEP)
      assert.equal((await sendRecovery(browser, codes[0]!)).statusCode, 422)
    })
  })

  describe('a trusted device', () => {
    test('is not asked for 30 days, for this account and browser only', async () => {
      const { secret } = await withApp()
      const browser = await halfway()
      await sendCode(browser, codeAt(secret, setup.now), { trust: 'on' })
      await browser.get('/change/')
      await browser.post('/accounts/logout/')
      setup.now = later(setup.now, 30 * 24 * 3600 - 1)
      assert.equal((await browser.signIn()).headers.location, '/')
      assert.equal((await new Browser(setup.server).signIn()).headers.location, STEP)
      setup.now = later(setup.now, 1)
      await browser.get('/change/')
      await browser.post('/accounts/logout/')
      assert.equal((await browser.signIn()).headers.location, STEP)
    })

    test('is forgotten with a new password and when the person wants it', async () => {
      const { owner, secret } = await withApp()
      const browser = await halfway()
      await sendCode(browser, codeAt(secret, setup.now), { trust: 'on' })
      await owner.get('/settings/security/')
      assert.equal((await owner.post('/settings/security/trusted-devices/')).statusCode, 303)
      await browser.get('/change/')
      await browser.post('/accounts/logout/')
      assert.equal((await browser.signIn()).headers.location, STEP)
    })
  })

  test('a password link sets the password and asks for the second factor', async () => {
    const { secret } = await withApp()
    const token = 't'.repeat(43)
    const link = { token_hash: hashSecret(token), purpose: 'reset_password', user_id: setup.ann, created_at: setup.now }
    await setup.db.write
      .insertInto('one_time_link')
      .values({ ...link, expires_at: later(setup.now, 3600) })
      .execute()
    const browser = new Browser(setup.server)
    await browser.get(`/accounts/reset/${token}/`)
    const form = { password: 'four green umbrellas', password_again: 'four green umbrellas' }
    const done = await browser.post(`/accounts/reset/${token}/`, { form })
    assert.deepEqual([done.statusCode, done.headers.location, browser.session], [303, STEP, undefined])
    assert.equal((await setup.db.write.selectFrom('totp_factor').selectAll().execute()).length, 1)
    await browser.get(STEP)
    assert.equal((await sendCode(browser, codeAt(secret, setup.now))).headers.location, '/')
    assert.ok((await browser.get('/')).body.includes('Home of Ann'))
  })

  describe('setting up an app', () => {
    const open = async (): Promise<{ browser: Browser; body: string }> => {
      const browser = new Browser(setup.server)
      await browser.signIn()
      return { browser, body: (await browser.get(APP)).body }
    }

    test('shows the secret as a picture and as text, and nothing is stored before the first code', async () => {
      const { browser, body } = await open()
      assert.deepEqual(checkMarkup(body), [])
      assert.match(body, /<svg class="qr"/)
      assert.match(body, /href="otpauth:\/\/totp\//)
      const wrong = await browser.post(APP, { form: { setup: setupIn(body), code: wrongCode(secretIn(body), setup.now) } })
      assert.equal(wrong.statusCode, 422)
      assert.equal(secretIn(wrong.body), secretIn(body), 'the form keeps the secret')
      assert.deepEqual(checkMarkup(wrong.body), [])
      assert.equal((await setup.db.write.selectFrom('totp_factor').selectAll().execute()).length, 0)
    })

    test('stores the secret sealed, and codes hashed', async () => {
      const { browser } = await open()
      const { secret, codes } = await setUpApp(browser, setup.now)
      const [row] = await setup.db.write.selectFrom('totp_factor').selectAll().execute()
      assert.ok(!row!.secret_sealed.includes(secret))
      const stored = await setup.db.write.selectFrom('recovery_code').select('code_hash').execute()
      assert.deepEqual(
        stored.map(({ code_hash }) => code_hash.toString('hex')).sort(),
        codes.map((code) => hashSecret(code.replaceAll('-', '')).toString('hex')).sort(),
      )
    })

    test('needs the token of the form, and a set-up of the own session', async () => {
      const { browser, body } = await open()
      const code = codeAt(secretIn(body), setup.now)
      const form = { setup: setupIn(body), code }
      assert.equal((await browser.post(APP, { form, token: undefined })).statusCode, 403)
      assert.equal((await browser.post(APP, { form, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
      const other = new Browser(setup.server)
      await other.signIn()
      await other.get(APP)
      const foreign = await other.post(APP, { form })
      assert.equal(foreign.statusCode, 422)
      assert.equal((await setup.db.write.selectFrom('totp_factor').selectAll().execute()).length, 0)
    })

    test('takes at most half an hour', async () => {
      const { browser, body } = await open()
      setup.now = later(setup.now, 1800)
      await setup.db.write.updateTable('session').set({ proved_at: setup.now, own_proved_at: setup.now }).execute()
      const late = await browser.post(APP, { form: { setup: setupIn(body), code: codeAt(secretIn(body), setup.now) } })
      assert.equal(late.statusCode, 422)
      assert.notEqual(secretIn(late.body), secretIn(body))
    })

    test('again replaces the app and keeps the recovery codes', async () => {
      const { browser } = await open()
      const first = await setUpApp(browser, setup.now)
      const second = await setUpApp(browser, setup.now)
      assert.deepEqual([first.codes.length, second.codes.length], [10, 0])
      setup.now = later(setup.now, 60)
      assert.equal((await sendCode(await halfway(), codeAt(first.secret, setup.now))).statusCode, 422)
      assert.equal((await sendCode(await halfway(), codeAt(second.secret, setup.now))).statusCode, 303)
      assert.equal((await sendRecovery(await halfway(), first.codes[0]!)).statusCode, 303)
    })
  })

  test('new recovery codes replace the old ones', async () => {
    const { owner, codes } = await withApp()
    await owner.get('/settings/security/recovery-codes/')
    const { body } = await owner.post('/settings/security/recovery-codes/')
    assert.deepEqual(checkMarkup(body), [])
    const file = await owner.post('/settings/security/recovery-codes/file/', { form: { codes: codesIn(body).join(' ') } })
    assert.match(String(file.headers['content-disposition']), /attachment; filename="recovery-codes.txt"/)
    for (const code of codesIn(body)) assert.ok(file.body.includes(code))
    const other = await owner.post('/settings/security/recovery-codes/file/', { form: { codes: '<script>' } })
    assert.equal(other.statusCode, 400)
    assert.equal((await sendRecovery(await halfway(), codes[0]!)).statusCode, 422)
  })

  test('removing the app ends the question and deletes the codes', async () => {
    const { owner } = await withApp()
    const page = await owner.get(`${APP}remove/`)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.equal((await owner.post(`${APP}remove/`)).statusCode, 303)
    assert.equal((await new Browser(setup.server).signIn()).headers.location, '/')
    assert.equal((await setup.db.write.selectFrom('recovery_code').selectAll().execute()).length, 0)
  })

  test('every change is recorded, without secrets', async () => {
    const { owner, codes, secret } = await withApp()
    await sendRecovery(await halfway(), codes[0]!)
    await owner.get(`${APP}remove/`)
    await owner.post(`${APP}remove/`)
    const entries = await setup.db.write.selectFrom('journal').select(['kind', 'changes', 'personal']).orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ kind, changes }) => [kind, changes]),
      [
        ['user.factor_added', { factor: 'app' }],
        ['user.recovery_code_used', { left: 9 }],
        ['user.factor_removed', { factor: 'app' }],
      ],
    )
    for (const each of [secret, ...codes]) assert.ok(!JSON.stringify(entries).includes(each))
  })
})
