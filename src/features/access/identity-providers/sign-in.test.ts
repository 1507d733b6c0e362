import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { contextAs, contextOf } from '#test/support/command-context.ts'
import { Browser, LOGIN, PASSWORD } from '#test/support/http-browser.ts'
import { type Fault, openTestProvider } from '#test/support/identity-provider.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { codeAt, later, STEP, setUpApp } from '#test/support/second-factor.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { finishProviderSignIn, type ProviderSignIn, SIGN_IN_GUARD, type SignInGuard } from './commands/finish-sign-in.ts'
import { startProviderSignIn } from './commands/start-sign-in.ts'

/** Tokens carry real times. */
const world = await openWorld({ now: new Date(), outboundAllow: '127.0.0.1' })
const provider = await openTestProvider()
const { read, write } = world.db
const outbound = makeOutbound({ allow: ['127.0.0.1'] })
const host = new URL(SITE_URL).host
const openBrowser = () => new Browser({ port: world.line.port }, { host })

const { id: providerId } = await write
  .insertInto('identity_provider')
  .values({
    internal_name: 'id',
    label: 'Org ID',
    client_id: provider.clientId,
    client_secret_sealed: world.app.site.keyring.seal(provider.clientSecret),
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    end_session_endpoint: `${provider.url}/end`,
    jwks_uri: `${provider.url}/keys`,
    enabled: true,
  })
  .returning('id')
  .executeTakeFirstOrThrow()

const START = `/accounts/oidc/${providerId}/`
const setProvider = (values: Record<string, unknown>) =>
  write.updateTable('identity_provider').set(values).where('id', '=', providerId).execute()
const setSettings = async (settings: Record<string, boolean>) => {
  await write.deleteFrom('setting').where('name', 'in', ['hide_local_sign_in', 'redirect_to_provider']).execute()
  for (const [name, value] of Object.entries(settings))
    await write
      .insertInto('setting')
      .values({ name, value: String(value) })
      .execute()
}
const getUser = (email: string) => read.selectFrom('user_profile').selectAll().where('email', '=', email).executeTakeFirst()
const groupsOf = async (userId: number) =>
  (
    await read
      .selectFrom('user_group_member as m')
      .innerJoin('user_group as g', 'g.id', 'm.group_id')
      .select('g.name')
      .where('m.user_id', '=', userId)
      .orderBy('g.name')
      .execute()
  ).map(({ name }) => name)

/** Signs in as the person of the provider, in a new browser by default. */
async function signIn(browser = openBrowser(), start = START) {
  const started = await browser.get(start)
  const location = String(started.headers.location)
  const response = await browser.get(provider.approve(location))
  return { browser, response, location }
}
const person = (sub: string, more: Record<string, unknown> = {}) => {
  provider.person = { sub, email: `${sub}@id.example`, email_verified: true, name: sub, ...more }
}

afterEach(async () => {
  provider.fault = {}
  await setProvider({
    group_claim: '',
    qualification_claim: '',
    create_missing_groups: false,
    creates_accounts: true,
    problem: null,
  })
  await setSettings({})
})

describe('signing in at an identity provider', () => {
  test('sends the browser there with PKCE, state and nonce, and back to the page that was asked for', async () => {
    person('nina', { phone_number: '+49 40 1', birthdate: '1991-02-03' })
    const page = await openBrowser().get(`${LOGIN}?next=%2Fevents%2F`)
    assert.match(page.body, new RegExp(`href="${START}\\?next=%2Fevents%2F"[^>]*>.*Sign in with Org ID`))
    const { browser, response, location } = await signIn(openBrowser(), `${START}?next=/events/`)
    const sent = new URL(location).searchParams
    assert.equal(sent.get('redirect_uri'), `${SITE_URL}/oidc/callback/`)
    assert.equal(sent.get('code_challenge_method'), 'S256')
    for (const name of ['state', 'nonce', 'code_challenge']) assert.match(sent.get(name)!, /^[\w-]{43,}$/)
    assert.deepEqual([response.statusCode, response.headers.location], [303, '/events/'])
    assert.equal((await browser.get('/events/')).statusCode, 200)
    const user = (await getUser('nina@id.example'))!
    assert.deepEqual(
      [user.display_name, user.phone, user.date_of_birth, user.password_hash, user.is_staff],
      ['nina', '+49 40 1', '1991-02-03', null, false],
    )
    assert.equal(user.last_sign_in_at?.getTime(), world.now.getTime())
  })

  test('finds the account by issuer and subject later, and refreshes the profile', async () => {
    person('nina', { email: 'changed@id.example', email_verified: false, name: 'Nina New' })
    const { response } = await signIn()
    assert.equal(response.statusCode, 303)
    const user = (await getUser('nina@id.example'))!
    assert.deepEqual([user.display_name, user.phone], ['Nina New', '+49 40 1'])
    assert.equal(await getUser('changed@id.example'), undefined)
  })

  test('links an account with the verified address, ignoring case', async () => {
    person('ann-there', { email: ANN.email.toUpperCase(), name: ANN.name })
    assert.equal((await signIn()).response.statusCode, 303)
    const linked = await read.selectFrom('external_identity').selectAll().where('user_id', '=', ANN.id).execute()
    assert.deepEqual(
      linked.map(({ issuer, subject }) => [issuer, subject]),
      [[provider.url, 'ann-there']],
    )
  })

  test('never leaves the origin afterwards', async () => {
    person('nina')
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const { response } = await signIn(openBrowser(), `${START}?next=${encodeURIComponent(next)}`)
      assert.equal(response.headers.location, '/', next)
    }
  })

  test('starts with a new session and ends the one before', async () => {
    person('nina')
    const { browser } = await signIn()
    const before = browser.session!
    await browser.get('/settings/security/')
    await browser.post('/accounts/logout/')
    await signIn(browser)
    assert.notEqual(browser.session, before)
    const row = await read.selectFrom('session').select('user_id').where('id_hash', '=', hashSecret(before)).executeTakeFirst()
    assert.equal(row, undefined)
  })
})

describe('a response of the provider is refused', () => {
  const REFUSED: [what: string, fault: Fault, why: RegExp][] = [
    ['for another audience', { claims: (claims) => ({ ...claims, aud: 'another client' }) }, /\(aud\)/],
    ['by another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }, /\(iss\)/],
    ['with another nonce', { claims: (claims) => ({ ...claims, nonce: 'another nonce' }) }, /\(nonce\)/],
    ['without a nonce', { claims: ({ nonce: _nonce, ...claims }) => claims }, /claim|invalid/],
    ['that has expired', { claims: (claims) => ({ ...claims, exp: 1_000 }) }, /timestamp/],
    ['without a subject', { claims: ({ sub: _sub, ...claims }) => claims }, /invalid/],
    ['without a signature', { header: () => ({ alg: 'none' }), sign: 'nothing' }, /unexpected|invalid|unsupported/],
    [
      'signed with the client secret',
      { header: () => ({ alg: 'HS256' }), sign: 'client secret' },
      /unexpected|invalid|unsupported/,
    ],
    ['signed with another key', { sign: 'other key' }, /signature|invalid/i],
    ['about another person at the userinfo endpoint', { userinfoSubject: 'somebody else' }, /\(sub\)/],
    [
      'that is no JSON',
      { token: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('nonsense') },
      /parsing/,
    ],
    [
      'that refuses the code',
      { token: (response) => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}') },
      /invalid_grant/,
    ],
  ]
  for (const [what, fault, why] of REFUSED)
    test(what, async () => {
      person('mallory', { userinfo: {} })
      provider.fault = fault
      const { browser, response } = await signIn()
      assert.equal(response.statusCode, 502)
      assert.match(response.body, /Signing in did not work/)
      assert.equal(browser.session, undefined)
      assert.equal(await getUser('mallory@id.example'), undefined)
      const { problem } = await read
        .selectFrom('identity_provider')
        .select('problem')
        .where('id', '=', providerId)
        .executeTakeFirstOrThrow()
      assert.match((problem as { why: string }).why, why)
    })

  test('that is a redirect of a provider that does not answer', async () => {
    person('mallory')
    provider.fault = { token: (response) => response.destroy() }
    const { response } = await signIn()
    assert.equal(response.statusCode, 503)
    assert.match(response.body, /Org ID cannot be reached/)
  })

  test('that says the person did not agree, without repeating its text', async () => {
    const browser = openBrowser()
    const { location } = { location: String((await browser.get(START)).headers.location) }
    const state = new URL(location).searchParams.get('state')!
    const query = new URLSearchParams({ error: 'access_denied', error_description: 'call 0800 evil', state })
    const response = await browser.get(`/oidc/callback/?${query}`)
    assert.match(response.body, /You did not sign in/)
    assert.doesNotMatch(response.body, /0800/)
  })

  const NOT_STARTED = /Please sign in again/
  test('in a browser without the state', async () => {
    const location = String((await openBrowser().get(START)).headers.location)
    const response = await openBrowser().get(provider.approve(location))
    assert.deepEqual([response.statusCode, NOT_STARTED.test(response.body)], [403, true])
  })

  test('with the state of another sign-in', async () => {
    const [victim, attacker] = [openBrowser(), openBrowser()]
    await victim.get(START)
    const location = String((await attacker.get(START)).headers.location)
    const response = await victim.get(provider.approve(location))
    assert.deepEqual([response.statusCode, victim.session], [403, undefined])
  })

  test('with the code of another sign-in', async () => {
    person('mallory')
    const [victim, attacker] = [openBrowser(), openBrowser()]
    const state = new URL(String((await victim.get(START)).headers.location)).searchParams.get('state')!
    const callback = provider.approve(String((await attacker.get(START)).headers.location))
    const response = await victim.get(callback.replace(/state=[^&]+/, `state=${state}`))
    assert.deepEqual([response.statusCode, victim.session], [502, undefined])
  })

  test('after half an hour', async () => {
    person('nina')
    const browser = openBrowser()
    const location = String((await browser.get(START)).headers.location)
    const started = world.now
    world.now = new Date(started.getTime() + 31 * 60_000)
    const response = await browser.get(provider.approve(location))
    world.now = started
    assert.equal(response.statusCode, 403)
  })

  test('by a disabled provider', async () => {
    const browser = openBrowser()
    const location = String((await browser.get(START)).headers.location)
    await setProvider({ enabled: false })
    const response = await browser.get(provider.approve(location))
    assert.deepEqual([response.statusCode, (await browser.get(START)).statusCode], [403, 404])
    await setProvider({ enabled: true })
  })

  test('with a compressed or endless body, without waiting for it', async () => {
    person('mallory')
    provider.fault = { token: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x') }
    assert.equal((await signIn()).response.statusCode, 503)
  })
})

/** Runs the commands themselves, so that a check can be replaced. */
async function enter(
  guard: Partial<SignInGuard> = {},
): Promise<{ outcome: ProviderSignIn; again: () => Promise<ProviderSignIn> }> {
  const context = contextOf(world, ANONYMOUS)
  const started = await startProviderSignIn(context, outbound, providerId, { purpose: 'sign_in', next: '/' })
  assert.ok(started?.ok)
  const query = new URLSearchParams(provider.approve(started.redirect).split('?')[1])
  const callback = { cookie: started.cookie.start, query, device: { device: 'd', userAgent: '' }, language: 'en' as const }
  const finish = () => finishProviderSignIn(context, callback, { outbound, guard: { ...SIGN_IN_GUARD, ...guard } })
  return { outcome: await finish(), again: finish }
}

describe('a guard of the sign-in', () => {
  test('accepts a response once', async () => {
    person('nina')
    provider.fault = { acceptsReplay: true }
    const { outcome, again } = await enter()
    assert.equal(outcome.kind, 'signed_in')
    assert.equal((await again()).kind, 'not_started')
  })

  test('twin: without it a response is accepted again', async () => {
    person('nina')
    provider.fault = { acceptsReplay: true }
    const { again } = await enter({ claimState: async () => true })
    assert.equal((await again()).kind, 'signed_in')
  })

  test('twin: without the check of signatures, another key is accepted', async () => {
    person('nina')
    provider.fault = { sign: 'other key' }
    assert.equal((await enter()).outcome.kind, 'refused')
    assert.equal((await enter({ verification: { requireSignature: () => {} } })).outcome.kind, 'signed_in')
  })

  /** An administrator, a person with a permission, one by a group, and one with a password. */
  const OWNED = [OLGA, VERA, PAUL, BEN]
  const setPassword = async (hash: string | null) =>
    write.updateTable('user_profile').set({ password_hash: hash }).where('id', '=', BEN.id).execute()

  test('does not give an account with permissions or a password to an address', async () => {
    await setPassword(await hashPassword(PASSWORD))
    for (const { name, email } of OWNED) {
      person(`${name}-there`, { email })
      assert.equal((await enter()).outcome.kind, 'confirm', name)
    }
    await setPassword(null)
    const ids = OWNED.map(({ id }) => id)
    assert.deepEqual(await read.selectFrom('external_identity').select('id').where('user_id', 'in', ids).execute(), [])
  })

  test('does not give an account to an address that is linked with another identity already', async () => {
    person('ann-again', { email: ANN.email })
    assert.equal((await enter()).outcome.kind, 'confirm')
  })

  test('twin: without it the account of an administrator is taken over', async () => {
    person('olga-there', { email: OLGA.email, name: OLGA.name })
    assert.equal((await enter({ mayLinkByEmail: () => true })).outcome.kind, 'signed_in')
    await write.deleteFrom('external_identity').where('user_id', '=', OLGA.id).execute()
  })

  const enterTwice = async (guard: Partial<SignInGuard> = {}) =>
    (await Promise.allSettled([enter(guard), enter(guard)])).map((each) =>
      each.status === 'fulfilled' ? each.value.outcome.kind : 'failed',
    )

  test('lets both of two first sign-ins at the same time in', async () => {
    await write.insertInto('user_profile').values({ email: 'twin@a.example', display_name: 'Twin' }).execute()
    person('twin', { email: 'twin@a.example' })
    assert.deepEqual(await enterTwice(), ['signed_in', 'signed_in'])
    person('newtwin')
    assert.deepEqual(await enterTwice(), ['signed_in', 'signed_in'])
    const identities = await read.selectFrom('external_identity').select('id').where('subject', 'like', '%twin').execute()
    assert.equal(identities.length, 2)
  })

  test('twin: without the lock one of them fails', async () => {
    await write.deleteFrom('external_identity').where('subject', '=', 'twin').execute()
    person('twin', { email: 'twin@a.example' })
    const { promise: both, resolve } = Promise.withResolvers<void>()
    let arrived = 0
    const lockIdentity = async () => {
      if (++arrived === 2) resolve()
      await both
    }
    assert.deepEqual((await enterTwice({ lockIdentity })).sort(), ['failed', 'signed_in'])
  })
})

describe('an account', () => {
  const refusedBecause = async (text: RegExp) => {
    const { browser, response } = await signIn()
    assert.equal(response.statusCode, 403)
    assert.match(response.body, text)
    assert.equal(browser.session, undefined)
  }

  test('is not given to an unverified address', async () => {
    for (const email_verified of [false, undefined, 'false', 1]) {
      person('ben-there', { email: BEN.email, email_verified })
      await refusedBecause(/Your email address is not verified/)
    }
    person('ben-there', { email: undefined })
    await refusedBecause(/Your email address is missing/)
    assert.deepEqual(await read.selectFrom('external_identity').select('id').where('user_id', '=', BEN.id).execute(), [])
  })

  test('is given to an address without a word about it if the provider is trusted', async () => {
    await setProvider({ trusts_email: true })
    person('trusted', { email_verified: undefined })
    assert.equal((await signIn()).response.statusCode, 303)
    await setProvider({ trusts_email: false })
  })

  test('is refused while it is inactive', async () => {
    person('nina')
    const { id } = (await getUser('nina@id.example'))!
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', id).execute()
    await refusedBecause(/Your account is deactivated/)
    await write.updateTable('user_profile').set({ is_active: true }).where('id', '=', id).execute()
  })

  test('is not created if the provider must not', async () => {
    await setProvider({ creates_accounts: false })
    person('unknown')
    await refusedBecause(/You have no account here yet/)
    assert.equal(await getUser('unknown@id.example'), undefined)
  })

  test('of an administrator is linked after they have signed in with their password and confirmed it', async () => {
    person('olga-there', { email: OLGA.email, name: OLGA.name })
    await write
      .updateTable('user_profile')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', OLGA.id)
      .execute()
    const { browser, response } = await signIn()
    assert.equal(response.headers.location, '/accounts/oidc/link/sign-in/')
    const page = await browser.get('/accounts/oidc/link/sign-in/')
    assert.match(page.body, /Please show that it is you/)
    const login = /href="(\/accounts\/login\/\?local=true[^"]+)"/.exec(page.body)![1]!.replaceAll('&amp;', '&')
    const local = await browser.signIn(PASSWORD, OLGA.email, login)
    assert.equal(local.headers.location, '/accounts/oidc/link/')
    assert.match((await browser.get('/accounts/oidc/link/')).body, /Sign in by Org ID in future\?/)
    assert.equal((await browser.post('/accounts/oidc/link/', { token: undefined })).statusCode, 403)
    assert.equal((await browser.post('/accounts/oidc/link/')).statusCode, 303)
    assert.equal((await signIn()).response.headers.location, '/')
  })

  test('is not linked by somebody else who is signed in', async () => {
    await write.deleteFrom('external_identity').where('user_id', '=', OLGA.id).execute()
    person('olga-there', { email: OLGA.email })
    const { browser } = await signIn()
    await write
      .updateTable('user_profile')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', BEN.id)
      .execute()
    await browser.signIn(PASSWORD, BEN.email, `${LOGIN}?next=/accounts/oidc/link/`)
    assert.match((await browser.get('/accounts/oidc/link/')).body, /This is another account/)
    await browser.get('/settings/security/')
    await browser.post('/accounts/oidc/link/')
    assert.deepEqual(
      await read.selectFrom('external_identity').select('id').where('user_id', 'in', [OLGA.id, BEN.id]).execute(),
      [],
    )
  })
})

describe('groups and qualifications', () => {
  const join = (person: Person, name: string) =>
    write
      .insertInto('user_group_member')
      .columns(['group_id', 'user_id'])
      .expression((eb) =>
        eb
          .selectFrom('user_group')
          .select((e) => ['id', e.val(person.id).as('user')])
          .where('name', '=', name),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const annSignsIn = async (more: Record<string, unknown> = {}) => {
    person('ann-there', { email: ANN.email, name: ANN.name, ...more })
    assert.equal((await signIn()).response.statusCode, 303)
  }

  test('without a claim, people join the default groups and keep the others', async () => {
    await world.addGroup('Everybody', [])
    await write
      .insertInto('identity_provider_group')
      .columns(['identity_provider_id', 'group_id'])
      .expression((eb) =>
        eb
          .selectFrom('user_group')
          .select((e) => [e.val(providerId).as('provider'), 'id'])
          .where('name', '=', 'Everybody'),
      )
      .execute()
    await annSignsIn({ groups: ['Planners'] })
    assert.deepEqual(await groupsOf(ANN.id), ['Everybody', 'Helpers'])
  })

  test('with a claim, people are in its groups and the default ones only, and missing groups are created if wanted', async () => {
    await setProvider({ group_claim: 'realm.groups' })
    await world.addGroup('Medics', [])
    await annSignsIn({ userinfo: { realm: { groups: ['MEDICS', 'Divers'] } } })
    assert.deepEqual(await groupsOf(ANN.id), ['Everybody', 'Medics'])
    await setProvider({ create_missing_groups: true })
    await annSignsIn({ userinfo: { realm: { groups: ['MEDICS', 'Divers'] } } })
    assert.deepEqual(await groupsOf(ANN.id), ['Divers', 'Everybody', 'Medics'])
    const permissions = await read
      .selectFrom('group_permission as p')
      .innerJoin('user_group as g', 'g.id', 'p.group_id')
      .select('p.permission')
      .where('g.name', '=', 'Divers')
      .execute()
    assert.deepEqual(permissions, [])
    await annSignsIn({ userinfo: { realm: {} } })
    assert.deepEqual(await groupsOf(ANN.id), ['Everybody'])
  })

  test('a claim of the wrong type changes nothing and is shown to administrators', async () => {
    await join(ANN, HELPERS.name)
    await setProvider({ group_claim: 'groups', qualification_claim: 'quals' })
    await annSignsIn({ groups: 'Planners', quals: [7], name: { first: 'Ann' } })
    assert.deepEqual(await groupsOf(ANN.id), ['Everybody', 'Helpers'])
    assert.equal((await getUser(ANN.email))!.display_name, ANN.name)
    const { problem } = await read
      .selectFrom('identity_provider')
      .select('problem')
      .where('id', '=', providerId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      (problem as { claims: { claim: string }[] }).claims.map(({ claim }) => claim),
      ['name', 'groups', 'quals'],
    )
  })

  test('qualifications follow the claim, and those granted by hand stay', async () => {
    const [medic, driver, cook] = [
      await world.addQualification('Medic'),
      await world.addQualification('Driver'),
      await world.addQualification('Cook'),
    ]
    await world.holds(ANN, cook)
    await setProvider({ qualification_claim: 'quals', qualification_uuids: JSON.stringify({ m: medic.uuid }) })
    const held = async () =>
      (
        await read
          .selectFrom('qualification_grant')
          .select(['qualification_id', 'externally_managed'])
          .where('user_id', '=', ANN.id)
          .orderBy('qualification_id')
          .execute()
      ).map(({ qualification_id, externally_managed }) => [qualification_id, externally_managed])
    await annSignsIn({ quals: ['m', driver.uuid, cook.uuid, 'unknown'] })
    assert.deepEqual(await held(), [
      [medic.id, true],
      [driver.id, true],
      [cook.id, false],
    ])
    await annSignsIn({ quals: ['m'] })
    assert.deepEqual(await held(), [
      [medic.id, true],
      [cook.id, false],
    ])
    await annSignsIn()
    assert.deepEqual(await held(), [[cook.id, false]])
  })
})

describe('the sign-in page', () => {
  test('hides the form for passwords if wanted, and shows it for administrators who ask', async () => {
    await setSettings({ hide_local_sign_in: true })
    assert.doesNotMatch((await openBrowser().get(LOGIN)).body, /name="password"/)
    assert.match((await openBrowser().get(`${LOGIN}?local=true`)).body, /name="password"/)
    const refused = await openBrowser().signIn('wrong password', ANN.email, `${LOGIN}?local=true`)
    assert.match(refused.body, /Email address or password is wrong/)
    assert.match(refused.body, /name="password"/)
    await setProvider({ enabled: false })
    assert.match((await openBrowser().get(LOGIN)).body, /name="password"/)
    await setProvider({ enabled: true })
  })

  test('redirects to the only provider, but not after signing out', async () => {
    await setSettings({ redirect_to_provider: true })
    assert.equal((await openBrowser().get(`${LOGIN}?next=/events/`)).headers.location, `${START}?next=%2Fevents%2F`)
    assert.equal((await openBrowser().get(`${LOGIN}?local=true`)).statusCode, 200)
    assert.equal((await openBrowser().get(`${LOGIN}?signed_out=true`)).statusCode, 200)
  })
})

describe('signing out', () => {
  test('ends the session here and goes on to the provider', async () => {
    person('nina')
    const { browser } = await signIn()
    await browser.get('/settings/security/')
    const out = await browser.post('/accounts/logout/')
    assert.deepEqual([out.headers.location, browser.session], ['/accounts/signed-out/', undefined])
    const page = await browser.get('/accounts/signed-out/')
    const url = new URL(String(page.headers.refresh).replace('0;url=', ''))
    assert.equal(`${url.origin}${url.pathname}`, `${provider.url}/end`)
    assert.match(url.searchParams.get('id_token_hint')!, /^ey/)
    assert.equal((await openBrowser().get('/accounts/signed-out/')).headers.refresh, undefined)
  })
})

describe('the own account', () => {
  test('can be linked by a signed-in person and unlinked if there is a password', async () => {
    await write.deleteFrom('external_identity').where('user_id', '=', BEN.id).execute()
    const browser = openBrowser()
    await browser.signIn(PASSWORD, BEN.email)
    assert.match((await browser.get('/settings/security/')).body, /Link with Org ID/)
    person('ben-there', { email: 'other@id.example', email_verified: false })
    const { response } = await signIn(browser, `${START}link/`)
    assert.equal(response.headers.location, '/accounts/oidc/link/')
    await browser.get('/accounts/oidc/link/')
    assert.equal((await browser.post('/accounts/oidc/link/')).headers.location, '/settings/security/')
    const page = await browser.get('/settings/security/')
    const identity = /name="identity" value="(\d+)"/.exec(page.body)![1]!
    await browser.post('/settings/security/unlink/', { form: { identity } })
    assert.doesNotMatch((await browser.get('/settings/security/')).body, /name="identity"/)
  })

  test('keeps its only way to sign in, and says how to get a password', async () => {
    person('nina')
    const { browser } = await signIn()
    const page = await browser.get('/settings/security/')
    assert.match(page.body, /You have no password yet/)
    assert.doesNotMatch(page.body, /name="identity"/)
    const { id } = await read.selectFrom('external_identity').select('id').where('subject', '=', 'nina').executeTakeFirstOrThrow()
    await browser.post('/settings/security/unlink/', { form: { identity: String(id) } })
    assert.ok(await read.selectFrom('external_identity').select('id').where('id', '=', id).executeTakeFirst())
  })

  test('does not take a sign-in that belongs to somebody else', async () => {
    const browser = openBrowser()
    await browser.signIn(PASSWORD, BEN.email)
    person('nina')
    const { response } = await signIn(browser, `${START}link/`)
    assert.deepEqual([response.statusCode, /This is another account/.test(response.body)], [403, true])
  })
})

test('a provider without issuer finds it out before the first sign-in', async () => {
  await setProvider({ issuer: null, jwks_uri: null })
  person('nina')
  assert.equal((await signIn()).response.statusCode, 303)
  const stored = await read
    .selectFrom('identity_provider')
    .select(['issuer', 'jwks_uri'])
    .where('id', '=', providerId)
    .executeTakeFirst()
  assert.deepEqual(stored, { issuer: provider.url, jwks_uri: `${provider.url}/keys` })
  await setProvider({ issuer: null, token_endpoint: `${provider.url}/another` })
  const response = await openBrowser().get(START)
  assert.equal(response.statusCode, 502)
  const calls = provider.calls.length
  assert.equal((await openBrowser().get(START)).statusCode, 502)
  assert.equal(provider.calls.length, calls, 'the look-up is not repeated at once')
  await setProvider({ issuer: provider.url, token_endpoint: `${provider.url}/token` })
})

test('the links of a person are deleted with the person', async () => {
  person('leaver')
  await signIn()
  const { id } = (await getUser('leaver@id.example'))!
  const olga = await browserOf(world, OLGA)
  await olga.get(`/manage/people/${id}/delete/`)
  assert.equal((await olga.post(`/manage/people/${id}/delete/`)).statusCode, 303)
  const left = await read.selectFrom('external_identity').select('id').where('user_id', '=', id).execute()
  assert.deepEqual(left, [])
})

test('no table contains a usable secret, code or token of a sign-in', async () => {
  const rows = [
    ...(await read.selectFrom('identity_provider').select('client_secret_sealed as text').execute()),
    ...(await read.selectFrom('external_session').select('id_token_sealed as text').execute()),
  ]
  assert.ok(rows.length > 3)
  assert.ok(rows.every(({ text }) => text !== provider.clientSecret && !/^ey[\w-]+\.ey/.test(text!)))
})

test('a test of an administrator shows what came and changes nothing', async () => {
  const before = await read
    .selectFrom('user_profile')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const context = contextAs(world, OLGA)
  person('tester', { groups: ['Helpers', 'Nobody'] })
  await setProvider({ group_claim: 'groups', enabled: false })
  const started = await startProviderSignIn(context, outbound, providerId, { purpose: 'test', next: '/' })
  assert.ok(started?.ok)
  const finish = (as = context) =>
    finishProviderSignIn(
      as,
      {
        cookie: started.cookie.start,
        query: new URLSearchParams(provider.approve(started.redirect).split('?')[1]),
        device: { device: 'd', userAgent: '' },
        language: 'en',
      },
      { outbound },
    )
  assert.equal((await finish(contextAs(world, ANN))).kind, 'not_started')
  const outcome = await finish()
  await setProvider({ enabled: true })
  assert.equal(outcome.kind, 'tested')
  assert.ok(outcome.kind === 'tested')
  const { decision, groups } = outcome.result
  assert.deepEqual(
    [decision.kind, groups.joined.map(({ name }) => name), groups.withheld, groups.created, groups.ignored],
    ['create', ['Everybody', 'Helpers'], [], [], ['Nobody']],
  )
  const now = await read
    .selectFrom('user_profile')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  assert.deepEqual(now, before)
})

describe('the second factor of this instance', () => {
  const setPolicy = (afterProvider: boolean) =>
    write
      .insertInto('second_factor_policy')
      .values({ for_administrators: false, grace_days: 14, after_provider: afterProvider })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ after_provider: afterProvider }))
      .execute()

  test('is not asked for after a sign-in at a provider, unless the setting says so; the session still belongs to the provider', async () => {
    person('frida')
    const { browser } = await signIn()
    const { secret } = await setUpApp(browser, world.now)
    const start = world.now
    world.now = later(start, 60)
    assert.equal((await signIn()).response.headers.location, '/')
    await setPolicy(true)
    const { browser: second, response } = await signIn(openBrowser(), `${START}?next=/events/`)
    assert.deepEqual([response.headers.location, second.session], [STEP, undefined])
    await second.get(STEP)
    const inside = await second.post(STEP, { form: { method: 'code', code: codeAt(secret, world.now) } })
    assert.equal(inside.headers.location, '/events/')
    const external = await read
      .selectFrom('external_session')
      .selectAll()
      .where('session_hash', '=', hashSecret(second.session!))
      .execute()
    assert.deepEqual(
      external.map(({ identity_provider_id }) => identity_provider_id),
      [providerId],
    )
    assert.deepEqual(await read.selectFrom('pending_sign_in').selectAll().execute(), [])
    await setPolicy(false)
    world.now = start
  })

  test('sensitive pages lead back to the provider, which has to ask again', async () => {
    person('gerda')
    const { browser } = await signIn()
    const start = world.now
    world.now = later(start, 16 * 60)
    const asked = await browser.get('/settings/tokens/new/')
    const page = await browser.get(String(asked.headers.location))
    assert.match(page.body, /Confirm with Org ID/)
    const again = `${START}again/?next=%2Fsettings%2Ftokens%2Fnew%2F`
    const confirm = async (authTime?: number) => {
      provider.fault = authTime === undefined ? {} : { claims: (claims) => ({ ...claims, auth_time: authTime }) }
      return signIn(browser, again)
    }
    const { location, response: silent } = await confirm(Math.floor(start.getTime() / 1000))
    const sent = new URL(location).searchParams
    assert.deepEqual([sent.get('prompt'), sent.get('max_age')], ['login', '0'])
    assert.equal(silent.statusCode, 403)
    assert.equal((await browser.get('/settings/tokens/new/')).statusCode, 303)
    person('irma')
    assert.equal((await signIn()).response.statusCode, 303)
    for (const other of ['an account of nobody here: helga', 'an account of somebody else: irma']) {
      person(other.split(': ')[1]!)
      assert.equal((await confirm(Math.floor(world.now.getTime() / 1000))).response.statusCode, 403, other)
      assert.equal((await browser.get('/settings/tokens/new/')).statusCode, 303, other)
    }
    person('gerda')
    const { response } = await confirm(Math.floor(world.now.getTime() / 1000))
    assert.deepEqual([response.statusCode, response.headers.location], [303, '/settings/tokens/new/'])
    assert.equal((await browser.get('/settings/tokens/new/')).statusCode, 200)
    world.now = start
  })

  test('a sign-in that the provider did not ask for is as old as the provider says', async () => {
    person('ingrid')
    provider.fault = { claims: (claims) => ({ ...claims, auth_time: Math.floor(world.now.getTime() / 1000) - 3600 }) }
    const { browser } = await signIn()
    assert.match(String((await browser.get('/settings/tokens/new/')).headers.location), /^\/accounts\/confirm\//)
  })
})
