import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '#platform/auth/scopes.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
const as = (...scopes: Scope[]) => world.as(ANN, ...scopes)
const ann = as('ME_READ', 'ME_WRITE', 'PUBLIC_READ')
const BODY = { name: 'Roster', url: 'https://roster.example.org/hook', kinds: ['event', 'shift'], scopes: ['PUBLIC_READ'] }
const journal = () =>
  world.db.read.selectFrom('journal').select(['kind', 'changes']).where('subject_kind', '=', 'webhook').orderBy('id').execute()
const codes = ({ body }: { body: { errors: { pointer?: string; code: string }[] } }) =>
  body.errors.map(({ pointer, code }) => `${pointer ?? ''} ${code}`)

async function add(wish: object = {}) {
  await world.db.write.deleteFrom('webhook').execute()
  await world.db.write.deleteFrom('journal').execute()
  const { status, body, headers } = await ann.post('/api/webhooks/', { ...BODY, ...wish })
  assert.equal(status, 201)
  const path = headers.location!
  return { path, body, etag: (await ann.get(path)).headers.etag! }
}

describe('adding', () => {
  test('shows the secret once, and records one entry without address and secret', async () => {
    const { path, body } = await add()
    assert.match(body.secret, /^whsec_/)
    const { secret, ...record } = body
    assert.deepEqual((await ann.get(path)).body, record)
    assert.deepEqual((await ann.get('/api/webhooks/')).body.results, [record])
    assert.deepEqual(await journal(), [
      {
        kind: 'webhook.created',
        changes: {
          name: 'Roster',
          host: 'roster.example.org',
          kinds: ['event', 'shift'],
          scopes: ['PUBLIC_READ'],
          include_record: false,
        },
      },
    ])
  })

  test('again with the same key shows the same secret, which is stored sealed', async () => {
    const headers = { 'idempotency-key': 'webhook-1' }
    const first = await ann.post('/api/webhooks/', BODY, { headers })
    const again = await ann.post('/api/webhooks/', BODY, { headers })
    assert.deepEqual(again.body, first.body)
    const { body } = await world.db.read.selectFrom('idempotency_key').select('body').executeTakeFirstOrThrow()
    assert.ok(body && !body.includes('whsec_'))
  })

  test('names all mistakes at once', async () => {
    const answer = await ann.post('/api/webhooks/', {
      ...BODY,
      name: ' ',
      url: 'http://roster.example.org/',
      kinds: [],
      scopes: [],
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(codes(answer), ['/name no_name', '/url not_https', '/kinds no_kind', '/scopes no_scope'])
  })

  for (const [url, code] of [
    ['nonsense', 'not_a_url'],
    ['ftp://roster.example.org/', 'not_a_url'],
    ['https://user:pw@roster.example.org/', 'not_a_url'],
    ['https://127.0.0.1/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://localhost/', 'not_public'],
    ['https://169.254.169.254/', 'not_public'],
  ] as const)
    test(`refuses the address ${url}`, async () => {
      assert.deepEqual(codes(await ann.post('/api/webhooks/', { ...BODY, url })), [`/url ${code}`])
    })

  test('refuses more scopes than the token has', async () => {
    const answer = await ann.post('/api/webhooks/', { ...BODY, scopes: ['PUBLIC_READ', 'CONFIDENTIAL_READ'] })
    assert.deepEqual([answer.status, ...codes(answer)], [400, '/scopes scope_not_held'])
  })

  test('refuses kinds that the scopes never show, and names the scope', async () => {
    const kinds = ['event', 'availability', 'group', 'attendance']
    const answer = await ann.post('/api/webhooks/', { ...BODY, kinds })
    assert.deepEqual([answer.status, ...codes(answer)], [400, '/kinds scope_missing', '/kinds scope_missing'])
    assert.deepEqual(
      answer.body.errors.map(({ detail }: { detail: string }) => detail.split('.')[0]),
      [
        'Nothing is ever sent about group and attendance without CONFIDENTIAL_READ',
        'Nothing is ever sent about availability without ME_READ',
      ],
    )
  })

  test('leaves webhooks as they are that have such kinds already', async () => {
    const { body, path } = await add()
    await world.db.write
      .updateTable('webhook')
      .set({ kinds: ['event', 'companions'] })
      .where('id', '=', body.id)
      .execute()
    assert.equal((await ann.patch(path, { name: 'Other', kinds: ['event', 'shift', 'companions'] }, '*')).status, 200)
    assert.deepEqual(codes(await ann.patch(path, { kinds: ['companions', 'availability'] }, '*')), ['/kinds scope_missing'])
    const both = { scopes: ['PUBLIC_READ', 'ME_READ'] }
    assert.equal((await ann.patch(path, both, '*')).status, 200)
    assert.deepEqual(codes(await ann.patch(path, { scopes: ['PUBLIC_READ'] }, '*')), ['/kinds scope_missing'])
  })

  test('is refused to applications, whose consent it would outlive', async () => {
    const application = await world.db.write
      .insertInto('oauth_application')
      .values({
        name: 'App',
        client_id: 'app',
        client_secret_hash: 'x',
        redirect_uris: [],
        allowed_scopes: ['ME_WRITE', 'PUBLIC_READ'],
        created_at: world.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = await world.makeToken(ANN, ['ME_WRITE', 'PUBLIC_READ'])
    await world.db.write
      .updateTable('access_token')
      .set({ kind: 'oauth', application_id: application.id })
      .where('token_hash', '=', hashSecret(token))
      .execute()
    const { status } = await world.with({ authorization: `Bearer ${token}` }).post('/api/webhooks/', BODY)
    assert.equal(status, 403)
  })

  test('is refused beyond 20', async () => {
    await add()
    for (let count = 1; count < 20; count++) assert.equal((await ann.post('/api/webhooks/', BODY)).status, 201)
    const answer = await ann.post('/api/webhooks/', BODY)
    assert.deepEqual([answer.status, ...codes(answer)], [409, ' too_many'])
  })

  test('is only tried with dry_run', async () => {
    await add()
    assert.equal((await ann.post('/api/webhooks/?dry_run=true', BODY)).status, 200)
    assert.equal((await ann.get('/api/webhooks/')).body.count, 1)
  })
})

describe('changing', () => {
  test('changes only the keys that are given, and records them', async () => {
    const { path, etag, body } = await add()
    const answer = await ann.patch(path, { name: 'New name', url: 'https://other.example.org/secret' }, etag)
    const { secret: _secret, ...record } = body
    assert.deepEqual(answer.body, { ...record, name: 'New name', url: 'https://other.example.org/secret' })
    assert.deepEqual((await journal()).at(-1), {
      kind: 'webhook.changed',
      changes: { name: ['Roster', 'New name'], host: ['roster.example.org', 'other.example.org'] },
    })
  })

  test('pauses and resumes', async () => {
    const { path, etag } = await add()
    const paused = await ann.patch(path, { active: false }, etag)
    assert.deepEqual([paused.body.active, paused.body.off_at, paused.body.off_reason], [false, '2031-05-01T12:00:00+02:00', null])
    const resumed = await ann.patch(path, { active: true }, paused.headers.etag!)
    assert.deepEqual([resumed.body.active, resumed.body.off_at], [true, null])
  })

  test('needs the version that it is based on', async () => {
    const { path } = await add()
    assert.equal((await ann.send('PATCH', path, { name: 'x' })).status, 428)
    assert.equal((await ann.patch(path, { name: 'x' }, '"old"')).status, 412)
  })

  test('needs the scopes of the webhook, so that a lesser token cannot redirect it', async () => {
    const { path, etag, body } = await add()
    const lesser = as('ME_READ', 'ME_WRITE')
    const moved = await lesser.patch(path, { url: 'https://evil.example.org/' }, etag)
    assert.deepEqual([moved.status, moved.body.required_scope], [403, 'PUBLIC_READ'])
    assert.equal((await lesser.post(`${path}rotate-secret/`, {})).status, 403)
    assert.equal((await lesser.post(`${path}test/`)).status, 403)
    assert.equal((await ann.get(path)).body.url, body.url)
  })

  test('of a webhook of somebody else is impossible', async () => {
    const { path, etag } = await add()
    const ben = world.as(BEN, 'ME_READ', 'ME_WRITE', 'PUBLIC_READ')
    assert.deepEqual((await ben.get('/api/webhooks/')).body.results, [])
    const answers = [
      await ben.get(path),
      await ben.get(`${path}deliveries/`),
      await ben.patch(path, { name: 'x' }, etag),
      await ben.delete(path, etag),
      await ben.post(`${path}rotate-secret/`, {}),
      await ben.post(`${path}test/`),
      await ben.post(`${path}deliveries/1/resend/`),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 404),
    )
  })
})

test('a new secret is shown once, and the old one ends after the chosen time', async () => {
  const { path, body } = await add()
  const rotated = await ann.post(`${path}rotate-secret/`, { overlap_hours: 2 })
  assert.equal(rotated.status, 200)
  assert.notEqual(rotated.body.secret, body.secret)
  assert.equal(rotated.body.old_secret_until, '2031-05-01T14:00:00+02:00')
  const ended = await ann.post(`${path}rotate-secret/`, { overlap_hours: 0 })
  assert.equal(ended.body.old_secret_until, null)
  assert.equal((await ann.post(`${path}rotate-secret/`, { overlap_hours: 169 })).status, 400)
})

test('deleting removes it', async () => {
  const { path, etag } = await add()
  assert.equal((await ann.delete(path, etag)).status, 204)
  assert.equal((await ann.get(path)).status, 404)
  assert.equal((await journal()).at(-1)!.kind, 'webhook.deleted')
})

test('a test appears among the deliveries, and can be sent again when it is through', async () => {
  const { path, body } = await add()
  const sent = await ann.post(`${path}test/`)
  assert.deepEqual([sent.status, sent.body.kind, sent.body.record_id, sent.body.state], [201, 'test', body.id, 'waiting'])
  assert.deepEqual((await ann.get(`${path}deliveries/`)).body.results, [sent.body])
  const early = await ann.post(`${path}deliveries/${sent.body.id}/resend/`)
  assert.deepEqual([early.status, ...codes(early)], [409, ' still_waiting'])
  await world.db.write.updateTable('webhook_delivery').set({ asked_at: null, state: 'failed' }).execute()
  const second = await ann.post(`${path}test/`)
  const again = await ann.post(`${path}deliveries/${sent.body.id}/resend/`)
  assert.deepEqual([again.status, again.body], [200, { ...sent.body, state: 'failed' }])
  assert.deepEqual((await ann.get(`${path}deliveries/`)).body.results, [second.body, again.body], 'the last one first')
  assert.equal((await ann.post(`${path}deliveries/${second.body.id + 1}/resend/`)).status, 404)
})

test('a delivery belongs to its webhook: another one of the same person neither lists it nor sends it again', async () => {
  const { path } = await add()
  const other = (await ann.post('/api/webhooks/', { ...BODY, name: 'Second' })).headers.location!
  const { body: sent } = await ann.post(`${path}test/`)
  await world.db.write.updateTable('webhook_delivery').set({ asked_at: null, state: 'failed' }).execute()
  assert.deepEqual((await ann.get(`${other}deliveries/`)).body.results, [])
  assert.equal((await ann.post(`${other}deliveries/${sent.id}/resend/`)).status, 404)
  const { asked_at } = await world.db.read.selectFrom('webhook_delivery').select('asked_at').executeTakeFirstOrThrow()
  assert.equal(asked_at, null)
})
