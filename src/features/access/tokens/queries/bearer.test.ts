import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserActor } from '#platform/auth/actor.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { ANN, BEN, HELPERS, NORD, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { authenticateBearer } from './bearer.ts'

describe('the authenticator of bearer tokens', async () => {
  const world = await openWorld()
  const { write } = world.db
  const row = (secret: string) => write.updateTable('access_token').where('token_hash', '=', hashSecret(secret))
  const setUp = async (person: Person) => {
    const authenticate = authenticateBearer(world.db)
    const secret = await world.makeToken(person, SCOPES)
    const ask = async (now = world.now): Promise<UserActor | undefined> =>
      (await authenticate(secret, now)) as UserActor | undefined
    // The second request uses the cache.
    assert.equal((await ask())?.userId, person.id)
    assert.equal((await ask())?.userId, person.id)
    return { authenticate, secret, ask }
  }

  const CHANGES: [what: string, change: (secret: string, person: Person) => Promise<unknown>][] = [
    ['it is revoked', (secret) => row(secret).set({ revoked_at: world.now }).execute()],
    ['its expiry is moved into the past', (secret) => row(secret).set({ expires_at: world.now }).execute()],
    ['it is deleted', (secret) => write.deleteFrom('access_token').where('token_hash', '=', hashSecret(secret)).execute()],
    ['its owner is deactivated', (_, person) => world.setActive(person, false)],
  ]
  for (const [what, change] of CHANGES)
    test(`refuses a cached token as soon as ${what}`, async () => {
      const person = await world.addPerson({ name: 'Rita' })
      const { secret, ask } = await setUp(person)
      await change(secret, person)
      assert.equal(await ask(), undefined)
    })
  test('refuses a cached token from the moment it expires, without any write', async () => {
    const { secret, authenticate } = await setUp(ANN)
    const expires = new Date(world.now.getTime() + 60_000)
    await row(secret).set({ expires_at: expires }).execute()
    const at = async (offset: number) => Boolean(await authenticate(secret, new Date(expires.getTime() + offset)))
    assert.deepEqual([await at(-1), await at(-1), await at(0), await at(1), await at(-1)], [true, true, false, false, true])
  })
  test('returns the current permissions, groups and name', async () => {
    const person = await world.addPerson({ name: 'Rita' })
    const { ask } = await setUp(person)
    const told = async () => {
      const { displayName, permissions, groupIds, isStaff } = (await ask())!
      return { displayName, permissions: [...permissions], groupIds, isStaff }
    }
    await world.grants(person, 'view_event')
    assert.deepEqual((await told()).permissions, ['view_event'])
    await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: person.id }).execute()
    assert.deepEqual((await told()).groupIds, [HELPERS.id])
    await write.deleteFrom('user_permission').where('user_id', '=', person.id).execute()
    await write.deleteFrom('user_group_member').where('user_id', '=', person.id).execute()
    await write.updateTable('user_profile').set({ display_name: 'Ria', is_staff: true }).where('id', '=', person.id).execute()
    assert.deepEqual(await told(), { displayName: 'Ria', permissions: [], groupIds: [], isStaff: true })
  })
  test('returns the current scopes', async () => {
    const { secret, ask } = await setUp(ANN)
    await row(secret)
      .set({ scopes: ['ME_READ'] })
      .execute()
    const { via } = (await ask())!
    assert.deepEqual(via.kind === 'token' && [...via.scopes], ['ME_READ'])
  })
  test('distinguishes concurrent tokens', async () => {
    const authenticate = authenticateBearer(world.db)
    const secrets = [await world.makeToken(ANN, SCOPES), await world.makeToken(BEN, SCOPES)]
    for (let round = 0; round < 3; round++) {
      const actors = await Promise.all(secrets.map((secret) => authenticate(secret, world.now)))
      assert.deepEqual(
        actors.map((actor) => (actor as UserActor).userId),
        [ANN.id, BEN.id],
      )
    }
  })
  test('caches tokens of partners until they are revoked', async () => {
    const authenticate = authenticateBearer(world.db)
    const secret = await world.partnerToken(NORD)
    for (let round = 0; round < 2; round++) assert.equal((await authenticate(secret, world.now))?.kind, 'partner')
    await row(secret).set({ revoked_at: world.now }).execute()
    assert.equal(await authenticate(secret, world.now), undefined)
  })
  test('writes “last used” every 15 minutes, also for cached tokens', async () => {
    const { secret, authenticate } = await setUp(ANN)
    const usedAt = async () =>
      (
        await write
          .selectFrom('access_token')
          .select('last_used_at')
          .where('token_hash', '=', hashSecret(secret))
          .executeTakeFirstOrThrow()
      ).last_used_at
    const first = await usedAt()
    await authenticate(secret, new Date(world.now.getTime() + 14 * 60_000))
    assert.deepEqual(await usedAt(), first)
    const later = new Date(world.now.getTime() + 15 * 60_000)
    await authenticate(secret, later)
    // The write is not awaited, so the test waits for it.
    while ((await usedAt())?.getTime() !== later.getTime()) await new Promise(setImmediate)
  })
  test('returns outdated permissions without the check of the database state', async () => {
    const query = async (text: string, values: unknown[]) => {
      const answer = await world.db.readPool.query(text, values)
      return { ...answer, rows: answer.rows.map((each) => ('snapshot' in each ? { ...each, snapshot: '1:1:' } : each)) }
    }
    const blind = authenticateBearer({ ...world.db, readPool: { query } as unknown as Database['readPool'] })
    const secret = await world.makeToken(ANN, SCOPES)
    await blind(secret, world.now)
    await row(secret).set({ revoked_at: world.now }).execute()
    assert.ok(await blind(secret, world.now))
    assert.equal(await authenticateBearer(world.db)(secret, world.now), undefined)
  })
})
