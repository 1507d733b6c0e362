import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { deleteExpiredFactorRows, deleteFactorsOf, forgetOwnDevices, trustDevice } from './commands/factors.ts'
import { getFactorKinds, getFactors, isRequired, needsSecondStep } from './queries.ts'

const DAY = 24 * 3600_000
const later = (ms: number) => new Date(NOW.getTime() + ms)
const world = await openWorld()
const { write } = world.db
const TABLES = ['totp_factor', 'passkey', 'recovery_code', 'trusted_device', 'used_passkey_challenge'] as const

const addApp = (person: Person) =>
  write.insertInto('totp_factor').values({ user_id: person.id, secret_sealed: 's', last_step: 0, created_at: NOW }).execute()
const addPasskey = (person: Person, name: string) =>
  write
    .insertInto('passkey')
    .values({
      user_id: person.id,
      credential_id: Buffer.from(name),
      public_key: Buffer.from('k'),
      user_handle: Buffer.from('h'),
      sign_count: 0,
      is_synced: false,
      is_backed_up: false,
      name,
      created_at: NOW,
    })
    .execute()
const addCode = (person: Person, code: string, used_at: Date | null = null) =>
  write
    .insertInto('recovery_code')
    .values({ user_id: person.id, code_hash: Buffer.from(code), created_at: NOW, used_at })
    .execute()
const trust = (person: Person, device: string, now = NOW) =>
  transact(write, (tx) => trustDevice(tx, { userId: person.id, device, now }))
const isAsked = (person: Person, device: string, now = NOW) => needsSecondStep(write, { userId: person.id, device, now })

beforeEach(async () => {
  for (const table of TABLES) await write.deleteFrom(table).execute()
})

describe('a browser that a person trusts', () => {
  test('is not asked for the second factor for 30 days, and no other browser and person is spared', async () => {
    for (const person of [ANN, BEN]) await addApp(person)
    await trust(ANN, 'phone')
    assert.deepEqual([await isAsked(ANN, 'phone'), await isAsked(ANN, 'other'), await isAsked(BEN, 'phone')], [false, true, true])
    assert.deepEqual(
      [await isAsked(ANN, 'phone', later(30 * DAY - 1)), await isAsked(ANN, 'phone', later(30 * DAY))],
      [false, true],
    )
  })

  test('is trusted for another 30 days when the person says so again', async () => {
    await addApp(ANN)
    await trust(ANN, 'phone')
    await trust(ANN, 'phone', later(10 * DAY))
    assert.equal(await isAsked(ANN, 'phone', later(40 * DAY - 1)), false)
    assert.equal((await getFactors(write, ANN.id, NOW)).trustedDevices, 1)
  })

  test('is forgotten when its owner wants it, and those of others are not', async () => {
    for (const person of [ANN, BEN]) await addApp(person)
    for (const device of ['phone', 'tablet']) await trust(ANN, device)
    await trust(BEN, 'phone')
    await forgetOwnDevices(contextAs(world, ANN))
    assert.deepEqual(await Promise.all(['phone', 'tablet'].map((device) => isAsked(ANN, device))), [true, true])
    assert.equal(await isAsked(BEN, 'phone'), false)
  })

  test('is deleted by the clean-up when its time is over, like challenges', async () => {
    await trust(ANN, 'old', later(-30 * DAY))
    await trust(ANN, 'current', later(-30 * DAY + 1))
    const challenge = (name: string, expires_at: Date) => ({ challenge_hash: Buffer.from(name), expires_at })
    await write
      .insertInto('used_passkey_challenge')
      .values([challenge('over', NOW), challenge('open', later(1))])
      .execute()
    await deleteExpiredFactorRows(write, NOW)
    assert.deepEqual(await write.selectFrom('trusted_device').select('trusted_until').execute(), [{ trusted_until: later(1) }])
    assert.deepEqual(
      (await write.selectFrom('used_passkey_challenge').select('challenge_hash').execute()).map(({ challenge_hash }) =>
        challenge_hash.toString(),
      ),
      ['open'],
    )
  })
})

test('what a person has set up is theirs: used codes, expired browsers and those of others do not count', async () => {
  await addApp(ANN)
  for (const name of ['Phone', 'Tablet']) await addPasskey(ANN, name)
  await addCode(ANN, 'fresh')
  await addCode(ANN, 'used', NOW)
  await trust(ANN, 'current')
  await trust(ANN, 'old', later(-30 * DAY))
  await addPasskey(BEN, 'Key')
  await addCode(PAUL, 'left', NOW)
  const describeFactors = async (person: Person) => {
    const { app, passkeys, recoveryCodes, trustedDevices } = await getFactors(write, person.id, NOW)
    return { app: app !== undefined, passkeys: passkeys.map(({ name }) => name), recoveryCodes, trustedDevices }
  }
  assert.deepEqual(await describeFactors(ANN), { app: true, passkeys: ['Phone', 'Tablet'], recoveryCodes: 1, trustedDevices: 1 })
  assert.deepEqual(await describeFactors(BEN), { app: false, passkeys: ['Key'], recoveryCodes: 0, trustedDevices: 0 })
  assert.deepEqual(await getFactorKinds(write, ANN.id), { app: true, passkey: true, recovery: true })
  assert.deepEqual(await getFactorKinds(write, BEN.id), { app: false, passkey: true, recovery: false })
  assert.deepEqual(await getFactorKinds(write, PAUL.id), { app: false, passkey: false, recovery: false })
  assert.equal(await isAsked(PAUL, 'phone'), false, 'without a factor nobody is asked')
})

test('deleting the factors of a person tells what was deleted, and leaves those of others', async () => {
  for (const person of [ANN, BEN]) {
    await addApp(person)
    for (const name of ['Phone', 'Tablet']) await addPasskey(person, `${name} of ${person.name}`)
    await addCode(person, 'fresh')
    await trust(person, 'phone')
  }
  const remove = (person: Person) => transact(write, (tx) => deleteFactorsOf(tx, person.id))
  assert.deepEqual(await remove(ANN), { app: true, passkeys: 2 })
  assert.deepEqual(await remove(ANN), { app: false, passkeys: 0 })
  const rows = async (person: Person) =>
    (
      await Promise.all(
        (['totp_factor', 'passkey', 'recovery_code', 'trusted_device'] as const).map((table) =>
          write.selectFrom(table).select('user_id').where('user_id', '=', person.id).execute(),
        ),
      )
    ).map(({ length }) => length)
  assert.deepEqual(
    [await rows(ANN), await rows(BEN)],
    [
      [0, 0, 0, 0],
      [1, 2, 1, 1],
    ],
  )
})

test('a second factor is required of administrators or of groups, as the policy says', async () => {
  const crew = await world.addGroup('Crew', [BEN])
  const CASES: [what: string, policy: boolean | undefined, groups: number[], expected: Person[]][] = [
    ['no policy', undefined, [], []],
    ['a policy for groups only', false, [crew.id], [BEN]],
    ['a policy for nobody', false, [], []],
    ['a policy for administrators', true, [], [OLGA]],
    ['a policy for both', true, [crew.id], [BEN, OLGA]],
  ]
  for (const [what, for_administrators, groups, expected] of CASES) {
    await write.deleteFrom('second_factor_policy').execute()
    await write.deleteFrom('second_factor_group').execute()
    if (for_administrators !== undefined)
      await write
        .insertInto('second_factor_policy')
        .values({ for_administrators, grace_days: 14, after_provider: false })
        .execute()
    for (const group_id of groups) await write.insertInto('second_factor_group').values({ group_id }).execute()
    const required: string[] = []
    for (const person of [ANN, BEN, PAUL, OLGA]) if (await isRequired(write, person.id)) required.push(person.name)
    assert.deepEqual(
      required,
      expected.map(({ name }) => name),
      what,
    )
  }
})
