import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { compareZoneRules, describeZoneRules } from './zone-check.ts'

const NOW = new Date('2026-05-20T09:30:00Z')

describe('zone rules of the database', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url })
  })
  after(async () => {
    await db?.close()
    await database?.drop()
  })

  test('are those of Node', async () => {
    const comparison = await compareZoneRules(db, 'Europe/Berlin', NOW)
    assert.deepEqual(comparison, { verdict: 'equal' })
    assert.match(describeZoneRules('Europe/Berlin', comparison), /rules of Node for Europe\/Berlin .* PostgreSQL has the same$/)
  })

  test('are reported from the first day on which they differ', async () => {
    // PostgreSQL reads offsets with the sign of POSIX, so this is three hours ahead of UTC there.
    const comparison = await compareZoneRules(db, '-03:00', NOW)
    assert.deepEqual(comparison, { verdict: 'differ', since: new Date('2024-05-18T09:30:00Z') })
    const text = describeZoneRules('-03:00', comparison)
    assert.match(text, /rules of Node for -03:00 .* those of PostgreSQL differ from 2024-05-18 on and are not used/)
  })

  test('are not needed: a zone may be unknown to the database', async () => {
    const comparison = await compareZoneRules(db, 'Moon/Tranquility', NOW)
    assert.deepEqual(comparison, { verdict: 'unknown' })
    assert.match(describeZoneRules('Moon/Tranquility', comparison), /does not know this zone/)
  })
})
