import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser, type BrowserResponse, PASSWORD } from '#test/support/http-browser.ts'
import { findJobs, openAccountMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { contextIn, SITE, useSignInServer } from '#test/support/sign-in-server.ts'
import { startSession } from './commands/sessions.ts'

const SECURITY = '/settings/security/'
const NEW = 'four green umbrellas'
const FORM = { current: PASSWORD, password: NEW, password_again: NEW }
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

describe('the security page', () => {
  const setup = useSignInServer()
  const outbox = openAccountMailOutbox(() => setup.db, { now: () => setup.now }, SITE)
  const account = () =>
    setup.db.write.selectFrom('user_profile').selectAll().where('id', '=', setup.ann).executeTakeFirstOrThrow()
  const journal = () => setup.db.write.selectFrom('journal').selectAll().orderBy('id').execute()
  const signedIn = async (agent = LINUX): Promise<Browser> => {
    const browser = new Browser(setup.server, { agent })
    assert.equal((await browser.signIn()).statusCode, 303)
    await browser.get(SECURITY)
    return browser
  }
  const isIn = async (browser: Browser) => (await browser.get('/')).statusCode === 200
  const keyOf = (browser: Browser) => hashSecret(browser.session!).toString('base64url')

  test('requires a sign-in', async () => {
    const away = await new Browser(setup.server).get(SECURITY)
    assert.deepEqual([away.statusCode, away.headers.location], [303, '/accounts/login/?next=%2Fsettings%2Fsecurity%2F'])
  })

  test('lists devices by name, the current one first, in both languages', async () => {
    const [laptop, phone] = [await signedIn(), await signedIn(PHONE)]
    setup.now = new Date(setup.now.getTime() + 3 * 3600_000)
    await setup.db.write.updateTable('session').set({ proved_at: setup.now }).execute()
    for (const [language, texts] of [
      ['en', ['Firefox on Linux', 'this device', 'Chrome on Android', '3 hours ago']],
      ['de', ['Firefox auf Linux', 'dieses Gerät', 'Chrome auf Android', 'vor 3 Stunden']],
    ] as const) {
      await setup.db.write.updateTable('user_profile').set({ preferred_language: language }).execute()
      const { body } = await laptop.get(SECURITY)
      const places = texts.map((text) => body.indexOf(text))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        language,
      )
      assert.ok(!places.includes(-1), `${places}`)
      assert.deepEqual(checkMarkup(body), [])
      assert.ok(!body.includes(laptop.session!) && !body.includes(phone.session!))
    }
  })

  test('shows neither devices of others nor ended sessions', async () => {
    await signedIn(PHONE)
    setup.now = new Date(setup.now.getTime() + 14 * 24 * 3600_000)
    const other = await setup.db.write
      .insertInto('user_profile')
      .values({ email: 'ben@example.org', display_name: 'Ben' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setup.db.write
      .transaction()
      .execute((tx) => startSession(tx, contextIn(setup), other.id, { device: 'x', userAgent: PHONE }))
    const { body } = await (await signedIn()).get(SECURITY)
    assert.ok(!body.includes('Android'))
    assert.ok(body.includes('You are signed in on this device only.'))
  })

  describe('signing out', () => {
    test('of one device keeps the others', async () => {
      const [laptop, phone, tablet] = [await signedIn(), await signedIn(PHONE), await signedIn()]
      const done = await laptop.post('/settings/security/device/', { form: { device: keyOf(phone) } })
      assert.deepEqual([done.statusCode, done.headers.location], [303, SECURITY])
      assert.ok((await laptop.get(SECURITY)).body.includes('The device was signed out.'))
      assert.deepEqual([await isIn(laptop), await isIn(phone), await isIn(tablet)], [true, false, true])
      const entry = (await journal()).at(-1)!
      assert.deepEqual([entry.kind, entry.subject_id, entry.changes], ['session.ended', setup.ann, { count: 1 }])
      await laptop.post('/settings/security/device/', { form: { device: keyOf(phone) } })
      assert.ok((await laptop.get(SECURITY)).body.includes('This device was already signed out.'))
    })

    test('of a device of another person does nothing', async () => {
      const ann = await signedIn()
      const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
      await setup.db.write.insertInto('user_profile').values(row).execute()
      const ben = new Browser(setup.server)
      await ben.signIn(PASSWORD, 'ben@example.org')
      await ben.get(SECURITY)
      await ben.post('/settings/security/device/', { form: { device: keyOf(ann) } })
      assert.equal(await isIn(ann), true)
    })

    test('of all other devices reports their number', async () => {
      const [laptop, phone, tablet] = [await signedIn(), await signedIn(PHONE), await signedIn()]
      await laptop.post('/settings/security/others/')
      assert.ok((await laptop.get(SECURITY)).body.includes('2 other devices were signed out.'))
      assert.deepEqual([await isIn(laptop), await isIn(phone), await isIn(tablet)], [true, false, false])
    })

    for (const path of ['device', 'others']) {
      test(`cannot be forged: ${path}`, async () => {
        const [laptop, phone] = [await signedIn(), await signedIn(PHONE)]
        const url = `/settings/security/${path}/`
        const form = { device: keyOf(phone) }
        assert.equal((await laptop.get(url)).statusCode, 405)
        assert.equal((await laptop.post(url, { form, token: undefined })).statusCode, 403)
        assert.equal((await laptop.post(url, { form, token: phone.token })).statusCode, 403)
        assert.equal((await laptop.post(url, { form, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
        assert.equal(await isIn(phone), true)
      })
    }

    test('refuses malformed keys', async () => {
      const laptop = await signedIn()
      for (const device of ['', 'x', `${keyOf(laptop)}x`, '\0'.repeat(43)])
        assert.equal((await laptop.post('/settings/security/device/', { form: { device } })).statusCode, 400, device)
    })
  })

  describe('a new password', () => {
    const REFUSALS: [string, Partial<typeof FORM>, string][] = [
      ['the present one is missing', { current: '' }, 'Please enter your current password.'],
      ['the present one is wrong', { current: 'seven quiet lamp' }, 'This is not your current password.'],
      ['it is missing', { password: '', password_again: '' }, 'Please enter your password.'],
      ['the two differ', { password_again: `${NEW}!` }, 'The passwords do not match.'],
      ['it is the present one', { password: PASSWORD, password_again: PASSWORD }, 'This is your current password.'],
      ['it is short', { password: 'umbrella', password_again: 'umbrella' }, 'at least 10 characters'],
      ['it is common', { password: 'password2026', password_again: 'password2026' }, 'most common passwords'],
      ['it is like the address', { password: 'ann.example.org', password_again: 'ann.example.org' }, 'too similar to your name'],
      ['it is far too long', { password: 'x'.repeat(1001), password_again: '' }, 'This password is too long.'],
    ]
    for (const [why, change, text] of REFUSALS) {
      test(`is refused when ${why}`, async () => {
        const [laptop, phone] = [await signedIn(), await signedIn(PHONE)]
        const before = await account()
        const refused = await laptop.post(SECURITY, { form: { ...FORM, ...change } })
        assert.equal(refused.statusCode, 422)
        assert.ok(refused.body.includes(text), text)
        assert.deepEqual(checkMarkup(refused.body), [])
        for (const value of Object.values({ ...FORM, ...change })) assert.ok(!value || !refused.body.includes(value))
        assert.deepEqual(await account(), before)
        assert.deepEqual([await isIn(laptop), await isIn(phone), setup.ended], [true, true, []])
      })
    }

    test('revokes all other credentials and continues with a new session id', async () => {
      const [laptop, phone] = [await signedIn(), await signedIn(PHONE)]
      const [old, formToken] = [laptop.session!, laptop.token]
      const done = await laptop.post(SECURITY, { form: FORM })
      assert.deepEqual([done.statusCode, done.headers.location], [303, SECURITY])
      const { body } = await laptop.get(SECURITY)
      assert.ok(body.includes('Your password was changed, and all other devices are signed out. Strength: strong.'))
      assert.notEqual(laptop.session, old)
      assert.match(laptop.session!, /^[A-Za-z0-9]{43}$/)
      assert.deepEqual([await isIn(laptop), await isIn(phone)], [true, false])
      const thief = new Browser(setup.server)
      thief.cookies.set('__Host-turnout_session', old)
      assert.equal(await isIn(thief), false)
      assert.equal((await laptop.post(SECURITY, { form: FORM, token: formToken })).statusCode, 403)
      assert.deepEqual(setup.ended, [setup.ann])
      const { password_hash, password_changed_at } = await account()
      assert.equal((await checkPassword(NEW, password_hash!)).ok, true)
      assert.deepEqual(password_changed_at, setup.now)
    })

    test('is announced by mail and recorded in the journal without secrets', async () => {
      const laptop = await signedIn()
      await laptop.post(SECURITY, { form: FORM })
      const entry = (await journal()).at(-1)!
      assert.deepEqual([entry.kind, entry.subject_id, entry.changes], ['user.password_changed', setup.ann, { by: 'password' }])
      outbox.sent.length = 0
      await outbox.deliver()
      const [mail] = outbox.sent
      assert.equal(mail!.to, 'Ann@Example.org')
      assert.equal(mail!.subject, 'Your password for Turnout was changed')
      for (const form of [mail!.text, mail!.html!]) {
        assert.match(form, /Your password was changed \(Sat 9 May 2026, 14:00\)/)
        assert.ok(form.includes(`${SITE}/accounts/reset/`))
      }
      const told = JSON.stringify([await journal(), outbox.sent])
      for (const secret of [PASSWORD, NEW, laptop.session!, (await account()).password_hash!]) assert.ok(!told.includes(secret))
    })

    test('cannot be set with a forged request', async () => {
      const laptop = await signedIn()
      const stranger = await signedIn()
      const before = await account()
      for (const wrong of [
        { token: undefined },
        { token: stranger.token },
        { headers: { origin: 'https://evil.example' } },
        { headers: { 'sec-fetch-site': 'same-site' } },
      ])
        assert.equal((await laptop.post(SECURITY, { form: FORM, ...wrong })).statusCode, 403)
      assert.deepEqual(await account(), before)
    })

    test('cannot be set by guessing the current one in an open session', async () => {
      const laptop = await signedIn()
      setup.hashes = 0
      const guess = (current: string): Promise<BrowserResponse> => laptop.post(SECURITY, { form: { ...FORM, current } })
      for (let i = 0; i < 10; i++) assert.equal((await guess(`guess ${i}`)).statusCode, 422)
      const late = await guess(PASSWORD)
      assert.equal(late.statusCode, 429)
      assert.ok(Number(late.headers['retry-after']) > 0)
      assert.ok(late.body.includes('Too many wrong passwords. Try again at 14:16.'))
      assert.deepEqual(checkMarkup(late.body), [])
      assert.equal(setup.hashes, 10)
    })

    test('is refused if the password was changed concurrently', async () => {
      const [laptop, phone] = [await signedIn(), await signedIn(PHONE)]
      const outcomes = await Promise.all([
        laptop.post(SECURITY, { form: FORM }),
        phone.post(SECURITY, { form: { ...FORM, password: `${NEW} too`, password_again: `${NEW} too` } }),
      ])
      const winners = outcomes.filter((answer) => answer.headers.location === SECURITY)
      assert.equal(winners.length, 1)
      assert.deepEqual([await isIn(laptop), await isIn(phone)].toSorted(), [false, true])
      assert.equal((await findJobs(setup.db, 'account_mail')).length, 1)
    })
  })

  describe('the password hint', () => {
    const STRENGTH = '/settings/security/strength/'
    test('contains the strength and advice', async () => {
      const laptop = await signedIn()
      for (const [password, text] of [
        ['umbrella', 'Strength: weak</span> Please choose a password of at least 10 characters.'],
        ['blue kettle', 'Strength: fair</span> One more word makes it stronger.'],
        [NEW, 'Strength: strong</span>'],
      ] as const) {
        const hint = await laptop.post(STRENGTH, { form: { password } })
        assert.equal(hint.statusCode, 200)
        assert.ok(hint.body.includes(text), hint.body)
        assert.equal(hint.headers['cache-control'], 'no-store')
        assert.ok(!hint.body.includes(password))
      }
      assert.equal((await laptop.post(STRENGTH, { form: { password: '' } })).body, '')
      assert.equal((await laptop.post(STRENGTH, { form: { password: NEW }, token: undefined })).statusCode, 403)
    })
  })
})
