import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { openWorld } from '#test/support/world.ts'
import { clearFailedAttempts } from './attempts.ts'

test('a sign-in clears failed attempts of its account on its device, and no others', async () => {
  const world = await openWorld()
  const { write } = world.db
  const [own, other] = [Buffer.from('own'.padEnd(32)), Buffer.from('other'.padEnd(32))]
  for (const [account, device] of [
    [own, 'laptop'],
    [own, 'laptop'],
    [own, 'phone'],
    [other, 'laptop'],
  ] as const)
    await write
      .insertInto('sign_in_attempt')
      .values({ account_hash: account, device_hash: hashSecret(device), at: world.now })
      .execute()
  await write.transaction().execute((tx) => clearFailedAttempts(tx, own, 'laptop'))
  const left = await write.selectFrom('sign_in_attempt').select(['account_hash', 'device_hash']).execute()
  const nameOf = (account: Buffer, device: Buffer | null) =>
    `${account.equals(own) ? 'own' : 'other'} ${device?.equals(hashSecret('laptop')) ? 'laptop' : 'phone'}`
  assert.deepEqual(left.map(({ account_hash, device_hash }) => nameOf(account_hash, device_hash)).sort(), [
    'other laptop',
    'own phone',
  ])
})
