import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestProvider } from '#test/support/identity-provider.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const PROVIDERS = '/manage/identity-providers/'

describe('the pages about identity providers', async () => {
  const world = await openWorld({ now: new Date(), outboundAllow: '127.0.0.1' })
  const provider = await openTestProvider()
  const { read, write } = world.db
  const olga = await browserOf(world, OLGA)
  const paul = await browserOf(world, PAUL)
  const details = {
    label: 'Org ID',
    internal_name: 'org',
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    jwks_uri: `${provider.url}/keys`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    end_session_endpoint: '',
    token_auth_method: 'basic',
    scopes: 'openid email',
    creates_accounts: 'on',
  }
  const stored = () => read.selectFrom('identity_provider').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()

  test('are for administrators only', async () => {
    for (const path of ['', 'new/', 'new/details/', '1/', '1/test/', '1/test/start/', '1/delete/'])
      assert.equal((await paul.get(PROVIDERS + path)).statusCode, 403, path)
    await paul.get('/settings/security/')
    for (const path of ['', 'new/', 'new/details/', '1/', '1/enable/', '1/disable/', '1/delete/'])
      assert.equal((await paul.post(PROVIDERS + path, { form: details })).statusCode, 403, path)
    const page = await olga.get(PROVIDERS)
    assert.match(page.body, /People sign in with a password\. Add an identity provider/)
    assert.deepEqual(checkMarkup(page.body), [])
  })

  test('read the details from the provider', async () => {
    await olga.get(`${PROVIDERS}new/`)
    const page = await olga.post(`${PROVIDERS}new/`, { form: { base_url: `${provider.url}/` } })
    assert.equal(page.statusCode, 200)
    for (const value of [provider.url, `${provider.url}/token`, `${provider.url}/keys`, 'https://a.example/oidc/callback/'])
      assert.ok(page.body.includes(`value="${value}"`), value)
    assert.deepEqual(checkMarkup(page.body), [])
  })

  test('say why the details cannot be read, and keep what was entered', async () => {
    for (const [base_url, text] of [
      [`${provider.url}/nowhere`, /no description of an OpenID Connect provider/],
      ['https://10.0.0.1/', /cannot be reached: .*OUTBOUND_ALLOW/],
      ['nonsense', /starts with https/],
      ['', /Please enter an address/],
    ] as const) {
      const page = await olga.post(`${PROVIDERS}new/`, { form: { base_url } })
      assert.equal(page.statusCode, 422, base_url)
      assert.match(page.body, text)
      assert.ok(page.body.includes(`value="${base_url}"`))
    }
  })

  test('store a disabled provider with a sealed secret, which no page shows', async () => {
    await olga.get(`${PROVIDERS}new/details/`)
    const done = await olga.post(`${PROVIDERS}new/details/`, { form: details })
    const row = await stored()
    assert.equal(done.headers.location, `${PROVIDERS}${row.id}/`)
    assert.deepEqual([row.enabled, row.end_session_endpoint], [false, null])
    assert.equal(world.app.site.keyring.unseal(row.client_secret_sealed!), provider.clientSecret)
    const page = await olga.get(`${PROVIDERS}${row.id}/`)
    assert.ok(!page.body.includes(provider.clientSecret) && !page.body.includes(row.client_secret_sealed!))
    assert.match(page.body, /A secret is stored and cannot be shown/)
    assert.deepEqual(checkMarkup(page.body), [])
    const log = await read.selectFrom('journal').select('changes').where('kind', 'like', 'identity_provider%').execute()
    assert.ok(!JSON.stringify(log).includes(provider.clientSecret))
  })

  test('refuse invalid details at their field', async () => {
    const medic = await world.addQualification('Medic')
    for (const [change, text] of [
      [{ internal_name: 'org' }, /Another provider has this internal name/],
      [{ scopes: 'email' }, /The scope openid is required/],
      [{ token_endpoint: 'javascript:alert(1)' }, /starts with https/],
      [{ jwks_uri: '' }, /Please enter an address/],
      [{ qualification_lines: 'm = Medic\nx = Nobody' }, /Line 2, “x = Nobody”/],
    ] as const) {
      const form = { ...details, internal_name: 'other', client_secret: 'new secret', ...change }
      const page = await olga.post(`${PROVIDERS}new/details/`, { form })
      assert.equal(page.statusCode, 422)
      assert.match(page.body, text)
      assert.ok(!page.body.includes('new secret'))
    }
    await olga.post(`${PROVIDERS}new/details/`, {
      form: { ...details, internal_name: 'third', qualification_lines: 'm = medic' },
    })
    const row = await stored()
    assert.deepEqual(row.qualification_uuids, { m: medic.uuid })
    assert.match((await olga.get(`${PROVIDERS}${row.id}/`)).body, /m = Medic/)
  })

  test('change a provider, keep its secret, and notice changes of others', async () => {
    const { id, version, client_secret_sealed } = await stored()
    const form = { ...details, internal_name: 'third', client_secret: '', label: 'New name', version: String(version) }
    assert.equal((await olga.post(`${PROVIDERS}${id}/`, { form })).statusCode, 303)
    const row = await stored()
    assert.deepEqual([row.label, row.client_secret_sealed], ['New name', client_secret_sealed])
    const late = await olga.post(`${PROVIDERS}${id}/`, { form: { ...form, label: 'Late' } })
    assert.deepEqual([late.statusCode, (await stored()).label], [409, 'New name'])
    assert.ok(late.body.includes('value="Late"'))
  })

  test('hide the form for passwords only if a provider is enabled', async () => {
    const { id } = await stored()
    const refused = await olga.post(PROVIDERS, { form: { hide_local_sign_in: 'on' } })
    assert.match(refused.body, /Enable a provider first/)
    await olga.post(`${PROVIDERS}${id}/enable/`)
    assert.equal((await olga.post(PROVIDERS, { form: { hide_local_sign_in: 'on' } })).statusCode, 303)
    assert.match((await olga.get(PROVIDERS)).body, /name="hide_local_sign_in"[^>]* checked/)
    await olga.post(PROVIDERS, { form: {} })
  })

  test('show an administrator what a sign-in would do', async () => {
    const { id } = await stored()
    provider.person = { sub: 'tester', email: 'tester@id.example', email_verified: true, name: 'Tess <b>' }
    assert.match((await olga.get(`${PROVIDERS}${id}/test/`)).body, /Nothing is changed/)
    const started = await olga.get(`${PROVIDERS}${id}/test/start/`)
    const callback = provider.approve(String(started.headers.location))
    const page = await olga.get(callback)
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /Creates a new account/)
    assert.match(page.body, /Tess &lt;b&gt;/)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.equal((await olga.get(callback)).statusCode, 403)
  })

  test('say how many people sign in by a provider before it is deleted, and keep their accounts', async () => {
    const { id } = await stored()
    await write
      .insertInto('external_identity')
      .values({ identity_provider_id: id, issuer: 'i', subject: 's', user_id: PAUL.id })
      .execute()
    assert.match((await olga.get(`${PROVIDERS}${id}/disable/`)).body, /One person signs in by this provider/)
    assert.match((await olga.get(`${PROVIDERS}${id}/delete/`)).body, /One person signs in by this provider/)
    assert.equal((await olga.post(`${PROVIDERS}${id}/delete/`)).headers.location, PROVIDERS)
    assert.equal((await olga.get(`${PROVIDERS}${id}/`)).statusCode, 404)
    assert.ok(await read.selectFrom('user_profile').select('id').where('id', '=', PAUL.id).executeTakeFirst())
  })
})
