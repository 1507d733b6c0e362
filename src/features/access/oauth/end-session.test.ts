import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openInstance } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'

const BYE = 'https://app.example/bye'
const END = '/api/oauth/logout/'

describe('applications that sign people out', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ postLogoutRedirectUris: [BYE], name: 'Rota' })
  const other = await instance.addClient({ name: 'Other' })
  const idTokenOf = async (): Promise<string> => {
    const { code, verifier } = await (await instance.browserOf(ANN)).code(client, { scope: 'openid' })
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    return (await instance.token(form, client)).json.id_token
  }
  const hint = await idTokenOf()
  const query = (params: Record<string, string>) => `${END}?${new URLSearchParams(params)}`
  const isSignedIn = async (browser: { go: (path: string) => Promise<{ status: number }> }) =>
    (await browser.go('/settings/applications/')).status === 200

  test('by an id token: the person is asked, signed out and sent back with the state', async () => {
    const ann = await instance.browserOf(ANN)
    const answer = await ann.go(query({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: 'x y' }))
    const page = answer.headers.location!
    assert.ok(!page.includes(hint))
    const shown = await ann.go(page)
    assert.match(shown.text, /Rota asks to sign you out here, too/)
    assert.match(shown.headers['content-security-policy']!, /form-action[^;]* https:\/\/app\.example/)
    assert.equal(await isSignedIn(ann), true)
    const done = await ann.post(page, {})
    assert.equal(done.headers.location, `${BYE}?state=x+y`)
    assert.equal(await isSignedIn(ann), false)
  })

  test('by a POST from their own site', async () => {
    const ann = await instance.browserOf(ANN)
    const body = new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: BYE }).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://app.example',
      'sec-fetch-site': 'cross-site',
    }
    const answer = await ann.go(END, { method: 'POST', headers, body })
    assert.equal(answer.status, 303)
    assert.match((await ann.go(answer.headers.location!)).text, /Rota asks to sign you out/)
    assert.equal(await isSignedIn(ann), true)
  })

  test('whoever is not signed in is sent on at once', async () => {
    const nobody = await instance.browserOf()
    const { headers } = await nobody.go(query({ client_id: client.clientId, post_logout_redirect_uri: BYE }))
    assert.equal((await nobody.go(headers.location!)).headers.location, BYE)
  })

  test('without an address, the person comes to the sign-in page', async () => {
    const ann = await instance.browserOf(ANN)
    const page = (await ann.go(END)).headers.location!
    assert.match((await ann.go(page)).text, /An application asks to sign you out/)
    assert.equal((await ann.post(page, {})).headers.location, '/accounts/login/')
  })

  const forged = `${hint.split('.').slice(0, 2).join('.')}.${Buffer.alloc(256).toString('base64url')}`
  const BAD: [what: string, params: Record<string, string>][] = [
    ['an address that is not registered', { client_id: client.clientId, post_logout_redirect_uri: 'https://evil.example/' }],
    ['an address with something added', { client_id: client.clientId, post_logout_redirect_uri: `${BYE}/x` }],
    ['an address of another application', { client_id: other.clientId, post_logout_redirect_uri: BYE }],
    ['an address without an application', { post_logout_redirect_uri: BYE }],
    ['an unknown application', { client_id: 'unknown', post_logout_redirect_uri: BYE }],
    ['a forged id token', { id_token_hint: forged, post_logout_redirect_uri: BYE }],
    ['half an id token', { id_token_hint: 'x.y', post_logout_redirect_uri: BYE }],
    ['an id token of another application', { id_token_hint: hint, client_id: other.clientId, post_logout_redirect_uri: BYE }],
  ]
  for (const [what, params] of BAD) {
    test(`${what} leads nowhere and signs nobody out`, async () => {
      const ann = await instance.browserOf(ANN)
      const page = (await ann.go(query(params))).headers.location!
      assert.equal((await ann.go(page)).status, 400)
      await ann.go('/device/')
      assert.equal((await ann.post(page, {})).status, 400)
      assert.equal(await isSignedIn(ann), true)
    })
  }

  test('an id token that has expired is enough', async () => {
    instance.pass(2 * 3600)
    const ann = await instance.browserOf(ANN)
    const { headers } = await ann.go(query({ id_token_hint: hint, post_logout_redirect_uri: BYE }))
    assert.match((await ann.go(headers.location!)).text, /Rota asks to sign you out/)
  })
})

describe('claims about a person', async () => {
  const instance = await openInstance()
  const info = async (scope: string) => {
    const client = await instance.addClient({ scopes: ['openid', 'profile', 'email', 'groups'] })
    const { access_token: token } = await instance.tokens(ANN, client, scope)
    return (await instance.send('/api/oauth/userinfo/', { headers: { authorization: `Bearer ${token}` } })).json
  }

  test('each scope gives its claims and no others', async () => {
    const { db } = instance
    const group = await db.write.insertInto('user_group').values({ name: 'Drivers' }).returning('id').executeTakeFirstOrThrow()
    await db.write.insertInto('user_group_member').values({ group_id: group.id, user_id: ANN.id }).execute()
    assert.deepEqual(await info('openid'), { sub: String(ANN.id) })
    const profile = await info('openid profile')
    assert.deepEqual([profile.preferred_username, profile.email, profile.groups], [ANN.email, undefined, undefined])
    assert.deepEqual(await info('openid email'), { sub: String(ANN.id), email: ANN.email, email_verified: true })
    const { groups } = await info('openid groups')
    assert.ok(groups.includes('Drivers'), groups)
    await db.write.updateTable('user_profile').set({ email_invalid: true }).where('id', '=', ANN.id).execute()
    assert.equal((await info('openid email')).email_verified, false)
  })
})
