import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { openRecords } from '#test/support/records.ts'
import { countOtherConnections, estimateRows, findStoredTables, isEmptyInstance } from './tables.ts'

describe('the tables of a backup', async () => {
  const { write } = (await openRecords()).db
  const rowsIn = async (kind: string) => {
    const { rows } = await sql<{ name: string; kind: string; isLogged: boolean }>`
      select relname as name, relpersistence = 'p' as "isLogged" from pg_class
      where relnamespace = 'public'::regnamespace and relkind = ${kind} order by 1`.execute(write)
    return rows
  }

  test('are all logged ones but that of migrations, each after those it refers to', async () => {
    const tables = await findStoredTables(write)
    const names = tables.map(({ name }) => name)
    const logged = (await rowsIn('r')).filter(({ name, isLogged }) => isLogged && name !== 'migration').map(({ name }) => name)
    assert.deepEqual(names.toSorted(), logged.toSorted())
    for (const [first, then] of [
      ['event_type', 'event'],
      ['event', 'shift'],
      ['shift', 'participation'],
      ['user_profile', 'user_group_member'],
    ] as const)
      assert.ok(names.indexOf(first) < names.indexOf(then), `${first} before ${then}`)
    const of = (name: string) => tables.find((table) => table.name === name)!
    assert.deepEqual(of('user_group_member'), {
      name: 'user_group_member',
      columns: ['group_id', 'user_id'],
      identityColumn: null,
    })
    assert.equal(of('event').identityColumn, 'id')
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and is_generated = 'ALWAYS'`.execute(write)
    for (const { table, column } of rows) assert.ok(!of(table)?.columns.includes(column), `${table}.${column}`)
    assert.ok(rows.length > 0)
  })

  test('have about as many rows as the database says', async () => {
    await sql`analyze`.execute(write)
    let rows = 0
    for (const { name } of await rowsIn('r')) {
      const counted = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(write)
      rows += counted.rows[0]!.count
    }
    assert.equal(await estimateRows(write), rows)
  })

  test('hold nothing before somebody entered people, groups, qualifications or events', async () => {
    assert.equal(await isEmptyInstance(write), false)
    const tables = ['event', 'qualification', 'user_group', 'user_profile'] as const
    const clear = async () => {
      for (const table of tables) await write.deleteFrom(table).execute()
    }
    await clear()
    assert.equal(await isEmptyInstance(write), true, 'types of events are there from the start')
    const { id: category_id } = await write
      .insertInto('qualification_category')
      .values({ title: 'C' })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.equal(await isEmptyInstance(write), true)
    const add = {
      event: () => write.insertInto('event').values({ title: 'E', location: '', type_id: 1 }).execute(),
      qualification: () => write.insertInto('qualification').values({ title: 'Q', category_id }).execute(),
      user_group: () => write.insertInto('user_group').values({ name: 'G' }).execute(),
      user_profile: () => write.insertInto('user_profile').values({ display_name: 'P', email: 'p@a.example' }).execute(),
    }
    for (const table of tables) {
      await add[table]()
      assert.equal(await isEmptyInstance(write), false, table)
      await clear()
    }
  })

  test('are used by other connections of Turnout, without the own ones', async () => {
    const all = await countOtherConnections(write, 0)
    assert.deepEqual(
      [all > 0, await countOtherConnections(write, 1), await countOtherConnections(write, all + 5)],
      [true, all - 1, 0],
    )
    await transact(write, async (tx) => {
      await sql`select set_config('application_name', 'another program', true)`.execute(tx)
      assert.equal(await countOtherConnections(tx, 0), all - 1)
    })
  })
})
