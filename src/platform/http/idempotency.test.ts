import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { claimKey, deleteExpiredKeys, deleteKeysAbout, MAX_KEY_LENGTH, readIdempotencyKey, storeResponse } from './idempotency.ts'
import { Problem } from './problem.ts'

const HOUR = 3600_000

test('a key has at most 255 visible characters', () => {
  assert.equal(MAX_KEY_LENGTH, 255)
  assert.equal(readIdempotencyKey('x'.repeat(255)), 'x'.repeat(255))
  assert.equal(readIdempotencyKey('!~'), '!~')
  assert.equal(readIdempotencyKey(undefined), undefined)
  for (const refused of ['', 'x'.repeat(256), 'a b', ['a', 'b']])
    assert.throws(
      () => readIdempotencyKey(refused),
      (error) => {
        assert.ok(error instanceof Problem && error.code === 'invalid_input')
        const detail = '1 to 255 visible ASCII characters, once.'
        assert.deepEqual(error.errors, [{ parameter: 'Idempotency-Key', code: 'invalid_key', detail }])
        return true
      },
    )
})

describe('stored answers', async () => {
  const world = await openWorld()
  const db = world.db.write
  const then = new Date('2031-05-04T08:00:00Z')
  const after = (ms: number) => new Date(then.getTime() + ms)
  const keyOf = (userId: number, key: string) => ({ userId, key, requestHash: Buffer.from(key) })
  const answer = { status: 201, headers: { location: '/api/things/1/' }, body: 'a body' }
  const claim = (userId: number, key: string, now: Date) =>
    db.transaction().execute((tx) => claimKey(tx, keyOf(userId, key), now))
  const store = async (userId: number, key: string, stored: Partial<typeof answer> = {}) => {
    await claim(userId, key, then)
    await db.transaction().execute((tx) => storeResponse(tx, keyOf(userId, key), { ...answer, ...stored }))
  }
  const left = async () =>
    (
      await world.db.read.selectFrom('idempotency_key').select(['user_id', 'key']).orderBy('user_id').orderBy('key').execute()
    ).map(({ user_id, key }) => `${user_id} ${key}`)
  beforeEach(() => db.deleteFrom('idempotency_key').execute())

  test('are returned for less than 24 hours, with status, headers and body', async () => {
    await store(ANN.id, 'a')
    assert.deepEqual(await claim(ANN.id, 'a', after(24 * HOUR - 1)), answer)
    assert.equal(await claim(ANN.id, 'a', after(24 * HOUR)), undefined)
  })

  test('belong to one key of one person', async () => {
    await store(ANN.id, 'a')
    await store(ANN.id, 'b', { status: 200, body: 'another' })
    assert.equal(await claim(BEN.id, 'a', then), undefined)
    assert.deepEqual(await claim(ANN.id, 'a', then), answer)
    assert.equal((await claim(ANN.id, 'b', then))?.body, 'another')
  })

  test('of the same key of two people are read and written apart', async () => {
    await store(ANN.id, 'a', { body: 'to Ann' })
    await store(BEN.id, 'a', { body: 'to Ben' })
    await store(BEN.id, 'b', { body: 'to Ben, another' })
    assert.equal((await claim(ANN.id, 'a', then))?.body, 'to Ann')
    assert.equal((await claim(BEN.id, 'a', then))?.body, 'to Ben')
    assert.equal((await claim(BEN.id, 'b', then))?.body, 'to Ben, another')
  })

  test('without a body have none when they are repeated', async () => {
    await claim(ANN.id, 'a', then)
    await db.transaction().execute((tx) => storeResponse(tx, keyOf(ANN.id, 'a'), { status: 204, headers: {}, body: undefined }))
    assert.deepEqual(await claim(ANN.id, 'a', then), { status: 204, headers: {}, body: undefined })
  })

  test('of an expired key are replaced: the new request counts, for 24 hours from then', async () => {
    await store(ANN.id, 'a')
    const [first, second] = [Buffer.from('a'), Buffer.from('another request')]
    const claimAs = (requestHash: Buffer, now: Date) =>
      db.transaction().execute((tx) => claimKey(tx, { userId: ANN.id, key: 'a', requestHash }, now))
    assert.equal(await claimAs(second, after(24 * HOUR)), undefined)
    const renewed = { ...answer, body: 'a new body' }
    await db.transaction().execute((tx) => storeResponse(tx, keyOf(ANN.id, 'a'), renewed))
    assert.deepEqual(await claimAs(second, after(48 * HOUR - 1)), renewed)
    await assert.rejects(claimAs(first, after(48 * HOUR - 1)), { code: 'idempotency_key_reused' })
    assert.equal(await claimAs(first, after(48 * HOUR)), undefined)
  })

  test('are deleted after 24 hours, and not before', async () => {
    await store(ANN.id, 'a')
    await deleteExpiredKeys(db, after(24 * HOUR - 1))
    assert.deepEqual(await left(), [`${ANN.id} a`])
    await deleteExpiredKeys(db, after(24 * HOUR))
    assert.deepEqual(await left(), [])
  })

  test('are deleted with a person: own ones, and those to others that name the person in body or headers', async () => {
    const unseal = (text: string) => text
    const forget = (pattern: string | undefined) =>
      db.transaction().execute((tx) => deleteKeysAbout(tx, { userId: ANN.id, pattern, names: [], unseal }))
    await store(ANN.id, 'own')
    await store(BEN.id, 'in body', { body: 'about ann@a.example' })
    await store(BEN.id, 'in headers', { headers: { location: '/people/ann@a.example/' } })
    await store(BEN.id, 'neither')
    await forget(undefined)
    assert.deepEqual(await left(), [`${BEN.id} in body`, `${BEN.id} in headers`, `${BEN.id} neither`])
    await forget('ann@a\\.example')
    assert.deepEqual(await left(), [`${BEN.id} neither`])
  })

  describe('a request whose key is in use by another one that has not ended', () => {
    const claimWhileInUse = async (prepare: (tx: Tx) => Promise<unknown>) => {
      const claimed = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      const first = db.transaction().execute(async (tx) => {
        await claimKey(tx, keyOf(ANN.id, 'a'), then)
        claimed.resolve()
        await ended.promise
      })
      await claimed.promise
      const second = db.transaction().execute(async (tx) => {
        await prepare(tx)
        return claimKey(tx, keyOf(ANN.id, 'a'), then)
      })
      await second.catch(() => {})
      ended.resolve()
      await first
      return second
    }

    test('is told to come again after the time limit of a statement', async () => {
      await assert.rejects(
        claimWhileInUse((tx) => sql`set local statement_timeout = 20`.execute(tx)),
        (error) => error instanceof Problem && error.code === 'conflict' && error.headers['retry-after'] === '5',
      )
    })

    test('fails as it is if the database refuses for another reason', async () => {
      const LOCK_NOT_AVAILABLE = '55P03'
      await assert.rejects(
        claimWhileInUse((tx) => sql`set local lock_timeout = 20`.execute(tx)),
        { code: LOCK_NOT_AVAILABLE },
      )
    })
  })
})
