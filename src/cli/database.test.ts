import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '#platform/config.ts'
import { freshDatabase } from '#test/support/database.ts'
import { withDatabase } from './database.ts'

test('a command has more time for the database than a request', async () => {
  const database = await freshDatabase()
  after(database.drop)
  const config = readConfig({ DATABASE_URL: database.url, SITE_URL: 'https://a.example' }, 'command')
  const limits = await withDatabase(config, async ({ db }) => {
    const of = async (which: 'read' | 'write') =>
      (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db[which])).rows[0]!.limit
    const waits = [db.readPool, db.writePool].map(({ options }) => options.connectionTimeoutMillis)
    return [await of('read'), await of('write'), ...waits]
  })
  assert.deepEqual(limits, ['10min', '10min', 60_000, 60_000])
})
