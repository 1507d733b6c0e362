import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '#test/support/database.ts'
import { readLong } from './long-read.ts'
import { openDatabase } from './pool.ts'
import { transact } from './transaction.ts'

describe('a long read', async () => {
  const database = await freshDatabase()
  const db = openDatabase({ url: database.url, reads: 1, writes: 1, timeouts: { statementTimeoutMs: 4_000 } })
  after(async () => {
    await db.close()
    await database.drop()
  })
  const limitOf = async (from: typeof db.read): Promise<string> => {
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(from)
    return rows[0]!.limit
  }

  test('has a limit of its own for its statements, and the connection the usual one afterwards', async () => {
    assert.equal(await readLong(db.read, 30_000, limitOf), '30s')
    assert.equal(await limitOf(db.read), '4s')
    await assert.rejects(
      readLong(db.read, 30_000, async () => {
        throw new Error('stopped')
      }),
      /stopped/,
    )
    assert.equal(await limitOf(db.read), '4s')
  })

  test('writes nothing', async () => {
    const write = readLong(db.write, 30_000, (tx) => tx.insertInto('user_group').values({ name: 'Crew' }).execute())
    await assert.rejects(write, { code: '25006' })
  })

  test('keeps the limit of a transaction that it is a part of', async () => {
    assert.equal(await transact(db.write, (tx) => readLong(tx, 30_000, limitOf)), '4s')
  })
})
