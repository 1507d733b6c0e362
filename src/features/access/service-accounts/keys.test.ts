import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { revokeTokensOf } from '#features/access/tokens/commands/personal.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, OLGA, PLANNERS } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { changeServiceAccount, createServiceAccount, deleteServiceAccount, setServiceAccountActive } from './commands/accounts.ts'
import { revokeKey, rotateServiceKey } from './commands/keys.ts'
import { findServiceAccounts, findServiceKeys, getServiceAccountByName } from './queries.ts'
import type { ServiceAccountInput } from './rules.ts'

const HOUR = 3600_000
const EVENTS = '/api/events/'
const world = await openWorld({ trustProxy: '1' })
const context = () => contextAs(world, OLGA)
let made = 0
const INPUT = { scopes: ['PUBLIC_READ', 'ME_READ'], groupIds: [HELPERS.id], lastDay: '', networks: [], origins: [] }

async function addAccount(wish: Partial<ServiceAccountInput> = {}) {
  const name = wish.name ?? `Display ${++made}`
  const account = await createServiceAccount(context(), { ...INPUT, ...wish, name })
  assert.ok(account.ok, JSON.stringify(account))
  const change = (more: Partial<ServiceAccountInput>) =>
    changeServiceAccount(context(), account.accountId, { ...INPUT, ...wish, name, ...more })
  return { ...account, name, change }
}
/** The status, with the code of the problem. */
async function ask(key: string, headers: Record<string, string> = {}, path = EVENTS): Promise<string> {
  const { status, body } = await world.with({ authorization: `Bearer ${key}`, ...headers }).get(path)
  return status === 200 ? '200' : `${status} ${body.code}`
}
const from = (address: string) => ({ 'x-forwarded-for': address })
const REFUSED = '401 invalid_token'

test('the command line finds a service account by its name, whatever the case', async () => {
  const { name, accountId } = await addAccount()
  assert.equal((await getServiceAccountByName(world.db.read, name.toUpperCase(), world.now))?.id, accountId)
  assert.equal(await getServiceAccountByName(world.db.read, 'Nobody', world.now), undefined)
})

describe('a key of a service account', () => {
  test('sees what its groups see, and no more', async () => {
    const shown = await world.addEvent({ title: 'For helpers', seenBy: [HELPERS], shifts: [{}] })
    const hidden = await world.addEvent({ title: 'For planners', seenBy: [PLANNERS], shifts: [{}] })
    const { key, change } = await addAccount()
    const caller = world.with({ authorization: `Bearer ${key}` })
    assert.deepEqual(await caller.ids(EVENTS), [shown.id])
    await change({ groupIds: [HELPERS.id, PLANNERS.id] })
    assert.deepEqual((await caller.ids(EVENTS)).sort(), [shown.id, hidden.id].sort())
    await change({ groupIds: [] })
    assert.deepEqual(await caller.ids(EVENTS), [])
  })

  test('has the permissions of its groups', async () => {
    const viewers = await world.addGroup('Viewers', [], ['view_user'])
    const { key, change } = await addAccount({ scopes: ['CONFIDENTIAL_READ'] })
    assert.equal(await ask(key, {}, '/api/users/'), '403 permission_denied')
    await change({ groupIds: [viewers.id] })
    assert.equal(await ask(key, {}, '/api/users/'), '200')
  })

  test('changes of scopes apply to it at once', async () => {
    const { key, change } = await addAccount()
    assert.equal(await ask(key), '200')
    await change({ scopes: ['ME_READ'] })
    assert.equal(await ask(key), '403 insufficient_scope')
  })

  test('tells what it may do', async () => {
    const { key, name } = await addAccount({ lastDay: '2031-12-31' })
    const { body } = await world.with({ authorization: `Bearer ${key}` }).get('/api/me/capabilities/')
    assert.deepEqual(body.credential, { kind: 'service_account', name, expires_at: '2032-01-01T00:00:00+01:00' })
    assert.deepEqual(
      [body.scopes, body.permissions, body.groups],
      [['PUBLIC_READ', 'ME_READ'], [], [{ id: HELPERS.id, name: 'Helpers' }]],
    )
  })

  test('is stored as a hash, and its use is recorded', async () => {
    const { key, accountId, hint } = await addAccount()
    assert.match(key, /^turnout_key_\w{40}$/)
    assert.equal(hint, `…${key.slice(-4)}`)
    await ask(key)
    const row = () =>
      world.db.write.selectFrom('access_token').selectAll().where('user_id', '=', accountId).executeTakeFirstOrThrow()
    assert.ok((await row()).token_hash.equals(hashSecret(key)))
    while (!(await row()).last_used_at) await new Promise((done) => setImmediate(done))
    assert.deepEqual((await row()).last_used_at, NOW)
  })
})

/** Each would work if its check were missing: the same key works before. */
const ATTACKS: [what: string, spoil: (account: Awaited<ReturnType<typeof addAccount>>) => Promise<unknown>, expected: string][] =
  [
    ['of a disabled account', ({ accountId }) => setServiceAccountActive(context(), accountId, false), REFUSED],
    ['of a deleted account', ({ accountId }) => deleteServiceAccount(context(), accountId), REFUSED],
    ['that was revoked', ({ accountId, id }) => revokeKey(context(), { accountId, keyId: id }), REFUSED],
    ['that was rotated without overlap', ({ accountId }) => rotateServiceKey(context(), { accountId, overlapHours: 0 }), REFUSED],
    [
      'of an account whose access was revoked',
      ({ accountId }) => revokeTokensOf(world.db.write as never, { now: NOW }, accountId),
      REFUSED,
    ],
    ['from outside of the networks', ({ change }) => change({ networks: ['10.0.0.0/8'] }), '403 network_not_allowed'],
  ]
describe('the API refuses a key', () => {
  for (const [what, spoil, expected] of ATTACKS)
    test(what, async () => {
      const account = await addAccount()
      assert.equal(await ask(account.key), '200')
      await spoil(account)
      assert.equal(await ask(account.key), expected)
    })

  test('of an account that has expired, also while it is cached', async () => {
    const { key, change } = await addAccount({ lastDay: '2031-05-01' })
    assert.equal(await ask(key), '200')
    try {
      world.now = new Date('2031-05-01T22:00:00Z')
      assert.equal(await ask(key), REFUSED)
      world.now = new Date('2031-05-01T21:59:59.999Z')
      assert.equal(await ask(key), '200')
      world.now = new Date('2031-05-02T10:00:00Z')
      await change({ lastDay: '2031-05-02' })
      assert.equal(await ask(key), '200')
    } finally {
      world.now = NOW
    }
  })

  test('with scopes in the row of the key instead of the account', async () => {
    const { accountId } = await addAccount()
    const values = { token_hash: hashSecret('x'), kind: 'service', user_id: accountId, created_at: NOW, scopes: ['PUBLIC_READ'] }
    await assert.rejects(world.db.write.insertInto('access_token').values(values).execute(), { code: '23514' })
  })

  test('of another kind for the same account: a personal token gives a service account nothing', async () => {
    const { accountId } = await addAccount()
    const token = await world.makeToken({ ...ANN, id: accountId }, ['PUBLIC_READ'])
    assert.equal(await ask(token), REFUSED)
  })
})

describe('rotating a key', () => {
  test('both keys work during the overlap, and only the new one afterwards', async () => {
    const { key, accountId } = await addAccount()
    const rotated = await rotateServiceKey(context(), { accountId, overlapHours: 24 })
    assert.ok(rotated?.ok)
    assert.deepEqual([await ask(key), await ask(rotated.key)], ['200', '200'])
    try {
      world.now = new Date(NOW.getTime() + 24 * HOUR - 1)
      assert.deepEqual([await ask(key), await ask(rotated.key)], ['200', '200'])
      world.now = new Date(NOW.getTime() + 24 * HOUR)
      assert.deepEqual([await ask(key), await ask(rotated.key)], [REFUSED, '200'])
    } finally {
      world.now = NOW
    }
  })

  test('a second rotation does not prolong a key that already ends earlier', async () => {
    const { accountId } = await addAccount()
    await rotateServiceKey(context(), { accountId, overlapHours: 1 })
    await rotateServiceKey(context(), { accountId, overlapHours: 48 })
    const ends = (await findServiceKeys(world.db.read, accountId)).map(
      ({ expiresAt }) => expiresAt && expiresAt.getTime() - NOW.getTime(),
    )
    assert.deepEqual(ends, [null, 48 * HOUR, HOUR])
  })

  test('refuses a time that is not allowed', async () => {
    const { accountId, key } = await addAccount()
    for (const overlapHours of [-1, 1.5, 90 * 24 + 1, Number.NaN])
      assert.deepEqual(await rotateServiceKey(context(), { accountId, overlapHours }), { ok: false, reason: 'overlap_invalid' })
    assert.equal(await ask(key), '200')
    assert.equal(await rotateServiceKey(context(), { accountId: 999_999, overlapHours: 1 }), undefined)
  })
})

describe('revoking a key', () => {
  const entries = (accountId: number) =>
    world.db.read
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('subject_kind', '=', 'service_account')
      .where('subject_id', '=', accountId)
      .orderBy('id')
      .execute()

  test('ends this key and no other one, and the log names it', async () => {
    const { key, id, hint, accountId } = await addAccount()
    const neighbour = await addAccount()
    const rotated = await rotateServiceKey(context(), { accountId, overlapHours: 24 })
    assert.ok(rotated?.ok)
    assert.deepEqual(await revokeKey(context(), { accountId, keyId: id }), { hint })
    assert.deepEqual([await ask(key), await ask(rotated.key), await ask(neighbour.key)], [REFUSED, '200', '200'])
    assert.deepEqual((await entries(accountId)).at(-1), { kind: 'service_account.key_revoked', changes: { key: hint } })
  })

  test('does nothing, and records nothing, for a key that was revoked before or belongs to somebody else', async () => {
    const { id, accountId } = await addAccount()
    const neighbour = await addAccount()
    await revokeKey(context(), { accountId, keyId: id })
    const before = await entries(accountId)
    assert.equal(await revokeKey(context(), { accountId, keyId: id }), undefined)
    assert.equal(await revokeKey(context(), { accountId, keyId: neighbour.id }), undefined)
    assert.equal(await ask(neighbour.key), '200')
    const personal = await world.makeToken(ANN, ['PUBLIC_READ'])
    const { id: tokenId } = await world.db.read
      .selectFrom('access_token')
      .select('id')
      .where('token_hash', '=', hashSecret(personal))
      .executeTakeFirstOrThrow()
    assert.equal(await revokeKey(context(), { accountId: ANN.id, keyId: tokenId }), undefined)
    assert.equal(await ask(personal), '200')
    assert.deepEqual(await entries(accountId), before)
  })
})

test('the list tells the groups, the valid keys and the last use of each account', async () => {
  const [first, second] = [await addAccount({ name: 'Alpha' }), await addAccount({ name: 'Beta', groupIds: [PLANNERS.id] })]
  await rotateServiceKey(context(), { accountId: second.accountId, overlapHours: 24 })
  await world.db.write
    .updateTable('access_token')
    .set({ last_used_at: new Date(NOW.getTime() - HOUR) })
    .where('user_id', '=', first.accountId)
    .execute()
  const list = async (now: Date) =>
    (await findServiceAccounts(world.db.read, now))
      .filter(({ name }) => name === 'Alpha' || name === 'Beta')
      .map(({ groups, groupIds, validKeys, lastUsedAt }) => [groups, groupIds, validKeys, lastUsedAt])
  const [alpha, beta] = [
    [['Helpers'], [HELPERS.id], 1, new Date(NOW.getTime() - HOUR)],
    [['Planners'], [PLANNERS.id]],
  ]
  assert.deepEqual(await list(new Date(NOW.getTime() + 24 * HOUR - 1)), [alpha, [...beta!, 2, null]])
  assert.deepEqual(await list(new Date(NOW.getTime() + 24 * HOUR)), [alpha, [...beta!, 1, null]])
  await revokeKey(context(), { accountId: first.accountId, keyId: first.id })
  assert.deepEqual((await list(NOW))[0]![2], 0)
})

const NETWORKS: [networks: string[], address: string, expected: string][] = [
  [['10.0.0.0/8'], '10.1.2.3', '200'],
  [['10.0.0.0/8'], '11.1.2.3', '403 network_not_allowed'],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', '200'],
  [['10.0.0.0/8'], '::ffff:b01:203', '403 network_not_allowed'],
  [['2001:db8::/32'], '2001:db8::5', '200'],
  [['2001:db8::/32'], '2001:db9::5', '403 network_not_allowed'],
  [['::/0'], '::ffff:10.1.2.3', '403 network_not_allowed'],
  [['10.0.0.0/8', '2001:db8::/32'], '2001:db8::5', '200'],
  [['10.0.0.0/8'], 'unknown', '403 network_not_allowed'],
]
describe('allowed networks', () => {
  for (const [networks, address, expected] of NETWORKS)
    test(`${networks.join(' and ')}: ${address} is answered with ${expected}`, async () => {
      const { key } = await addAccount({ networks })
      assert.equal(await ask(key, from(address)), expected)
    })

  test('apply to endpoints for any user, and do not reveal who is behind the key', async () => {
    const { key, name } = await addAccount({ networks: ['10.0.0.0/8'] })
    for (const path of ['/api/', '/api/me/capabilities/', '/api/users/me/']) {
      const { status, text } = await world.with({ authorization: `Bearer ${key}` }).get(path)
      assert.equal(status, 403)
      assert.ok(!text.includes(name))
    }
    assert.equal((await world.with({ authorization: `Bearer ${key}` }).get('/api/schema/', { unchecked: true })).status, 200)
  })

  test('are compared with the address that the trusted proxy names, not with one that the client names', async () => {
    const { key } = await addAccount({ networks: ['10.0.0.0/8'] })
    assert.equal(await ask(key, from('10.0.0.1, 192.0.2.1')), '403 network_not_allowed')
    assert.equal(await ask(key, from('192.0.2.1, 10.0.0.1')), '200')
  })

  test('are compared with the address of the connection if no proxy is trusted', async () => {
    const direct = await openWorld()
    const account = await createServiceAccount(contextAs(direct, OLGA), { ...INPUT, name: 'Direct', networks: ['10.0.0.0/8'] })
    assert.ok(account.ok)
    const headers = { host: new URL(SITE_URL).host, authorization: `Bearer ${account.key}`, ...from('10.0.0.1') }
    const status = async (remoteAddress: string) =>
      (await direct.app.app.inject({ url: EVENTS, headers, remoteAddress })).statusCode
    assert.deepEqual([await status('192.0.2.1'), await status('10.0.0.1'), await status('::ffff:10.0.0.1')], [403, 200, 200])
  })
})

describe('allowed origins', () => {
  const DISPLAY = 'https://display.example'
  const preflight = (origin: string, path = EVENTS) =>
    world.nobody.request('OPTIONS', path, {
      unchecked: true,
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization, if-match' },
    })

  test('a preflight of a listed origin is answered, without credentials, and of others not', async () => {
    const account = await addAccount({ origins: [DISPLAY] })
    const { status, headers } = await preflight(DISPLAY)
    assert.equal(status, 204)
    assert.deepEqual(
      {
        origin: headers['access-control-allow-origin'],
        methods: headers['access-control-allow-methods'],
        headers: headers['access-control-allow-headers'],
        credentials: headers['access-control-allow-credentials'],
        vary: headers.vary,
      },
      {
        origin: DISPLAY,
        methods: 'GET, POST, PATCH, PUT, DELETE',
        headers: 'authorization, content-type, accept, accept-language, if-none-match, if-match, idempotency-key, last-event-id',
        credentials: undefined,
        vary: 'Origin',
      },
    )
    for (const origin of ['https://evil.example', 'http://display.example', `${DISPLAY}.evil.example`, 'null'])
      assert.equal((await preflight(origin)).headers['access-control-allow-origin'], undefined, origin)
    assert.equal((await preflight(DISPLAY, '/api/oauth/token/')).headers['access-control-allow-origin'], undefined)
    assert.equal((await preflight(DISPLAY, '/manage/people/')).headers['access-control-allow-origin'], undefined)
    await setServiceAccountActive(context(), account.accountId, false)
    assert.equal((await preflight(DISPLAY)).headers['access-control-allow-origin'], undefined, 'disabled')
  })

  test('a request of a listed origin may read the headers of the API', async () => {
    const { key } = await addAccount({ origins: [DISPLAY] })
    const { status, headers } = await world
      .with({ authorization: `Bearer ${key}`, origin: DISPLAY })
      .get(EVENTS, { unchecked: true })
    assert.equal(status, 200)
    assert.deepEqual(
      [headers['access-control-allow-origin'], headers['access-control-expose-headers']],
      [
        DISPLAY,
        'etag, link, location, retry-after, ratelimit, ratelimit-policy, idempotency-replayed, dry-run, www-authenticate, x-request-id',
      ],
    )
  })

  test('a key is refused to pages that it does not list, even if another account lists them', async () => {
    await addAccount({ origins: ['https://other.example'] })
    const { key } = await addAccount({ origins: [DISPLAY] })
    const answer = (origin: string) => world.with({ authorization: `Bearer ${key}`, origin }).get(EVENTS, { unchecked: true })
    for (const origin of ['https://other.example', 'https://evil.example', 'null']) {
      const { status, body } = await answer(origin)
      assert.deepEqual([status, body.code], [403, 'origin_not_allowed'], origin)
    }
    assert.equal((await answer(DISPLAY)).status, 200)
    assert.equal((await answer(SITE_URL)).status, 200, 'pages of the instance')
    assert.equal(await ask(key), '200', 'a program without an origin')
  })
})
