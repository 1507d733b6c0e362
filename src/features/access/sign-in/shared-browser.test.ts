import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { Browser, PASSWORD } from '#test/support/http-browser.ts'
import { addPasskey, optionsFrom } from '#test/support/second-factor.ts'
import { SITE, useSignInServer } from '#test/support/sign-in-server.ts'

const NEW = 'four green umbrellas'

describe('a browser that several people use', () => {
  const setup = useSignInServer()
  let ben: number
  beforeEach(async () => {
    const row = { email: 'ben@example.org', display_name: 'Ben', password_hash: `hash of ${PASSWORD}` }
    ben = (await setup.db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()).id
  })
  const later = () => {
    setup.now = new Date(setup.now.getTime() + 60_000)
  }
  const addLink = async (purpose: string, userId: number) => {
    const token = `${purpose}${userId}`
    const values = { token_hash: hashSecret(token), purpose, user_id: userId, created_at: setup.now }
    await setup.db.write
      .insertInto('one_time_link')
      .values({ ...values, expires_at: new Date(setup.now.getTime() + 3600_000) })
      .execute()
    return `/accounts/${purpose === 'reset_password' ? 'reset' : 'welcome'}/${token}/`
  }
  const useLink = async (browser: Browser, purpose: string, userId: number) => {
    const url = await addLink(purpose, userId)
    await browser.get(url)
    return browser.post(url, { form: { password: NEW, password_again: NEW } })
  }
  const cleared = ({ headers, statusCode }: Awaited<ReturnType<Browser['post']>>) => {
    assert.equal(statusCode, 303)
    return headers['clear-site-data']
  }
  const signOut = async (browser: Browser) => {
    await browser.get('/change/')
    return browser.post('/accounts/logout/')
  }

  test('keeps everything for the first person, and for the same person again', async () => {
    const browser = new Browser(setup.server)
    assert.equal(cleared(await browser.signIn()), undefined)
    later()
    await signOut(browser)
    later()
    assert.equal(cleared(await browser.signIn()), undefined)
    assert.equal(cleared(await useLink(browser, 'reset_password', setup.ann)), undefined)
  })

  test('empties its cache when somebody else signs in, in turns', async () => {
    const browser = new Browser(setup.server)
    for (const [email, expected] of [
      ['ann@example.org', undefined],
      ['ben@example.org', '"cache"'],
      ['ben@example.org', undefined],
      ['ann@example.org', '"cache"'],
    ] as const) {
      later()
      assert.equal(cleared(await browser.signIn(PASSWORD, email)), expected, email)
      later()
      await signOut(browser)
    }
  })

  for (const purpose of ['reset_password', 'welcome'])
    for (const isSignedOut of [false, true])
      test(`empties its cache for a ${purpose} link of somebody else, ${isSignedOut ? 'after' : 'without'} a sign-out`, async () => {
        const browser = new Browser(setup.server)
        await browser.signIn()
        later()
        if (isSignedOut) await signOut(browser)
        assert.equal(cleared(await useLink(browser, purpose, ben)), '"cache"')
        assert.match((await browser.get('/')).body, /Home of Ben/)
      })

  for (const isSignedOut of [false, true])
    test(`empties its cache for a passkey of somebody else, ${isSignedOut ? 'after' : 'without'} a sign-out`, async () => {
      const bens = new Authenticator(SITE)
      const phone = new Browser(setup.server)
      await phone.signIn(PASSWORD, 'ben@example.org')
      await addPasskey(phone, bens)
      const browser = new Browser(setup.server)
      await browser.signIn()
      const { 'x-copies-of': ofAnn } = (await browser.get('/')).headers
      later()
      if (isSignedOut) await signOut(browser)
      const enter = async (page: string) => {
        await browser.get(page)
        const { publicKey, state } = await optionsFrom(browser, '/accounts/passkey/options/')
        return browser.post('/accounts/passkey/', { form: { state, response: bens.get(publicKey) } })
      }
      assert.equal(cleared(await enter(isSignedOut ? '/accounts/login/' : '/change/')), '"cache"')
      const home = await browser.get('/')
      assert.match(home.body, /Home of Ben/)
      assert.notEqual(home.headers['x-copies-of'], ofAnn)
      later()
      await signOut(browser)
      assert.equal(cleared(await enter('/accounts/login/')), undefined, 'the same person again')
    })

  test('learns from each page whose copies it may keep', async () => {
    const browser = new Browser(setup.server)
    const markerOf = async (url: string) => {
      const { headers, body } = await browser.get(url)
      assert.equal(/<meta name="copies-of" content="([^"]+)">/.exec(body)?.[1], headers['x-copies-of'])
      return headers['x-copies-of']
    }
    assert.equal(await markerOf('/accounts/login/'), 'none')
    await browser.signIn()
    const ofAnn = await markerOf('/')
    assert.equal(await markerOf('/change/'), ofAnn)
    await useLink(browser, 'reset_password', ben)
    const ofBen = await markerOf('/')
    assert.notEqual(ofBen, ofAnn)
    assert.equal((await browser.get('/nothing/')).headers['x-copies-of'], undefined)
    await signOut(browser)
    assert.equal(await markerOf('/accounts/login/'), 'none')
  })
})
