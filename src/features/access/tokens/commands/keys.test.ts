import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { addServiceKey, retireServiceKeys, revokeServiceKey } from './keys.ts'

describe('keys of a service account', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { now } = world
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3600_000)
  beforeEach(() => write.deleteFrom('access_token').execute())
  const addKey = async (userId: number) => (await write.transaction().execute((tx) => addServiceKey(tx, userId, now))).id
  const addPersonal = async (userId: number) =>
    (
      await write
        .insertInto('access_token')
        .values({
          token_hash: hashSecret(`personal ${userId}`),
          kind: 'personal',
          user_id: userId,
          description: 'x',
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const read = (id: number) =>
    write.selectFrom('access_token').select(['kind', 'revoked_at', 'expires_at']).where('id', '=', id).executeTakeFirstOrThrow()
  const retire = (until: Date) => write.transaction().execute((tx) => retireServiceKeys(tx, { userId: ANN.id, now, until }))
  const revoke = (keyId: number, userId = ANN.id) =>
    write.transaction().execute((tx) => revokeServiceKey(tx, { userId, keyId, now }))

  test('are of a kind of their own', async () => {
    assert.equal((await read(await addKey(ANN.id))).kind, 'service')
  })

  for (const [what, until] of [
    ['at once', now],
    ['in two hours', inHours(2)],
  ] as const)
    test(`end ${what}; tokens of another kind and keys of others stay`, async () => {
      const [key, personal, other] = [await addKey(ANN.id), await addPersonal(ANN.id), await addKey(BEN.id)]
      await retire(until)
      const { revoked_at, expires_at } = await read(key)
      assert.deepEqual([revoked_at, expires_at], until > now ? [null, until] : [now, null])
      for (const id of [personal, other]) {
        const token = await read(id)
        assert.deepEqual([token.revoked_at, token.expires_at], [null, null])
      }
    })

  test('that end earlier, or have been revoked, end when they did', async () => {
    const key = await addKey(ANN.id)
    await retire(inHours(1))
    await retire(inHours(2))
    assert.deepEqual((await read(key)).expires_at, inHours(1))
    const revoked = await addKey(ANN.id)
    assert.ok(await revoke(revoked))
    await retire(inHours(3))
    assert.equal((await read(revoked)).expires_at, null)
  })

  test('are revoked once, by their account alone, and no other kind of token', async () => {
    const [key, personal, other] = [await addKey(ANN.id), await addPersonal(ANN.id), await addKey(BEN.id)]
    assert.equal(await revoke(personal), undefined)
    assert.equal(await revoke(other), undefined)
    assert.match((await revoke(key))!.hint, /^…\w{4}$/)
    assert.equal(await revoke(key), undefined)
    assert.deepEqual(await Promise.all([personal, other, key].map(async (id) => (await read(id)).revoked_at !== null)), [
      false,
      false,
      true,
    ])
  })
})
