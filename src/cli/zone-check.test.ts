import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { describeZoneDifference, findZoneDifference } from './zone-check.ts'

const NOW = new Date('2026-05-20T09:30:00Z')

describe('zone rules of the database', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, timeZone: 'Europe/Berlin' })
  })
  after(async () => {
    await db?.close()
    await database?.drop()
  })

  test('are those of Node', async () => assert.equal(await findZoneDifference(db, 'Europe/Berlin', NOW), undefined))

  test('are reported from the first day on which they differ', async () => {
    // Algiers has the winter time of Berlin all year.
    const since = await findZoneDifference(db, 'Africa/Algiers', new Date('2026-11-20T09:30:00Z'))
    assert.equal(since?.toISOString().slice(0, 10), '2025-03-30')
    assert.match(describeZoneDifference('Africa/Algiers', since!), /for the time zone Africa\/Algiers, first on 2025-03-30: /)
  })
})
