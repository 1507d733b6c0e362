import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { andAll, type Condition, contains, isOneOf, modifiedSince, searchIn, searchNames, searchSimilar } from './conditions.ts'

describe('conditions', async () => {
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
  })
  await sql`create table thing (id bigint primary key, name text not null, place text not null)`.execute(db.write)
  await sql`insert into thing values (1, 'Zoë Müller', 'Pier 3'), (2, 'Ann 100%', 'Zone_B'), (3, 'Annegret Schulz', 'ZoneXB')`.execute(
    db.write,
  )
  const find = async (...conditions: Condition[]) =>
    (await sql<{ id: number }>`select id from thing where true${andAll(conditions)} order by id`.execute(db.read)).rows
      .map(({ id }) => id)
      .join(' ')
  const [id, name, place] = [sql`id`, sql`name`, sql`place`]

  test('ids: one, several, none', async () => {
    assert.deepEqual(
      [await find(isOneOf(id, [2])), await find(isOneOf(id, [3, 1])), await find(isOneOf(id, []))],
      ['2', '1 3', ''],
    )
  })

  test('several ids: the plan is kept for the connection', async () => {
    await sql`create table part (id bigint primary key, name text)`.execute(db.write)
    await sql`insert into part select n, n::text from generate_series(1, 10000) n`.execute(db.write)
    await sql`analyze part`.execute(db.write)
    /** How often the database planned the statement for its values, and how often it used a plan for all values. */
    const plansOf = (mark: string, condition: (ids: number[]) => Condition) =>
      db.write.transaction().execute(async (tx) => {
        for (let n = 0; n < 10; n++)
          await sql`select name as ${sql.ref(mark)} from part where ${condition([n, n + 1])}`.execute(tx)
        const { rows } = await sql<{ custom: number; generic: number }>`
          select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
          where statement like ${`select name as "${mark}"%`}`.execute(tx)
        return rows
      })
    assert.deepEqual(await plansOf('kept', (ids) => isOneOf(id, ids)), [{ custom: 5, generic: 5 }])
    const known = await plansOf('known', (ids) => sql`id = any (${ids}::bigint[])`)
    assert.deepEqual(known, [{ custom: 10, generic: 0 }])
  })

  test('parts of texts, whatever the case, with signs of patterns as they are', async () => {
    for (const [term, found] of [
      ['ANN', '2 3'],
      ['100%', '2'],
      ['1%', ''],
      ['\\', ''],
    ] as const)
      assert.equal(await find(contains(name, term)), found, term)
    assert.equal(await find(contains(place, 'zone_b')), '2')
  })

  test('each term in one of the columns', async () => {
    const search = (...terms: string[]) => find(...searchIn(terms, [name, place]))
    assert.deepEqual(
      [await search('ann'), await search('ann', 'zonex'), await search('ann', 'pier'), await search()],
      ['2 3', '3', '', '1 2 3'],
    )
    assert.equal(await find(...searchIn(undefined, [name])), '1 2 3')
  })

  test('names without accents and with umlauts in both spellings', async () => {
    const search = (...terms: string[]) => find(...searchNames(terms, [name]))
    for (const [term, found] of [
      ['zoe', '1'],
      ['mueller', '1'],
      ['müller', '1'],
      ['SCHULZ', '3'],
      ['100%', '2'],
      ['n%z', ''],
    ] as const)
      assert.equal(await search(term), found, term)
    assert.deepEqual([await search('ann', 'schulz'), await search('ann', 'muller')], ['3', ''])
    assert.equal(await find(...searchNames(['muller', 'pier'], [name, place])), '1')
  })

  test('names that are similar to what was typed, or contain something similar', async () => {
    await sql`create extension if not exists pg_trgm`.execute(db.write)
    for (const [typed, found] of [
      ['Zoe Muler', '1'],
      ['Schulzz', '3'],
      ['Quentin', ''],
    ] as const)
      assert.equal(await find(searchSimilar(typed, name)), found, typed)
  })

  test('what was changed since a time', async () => {
    const since = (modified_since?: string) =>
      find(...modifiedSince({ modified_since }, id, (time) => sql`select 2::bigint where ${time} < '2031-05-04T00:00:00Z'`))
    assert.deepEqual(
      [await since(), await since('2031-05-03T00:00:00Z'), await since('2031-05-05T00:00:00Z')],
      ['1 2 3', '2', ''],
    )
  })
})
