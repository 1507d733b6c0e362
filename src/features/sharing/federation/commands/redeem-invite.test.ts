import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { call } from '#test/support/api-client.ts'
import { makeBarrier } from '#test/support/barrier.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { openWorld } from '#test/support/world.ts'
import { redeemInvite, type spendInvite } from './redeem-invite.ts'

const URL = 'https://b.example'
const HOURS = 3_600_000
const CONNECTIONS = 16
const PATH = '/api/federation/setup/'

describe('redeeming an invitation', async () => {
  const world = await openWorld()
  const { db } = world

  async function invite(options: { url?: string; expires?: Date } = {}): Promise<string> {
    const code = randomBytes(32).toString('hex')
    const times = {
      created_at: new Date(world.now.getTime() - 40 * HOURS),
      expires_at: options.expires ?? new Date(world.now.getTime() + 8 * HOURS),
    }
    await db.write
      .insertInto('invite_code')
      .values({ url: options.url ?? URL, code_hash: hashSecret(code), code_sealed: world.app.site.keyring.seal(code), ...times })
      .execute()
    return code
  }
  const input = (code: string, more: object = {}) => ({
    name: 'Org B',
    url: URL,
    client_id: 'AbC',
    client_secret: 'xYz',
    code,
    ...more,
  })
  const json = (body: object) => call(world.line, 'POST', PATH, { 'content-type': 'application/json' }, JSON.stringify(body))
  const form = (body: Record<string, string>) =>
    call(world.line, 'POST', PATH, { 'content-type': 'application/x-www-form-urlencoded' }, new URLSearchParams(body).toString())

  for (const [name, send] of [
    ['JSON', json],
    ['a form', form],
  ] as const) {
    test(`works with ${name}, and the returned token gives access to the shared events`, async () => {
      const answer = await send(input(await invite()) as Record<string, string>)
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.headers.location, URL)
      const { id, access_token, ...rest } = answer.body as Record<string, unknown>
      assert.deepEqual(Object.keys(answer.body as object), [
        'id',
        'name',
        'url',
        'client_id',
        'client_secret',
        'access_token',
        'host_name',
      ])
      assert.deepEqual(rest, { name: 'Org B', url: URL, client_id: 'AbC', client_secret: 'xYz', host_name: 'a.example' })
      assert.match(String(access_token), /^[0-9a-f]{64}$/)
      const events = await call(world.line, 'GET', '/api/federation/events/', { authorization: `Bearer ${access_token}` })
      assert.equal(events.status, 200)
      const stored = await db.read
        .selectFrom('federated_guest')
        .selectAll()
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow()
      assert.ok(!JSON.stringify(stored).includes('xYz'))
      const { client_secret_sealed: sealed, ...kept } = stored
      assert.equal(world.app.site.keyring.unseal(sealed), 'xYz')
      assert.deepEqual(kept, {
        id,
        name: 'Org B',
        url: URL,
        client_id: 'AbC',
        speaks_turnout: false,
        paused: false,
        created_at: world.now,
        last_contact_at: world.now,
      })
      const invitation = await db.read
        .selectFrom('invite_code')
        .select('federated_guest_id')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      assert.equal(invitation?.federated_guest_id, id)
    })
  }

  test('works once', async () => {
    const code = await invite()
    assert.equal((await json(input(code))).status, 201)
    const again = await json(input(code))
    assert.equal(again.status, 400)
    assert.deepEqual(
      (again.body as { errors: { code: string }[] }).errors.map(({ code }) => code),
      ['invalid_code'],
    )
  })

  const REFUSED: [what: string, body: (code: string) => object, codes: string[]][] = [
    ['an unknown code', () => input('ff'.repeat(32)), ['invalid_code']],
    ['another address', (code) => input(code, { url: `${URL}/` }), ['invalid_code']],
    [
      'missing fields, all reported at once',
      () => ({ code: 'x' }),
      ['invalid_type', 'invalid_type', 'invalid_type', 'invalid_type'],
    ],
    ['a name that is too long', (code) => input(code, { name: 'x'.repeat(256) }), ['too_big']],
    ['a name that is no text', (code) => input(code, { name: 7 }), ['invalid_type']],
    ['blank credentials', (code) => input(code, { client_id: '  ' }), ['too_small']],
  ]
  for (const [what, body, codes] of REFUSED) {
    test(`refuses ${what}, and leaves the code valid`, async () => {
      const code = await invite()
      const answer = await json(body(code))
      assert.equal(answer.status, 400)
      assert.deepEqual(
        (answer.body as { errors: { code: string }[] }).errors.map((error) => error.code),
        codes,
      )
      assert.equal((await json(input(code))).status, 201)
    })
  }

  test('names the missing fields if there is no content, whatever its type', async () => {
    for (const headers of [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'x' },
    ]) {
      const answer = await call(world.line, 'POST', PATH, headers, '')
      assert.equal(answer.status, 400, JSON.stringify(headers))
      assert.deepEqual(
        (answer.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer),
        ['/name', '/url', '/client_id', '/client_secret', '/code'],
      )
    }
    assert.equal((await call(world.line, 'POST', PATH, { 'content-type': 'text/plain' }, 'x')).status, 415)
    assert.equal((await call(world.line, 'POST', PATH, {}, 'x')).status, 415)
  })

  test('refuses deeply nested JSON', async () => {
    for (const body of ['['.repeat(200_000), `${'['.repeat(100)}${']'.repeat(100)}`]) {
      const answer = await call(world.line, 'POST', PATH, { 'content-type': 'application/json' }, body)
      assert.equal(answer.status, 400)
    }
  })

  test('works up to the time of expiry, and reports an expired code afterwards', async () => {
    assert.equal((await json(input(await invite({ expires: world.now })))).status, 201)
    const late = await json(input(await invite({ expires: new Date(world.now.getTime() - 1) })))
    assert.deepEqual(
      (late.body as { errors: { code: string }[] }).errors.map(({ code }) => code),
      ['expired_code'],
    )
  })

  async function winners(spend?: typeof spendInvite): Promise<number> {
    const code = await invite()
    const many = openTestDatabase({ url: world.databaseUrl, reads: 1, writes: CONNECTIONS })
    try {
      const context = { db: many.write, actor: ANONYMOUS, now: world.now, site: world.app.site, requestId: null }
      let left = 200
      let won = 0
      // No more concurrent requests than connections, so that none times out while waiting for a connection.
      const take = async () => {
        while (left-- > 0) if ((await redeemInvite(context, input(code), spend)).ok) won++
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, take))
      return won
    } finally {
      await many.close()
    }
  }

  test('succeeds for exactly one of 200 concurrent requests', async () => {
    assert.equal(await winners(), 1)
  })

  test('counter-check: reading the code before marking it lets several requests succeed', async () => {
    const bothFound = makeBarrier(2)
    const lookFirst: typeof spendInvite = async (tx, { codeHash, now }) => {
      const found = await tx
        .selectFrom('invite_code')
        .select('id')
        .where('code_hash', '=', codeHash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      if (!found) return undefined
      await bothFound()
      await tx.updateTable('invite_code').set({ used_at: now }).where('id', '=', found.id).execute()
      return found.id
    }
    assert.ok((await winners(lookFirst)) > 1)
  })
})

describe('guessing codes', async () => {
  const world = await openWorld({ rateLimit: 'on' })

  test('is limited after twenty refusals per address, with a Retry-After header', async () => {
    const body = JSON.stringify({ name: 'x', url: URL, client_id: 'x', client_secret: 'x', code: 'guess' })
    const attempt = () => call(world.line, 'POST', PATH, { 'content-type': 'application/json' }, body)
    for (let i = 0; i < 20; i++) assert.equal((await attempt()).status, 400)
    const stopped = await attempt()
    assert.equal(stopped.status, 429)
    assert.ok(Number(stopped.headers['retry-after']) > 0)
  })
})

describe('guessing codes in parallel', async () => {
  const world = await openWorld({ rateLimit: 'on' })

  test('is limited to twenty refusals per address', async () => {
    const body = JSON.stringify({ name: 'x', url: URL, client_id: 'x', client_secret: 'x', code: 'guess' })
    const attempt = () => call(world.line, 'POST', PATH, { 'content-type': 'application/json' }, body)
    const answers = await Promise.all(Array.from({ length: 100 }, attempt))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    assert.deepEqual([statuses.get(400)?.length, statuses.get(429)?.length], [20, 80])
  })
})
