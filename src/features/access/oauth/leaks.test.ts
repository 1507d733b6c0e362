import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { asked, openInstance, pkce } from '#test/support/instance.ts'
import { ANN, OLGA } from '#test/support/people.ts'

describe('a whole flow', async () => {
  const instance = await openInstance({ logLevel: 'trace' })

  /** All rows as text; bytes in all encodings in which they could be reused. */
  async function dump(): Promise<string> {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
      instance.db.read,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const content = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(instance.db.read)
      texts.push(...content.rows.map(({ text }) => text))
    }
    return texts.join('\n')
  }

  test('leaves no usable code, token, session id or secret in the database or the log', async () => {
    const secrets: Record<string, string> = {}
    const olga = await instance.browserOf(OLGA)
    secrets.administrator = olga.sessionId
    await olga.go('/manage/applications/new/')
    const form = { name: 'Leaky', redirect_uris: 'https://app.example/callback', allowed_scopes: 'ME_READ', require_pkce: 'on' }
    const page = await olga.post('/manage/applications/new/', form)
    const value = (id: string) => new RegExp(`id="${id}" type="text" value="([^"]+)"`).exec(page.text)![1]!
    const client = { id: 0, clientId: value('client-id'), secret: value('client-secret') }
    secrets.client = client.secret
    const browser = await instance.browserOf(ANN)
    secrets.session = browser.sessionId
    const begun = await browser.ask(asked(client, pkce().challenge))
    assert.equal(begun.status, 200)
    secrets.csrf = browser.csrf
    for (const { name, value: cookie } of browser.jar.values()) secrets[`cookie ${name}`] = cookie
    const unused = await browser.code(client)
    secrets['unused code'] = unused.code
    const { code, verifier } = await browser.code(client)
    Object.assign(secrets, { code, verifier })
    const first = (await instance.token({ grant_type: 'authorization_code', code, code_verifier: verifier }, client)).json
    secrets.access = first.access_token
    secrets.refresh = first.refresh_token
    await instance.me(first.access_token)
    await instance.form('/api/oauth/introspect/', { token: first.access_token }, client)
    const second = (await instance.token({ grant_type: 'refresh_token', refresh_token: first.refresh_token }, client)).json
    secrets['second access'] = second.access_token
    secrets['second refresh'] = second.refresh_token
    await instance.token({ grant_type: 'refresh_token', refresh_token: 'wrong' }, client)
    await instance.form('/api/oauth/introspect/', { token: second.refresh_token }, client)
    const stored = await dump()
    const logged = instance.logLines.join('')
    assert.ok(stored.includes(client.clientId), 'the dump shows what is stored')
    assert.ok(logged.includes('/api/oauth/token/'), 'the log shows what is answered')
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 20, name)
      for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
        assert.ok(!stored.includes(form), `${name} is stored`)
        assert.ok(!logged.includes(form), `${name} is logged`)
      }
    }
    assert.ok(!stored.includes('"d":"') && !stored.includes('"kty"'), 'signing keys are sealed')
  })
})
