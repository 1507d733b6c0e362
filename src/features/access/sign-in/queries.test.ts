import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { authenticateSession } from './queries.ts'

const START = new Date('2026-03-01T08:00:00Z')
const DAY_MS = 24 * 3600_000
const later = (ms: number) => new Date(START.getTime() + ms)
const ID = 'a'.repeat(43)

let database: TestDatabase
let db: Database
let ann: number

describe('the authenticator of sessions', () => {
  before(async () => {
    database = await freshDatabase()
    // With one write connection, later statements see earlier ones.
    db = openTestDatabase({ url: database.url, writes: 1 })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })
  beforeEach(async () => {
    await sql`truncate user_profile, user_group, session cascade`.execute(db.write)
    const person = { email: 'ann@example.org', display_name: 'Ann', preferred_language: 'de', is_staff: true }
    ann = (await db.write.insertInto('user_profile').values(person).returning('id').executeTakeFirstOrThrow()).id
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(ID), user_id: ann, created_at: START, last_seen_at: START, expires_at: later(60 * DAY_MS) })
      .execute()
  })
  const isAlive = async (now: Date, id = ID) => (await authenticateSession(db)(id, now)) !== undefined
  const lastSeen = async () =>
    (await db.write.selectFrom('session').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at
  const seenAt = (at: Date) => db.write.updateTable('session').set({ last_seen_at: at }).execute()

  describe('a session', () => {
    test('returns identity and permissions with one query', async () => {
      const groups = await db.write
        .insertInto('user_group')
        .values([{ name: 'North' }, { name: 'South' }, { name: 'East' }])
        .returning('id')
        .execute()
      const [north, south, east] = groups.map(({ id }) => id) as [number, number, number]
      await db.write
        .insertInto('user_group_member')
        .values([north, south].map((group_id) => ({ group_id, user_id: ann })))
        .execute()
      await db.write
        .insertInto('group_permission')
        .values([
          { group_id: north, permission: 'view_event' },
          { group_id: south, permission: 'add_event' },
          { group_id: east, permission: 'delete_event' },
        ])
        .execute()
      await db.write
        .insertInto('user_permission')
        .values(['view_event', 'view_user'].map((permission) => ({ user_id: ann, permission })))
        .execute()
      let queries = 0
      const counter: KyselyPlugin = {
        transformQuery: ({ node }) => {
          queries++
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const counted = { ...db, read: db.read.withPlugin(counter), write: db.write.withPlugin(counter) }
      const { eventsState, storedState, ...actor } = (await authenticateSession(counted)(ID, later(1000)))!
      assert.ok(eventsState && storedState)
      assert.equal(queries, 1)
      assert.deepEqual(
        { ...actor, permissions: [...actor.permissions].sort() },
        {
          kind: 'user',
          userId: ann,
          displayName: 'Ann',
          email: 'ann@example.org',
          language: 'de',
          isStaff: true,
          isSuperuser: false,
          isGuardian: false,
          groupIds: [north, south],
          permissions: ['add_event', 'view_event', 'view_user'],
          via: { kind: 'session', sessionHash: hashSecret(ID), provedAt: START },
        },
      )
    })

    test('is found by its id, not by the hash that is stored', async () => {
      assert.equal(await isAlive(START), true)
      assert.equal(await isAlive(START, 'b'.repeat(43)), false)
      assert.equal(await isAlive(START, hashSecret(ID).toString('hex')), false)
    })

    test('ends after 14 days without a visit', async () => {
      assert.equal(await isAlive(later(14 * DAY_MS)), false)
      assert.equal(await isAlive(later(14 * DAY_MS - 1)), true)
    })

    test('ends after 60 days, however often it was used', async () => {
      await seenAt(later(59 * DAY_MS))
      assert.equal(await isAlive(later(60 * DAY_MS)), false)
      assert.equal(await isAlive(later(60 * DAY_MS - 1)), true)
    })

    test('is refused while the person is inactive', async () => {
      await db.write.updateTable('user_profile').set({ is_active: false }).execute()
      assert.equal(await isAlive(START), false)
    })

    test('writes “last seen” at most every five minutes', async () => {
      await isAlive(later(5 * 60_000 - 1))
      assert.deepEqual(await lastSeen(), START)
      await isAlive(later(5 * 60_000))
      assert.deepEqual(await lastSeen(), later(5 * 60_000))
      await isAlive(later(9 * 60_000))
      assert.deepEqual(await lastSeen(), later(5 * 60_000))
    })

    test('is no write that ends kept pages', async () => {
      const countMarks = async () =>
        (await db.readPool.query(`select count(*)::int as count from cache_mark where kind = 'unseen'`)).rows[0].count
      const before = await countMarks()
      await isAlive(later(20 * 60_000))
      assert.deepEqual(await lastSeen(), later(20 * 60_000))
      assert.equal(await countMarks(), before + 1)
    })

    test('is accepted even if that write fails', async () => {
      const broken = {
        ...db,
        write: db.read.withPlugin({
          transformQuery: () => {
            throw new Error('no connection')
          },
          transformResult: async ({ result }) => result,
        }),
      }
      assert.ok(await authenticateSession(broken)(ID, later(DAY_MS)).catch((error: Error) => assert.fail(error.message)))
    })
  })
})
