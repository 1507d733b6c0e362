import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
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
      (error) => error instanceof Problem && error.code === 'invalid_input',
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
})
