import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { makeLog } from '#platform/log.ts'
import { basic, type Instance, openInstance, type TestClient } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { oauthServer } from './api/server.ts'
import { GUARD, type Guard } from './commands/storage.ts'

type Post = (
  path: string,
  form: Record<string, string>,
) => Promise<{ status: number; json: { access_token: string; error?: string } }>

/** Another server on the same database with other guards. */
async function twin(instance: Instance, client: TestClient, guard: Guard): Promise<Post> {
  const clock = { now: () => instance.now }
  const limiter = new RateLimiter(clock, 'token', 20, Number.POSITIVE_INFINITY)
  const options = { db: instance.db, clock, site: instance.app.site, log: makeLog('silent'), limiter, guard }
  const { mount } = oauthServer({ ...options, refreshGraceSeconds: 10 })
  const server = createServer((request, response) => {
    const route = mount.routes.find(({ path }) => path === request.url)!
    const words = wordsFor('en', 'UTC')
    const callApi = () => assert.fail('the authorization server calls no endpoint')
    const nobody = { person: undefined, caller: undefined, callApi }
    const facts = { route, ...nobody, now: instance.now, words, ip: '', requestId: '', url: request.url!, parameters: {} }
    void mount.handle(request, response, { ...facts, problemPage: () => ({ body: '', headers: {} }) })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  return async (path, form) => {
    const headers = { authorization: basic(client) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    return { status: answer.status, json: (await answer.json()) as { access_token: string } }
  }
}

const ours =
  (instance: Instance, client: TestClient): Post =>
  (path, form) =>
    instance.form(path, form, client)

async function redemptions(instance: Instance, client: TestClient, post: Post): Promise<{ won: string[]; statuses: number[] }> {
  const { code, verifier } = await (await instance.browserOf(ANN)).code(client)
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/api/oauth/token/', form)))
  const won = answers.filter(({ status }) => status === 200).map(({ json }) => json.access_token)
  return { won, statuses: answers.map(({ status }) => status) }
}

/** Number of valid tokens after a concurrent refresh and revocation. */
async function survivors(instance: Instance, client: TestClient, post: Post, rounds: number): Promise<number> {
  let alive = 0
  for (let done = 0; done < rounds; done += 20) {
    const round = async () => {
      const { refresh_token } = await instance.tokens(ANN, client)
      const [refreshed, revoked] = await Promise.all([
        post('/api/oauth/token/', { grant_type: 'refresh_token', refresh_token }),
        post('/api/oauth/revoke_token/', { token: refresh_token }),
      ])
      assert.ok(refreshed.status < 500)
      assert.equal(revoked.status, 200)
      if (refreshed.status === 200 && (await instance.me(refreshed.json.access_token)) === 200) alive++
    }
    await Promise.all(Array.from({ length: 20 }, round))
  }
  return alive
}

describe('concurrent requests', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ trusted: true })

  test('of 20 redemptions of one code one succeeds, and the others revoke its tokens', async () => {
    for (let round = 0; round < 5; round++) {
      const { won, statuses } = await redemptions(instance, client, ours(instance, client))
      assert.equal(won.length, 1)
      assert.ok(statuses.every((status) => status < 500))
      assert.equal(await instance.me(won[0]!), 401)
    }
  })

  test('without the guard, several succeed', async () => {
    const consume: Guard['consume'] = async (db, model, idHash, now) => {
      await db
        .updateTable('oauth_object')
        .set({ used_at: now })
        .where('model', '=', model)
        .where('id_hash', '=', idHash)
        .execute()
      return true
    }
    const post = await twin(instance, client, { ...GUARD, consume })
    let most = 0
    for (let round = 0; round < 5; round++) most = Math.max(most, (await redemptions(instance, client, post)).won.length)
    assert.ok(most > 1, `${most} won`)
  })

  test('without the guard, the tokens of a code that was used twice stay valid', async () => {
    const post = await twin(instance, client, { ...GUARD, revokeGrant: async () => {} })
    const { won } = await redemptions(instance, client, post)
    assert.equal(await instance.me(won[0]!), 200)
  })

  const REFRESHES = chooseSize({ usual: 120, full: 400 })
  test(`of ${REFRESHES} refreshes that race with a revocation, none leaves a valid token`, async () => {
    assert.equal(await survivors(instance, client, ours(instance, client), REFRESHES), 0)
  })

  test('without the guard, some tokens survive', async () => {
    const post = await twin(instance, client, { ...GUARD, revokeGrant: async () => {} })
    let alive = 0
    for (let tries = 0; tries < 40 && !alive; tries++) alive = await survivors(instance, client, post, 100)
    assert.ok(alive > 0)
  })

  test('logs no errors for refused requests', () =>
    assert.deepEqual(
      instance.logLines.filter((line) => line.includes('"level":50')),
      [],
    ))
})
