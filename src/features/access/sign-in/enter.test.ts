import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextOf } from '#test/support/command-context.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { enter } from './commands/second-step.ts'

describe('after the first factor', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const provedAt = new Date(NOW.getTime() - 60_000)
  const endpoints = { authorization_endpoint: 'https://id.example/a', token_endpoint: 'https://id.example/t' }
  const { id: identityProviderId } = await write
    .insertInto('identity_provider')
    .values({ internal_name: 'id', label: 'Org ID', client_id: 'c', ...endpoints })
    .returning('id')
    .executeTakeFirstOrThrow()
  const byProvider = (isEnough: boolean) => ({
    provider: { provedAt, hasFactor: true, isEnough, external: { identityProviderId, idTokenSealed: 'sealed' } },
  })
  const addPerson = async (hasApp: boolean) => {
    const { id } = await world.addPerson({ name: 'Cem' })
    if (hasApp)
      await write.insertInto('totp_factor').values({ user_id: id, secret_sealed: 's', last_step: 0, created_at: NOW }).execute()
    return id
  }
  const device = { device: 'a browser', userAgent: 'Firefox' }
  const begin = (userId: number, more: Partial<ReturnType<typeof byProvider>>) =>
    transact(write, (tx) => enter(tx, contextOf(world, ANONYMOUS), { userId, device, next: '/events/', ...more }))
  const sessionOf = (userId: number) =>
    read
      .selectFrom('session')
      .select(['proved_at', 'own_proved_at', 'has_provider_factor'])
      .where('user_id', '=', userId)
      .executeTakeFirst()

  const HERE = { proved_at: NOW, own_proved_at: NOW, has_provider_factor: false }
  const THERE = { proved_at: provedAt, own_proved_at: null, has_provider_factor: true }
  for (const [what, hasApp, more, expected] of [
    ['a password, without a second factor', false, {}, HERE],
    ['a provider, without a second factor', false, byProvider(false), THERE],
    ['a provider that is enough, with a second factor', true, byProvider(true), THERE],
  ] as const)
    test(`${what}: a session begins that knows who proved what`, async () => {
      const userId = await addPerson(hasApp)
      assert.equal((await begin(userId, more)).kind, 'session')
      assert.deepEqual(await sessionOf(userId), expected)
    })

  for (const [what, more, expected] of [
    ['a password', {}, { proved_at: NOW, identity_provider_id: null, id_token_sealed: null }],
    [
      'a provider',
      byProvider(false),
      { proved_at: provedAt, identity_provider_id: identityProviderId, id_token_sealed: 'sealed' },
    ],
  ] as const)
    test(`${what}, with a second factor: nothing begins before it is shown, and the way is remembered`, async () => {
      const userId = await addPerson(true)
      const entry = await begin(userId, more)
      assert.ok(entry.kind === 'second_step')
      assert.equal(await sessionOf(userId), undefined)
      const { id_hash, device_hash, expires_at, user_id, next, created_at, ...way } = await read
        .selectFrom('pending_sign_in')
        .select(['id_hash', 'device_hash', 'expires_at', 'user_id', 'next', 'created_at'])
        .select(['proved_at', 'identity_provider_id', 'id_token_sealed'])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      assert.deepEqual([id_hash, device_hash], [hashSecret(entry.step.pendingId), hashSecret(device.device)])
      assert.deepEqual([user_id, next, created_at], [userId, '/events/', NOW])
      assert.equal(expires_at.getTime() - NOW.getTime(), entry.step.maxAgeSeconds * 1000)
      assert.deepEqual(way, expected)
    })
})
