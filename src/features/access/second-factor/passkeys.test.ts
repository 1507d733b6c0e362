import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FACTOR_GUARD, type FactorGuard } from '#features/access/sign-in/commands/second-step.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { Browser, LOGIN, PASSWORD, type Server } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ADD_PASSKEY, addPasskey, codesIn, later, optionsFrom, STEP } from '#test/support/second-factor.ts'
import { SITE, serve, useSignInServer } from '#test/support/sign-in-server.ts'

const SIGN_IN = '/accounts/passkey/'
const OPTIONS = '/settings/security/passkeys/options/'
const PENDING = '__Host-turnout_pending_sign_in'

describe('passkeys', () => {
  const setup = useSignInServer()
  const passkeys = () => setup.db.write.selectFrom('passkey').selectAll().orderBy('id').execute()
  const signedIn = async (email = 'ann@example.org'): Promise<Browser> => {
    const browser = new Browser(setup.server)
    assert.equal((await browser.signIn(PASSWORD, email)).headers.location, '/')
    await browser.get('/settings/security/')
    return browser
  }
  const withPasskey = async (authenticator = new Authenticator(SITE)) => {
    const owner = await signedIn()
    const codes = await addPasskey(owner, authenticator)
    return { owner, codes, authenticator }
  }
  type Lies = Parameters<Authenticator['get']>[1]
  /** On the sign-in page, with the passkey alone. */
  const enter = async (authenticator: Authenticator, lies: Lies = {}, server: Server = setup.server) => {
    const browser = new Browser(server)
    await browser.get(LOGIN)
    const { publicKey, state } = await optionsFrom(browser, `${SIGN_IN}options/`)
    const answer = await browser.post(SIGN_IN, { form: { state, response: authenticator.get(publicKey, lies) } })
    return { browser, answer, publicKey, state }
  }
  const isIn = async (browser: Browser) => (await browser.get('/')).statusCode === 200
  const guarded = (passkey: Partial<FactorGuard['passkey']>): Promise<Server> =>
    serve(setup, { factorGuard: { ...FACTOR_GUARD, passkey: { ...FACTOR_GUARD.passkey, ...passkey } } })

  test('are added with a name, counter and flags, and recovery codes are shown once', async () => {
    const { owner, codes, authenticator } = await withPasskey()
    assert.equal(codes.length, 10)
    const [row] = await passkeys()
    assert.deepEqual(
      [row!.name, row!.credential_id.equals(authenticator.id), row!.sign_count, row!.is_synced, row!.user_handle.length],
      ['Phone', true, 0, false, 32],
    )
    const page = await owner.get('/settings/security/')
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Phone/)
    const second = new Authenticator(SITE, { countsUp: false })
    assert.deepEqual(await addPasskey(owner, second, 'Manager'), [])
    const rows = await passkeys()
    assert.deepEqual(
      rows.map(({ is_synced, is_backed_up }) => [is_synced, is_backed_up]),
      [
        [false, false],
        [true, true],
      ],
    )
    assert.ok(rows[0]!.user_handle.equals(rows[1]!.user_handle))
  })

  test('are discoverable and need user verification; known ones are excluded', async () => {
    const { owner, authenticator } = await withPasskey()
    await owner.get(ADD_PASSKEY)
    const { publicKey } = (await optionsFrom(owner, OPTIONS)) as unknown as {
      publicKey: {
        rp: { id: string }
        authenticatorSelection: object
        excludeCredentials: { id: string }[]
        attestation: string
      }
    }
    assert.equal(publicKey.rp.id, 'turnout.example')
    assert.deepEqual(publicKey.authenticatorSelection, {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    })
    assert.deepEqual(
      publicKey.excludeCredentials.map(({ id }) => id),
      [authenticator.id.toString('base64url')],
    )
    assert.equal(publicKey.attestation, 'none')
  })

  test('alone are enough to sign in, and return to the wanted page', async () => {
    const { authenticator } = await withPasskey()
    const { browser, answer, publicKey } = await enter(authenticator)
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/'])
    assert.deepEqual(publicKey.allowCredentials, [])
    assert.ok(await isIn(browser))
    assert.equal((await passkeys())[0]!.sign_count, 1)
    const away = new Browser(setup.server)
    await away.get(`${LOGIN}?next=/change/`)
    const asked = await optionsFrom(away, `${SIGN_IN}options/`)
    const form = { state: asked.state, response: authenticator.get(asked.publicKey) }
    assert.equal((await away.post(`${SIGN_IN}?next=%2Fchange%2F`, { form })).headers.location, '/change/')
    const evil = await optionsFrom(new Browser(setup.server), `${SIGN_IN}options/`).catch(() => undefined)
    assert.equal(evil, undefined, 'options need the token of the form')
  })

  test('that are synced and do not count can sign in again and again', async () => {
    const { authenticator } = await withPasskey(new Authenticator(SITE, { countsUp: false }))
    for (let i = 0; i < 2; i++) assert.ok(await isIn((await enter(authenticator)).browser))
  })

  test('are offered as the second step, for this person only', async () => {
    const { authenticator } = await withPasskey()
    const browser = new Browser(setup.server)
    assert.equal((await browser.signIn()).headers.location, STEP)
    const page = await browser.get(STEP)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /data-passkey-missing/)
    const { publicKey, state } = await optionsFrom(browser, `${STEP}passkey/`)
    assert.deepEqual(
      (publicKey as unknown as { allowCredentials: { id: string }[] }).allowCredentials.map(({ id }) => id),
      [authenticator.id.toString('base64url')],
    )
    const form = { method: 'passkey', state, response: authenticator.get(publicKey) }
    assert.equal((await browser.post(STEP, { form })).headers.location, '/')
    assert.ok(await isIn(browser))
  })

  test('of another person are no second step', async () => {
    const { authenticator } = await withPasskey()
    const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
    await setup.db.write.insertInto('user_profile').values(row).execute()
    const bens = new Authenticator(SITE)
    await addPasskey(await signedIn('ben@example.org'), bens)
    const browser = new Browser(setup.server)
    await browser.signIn()
    await browser.get(STEP)
    const { publicKey, state } = await optionsFrom(browser, `${STEP}passkey/`)
    const wrong = await browser.post(STEP, { form: { method: 'passkey', state, response: bens.get(publicKey) } })
    assert.deepEqual([wrong.statusCode, await isIn(browser)], [422, false])
    assert.deepEqual(checkMarkup(wrong.body), [])
    const again = await optionsFrom(browser, `${STEP}passkey/`)
    const right = { method: 'passkey', state: again.state, response: authenticator.get(again.publicKey) }
    assert.equal((await browser.post(STEP, { form: right })).statusCode, 303)
  })

  describe('an answer', () => {
    const LIES: [what: string, lies: Lies, off: Partial<FactorGuard['passkey']>][] = [
      [
        'of another origin',
        { origin: 'https://turnout.example.evil.example' },
        { relyingParty: () => ({ id: 'turnout.example', origin: 'https://turnout.example.evil.example' }) },
      ],
      ['for another relying party', { rpId: 'evil.example' }, { relyingParty: () => ({ id: 'evil.example', origin: SITE }) }],
      [
        'to another challenge',
        { challenge: 'A'.repeat(43) },
        { claimChallenge: async () => ({ challenge: 'A'.repeat(43), userHandle: undefined }) },
      ],
    ]
    for (const [what, lies, off] of LIES) {
      test(`${what} is refused`, async () => {
        const { authenticator } = await withPasskey()
        const { browser, answer } = await enter(authenticator, lies)
        assert.deepEqual([answer.headers.location, await isIn(browser)], [LOGIN, false])
      })
      test(`${what} would be accepted without the check`, async () => {
        const { authenticator } = await withPasskey()
        assert.ok(await isIn((await enter(authenticator, lies, await guarded(off))).browser))
      })
    }

    test('without user verification or of the wrong type is refused', async () => {
      const { authenticator } = await withPasskey()
      for (const lies of [{ isVerified: false }, { type: 'webauthn.create' }])
        assert.equal(await isIn((await enter(authenticator, lies)).browser), false, JSON.stringify(lies))
      assert.ok(await isIn((await enter(authenticator)).browser))
    })

    const clone = async (server?: Server) => {
      const { authenticator } = await withPasskey()
      for (let i = 0; i < 3; i++) await enter(authenticator)
      return isIn((await enter(authenticator, { counter: 2 }, server ?? setup.server)).browser)
    }
    test('of a copy, whose counter is behind, is refused', async () => assert.equal(await clone(), false))
    test('of a copy would be accepted without the counter', async () =>
      assert.equal(await clone(await guarded({ counter: () => 0, claimCounter: async () => true })), true))

    test('signed with another key is refused', async () => {
      const { authenticator } = await withPasskey()
      const stranger = new Authenticator(SITE)
      const browser = new Browser(setup.server)
      await browser.get(LOGIN)
      const { publicKey, state } = await optionsFrom(browser, `${SIGN_IN}options/`)
      const forged = JSON.parse(stranger.get(publicKey)) as { id: string; rawId: string }
      forged.id = forged.rawId = authenticator.id.toString('base64url')
      await browser.post(SIGN_IN, { form: { state, response: JSON.stringify(forged) } })
      assert.equal(await isIn(browser), false)
    })

    for (const response of ['', 'x', '[]', 'null', '{}', '{"id":5}', '{"id":"AAAA","rawId":"AAAA","type":"public-key"}'])
      test(`${response || 'that is empty'} is refused`, async () => {
        await withPasskey()
        const browser = new Browser(setup.server)
        await browser.get(LOGIN)
        const { state } = await optionsFrom(browser, `${SIGN_IN}options/`)
        assert.equal((await browser.post(SIGN_IN, { form: { state, response } })).headers.location, LOGIN)
      })
  })

  describe('a challenge', () => {
    const answerTwice = async (server: Server) => {
      const { authenticator } = await withPasskey(new Authenticator(SITE, { countsUp: false }))
      const browser = new Browser(server)
      await browser.get(LOGIN)
      const { publicKey, state } = await optionsFrom(browser, `${SIGN_IN}options/`)
      const form = { state, response: authenticator.get(publicKey) }
      const answers = await Promise.all([browser.post(SIGN_IN, { form }), browser.post(SIGN_IN, { form })])
      return answers.filter(({ headers }) => headers.location === '/').length
    }
    test('is answered once, also at the same time', async () => assert.equal(await answerTwice(setup.server), 1))
    test('would be answered twice if used ones were not remembered', async () => {
      const claimChallenge: FactorGuard['passkey']['claimChallenge'] = async (_db, { site }, sealed) => {
        const { challenge } = JSON.parse(site.keyring.unseal(sealed)) as { challenge: string }
        return { challenge, userHandle: undefined }
      }
      assert.equal(await answerTwice(await guarded({ claimChallenge })), 2)
    })

    test('counts as answered by a wrong answer, too', async () => {
      const { authenticator } = await withPasskey()
      const { browser, publicKey, state } = await enter(authenticator, { origin: 'https://evil.example' })
      await browser.get(LOGIN)
      const form = { state, response: authenticator.get(publicKey) }
      assert.equal((await browser.post(SIGN_IN, { form })).headers.location, LOGIN)
    })

    test('is valid for five minutes', async () => {
      const { authenticator } = await withPasskey()
      for (const [seconds, expected] of [
        [299, '/'],
        [300, LOGIN],
      ] as const) {
        const browser = new Browser(setup.server)
        await browser.get(LOGIN)
        const { publicKey, state } = await optionsFrom(browser, `${SIGN_IN}options/`)
        setup.now = later(setup.now, seconds)
        const form = { state, response: authenticator.get(publicKey) }
        assert.equal((await browser.post(SIGN_IN, { form })).headers.location, expected)
      }
    })

    test('belongs to the browser that asked for it', async () => {
      const { authenticator } = await withPasskey()
      const [asking, other] = [new Browser(setup.server), new Browser(setup.server)]
      for (const browser of [asking, other]) await browser.get(LOGIN)
      const { publicKey, state } = await optionsFrom(asking, `${SIGN_IN}options/`)
      const form = { state, response: authenticator.get(publicKey) }
      assert.equal((await other.post(SIGN_IN, { form })).headers.location, LOGIN)
    })

    test('belongs to its purpose: the sign-in page finishes no second step', async () => {
      const { authenticator } = await withPasskey()
      const browser = new Browser(setup.server)
      await browser.signIn()
      await browser.get(STEP)
      const { publicKey, state } = await optionsFrom(browser, `${SIGN_IN}options/`)
      const form = { method: 'passkey', state, response: authenticator.get(publicKey) }
      assert.equal((await browser.post(STEP, { form })).statusCode, 422)
    })

    test('for a new passkey belongs to the session', async () => {
      const [owner, other] = [await signedIn(), await signedIn()]
      const { publicKey, state } = await optionsFrom(owner, OPTIONS)
      const form = { name: 'Phone', state, response: new Authenticator(SITE).create(publicKey) }
      const refused = await other.post(ADD_PASSKEY, { form })
      assert.equal(refused.statusCode, 422)
      assert.deepEqual(checkMarkup(refused.body), [])
      assert.equal((await owner.post(ADD_PASSKEY, { form, token: undefined })).statusCode, 403)
      assert.equal((await passkeys()).length, 0)
    })
  })

  test('made for another origin, relying party or challenge are not added', async () => {
    const owner = await signedIn()
    for (const lies of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'A'.repeat(43) },
      { isVerified: false },
    ]) {
      const { publicKey, state } = await optionsFrom(owner, OPTIONS)
      const form = { name: 'Phone', state, response: new Authenticator(SITE).create(publicKey, lies) }
      assert.equal((await owner.post(ADD_PASSKEY, { form })).statusCode, 422, JSON.stringify(lies))
    }
    assert.equal((await passkeys()).length, 0)
  })

  test('of somebody else cannot be added again', async () => {
    const { authenticator } = await withPasskey()
    const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
    await setup.db.write.insertInto('user_profile').values(row).execute()
    const ben = await signedIn('ben@example.org')
    const { publicKey, state } = await optionsFrom(ben, OPTIONS)
    const form = { name: 'Phone', state, response: authenticator.create(publicKey) }
    assert.equal((await ben.post(ADD_PASSKEY, { form })).statusCode, 422)
    assert.deepEqual(
      (await passkeys()).map(({ user_id }) => user_id),
      [setup.ann],
    )
  })

  test('can be renamed and removed by their owner only', async () => {
    const { owner } = await withPasskey()
    const { id } = (await passkeys())[0]!
    const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
    await setup.db.write.insertInto('user_profile').values(row).execute()
    const ben = await signedIn('ben@example.org')
    const path = `/settings/security/passkeys/${id}/`
    for (const url of [path, `${path}remove/`]) {
      assert.equal((await ben.get(url)).statusCode, 404)
      assert.ok([303, 404].includes((await ben.post(url, { form: { name: 'Mine' } })).statusCode))
      assert.deepEqual(checkMarkup((await owner.get(url)).body), [])
    }
    assert.equal((await passkeys())[0]!.name, 'Phone')
    assert.equal((await owner.post(path, { form: { name: 'Tablet' } })).statusCode, 303)
    assert.equal((await passkeys())[0]!.name, 'Tablet')
    assert.equal((await owner.post(path, { form: { name: ' ' } })).statusCode, 422)
    assert.equal((await owner.post(`${path}remove/`)).statusCode, 303)
    assert.equal((await passkeys()).length, 0)
    assert.equal((await new Browser(setup.server).signIn()).headers.location, '/')
    const entries = await setup.db.write.selectFrom('journal').select(['kind', 'changes', 'personal']).orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ kind, changes, personal }) => [kind, changes, personal]),
      [
        ['user.factor_added', { factor: 'passkey' }, { name: 'Phone' }],
        ['user.passkey_renamed', {}, { name: 'Tablet' }],
        ['user.factor_removed', { factor: 'passkey' }, { name: 'Tablet' }],
      ],
    )
  })

  test('lost: a recovery code signs in, and the passkey can be removed', async () => {
    const { codes } = await withPasskey()
    const browser = new Browser(setup.server)
    await browser.signIn()
    assert.ok(browser.cookies.has(PENDING))
    await browser.get(`${STEP}?with=recovery`)
    const form = { method: 'recovery', code: codes[3]! }
    assert.equal((await browser.post(`${STEP}?with=recovery`, { form })).statusCode, 303)
    const { id } = (await passkeys())[0]!
    await browser.get(`/settings/security/passkeys/${id}/remove/`)
    assert.equal((await browser.post(`/settings/security/passkeys/${id}/remove/`)).statusCode, 303)
    assert.equal(codesIn((await browser.get('/settings/security/')).body).length, 0)
  })

  test('of inactive people do not sign in', async () => {
    const { authenticator } = await withPasskey()
    await setup.db.write.updateTable('user_profile').set({ is_active: false }).execute()
    assert.equal(await isIn((await enter(authenticator)).browser), false)
  })

  test('are not offered where browsers have none: for IP addresses and without TLS', async () => {
    for (const [url, expected] of [
      ['https://turnout.example', true],
      ['http://localhost:8123', true],
      ['http://turnout.example', false],
      ['https://192.0.2.7', false],
      ['https://[2001:db8::1]', false],
    ] as const) {
      const server = await serve(setup, { url })
      const { body } = await new Browser(server, { host: new URL(url).host }).get(LOGIN)
      assert.equal(body.includes('data-passkey'), expected, url)
    }
  })
})
