import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import { openSourceDatabase } from './source-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnout-source-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const UUID = '0123456789abcdef0123456789ABCDEF'
const TABLES = 'create table thing (id bigint primary key, name text, flag boolean, at timestamp, key text, extra text)'
const ROWS = `insert into thing values (1, 'Ann', true, '2031-05-04 08:00:00', '${UUID}', null),
  (2, null, false, null, 'no-uuid', 'x'), (9007199254740991, '7', null, '2031-05-04 08:00:00.25', null, null)`
const COLUMNS = { id: 'integer', name: 'text', flag: 'boolean', at: 'time', key: 'uuid' } as const
const EXPECTED = [
  { id: 1, name: 'Ann', flag: true, at: '2031-05-04 08:00:00+00', key: '01234567-89ab-cdef-0123-456789ABCDEF' },
  { id: 2, name: null, flag: false, at: null, key: 'no-uuid' },
  { id: 9_007_199_254_740_991, name: '7', flag: null, at: '2031-05-04 08:00:00.25+00', key: null },
]
async function collect<T>(batches: AsyncIterable<T[]>): Promise<T[][]> {
  const all: T[][] = []
  for await (const batch of batches) all.push(batch)
  return all
}

async function makeSqlite(...statements: string[]): Promise<string> {
  const path = join(folder, `${Math.random()}.sqlite3`)
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
  return path
}

async function makePostgres(...statements: string[]): Promise<string> {
  const { url, drop } = await freshDatabase()
  after(drop)
  const schema = 'moving'
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `create schema ${schema}; alter role current_user in database ${new URL(url).pathname.slice(1)} set search_path = ${schema}`,
  )
  await client.query(`set search_path = ${schema}`)
  for (const statement of statements) await client.query(statement)
  await client.end()
  return url
}

for (const [kind, make] of [
  ['SQLite', makeSqlite],
  ['PostgreSQL', makePostgres],
] as const)
  describe(`a source in ${kind}`, () => {
    test('is read with numbers, booleans, times with a zone and UUIDs with dashes', async () => {
      const source = await openSourceDatabase(await make(TABLES, ROWS, 'create view seen as select * from thing'))
      assert.deepEqual([source.kind, [...source.tables.keys()]], [kind, ['thing']])
      assert.deepEqual([...source.tables.get('thing')!].sort(), ['at', 'extra', 'flag', 'id', 'key', 'name'])
      assert.equal(await source.count('thing'), 3)
      assert.deepEqual(await collect(source.read('thing', COLUMNS, 'id')), [EXPECTED])
      assert.deepEqual(await collect(source.read('thing', { 'thing.name': 'text' }, 'id desc')), [
        [{ name: '7' }, { name: null }, { name: 'Ann' }],
      ])
      const whole = (await collect(source.readWhole('thing'))).flat().map((line) => JSON.parse(line))
      assert.deepEqual(
        whole.map(({ id, extra }) => [id, extra]),
        [
          [1, null],
          [2, 'x'],
          [9_007_199_254_740_991, null],
        ],
      )
      await source.close()
    })

    test('is read in batches of 5,000 rows, without an empty one', async () => {
      const many = (table: string, count: number) => [
        `create table ${table} (id bigint)`,
        `insert into ${table} with recursive n (n) as (select 1 union all select n + 1 from n where n < ${count}) select n from n`,
      ]
      const source = await openSourceDatabase(
        await make(...many('exact', 10_000), ...many('more', 5_001), 'create table none (id bigint)'),
      )
      const sizes = async (table: string) =>
        (await collect(source.read(table, { id: 'integer' }, 'id'))).map(({ length }) => length)
      assert.deepEqual([await sizes('exact'), await sizes('more'), await sizes('none')], [[5_000, 5_000], [5_000, 1], []])
      await source.close()
    })

    test('with a number that is too large is refused', async () => {
      const source = await openSourceDatabase(await make(TABLES, "insert into thing (id, name) values (1, '9007199254740993')"))
      await assert.rejects(
        collect(source.read('thing', { name: 'integer' })),
        /has the number 9007199254740993, which is too large/,
      )
      await source.close()
    })
  })

test('what cannot be read is refused with the reason', async () => {
  for (const address of ['mysql://a.example/x', 'MariaDB://a.example/x'])
    await assert.rejects(openSourceDatabase(address), /MySQL and MariaDB cannot be read.*docs\/moving-in\.md/)
  await assert.rejects(openSourceDatabase('postgres://localhost:1/x'), /The database to import cannot be reached/)
  await assert.rejects(
    openSourceDatabase(join(folder, 'nothing.sqlite3')),
    /nothing\.sqlite3 cannot be read as a SQLite database/,
  )
  const text = join(folder, 'text.txt')
  writeFileSync(text, 'no database, but long enough to have a header'.repeat(50))
  await assert.rejects(openSourceDatabase(text), /text\.txt cannot be read as a SQLite database/)
})
