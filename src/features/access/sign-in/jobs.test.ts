import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { cleanUpSignIn } from './jobs.ts'

const NOW = new Date('2026-05-09T12:00:00Z')
const DAY_MS = 24 * 3600_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)

test('deletes expired rows and nothing else', async () => {
  const database = await freshDatabase()
  const { write: db, close } = openTestDatabase({ url: database.url })
  const { id: user_id } = await db
    .insertInto('user_profile')
    .values({ email: 'ann@example.org', display_name: 'Ann' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = (name: string, created_at: Date, last_seen_at: Date) => ({
    id_hash: Buffer.from(name),
    user_id,
    created_at,
    last_seen_at,
    expires_at: new Date(created_at.getTime() + 60 * DAY_MS),
  })
  await db
    .insertInto('session')
    .values([
      session('alive', ago(59 * DAY_MS), ago(13 * DAY_MS)),
      session('idle', ago(20 * DAY_MS), ago(14 * DAY_MS)),
      session('expired', ago(60 * DAY_MS), ago(0)),
    ])
    .execute()
  const attempt = (name: string, at: Date) => ({ account_hash: Buffer.from(name), device_hash: null, at })
  await db
    .insertInto('sign_in_attempt')
    .values([attempt('counts', ago(15 * 60_000 - 1)), attempt('old', ago(15 * 60_000))])
    .execute()
  const link = (name: string, created_at: Date, used_at: Date | null) => ({
    token_hash: Buffer.from(name),
    purpose: 'first_administrator',
    created_at,
    expires_at: new Date(created_at.getTime() + DAY_MS),
    used_at,
  })
  await db
    .insertInto('one_time_link')
    .values([link('open', ago(DAY_MS - 1), null), link('expired', ago(DAY_MS), null), link('used', ago(1), ago(0))])
    .execute()
  const device = (name: string, last_used_at: Date) => ({
    device_hash: Buffer.from(name),
    user_id,
    created_at: last_used_at,
    last_used_at,
  })
  await db
    .insertInto('known_device')
    .values([device('known', ago(399 * DAY_MS)), device('forgotten', ago(400 * DAY_MS))])
    .execute()

  // Twice: a job may run again after a crash.
  await cleanUpSignIn(db, NOW)
  await cleanUpSignIn(db, NOW)

  const left = [
    ...(await db.selectFrom('session').select('id_hash as name').execute()),
    ...(await db.selectFrom('sign_in_attempt').select('account_hash as name').execute()),
    ...(await db.selectFrom('one_time_link').select('token_hash as name').execute()),
    ...(await db.selectFrom('known_device').select('device_hash as name').execute()),
  ]
  assert.deepEqual(
    left.map(({ name }) => name.toString()),
    ['alive', 'counts', 'open', 'known'],
  )
  await close()
  await database.drop()
})
