import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { dropIndexes } from './indexes.ts'
import { type Tx, transact } from './transaction.ts'

const { url, drop } = await freshDatabase()
const db = openTestDatabase({ url })
after(async () => {
  await db.close()
  await drop()
})

type Definition = { name: string; text: string }

/** Constraints and indexes with their definitions, by table. */
async function read(tx: Tx): Promise<Map<string, Definition[]>> {
  const { rows } = await sql<Definition>`
    select conrelid::regclass::text as name, conname || ' ' || pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid in ('shift'::regclass, 'event'::regclass, 'participation'::regclass) and contype in ('f', 'p', 'u')
    union all select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      where indrelid in ('shift'::regclass, 'event'::regclass, 'participation'::regclass)
    order by 1, 2`.execute(tx)
  return Map.groupBy(rows, ({ name }) => name)
}

test('indexes and foreign keys of the given tables are dropped and come back as they were, and others stay', async () => {
  await transact(db.write, async (tx) => {
    const before = await read(tx)
    const restore = await dropIndexes(tx, ['shift', 'participation'])
    const between = await read(tx)
    assert.deepEqual(between.get('event'), before.get('event'))
    for (const table of ['shift', 'participation']) {
      const left = between.get(table)!.map(({ text }) => text)
      assert.ok(left.length >= 2 && left.length < before.get(table)!.length)
      assert.ok(
        left.every((text) => /primary key|unique|_pkey|_key/i.test(text)),
        left.join('\n'),
      )
      assert.ok(left.some((text) => /primary key/i.test(text)))
    }
    await restore()
    assert.deepEqual(await read(tx), before)
  })
})
