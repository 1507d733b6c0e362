import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asked, openInstance, pkce, type TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN, OLGA, PAUL } from '#test/support/people.ts'

const APPLICATIONS = '/manage/applications/'
const FORM = { name: 'Rota', redirect_uris: 'https://app.example/callback', allowed_scopes: 'ME_READ', require_pkce: 'on' }

describe('managing applications', async () => {
  const instance = await openInstance()
  const olga = await instance.browserOf(OLGA)
  const valueIn = (text: string, id: string) => new RegExp(`id="${id}" type="text" value="([^"]+)"`).exec(text)?.[1]
  const register = async (form: Record<string, string> = {}) => {
    await olga.go(`${APPLICATIONS}new/`)
    const { text } = await olga.post(`${APPLICATIONS}new/`, { ...FORM, ...form })
    const clientId = valueIn(text, 'client-id')!
    const { id } = await instance.db.read
      .selectFrom('oauth_application')
      .select('id')
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow()
    return { id, clientId, secret: valueIn(text, 'client-secret')! }
  }
  const row = (id: number) => instance.db.read.selectFrom('oauth_application').selectAll().where('id', '=', id).executeTakeFirst()

  test('explains what to do if there are no applications', async () => {
    const page = await olga.go(APPLICATIONS)
    assert.equal(page.status, 200)
    assert.match(page.text, /No applications yet/)
    assert.match(page.text, /href="\/manage\/applications\/new\/"/)
  })

  test('requires an administrator', async () => {
    const client = await instance.addClient()
    for (const path of ['', 'new/', `${client.id}/`, `${client.id}/secret/`, `${client.id}/disable/`, `${client.id}/delete/`]) {
      for (const person of [ANN, PAUL])
        assert.equal((await (await instance.browserOf(person)).go(APPLICATIONS + path)).status, 403, path)
      assert.match((await (await instance.browserOf()).go(APPLICATIONS + path)).headers.location!, /^\/accounts\/login\//)
    }
    const ann = await instance.browserOf(ANN)
    await ann.go('/')
    for (const path of [
      'new/',
      `${client.id}/`,
      `${client.id}/secret/`,
      `${client.id}/disable/`,
      `${client.id}/delete/`,
      `${client.id}/enable/`,
    ])
      assert.equal((await ann.post(APPLICATIONS + path, FORM)).status, 403, path)
    assert.equal((await row(client.id))?.disabled_at, null)
  })

  test('shows the secret once, in letters and digits, and stores only its hash', async () => {
    const client = await register()
    assert.match(client.clientId, /^[A-Za-z0-9]{40}$/)
    assert.match(client.secret, /^[A-Za-z0-9]{64}$/)
    assert.ok(!JSON.stringify(await row(client.id)).includes(client.secret))
    assert.ok(!(await olga.go(`${APPLICATIONS}${client.id}/`)).text.includes(client.secret))
    assert.equal(await instance.me((await instance.tokens(ANN, client)).access_token), 200)
  })

  const BAD: [what: string, form: Record<string, string>, says: RegExp][] = [
    ['no name', { name: ' ' }, /enter a name/],
    ['no redirect URI', { redirect_uris: '\n' }, /at least one redirect URI/],
    ['http on another host', { redirect_uris: 'http://app.example/cb' }, /must begin with https/],
    ['a script', { redirect_uris: 'javascript:alert(1)' }, /must begin with https/],
    ['a fragment', { redirect_uris: 'https://app.example/#x' }, /fragment \(#\)/],
    ['user info', { redirect_uris: 'https://me@app.example/' }, /user name/],
    ['dot segments', { redirect_uris: 'https://app.example/a/../b' }, /normalised form/],
    ['a parameter of the response', { redirect_uris: 'https://app.example/cb?code=x' }, /must not contain the parameters/],
    ['half an address', { redirect_uris: 'app.example/cb' }, /is not a complete address|must begin with https/],
    ['a bad line among good ones', { redirect_uris: 'https://app.example/a\nhttp://x.example/' }, /http:\/\/x\.example/],
    ['an origin with a path', { allowed_origins: 'https://app.example/' }, /normalised form/],
    ['an origin with a star', { allowed_origins: 'https://*.example' }, /is not a complete address|normalised form/],
  ]
  for (const [what, form, says] of BAD) {
    test(`refuses ${what} with a reason, and keeps the input`, async () => {
      await olga.go(`${APPLICATIONS}new/`)
      const answer = await olga.post(`${APPLICATIONS}new/`, { ...FORM, name: 'Typed', ...form })
      assert.equal(answer.status, 422)
      assert.match(answer.text, says)
      assert.match(answer.text, /value="ME_READ" [^>]*|checked/)
    })
  }

  for (const [what, form, isOpen] of [
    ['nothing but what every application needs', { name: ' ' }, false],
    ['a wrong origin', { allowed_origins: 'https://app.example/' }, true],
    ['an option that few need', { name: ' ', allows_devices: 'on' }, true],
    ['no PKCE', { name: ' ', require_pkce: '' }, true],
  ] as const)
    test(`the form with ${what} ${isOpen ? 'shows' : 'folds'} the other options`, async () => {
      await olga.go(`${APPLICATIONS}new/`)
      const { text } = await olga.post(`${APPLICATIONS}new/`, { ...FORM, ...form })
      assert.equal(/<details class="more-fields" open>/.test(text), isOpen)
      assert.match(text, /<summary>More options<[\s\S]*name="trusted"[\s\S]*<\/details>/)
    })

  test('refuses an application without scopes', async () => {
    await olga.go(`${APPLICATIONS}new/`)
    const { allowed_scopes: _none, ...form } = FORM
    assert.match((await olga.post(`${APPLICATIONS}new/`, form)).text, /at least one scope/)
    assert.equal((await olga.post(`${APPLICATIONS}new/`, { ...FORM, allowed_scopes: 'EVERYTHING' })).status, 422)
  })

  test('allows http for loopback addresses', async () => {
    for (const uri of ['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb', 'http://[::1]:3000/cb'])
      assert.ok((await register({ redirect_uris: uri })).secret, uri)
  })

  test('saves changes, and revokes tokens with removed scopes', async () => {
    const client = await register()
    const pair = await instance.tokens(ANN, client)
    const edit = `${APPLICATIONS}${client.id}/`
    await olga.go(edit)
    assert.equal((await olga.post(edit, { ...FORM, name: 'Renamed' })).headers.location, APPLICATIONS)
    assert.equal(await instance.me(pair.access_token), 200)
    assert.deepEqual([(await row(client.id))?.name, (await row(client.id))?.require_pkce], ['Renamed', true])
    await olga.post(edit, { ...FORM, allowed_scopes: 'PUBLIC_READ' })
    assert.equal(await instance.me(pair.access_token), 401)
  })

  test('lists people and the last use', async () => {
    const client = await register({ name: 'Counted' })
    await instance.tokens(ANN, client)
    await instance.tokens(BEN, client)
    const line = /Counted<\/a>.*?<\/tr>/s.exec((await olga.go(APPLICATIONS)).text)![0]
    assert.match(line, /<td[^>]*data-label="People"[^>]*>2<\/td>/)
    assert.ok(!line.includes('never'))
  })

  test('creates a new secret and invalidates the old one', async () => {
    const client = await register()
    await olga.go(`${APPLICATIONS}${client.id}/secret/`)
    const page = await olga.post(`${APPLICATIONS}${client.id}/secret/`, {})
    const secret = valueIn(page.text, 'client-secret')!
    assert.notEqual(secret, client.secret)
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    assert.equal((await instance.token(form, client)).status, 401)
    assert.equal((await instance.token(form, { ...client, secret })).json.error, 'invalid_grant')
  })

  test('disables immediately; enabling does not restore old tokens', async () => {
    const client = await register()
    const pair = await instance.tokens(ANN, client)
    const asking = await olga.go(`${APPLICATIONS}${client.id}/disable/`)
    assert.match(asking.text, /the account of 1 person/)
    await olga.post(`${APPLICATIONS}${client.id}/disable/`, {})
    assert.equal(await instance.me(pair.access_token), 401)
    assert.match((await olga.go(APPLICATIONS)).text, /disabled/)
    await olga.post(`${APPLICATIONS}${client.id}/enable/`, {})
    assert.equal(await instance.me(pair.access_token), 401)
    assert.equal((await instance.token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }, client)).status, 400)
    assert.equal((await (await instance.browserOf(ANN)).ask(asked(client, pkce().challenge))).status, 200, 'it asks anew')
  })

  test('deletes applications with their tokens', async () => {
    const client = await register()
    const pair = await instance.tokens(ANN, client)
    assert.match((await olga.go(`${APPLICATIONS}${client.id}/delete/`)).text, /cannot be undone/)
    await olga.post(`${APPLICATIONS}${client.id}/delete/`, {})
    assert.equal(await instance.me(pair.access_token), 401)
    assert.equal(await row(client.id), undefined)
    for (const path of ['', 'secret/', 'disable/', 'delete/'])
      assert.equal((await olga.go(`${APPLICATIONS}${client.id}/${path}`)).status, 404)
  })

  test('does not list applications of partners', async () => {
    const client = await instance.addClient({ name: 'Of Nord' })
    await instance.db.write.updateTable('oauth_application').set({ purpose: 'federation' }).where('id', '=', client.id).execute()
    assert.ok(!(await olga.go(APPLICATIONS)).text.includes('Of Nord'))
    assert.equal((await olga.go(`${APPLICATIONS}${client.id}/`)).status, 404)
    assert.equal((await olga.post(`${APPLICATIONS}${client.id}/delete/`, {})).status, 404)
  })

  test('writes a journal without secrets', async () => {
    const entries = await instance.db.read.selectFrom('journal').selectAll().where('kind', 'like', 'application.%').execute()
    const kinds = new Set(entries.map(({ kind }) => kind))
    for (const what of ['created', 'changed', 'secret_changed', 'disabled', 'enabled', 'deleted', 'allowed'])
      assert.ok(kinds.has(`application.${what}`), what)
    assert.ok(!JSON.stringify(entries).includes('secret_hash'))
  })
})

describe('authorised applications', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ name: 'Rota viewer' })
  const page = async (browser: TestBrowser) => browser.go('/settings/applications/')

  test('are listed with their scopes and can be revoked', async () => {
    const ann = await instance.browserOf(ANN)
    assert.match((await page(ann)).text, /No application uses your account/)
    const pair = await instance.tokens(ANN, client)
    const bens = await instance.tokens(BEN, client)
    const listed = await page(ann)
    for (const words of ['Rota viewer', 'app.example', 'see your profile']) assert.ok(listed.text.includes(words), words)
    const sent = await ann.post(`/settings/applications/${client.id}/revoke/`, {})
    assert.equal(sent.headers.location, '/settings/applications/')
    assert.equal(await instance.me(pair.access_token), 401)
    assert.equal(
      (await instance.token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }, client)).json.error,
      'invalid_grant',
    )
    assert.match((await page(ann)).text, /can no longer use your account/)
    assert.equal(await instance.me(bens.access_token), 200)
    assert.equal((await ann.ask(asked(client, pkce().challenge))).status, 200, 'it asks anew')
  })

  test('cannot be revoked by others or twice', async () => {
    const { access_token } = await instance.tokens(BEN, client)
    const ann = await instance.browserOf(ANN)
    await page(ann)
    assert.equal((await ann.post(`/settings/applications/${client.id}/revoke/`, {})).status, 404)
    assert.equal((await ann.post('/settings/applications/x/revoke/', {})).status, 404)
    assert.equal(await instance.me(access_token), 200)
  })

  test('are redirected to from the old path', async () => {
    const answer = await instance.send('/api/settings/applications/')
    assert.deepEqual([answer.status, answer.headers.location], [303, '/settings/applications/'])
  })
})
