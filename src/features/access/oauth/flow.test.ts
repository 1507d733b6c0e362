import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openInstance } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'

describe('the authorization code flow', async () => {
  const instance = await openInstance()

  test('results in a token that the API accepts', async () => {
    const client = await instance.addClient()
    const browser = await instance.browserOf(ANN)
    const { code, verifier, url } = await browser.code(client)
    assert.equal(url.searchParams.get('state'), 'a state')
    assert.equal(url.searchParams.get('iss'), instance.base)
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    const answer = await instance.token(form, client, { accept: 'application/json' })
    assert.equal(answer.status, 200, answer.text)
    const { access_token, refresh_token, ...rest } = answer.json
    assert.deepEqual(rest, { expires_in: 3600, token_type: 'Bearer', scope: 'ME_READ' })
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers.pragma, 'no-cache')
    assert.equal(await instance.me(access_token), 200)
    assert.ok(refresh_token)
  })
})
