import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import type { Database } from './pool.ts'
import { WriteHealth } from './write-health.ts'

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
    assert.equal(await db.isWritable(), true, 'no write has failed yet, and the last question is recent')
    await assert.rejects(write(), { code: '25006' })
    assert.equal(await db.isWritable(), false)
    assert.equal(await db.isWritable(), false)
    await allowWrites(true)
    assert.equal(await db.isWritable(), true)
    await write()
  })

  test('ends without a write when somebody asks again after two seconds', async () => {
    let now = 0
    const health = new WriteHealth(() => now)
    assert.equal(await health.isWritable(db.writePool), true)
    await allowWrites(false)
    now = 1_999
    assert.equal(await health.isWritable(db.writePool), true)
    now = 2_000
    assert.equal(await health.isWritable(db.writePool), false)
    assert.equal(await health.isWritable(db.writePool), false)
    await allowWrites(true)
    assert.equal(await health.isWritable(db.writePool), true, 'a failure is tried again at every question')
  })

  test('writes a temporary file to find out, and nothing else', async () => {
    const written = async () => {
      // Numbers of a connection arrive when it is idle or told to send them.
      await db.writePool.query('select pg_stat_force_next_flush()')
      const { rows } = await db.writePool.query(
        `select temp_bytes::int as temporary, pg_current_wal_lsn() as position from pg_stat_database where datname = current_database()`,
      )
      return rows[0]
    }
    const before = await written()
    assert.equal(await new WriteHealth().isWritable(db.writePool), true)
    const after = await written()
    assert.ok(after.temporary - before.temporary > 100_000, `${after.temporary - before.temporary} bytes`)
    const { rows } = await db.writePool.query(`show work_mem`)
    assert.notEqual(rows[0].work_mem, '64kB')
  })

  describe('with a disk that is full', () => {
    const open = (code: string | undefined, waitingCount = 0) => {
      const state = { now: 0, code, tries: 0 }
      const health = new WriteHealth(() => state.now)
      const query = async () => {
        state.tries++
        await Promise.resolve()
        if (state.code) throw Object.assign(new Error(state.code), { code: state.code })
      }
      const pool = { query, waitingCount } as unknown as Database['writePool']
      return { state, health, ask: () => health.isWritable(pool) }
    }

    test('ends with the first question', async () => {
      const { ask, state } = open('53100')
      assert.deepEqual([await ask(), await ask(), state.tries], [false, false, 2])
      state.code = undefined
      assert.deepEqual([await ask(), await ask(), state.tries], [true, true, 3])
    })

    test('questions at the same time share one attempt', async () => {
      const { ask, state } = open('53100')
      assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [false, false, false])
      assert.equal(state.tries, 1)
    })

    test('a question does not wait behind requests that wait for connections, unless a write has failed', async () => {
      const { ask, state, health } = open('53100', 1)
      assert.deepEqual([await ask(), state.tries], [true, 0])
      health.note({ code: '53100' })
      assert.deepEqual([await ask(), state.tries], [false, 1])
    })

    for (const code of ['42501', '57014', '53300'])
      test(`an attempt that fails for another reason says nothing: ${code}`, async () => {
        assert.equal(await open(code).ask(), true)
      })
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

describe('the memory of failed writes', () => {
  /** Answers each attempt with the next of these codes; without one, the write succeeds. */
  const poolOf = (...codes: string[]) => {
    const state = { asked: 0 }
    const query = async () => {
      const code = codes[state.asked++]
      if (code) throw Object.assign(new Error('refused'), { code })
    }
    return { state, pool: { query, waitingCount: 0 } as unknown as Parameters<WriteHealth['isWritable']>[0] }
  }
  /** The clock stands still, so that only a failed write is a reason to try. */
  const makeHealth = () => new WriteHealth(() => 0)

  for (const [code, isAsked] of [
    ['53100', true],
    ['53200', true],
    ['58030', true],
    ['25006', true],
    ['23505', false],
    ['57014', false],
  ] as const)
    test(`after the error ${code}, a write is ${isAsked ? '' : 'not '}tried again`, async () => {
      const health = makeHealth()
      const { state, pool } = poolOf()
      assert.equal(await health.isWritable(pool), true)
      health.note(Object.assign(new Error('refused'), { code }))
      assert.equal(await health.isWritable(pool), true)
      assert.equal(state.asked, isAsked ? 2 : 1)
    })

  test('ends with a write that succeeds, and not before', async () => {
    const health = makeHealth()
    const { state, pool } = poolOf('53100', '53100')
    health.note({ code: '53100' })
    assert.deepEqual([await health.isWritable(pool), await health.isWritable(pool)], [false, false])
    assert.deepEqual([await health.isWritable(pool), await health.isWritable(pool)], [true, true])
    assert.equal(state.asked, 3, 'nothing is written while all is well')
  })

  test('does not end with an attempt that failed for another reason', async () => {
    const health = makeHealth()
    const { state, pool } = poolOf('42501')
    health.note({ code: '53100' })
    assert.deepEqual([await health.isWritable(pool), await health.isWritable(pool), state.asked], [false, true, 2])
  })
})
