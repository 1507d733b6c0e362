import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA } from '#test/support/people.ts'
import { openPurses, unchecked } from '#test/support/purses.ts'
import { deleteExpiredKeys, deleteKeysAbout, makeKey } from './idempotency.ts'

describe('Idempotency-Key', async () => {
  const purses = await openPurses()
  const { world, olga } = purses
  const keyed = (key: string) => ({ ...unchecked, headers: { 'idempotency-key': key } })

  test('a repeated request gets the first answer and writes nothing', async () => {
    const before = await purses.count()
    const first = await olga.post('/api/purses/', { amount: 5 }, keyed('a-1'))
    const second = await olga.post('/api/purses/', { amount: 5 }, keyed('a-1'))
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.text, first.text)
    assert.equal(second.headers.etag, first.headers.etag)
    assert.equal(second.headers.location, first.headers.location)
    assert.deepEqual([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']], [undefined, 'true'])
    assert.equal(await purses.count(), before + 1)
  })

  test('another body or address under the same key is refused', async () => {
    await olga.post('/api/purses/', { amount: 5 }, keyed('a-2'))
    const { status, body } = await olga.post('/api/purses/', { amount: 6 }, keyed('a-2'))
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
  })

  test('keys of different people do not meet', async () => {
    const ann = world.as(ANN, 'PUBLIC_WRITE')
    const [one, two] = [
      await olga.post('/api/purses/', { amount: 5 }, keyed('a-3')),
      await ann.post('/api/purses/', { amount: 5 }, keyed('a-3')),
    ]
    assert.notEqual(one.body.id, two.body.id)
  })

  test('keys of different credentials of one person do not meet', async () => {
    const session = world.withScript(OLGA)
    const tokens = [
      olga,
      world.as(OLGA, 'PUBLIC_WRITE'),
      world.with({ authorization: `Bearer ${await world.makeToken(OLGA, ['PUBLIC_WRITE', 'PUBLIC_READ'])}` }),
      session,
    ]
    const ids = []
    for (const caller of tokens) {
      const { body, headers } = await caller.post('/api/purses/', { amount: 5 }, keyed('a-7'))
      assert.equal(headers['idempotency-replayed'], undefined)
      ids.push(body.id)
    }
    assert.equal(new Set(ids).size, tokens.length)
    assert.equal((await session.post('/api/purses/', { amount: 5 }, keyed('a-7'))).body.id, ids.at(-1))
  })

  const grantedTo = (scopes: string[], via: { tokenId: number; grantId?: number }) =>
    actorOf(OLGA, { via: { kind: 'token', scopes: new Set(scopes), ...via } })
  const keyOf = (actor: ReturnType<typeof actorOf>) => makeKey({ actor, key: 'a', method: 'POST', url: '/', body: '' })
  test('the tokens of an OAuth grant are one credential, and fewer scopes another request', () => {
    const [first, refreshed, other] = [
      keyOf(grantedTo(['ME_READ', 'ME_WRITE'], { tokenId: 1, grantId: 7 })),
      keyOf(grantedTo(['ME_WRITE', 'ME_READ'], { tokenId: 2, grantId: 7 })),
      keyOf(grantedTo(['ME_READ', 'ME_WRITE'], { tokenId: 1, grantId: 8 })),
    ]
    assert.deepEqual(refreshed, first)
    assert.notEqual(other.key, first.key)
    const weaker = keyOf(grantedTo(['ME_WRITE'], { tokenId: 3, grantId: 7 }))
    assert.equal(weaker.key, first.key)
    assert.notDeepEqual(weaker.requestHash, first.requestHash)
  })

  test('a refused request is judged again', async () => {
    assert.equal((await olga.post('/api/purses/', { amount: -1 }, keyed('a-4'))).status, 409)
    assert.equal((await olga.post('/api/purses/', { amount: 1 }, keyed('a-4'))).status, 201)
  })

  test('a key is free again after 24 hours, and its answer is deleted', async () => {
    await olga.post('/api/purses/', { amount: 5 }, keyed('a-5'))
    const then = world.now
    world.now = new Date(then.getTime() + 24 * 3600_000)
    try {
      assert.equal((await olga.post('/api/purses/', { amount: 6 }, keyed('a-5'))).status, 201)
      await deleteExpiredKeys(world.db.write, world.now)
      const left = await world.db.read.selectFrom('idempotency_key').select('created_at').execute()
      assert.deepEqual(left, [{ created_at: world.now }])
    } finally {
      world.now = then
    }
  })

  test('a millisecond before 24 hours are over, the first answer is repeated and kept', async () => {
    const first = await olga.post('/api/purses/', { amount: 5 }, keyed('a-8'))
    const then = world.now
    world.now = new Date(then.getTime() + 24 * 3600_000 - 1)
    try {
      await deleteExpiredKeys(world.db.write, world.now)
      const again = await olga.post('/api/purses/', { amount: 5 }, keyed('a-8'))
      assert.deepEqual([again.body, again.headers['idempotency-replayed']], [first.body, 'true'])
      assert.equal((await olga.post('/api/purses/', { amount: 6 }, keyed('a-8'))).status, 422)
    } finally {
      world.now = then
    }
  })

  test('a dry run neither uses nor stores a key', async () => {
    const tryOut = { ...keyed('a-9'), query: 'dry_run=true' }
    assert.equal((await olga.post('/api/purses/', { amount: 1 }, tryOut)).status, 200)
    const first = await olga.post('/api/purses/', { amount: 2 }, keyed('a-9'))
    assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined])
    const again = await olga.post('/api/purses/', { amount: 1 }, tryOut)
    assert.deepEqual([again.status, again.headers['idempotency-replayed'], again.body.amount], [200, undefined, 1])
  })

  test('the same body at another address is another request', async () => {
    await olga.post('/api/purses/', { amount: 5 }, keyed('a-10'))
    const { status } = await olga.post('/api/purses/?format=json', { amount: 5 }, keyed('a-10'))
    assert.equal(status, 422)
  })

  test('a key of 255 characters is taken', async () => {
    assert.equal((await olga.post('/api/purses/', { amount: 1 }, keyed('x'.repeat(255)))).status, 201)
  })

  test('stored answers are unreadable, and those about an erased person are deleted, whoever got them', async () => {
    const stored = () => world.db.read.selectFrom('idempotency_key').select(['user_id', 'body']).execute()
    const { unseal, seal } = world.app.site.keyring
    await world.db.write.deleteFrom('idempotency_key').execute()
    await olga.post('/api/purses/', { amount: 5, label: 'Max' }, keyed('b-1'))
    await olga.post('/api/purses/', { amount: 7777, label: 'Eva' }, keyed('b-2'))
    await world.as(ANN, 'PUBLIC_WRITE').post('/api/purses/', { amount: 5 }, keyed('b-3'))
    for (const { body } of await stored()) {
      assert.doesNotMatch(body!, /amount|version/)
      assert.match(unseal(body!), /"amount"|"version"/)
    }
    const erase = (userId: number, pattern: string | undefined, names: string[] = []) =>
      world.db.write.transaction().execute((tx) => deleteKeysAbout(tx, { userId, pattern, names, unseal }))
    await erase(BEN.id, '7777')
    assert.deepEqual((await stored()).map(({ user_id }) => user_id).sort(), [ANN.id, OLGA.id].sort())
    await erase(ANN.id, undefined)
    assert.deepEqual(
      (await stored()).map(({ user_id }) => user_id),
      [OLGA.id],
    )
    await world.db.write.updateTable('idempotency_key').set({ headers: '{"location": "/api/7778/"}' }).execute()
    await erase(BEN.id, '7779')
    assert.equal((await stored()).length, 1)
    await erase(BEN.id, '7778')
    assert.equal((await stored()).length, 0)
    await olga.post('/api/purses/', { amount: 5 }, keyed('b-4'))
    await world.db.write
      .updateTable('idempotency_key')
      .set({ body: `0${seal('x')}` })
      .execute()
    await erase(BEN.id, 'none')
    assert.equal((await stored()).length, 0, 'sealed with a key that nobody has')
    await olga.post('/api/purses/', { amount: 5 }, keyed('b-5'))
    await erase(BEN.id, undefined, ['secre', 'amount "'])
    assert.equal((await stored()).length, 1)
    await erase(BEN.id, undefined, ['other', 'secret'])
    assert.equal((await stored()).length, 0, 'a value that is the name')
  })

  for (const key of ['', 'with space', 'ä', 'x'.repeat(256)])
    test(`the key ${JSON.stringify(key.slice(0, 12))} is refused`, async () => {
      const { status, body } = await olga.post('/api/purses/', { amount: 1 }, keyed(Buffer.from(key).toString('latin1')))
      assert.deepEqual([status, body.errors?.[0].parameter], [400, 'Idempotency-Key'])
    })

  const postAtOnce = async (times: number, options: (index: number) => object): Promise<Set<number>> => {
    const answers = await Promise.all(
      Array.from({ length: times }, (_, index) => olga.post('/api/purses/', { amount: 7 }, { ...unchecked, ...options(index) })),
    )
    for (const { status, text } of answers) assert.equal(status, 201, text)
    return new Set(answers.map(({ body }) => body.id))
  }
  test('200 requests with one key at once write once', async () => {
    const before = await purses.count()
    const ids = await postAtOnce(200, () => ({ headers: { 'idempotency-key': 'a-6' } }))
    assert.deepEqual([ids.size, await purses.count()], [1, before + 1])
  })
  test('twin: without a key, each of them writes', async () => {
    assert.equal((await postAtOnce(20, () => ({}))).size, 20)
  })
})
