import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import type { Database } from './pool.ts'

describe('the readiness for writes', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: 1 })
  })
  after(async () => {
    await db?.close()
    await database?.drop()
  })
  const write = () => db.write.insertInto('event_type').values({ title: 'Race' }).execute()
  /** For the open connection and for later ones: the pool closes a connection after a failed query. */
  const allowWrites = (isAllowed: boolean) => {
    const setting = `set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`
    return db.writePool.query(`begin read write;
      do $$ begin execute format('alter database %I ${setting}', current_database()); end $$;
      commit; ${setting}`)
  }

  test('ends with a write that the database cannot take, and returns when it can', async () => {
    await write()
    assert.equal(await db.isWritable(), true)
    await allowWrites(false)
    assert.equal(await db.isWritable(), true, 'no write has failed yet')
    await assert.rejects(write(), { code: '25006' })
    assert.equal(await db.isWritable(), false)
    assert.equal(await db.isWritable(), false)
    await allowWrites(true)
    assert.equal(await db.isWritable(), true)
    await write()
  })

  test('does not end with a mistake in one statement', async () => {
    await assert.rejects(
      db.write
        .insertInto('event_type')
        .values({ title: null as unknown as string })
        .execute(),
      { code: '23502' },
    )
    await allowWrites(false)
    assert.equal(await db.isWritable(), true)
    await allowWrites(true)
  })
})
