import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { removeTotp } from '#features/access/second-factor/commands/totp.ts'
import { makeActor, type UserActor } from '#platform/auth/actor.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextOf } from '#test/support/command-context.ts'
import { type Browser, PASSWORD } from '#test/support/http-browser.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { openProviderWorld } from '#test/support/provider-world.ts'
import { ADD_PASSKEY, APP, codeAt, later, STEP, secretIn, setUpApp } from '#test/support/second-factor.ts'
import { confirmLink } from './commands/links.ts'
import { sealLink } from './commands/state-cookie.ts'

const { world, provider, providerId, start, person, signIn, setProvider, idOf, openBrowser } = await openProviderWorld()
const { read, write } = world.db
const begin = world.now
const LINK = '/accounts/oidc/link/'
const RECOVERY = '/settings/security/recovery-codes/'

const setPolicy = async (graceDays: number | undefined) => {
  await write.deleteFrom('second_factor_policy').execute()
  await write.deleteFrom('second_factor_group').execute()
  if (graceDays === undefined) return
  await write
    .insertInto('second_factor_policy')
    .values({ for_administrators: false, grace_days: graceDays, after_provider: false })
    .execute()
  await write.insertInto('second_factor_group').values({ group_id: HELPERS.id }).execute()
}
const join = async (userId: number) =>
  write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: userId }).execute()
const security = () =>
  read.selectFrom('journal').select(['kind', 'changes']).where('kind', 'like', 'user.identity%').orderBy('id', 'desc').execute()

afterEach(async () => {
  world.now = begin
  provider.fault = {}
  await setPolicy(undefined)
  await setProvider({ trusts_factor: false, factor_acrs: '', trusts_proof: false, problem: null })
})

describe('a required second factor after a sign-in at a provider', () => {
  test('is asked for, unless the provider states one and the setting trusts it', async () => {
    person('frida')
    const { browser } = await signIn()
    const { secret } = await setUpApp(browser, world.now)
    await join(await idOf('frida@id.example'))
    await setPolicy(14)
    world.now = later(begin, 60)
    const target = async (claims: Record<string, unknown>) => {
      person('frida', claims)
      return (await signIn()).response.headers.location
    }
    assert.equal(await target({}), STEP, 'nothing is stated')
    assert.equal(await target({ amr: ['pwd', 'otp'] }), STEP, 'it is not trusted')
    await setProvider({ trusts_factor: true, factor_acrs: 'gold' })
    assert.equal(await target({ amr: ['pwd'], userinfo: { amr: ['mfa'], acr: 'gold' } }), STEP, 'only the ID token counts')
    assert.equal(await target({ amr: ['pwd', 'otp'] }), '/')
    assert.equal(await target({ acr: 'gold' }), '/')
    person('frida')
    const { browser: asked, response } = await signIn()
    assert.deepEqual([response.headers.location, asked.session], [STEP, undefined])
    await asked.get(STEP)
    const inside = await asked.post(STEP, { form: { method: 'code', code: codeAt(secret, world.now) } })
    assert.equal(inside.headers.location, '/')
    await setPolicy(undefined)
    person('frida')
    assert.equal((await signIn()).response.headers.location, '/', 'nobody requires it')
  })

  test('need not be set up here if the provider has stated one that counts', async () => {
    person('greta')
    await signIn()
    await join(await idOf('greta@id.example'))
    await setPolicy(0)
    const home = async (claims: Record<string, unknown>) => {
      person('greta', claims)
      const { browser } = await signIn()
      return (await browser.get('/')).headers.location
    }
    assert.match(String(await home({ amr: ['mfa'] })), /^\/settings\/security\/second-factor\//)
    await setProvider({ trusts_factor: true })
    assert.equal(await home({ amr: ['mfa'] }), undefined)
    assert.match(String(await home({})), /^\/settings\/security\/second-factor\//)
  })
})

describe('a session that a provider has opened', () => {
  const open = async (sub: string) => {
    person(sub)
    const { browser } = await signIn()
    const { secret } = await setUpApp(browser, world.now)
    world.now = later(begin, 60)
    const second = (await signIn()).browser
    await second.get('/settings/security/')
    return { browser: second, secret, userId: await idOf(`${sub}@id.example`) }
  }
  const isAsked = async (browser: Browser, path: string) => {
    const { headers, statusCode } = await browser.get(path)
    assert.deepEqual([statusCode, headers.location], [303, `/accounts/confirm/?own=true&next=${encodeURIComponent(path)}`], path)
  }
  const factors = async (userId: number) =>
    (await read.selectFrom('totp_factor').select('secret_sealed').where('user_id', '=', userId).execute()).map(
      ({ secret_sealed }) => secret_sealed,
    )

  test('neither removes nor replaces nor adds a factor of the person, nor renews the codes', async () => {
    const { browser, userId } = await open('hanna')
    const before = await factors(userId)
    for (const path of [`${APP}remove/`, APP, ADD_PASSKEY, RECOVERY]) await isAsked(browser, path)
    const removed = await browser.post(`${APP}remove/`)
    assert.match(String(removed.headers.location), /^\/accounts\/confirm\/\?own=true/)
    const renewed = await browser.post(RECOVERY)
    assert.match(String(renewed.headers.location), /^\/accounts\/confirm\/\?own=true/)
    assert.deepEqual(await factors(userId), before)
  })

  test('is asked for a factor or the password, not for the provider, and goes on then', async () => {
    const { browser, secret, userId } = await open('ida')
    const asked = `/accounts/confirm/?own=true&next=${encodeURIComponent(`${APP}remove/`)}`
    const page = await browser.get(asked)
    assert.match(page.body, /You are going to change what protects your account/)
    assert.doesNotMatch(page.body, /Confirm with Org ID/)
    const wrong = await browser.post(asked, { form: { method: 'code', code: '000000' } })
    assert.doesNotMatch(wrong.body, /Confirm with Org ID/)
    await isAsked(browser, `${APP}remove/`)
    const done = await browser.post(asked, { form: { method: 'code', code: codeAt(secret, world.now) } })
    assert.equal(done.headers.location, `${APP}remove/`)
    assert.equal((await browser.get(`${APP}remove/`)).statusCode, 200)
    assert.equal((await browser.post(`${APP}remove/`)).headers.location, '/settings/security/')
    assert.deepEqual(await factors(userId), [])
  })

  test('does not go on with a proof at the provider', async () => {
    const { browser } = await open('jana')
    provider.fault = { claims: (claims) => ({ ...claims, auth_time: Math.floor(world.now.getTime() / 1000) }) }
    const { response } = await signIn(browser, `${start}again/?next=${encodeURIComponent(`${APP}remove/`)}`)
    assert.equal(response.headers.location, `${APP}remove/`)
    await isAsked(browser, `${APP}remove/`)
  })

  test('twin: without the check, the command removes the factor', async () => {
    const { browser, userId } = await open('karla')
    const actor = makeActor<UserActor>({
      kind: 'user',
      userId,
      displayName: 'Karla',
      email: 'karla@id.example',
      language: 'en',
      isStaff: false,
      isSuperuser: false,
      groupIds: [],
      permissions: new Set(),
      via: { kind: 'session', sessionHash: hashSecret(browser.session!), provedAt: world.now },
    })
    const context = contextOf(world, actor)
    assert.deepEqual(await removeTotp(context), { ok: false, reason: 'proof' })
    assert.deepEqual(await removeTotp(context, async () => false), { ok: true })
  })

  test('sets up the first factor of an account without a password', async () => {
    person('lena')
    const { browser } = await signIn()
    assert.equal((await browser.get(APP)).statusCode, 200)
    await write
      .updateTable('user_profile')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('email', '=', 'lena@id.example')
      .execute()
    await isAsked(browser, APP)
    await browser.get('/settings/security/')
    const asked = `/accounts/confirm/?own=true&next=${encodeURIComponent(APP)}`
    await browser.post(asked, { form: { method: 'password', password: PASSWORD } })
    assert.ok(secretIn((await browser.get(APP)).body))
  })
})

describe('a link', () => {
  const setBen = async () => {
    await write.deleteFrom('external_identity').where('user_id', '=', BEN.id).execute()
    await write
      .updateTable('user_profile')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', BEN.id)
      .execute()
  }
  const isLinked = async () =>
    (await read.selectFrom('external_identity').select('id').where('user_id', '=', BEN.id).execute()).length > 0

  test('of an account with a password is made after its owner has signed in with it; both are told', async () => {
    await setBen()
    person('ben-there', { email: BEN.email, name: BEN.name })
    const { browser, response } = await signIn()
    assert.deepEqual([response.headers.location, browser.session], [`${LINK}sign-in/`, undefined])
    assert.match((await browser.get(`${LINK}sign-in/`)).body, /There is an account with your email address here/)
    assert.equal(await isLinked(), false)
    const local = await browser.signIn(PASSWORD, BEN.email, `/accounts/login/?local=true&next=${encodeURIComponent(LINK)}`)
    assert.equal(local.headers.location, LINK)
    await browser.get(LINK)
    assert.equal((await browser.post(LINK)).statusCode, 303)
    assert.equal(await isLinked(), true)
    assert.equal((await signIn()).response.headers.location, '/')
    assert.deepEqual((await security())[0], {
      kind: 'user.identity_linked',
      changes: { identity_provider_id: providerId, label: 'Org ID' },
    })
    const page = await browser.get('/settings/security/')
    const identity = /name="identity" value="(\d+)"/.exec(page.body)![1]!
    await browser.post('/settings/security/unlink/', { form: { identity } })
    assert.deepEqual((await security())[0], {
      kind: 'user.identity_unlinked',
      changes: { identity_provider_id: providerId, label: 'Org ID' },
    })
  })

  test('is confirmed only by somebody who has just shown who they are', async () => {
    await setBen()
    person('ben-there', { email: BEN.email, name: BEN.name })
    const browser = openBrowser()
    await browser.signIn(PASSWORD, BEN.email)
    const { response } = await signIn(browser, `${start}link/`)
    assert.equal(response.headers.location, LINK)
    await browser.get(LINK)
    world.now = later(begin, 15 * 60)
    assert.match(String((await browser.get(LINK)).headers.location), /^\/accounts\/confirm\//)
    assert.equal((await browser.post(LINK)).statusCode, 403)
    assert.equal(await isLinked(), false)
  })

  const via = { kind: 'session' as const, sessionHash: Buffer.alloc(32), provedAt: later(begin, -15 * 60) }
  const ben = makeActor<UserActor>({
    kind: 'user',
    userId: BEN.id,
    displayName: BEN.name,
    email: BEN.email,
    language: 'en',
    isStaff: false,
    isSuperuser: false,
    groupIds: [],
    permissions: new Set(),
    via,
  })
  const pendingLink = (subject: string, at = providerId, userId = BEN.id) => {
    const identity = { issuer: provider.url, subject, idToken: {}, userinfo: {}, rawIdToken: '' }
    return sealLink(contextOf(world, ben), at, identity, { userId, next: '/' }).start
  }
  const confirm = (cookie: string, isRecent?: () => boolean) => confirmLink(contextOf(world, ben), cookie, isRecent)

  test('twin: without the check, the command links in an old session', async () => {
    await setBen()
    const cookie = pendingLink('ben-there')
    assert.deepEqual(await confirm(cookie), { ok: false, reason: 'not_recent' })
    assert.deepEqual(await confirm(cookie, () => true), { ok: true, next: '/' })
    assert.deepEqual(await confirm(cookie, () => true), { ok: true, next: '/' }, 'a second tap changes nothing')
  })

  test('is refused if something has changed before the person confirms it', async () => {
    await setBen()
    const link = { identity_provider_id: providerId, issuer: provider.url, subject: 'taken', user_id: ANN.id }
    await write.insertInto('external_identity').values(link).execute()
    const CASES: [what: string, cookie: string, reason: string][] = [
      ['the provider was deleted', pendingLink('ben-there', 99_999), 'expired'],
      ['somebody else got the identity', pendingLink('taken'), 'linked_elsewhere'],
      ['somebody else is signed in', pendingLink('ben-there', providerId, ANN.id), 'other_person'],
      ['the cookie is not ours', 'x', 'expired'],
    ]
    for (const [what, cookie, reason] of CASES) assert.deepEqual(await confirm(cookie, () => true), { ok: false, reason }, what)
    await write.deleteFrom('external_identity').where('subject', '=', 'taken').execute()
    assert.equal(await isLinked(), false)
  })

  for (const [language, linked, unlinked, advice] of [
    ['en', 'Your account can be opened by Org ID now', 'Your account can no longer be opened by Org ID', /If this was not you/],
    [
      'de',
      'Dein Konto lässt sich jetzt über Org ID öffnen',
      'Dein Konto lässt sich nicht mehr über Org ID öffnen',
      /Falls du das nicht warst/,
    ],
  ] as const)
    test(`and its removal are mailed to the person, with what to do (${language})`, async () => {
      await setBen()
      await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', BEN.id).execute()
      const outbox = new NotificationOutbox(world)
      await outbox.clear()
      const browser = openBrowser()
      await browser.signIn(PASSWORD, BEN.email)
      person('ben-there', { email: 'private@id.example' })
      await signIn(browser, `${start}link/`)
      await browser.get(LINK)
      await browser.post(LINK)
      const page = await browser.get('/settings/security/')
      const identity = /name="identity" value="(\d+)"/.exec(page.body)![1]!
      await browser.post('/settings/security/unlink/', { form: { identity } })
      const mails = await outbox.deliver()
      assert.deepEqual(
        mails.map(({ to }) => to).filter((to) => to !== BEN.email),
        [],
      )
      const text = mails.map((mail) => `${mail.subject}\n${mail.text}`).join('\n')
      assert.match(text, advice)
      for (const subject of [linked, unlinked]) assert.ok(text.includes(subject) || mails.length === 1, subject)
      assert.match(text, /Org ID.*Org ID/s)
      person('nobody')
      await signIn()
      assert.deepEqual(await outbox.deliver(), [], 'a new account is not warned')
      await write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', BEN.id).execute()
    })

  test('that came with a new account is not reported as a change', async () => {
    person('newcomer')
    await signIn()
    assert.deepEqual((await security())[0]!.changes, { identity_provider_id: providerId, label: 'Org ID', is_new: true })
  })
})

describe('a provider that does not tell when it asked', () => {
  const withoutTime = () => {
    provider.fault = { claims: ({ auth_time: _time, ...claims }) => claims }
  }

  test('does not confirm who a person is, and the page of the provider says why', async () => {
    person('maria')
    withoutTime()
    const { browser } = await signIn()
    assert.match(String((await browser.get('/settings/tokens/new/')).headers.location), /^\/accounts\/confirm\//)
    const again = `${start}again/?next=%2Fsettings%2Ftokens%2Fnew%2F`
    const refused = await signIn(browser, again)
    assert.equal(refused.response.statusCode, 403)
    assert.match(refused.response.body, /Org ID does not say whether it has asked you again/)
    const { problem } = await read
      .selectFrom('identity_provider')
      .select('problem')
      .where('id', '=', providerId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(problem, { code: 'no_auth_time' })
    await setProvider({ trusts_proof: true })
    const trusted = await signIn(browser, again)
    assert.equal(trusted.response.headers.location, '/settings/tokens/new/')
    assert.equal((await browser.get('/settings/tokens/new/')).statusCode, 200)
  })

  test('counts as recent at the sign-in only if it is trusted', async () => {
    person('nora')
    withoutTime()
    await setProvider({ trusts_proof: true })
    const { browser, location } = await signIn()
    assert.equal((await browser.get('/settings/tokens/new/')).statusCode, 200)
    assert.equal(new URL(location).searchParams.get('max_age'), '2592000')
  })
})
