import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { type Tx, transact, withoutParts } from './transaction.ts'

const { url } = await freshDatabase()
const db = openTestDatabase({ url, writes: 4 })
after(db.close)
await sql`create table purse (id int primary key, amount int not null)`.execute(db.write)

const amounts = async () =>
  (await sql<{ amount: number }>`select amount from purse order by id`.execute(db.read)).rows.map(({ amount }) => amount)
const fill = () => sql`truncate purse; insert into purse values (1, 0), (2, 0)`.execute(db.write)
const add = (tx: Tx, id: number) => sql`update purse set amount = amount + 1 where id = ${id}`.execute(tx)

/** Resolves for everybody once so many have come; later ones pass. */
function meeting(size: number): () => Promise<void> {
  const all = Promise.withResolvers<void>()
  let come = 0
  return () => {
    if (++come === size) all.resolve()
    return all.promise
  }
}

test('commits on success; rolls back and rethrows the error on failure', async () => {
  await fill()
  const { numAffectedRows } = await transact(db.write, (tx) => add(tx, 1))
  assert.equal(numAffectedRows, 1n)
  const failure = new Error('no')
  await assert.rejects(
    transact(db.write, async (tx) => {
      await add(tx, 2)
      throw failure
    }),
    failure,
  )
  assert.deepEqual(await amounts(), [1, 0])
})

test('two transactions that deadlock both succeed after a retry', async () => {
  await fill()
  const bothHoldOne = meeting(2)
  let tries = 0
  const move = (first: number, second: number) =>
    transact(db.write, async (tx) => {
      tries++
      await add(tx, first)
      await bothHoldOne()
      await add(tx, second)
    })
  await Promise.all([move(1, 2), move(2, 1)])
  assert.deepEqual(await amounts(), [2, 2])
  assert.ok(tries > 2, 'there was no deadlock')
})

test('a serialization failure is retried with current data', async () => {
  await fill()
  const bothHaveRead = meeting(2)
  let tries = 0
  const increase = () =>
    transact(db.write, async (tx) => {
      tries++
      await sql`set transaction isolation level serializable`.execute(tx)
      const { rows } = await sql<{ amount: number }>`select amount from purse where id = 1`.execute(tx)
      await bothHaveRead()
      await sql`update purse set amount = ${rows[0]!.amount + 1} where id = 1`.execute(tx)
    })
  await Promise.all([increase(), increase()])
  assert.deepEqual(await amounts(), [2, 0])
  assert.ok(tries > 2, 'there was no conflict')
})

for (const [code, expected] of [
  ['40001', 3],
  ['40P01', 3],
  ['23503', 2],
  ['23505', 1],
  ['P0001', 1],
] as const) {
  test(`a permanent error ${code} is thrown after ${expected} ${expected === 1 ? 'attempt' : 'attempts'}`, async () => {
    let tries = 0
    await assert.rejects(
      transact(db.write, async (tx) => {
        tries++
        await sql`do ${sql.lit(`begin raise exception 'again' using errcode = '${code}'; end`)}`.execute(tx)
      }),
      { code },
    )
    assert.equal(tries, expected)
  })
}

test('within a transaction, a part that fails leaves no trace, and the rest is committed', async () => {
  await fill()
  await transact(db.write, async (tx) => {
    await transact(tx, (part) => add(part, 1))
    const failed = transact(tx, async (part) => {
      await transact(part, (inner) => add(inner, 2))
      await sql`insert into purse values (1, 0)`.execute(part)
    })
    await assert.rejects(failed, { code: '23505' })
    await add(tx, 1)
  })
  assert.deepEqual(await amounts(), [2, 0])
})

test('a part is not committed before the transaction around it', async () => {
  await fill()
  const failure = new Error('no')
  await assert.rejects(
    transact(db.write, async (tx) => {
      await transact(tx, (part) => add(part, 1))
      throw failure
    }),
    failure,
  )
  assert.deepEqual(await amounts(), [0, 0])
})

test('a deadlock in a part is retried with everything around it', async () => {
  await fill()
  const bothHoldOne = meeting(2)
  const tries: string[] = []
  const move = (first: number, second: number) =>
    transact(db.write, async (tx) => {
      tries.push('outer')
      await add(tx, first)
      await bothHoldOne()
      await transact(tx, async (part) => {
        tries.push('part')
        await add(part, second)
      })
    })
  await Promise.all([move(1, 2), move(2, 1)])
  assert.deepEqual(await amounts(), [2, 2])
  const count = (kind: string) => tries.filter((each) => each === kind).length
  assert.ok(count('outer') > 2, 'there was no deadlock')
  assert.equal(count('part'), count('outer'))
})

test('a part that fails leaves the rest of its transaction; without parts, the whole transaction fails', async () => {
  const failure = new Error('no')
  const goOn = async (tx: Tx) => {
    await add(tx, 1)
    const part = transact(tx, async (inner) => {
      await add(inner, 2)
      throw failure
    })
    await part.catch(() => {})
  }
  await fill()
  await transact(db.write, goOn)
  assert.deepEqual(await amounts(), [1, 0])
  await fill()
  await assert.rejects(
    transact(db.write, (tx) => withoutParts(tx, () => goOn(tx))),
    failure,
  )
  assert.deepEqual(await amounts(), [0, 0])
})

test('after work without parts, the same transaction has parts again', async () => {
  await fill()
  await transact(db.write, async (tx) => {
    await withoutParts(tx, () => add(tx, 1))
    const part = transact(tx, async (inner) => {
      await add(inner, 2)
      throw new Error('no')
    })
    await part.catch(() => {})
  })
  assert.deepEqual(await amounts(), [1, 0])
})

test('a transaction without parts sets no savepoint', async () => {
  await fill()
  const goBack = (tx: Tx) => transact(tx, () => sql`rollback to savepoint part`.execute(tx))
  await transact(db.write, goBack)
  await assert.rejects(
    transact(db.write, (tx) => withoutParts(tx, () => goBack(tx))),
    /savepoint "part" does not exist/,
  )
})
